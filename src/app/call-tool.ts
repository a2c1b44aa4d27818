import { prepareCall, runTool } from '../agent/dispatch.ts';
import { fitResult } from '../agent/fit-result.ts';
import { SoloistError } from '../core/errors.ts';
import type { JsonSchema } from '../core/model.ts';
import { suggestName } from '../core/nearest.ts';
import { Scope } from '../core/scope.ts';
import type { Tool } from '../core/tool.ts';
import type { ToolResult, ToolWarning } from '../core/tool-result.ts';
import type { Workspace } from './workspace.ts';

/**
 * Runs one tool by hand with the validation that an agent's call gets. A person's own call needs no approval.
 *
 * @throws SoloistError `usage` for an unknown tool or arguments that do not fit.
 */
export async function callTool(workspace: Workspace, name: string, input: Readonly<Record<string, unknown>>): Promise<ToolResult> {
  const tool = findTool(workspace, name);
  const blobs = await openBlobs(workspace);
  const dispatcher = {
    agent: 'main',
    tools: workspace.tools,
    agentName: 'you',
    permissions: [],
    sources: workspace.catalog,
    approve: undefined,
    now: () => new Date(),
    resultIds: () => [],
    readReference: blobs.get,
    folder: workspace.folder,
    webhooks: workspace.webhooks,
  };
  const prepared = prepareCall({ id: 'call_1', name, arguments: input }, dispatcher);
  if (!prepared.ready)
    throw new SoloistError('usage', prepared.outcome.warnings[0]?.message ?? 'the arguments do not fit', {
      fix: `see: soloist tools show ${name}`,
    });
  const outcome = await runTool({ tool, input: prepared.input, resultId: 'r1' }, new Scope(), dispatcher);
  const coerced = prepared.coercions.length > 0 ? [{ code: 'arguments_coerced', message: prepared.coercions.join('; ') }] : [];
  const result: ToolResult = { id: 'r1', tool: name, ...outcome, warnings: [...outcome.warnings, ...coerced, ...blobs.warnings] };
  const { content } = fitResult(result, blobs.put);
  return { ...(JSON.parse(content) as ToolResult), again: { tool: name, input: prepared.input } };
}

interface Blobs {
  readonly get: (reference: string) => string | undefined;
  readonly put: (text: string) => string;
  readonly warnings: readonly ToolWarning[];
}

/** The log's payloads. A call by hand needs the log only for results too large to show: without it the result says so. */
async function openBlobs(workspace: Workspace): Promise<Blobs> {
  try {
    const log = await workspace.openLog();
    return { get: (reference) => log.getBlob(reference), put: (text) => log.putBlob(text), warnings: [] };
  } catch (error) {
    if (!(error instanceof SoloistError)) throw error;
    const message = `the log cannot be used (${error.message}): a result too large to show is not kept`;
    return { get: () => undefined, put: () => 'not kept', warnings: [{ code: 'log_unusable', message }] };
  }
}

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly effect: string;
  readonly timeoutSeconds: number;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly example: Readonly<Record<string, unknown>> | undefined;
}

/** @throws SoloistError `usage` for an unknown tool. */
export function describeTool(workspace: Workspace, name: string): ToolDescription {
  const tool = findTool(workspace, name);
  const { description, effect, timeoutSeconds, parameters, example } = tool;
  return { name, description, effect, timeoutSeconds, input: parameters, output: tool.outputSchema(), example };
}

function findTool(workspace: Workspace, name: string): Tool {
  const tool = workspace.tools.get(name);
  if (!tool) throw new SoloistError('usage', `there is no tool "${name}"`, { fix: suggestName(name, [...workspace.tools.keys()]) });
  return tool;
}
