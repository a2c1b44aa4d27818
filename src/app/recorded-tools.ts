import { z } from 'zod';
import type { Event } from '../core/event.ts';
import { defineTool, type Tool } from '../core/tool.ts';
import { refused, type ToolOutcome } from '../core/tool-result.ts';

/** Results of a session by their ids. */
export type RecordedResults = ReadonlyMap<string, { readonly tool: string; readonly content: string }>;

export function resultsOf(events: Iterable<Event>): RecordedResults {
  const results = new Map<string, { tool: string; content: string }>();
  for (const { body } of events) if (body.type === 'tool.finished') results.set(body.resultId, { tool: body.tool, content: body.content });
  return results;
}

/** The tool, answering what it answered then and touching nothing; it asks for no permission. */
export function recordedTool(tool: Tool, results: RecordedResults): Tool {
  return {
    ...tool,
    effect: 'read',
    isDryRun: undefined,
    run: async (_input, { resultId }) => {
      const then = results.get(resultId);
      return then?.tool === tool.name
        ? outcomeOf(then.content)
        : refused('not_recorded', `the recording has no result ${resultId} of ${tool.name}`);
    },
  };
}

/** Stands for a tool of the recording that the project no longer has. */
export function missingTool(name: string): Tool {
  return defineTool({
    name,
    description: 'A tool of the recording that this project does not have.',
    input: z.looseObject({}),
    output: z.unknown(),
    effect: 'read',
    run: async () => refused('not_recorded', `there is no tool ${name} here`),
  });
}

/** The outcome within a result, but for the warning that the loop adds again. */
function outcomeOf(content: string): ToolOutcome {
  const { id: _id, tool: _tool, ...outcome } = JSON.parse(content) as ToolOutcome & { id: string; tool: string };
  return { ...outcome, warnings: outcome.warnings.filter(({ code }) => code !== 'arguments_coerced') };
}
