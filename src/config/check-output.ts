import { z } from 'zod';
import type { Tool } from '../core/tool.ts';
import { failed, type ToolOutcome } from '../core/tool-result.ts';

const MOST_PROBLEMS = 3;
const MESSAGE_CHARACTERS = 500;

const outcomeShape = z.looseObject({
  status: z.enum(['ok', 'no_data', 'partial', 'refused', 'error']),
  complete: z.boolean(),
  total: z.number().optional(),
  returned: z.number().optional(),
  as_of: z.string(),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
  data: z.unknown(),
});

/**
 * A tool of which each result is held to its declared output: what does not fit becomes an `error` outcome that names the
 * tool, the path and what was found. The schema of the definition is used as it is; the data are passed on as they were.
 */
export function withCheckedOutput(tool: Tool): Tool {
  return {
    ...tool,
    run: async (input, context) => {
      const outcome = await tool.run(input, context);
      const problem = await findProblem(tool, outcome);
      return problem === undefined ? outcome : failed('invalid_output', problem.slice(0, MESSAGE_CHARACTERS));
    },
  };
}

async function findProblem(tool: Tool, outcome: ToolOutcome): Promise<string | undefined> {
  const shaped = outcomeShape.safeParse(outcome);
  if (!shaped.success)
    return `${tool.name} returned no outcome (make one with complete, partial, noData, refused or failed): ${describe(shaped.error, outcome, 'outcome')}`;
  if (tool.output && outcome.status !== 'refused' && outcome.status !== 'error') {
    const parsed = await tool.output.safeParseAsync(outcome.data);
    if (!parsed.success) return `${tool.name} returned data that do not fit its output: ${describe(parsed.error, outcome.data, 'data')}`;
  }
  return findUnwritable(tool, outcome);
}

function findUnwritable(tool: Tool, { data }: ToolOutcome): string | undefined {
  try {
    JSON.stringify(data);
    return undefined;
  } catch (error) {
    return `${tool.name} returned data that cannot be written as JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function describe({ issues }: z.ZodError, value: unknown, root: string): string {
  const told = issues.slice(0, MOST_PROBLEMS).map(({ path, message }) => {
    const place = [root, ...path.map(String)].join('.');
    return `${place}: ${message.slice(0, 120)}, found ${show(path.reduce<unknown>(step, value))}`;
  });
  const left = issues.length - told.length;
  return left > 0 ? `${told.join('; ')}; and ${left} more` : told.join('; ');
}

function step(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<PropertyKey, unknown>>)[key] : undefined;
}

/** A value as a message names it: short, and with its type where its text does not show it. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'no keys'}`;
  if (typeof value === 'bigint') return `the bigint ${value}n, which JSON cannot hold (write it as text)`;
  return typeof value === 'string'
    ? JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
    : `${typeof value} ${String(value)}`;
}
