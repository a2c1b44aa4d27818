import { z } from 'zod';
import type { AgentSpec, Buys, SubagentSpec } from '../core/agent-spec.ts';
import type { ChildConclusion } from '../core/conclusion.ts';
import type { Scope } from '../core/scope.ts';
import { defineTool, type Tool } from '../core/tool.ts';
import { complete, partial, refused, type ToolWarning } from '../core/tool-result.ts';
import { type CallerView, type DelegationCall, refuseCall } from './check-call.ts';

/** The name that a subagent has as a tool: snake_case, as every tool's. */
export function subagentToolName(agent: string): string {
  return agent.replaceAll('-', '_');
}

const MOST_TASKS = 200;

const conclusion = z.object({
  id: z.string(),
  status: z.string(),
  text: z.string(),
  evidence: z.array(z.string()),
  reason: z.string().optional(),
  full_text: z.string().optional().describe('reference of the whole text, for read_blob'),
  goal: z.string(),
  tool_calls: z.number(),
  tokens_in: z.number(),
  tokens_out: z.number(),
  peak_tokens: z.number(),
  wall_ms: z.number(),
  model: z.string(),
});

const output = z.object({ conclusions: z.array(conclusion) });

const task = z.object({
  goal: z.string().trim().min(3).max(4000).describe('What to find out or do, standing alone'),
  inputs: z.record(z.string(), z.unknown()).optional().describe('Names and values it needs'),
  expect: z.string().max(1000).optional().describe('What the conclusion should hold'),
  continue: z.string().optional().describe('Id of an earlier conclusion of this subagent, to go on with that child'),
});

/** One schema for each set of claims, however many sessions ask for it: it is turned into JSON once. */
const inputs = new Map<string, ReturnType<typeof makeInput>>();

function inputFor(buys: readonly Buys[]): ReturnType<typeof makeInput> {
  const key = buys.join(' ');
  const known = inputs.get(key) ?? makeInput(buys);
  inputs.set(key, known);
  return known;
}

function makeInput([first = 'parallelism', ...others]: readonly Buys[]) {
  return z.object({
    tasks: z.array(task).min(1).max(MOST_TASKS),
    why: z.enum([first, ...others]).describe('What this call buys'),
    because: z.string().trim().min(3).max(500).describe('Why that is so for these tasks'),
  });
}

export interface SubagentToolOptions {
  readonly spec: SubagentSpec;
  readonly child: AgentSpec;
  readonly view: CallerView;
  /** The most characters of all conclusions of a call in the caller's window. */
  readonly resultCharacters: number;
  /** Seconds that a call may take in all. */
  readonly timeoutSeconds: number;
  /** Ids of the caller's earlier conclusions that may be continued. */
  readonly known: () => ReadonlyMap<string, ChildConclusion>;
  readonly delegate: (
    call: DelegationCall,
    place: { readonly resultId: string; readonly scope: Scope },
  ) => Promise<readonly ChildConclusion[]>;
}

/** A subagent as its caller's model sees it: a tool that takes tasks and answers conclusions, in task order. */
export function createSubagentTool(options: SubagentToolOptions): Tool {
  const { spec, child } = options;
  const { buys, because } = spec.justification;
  return defineTool({
    name: subagentToolName(child.name),
    description: `Subagent. ${child.description} It buys ${buys.join(' and ')}: ${because} It sees nothing of this conversation: each goal must stand alone, with all it needs in inputs. Give all independent tasks in one call; they run in parallel. To show a conclusion to the user unchanged, write [[its id]] in your answer.`,
    input: inputFor(buys),
    output,
    effect: 'read',
    timeoutSeconds: options.timeoutSeconds,
    endsItself: true,
    resultCharacters: options.resultCharacters,
    run: async (input, context) => {
      const refusal = refuseCall(input, spec, options.view) ?? refuseContinuing(input, options);
      if (refusal) return refused('delegation_refused', refusal);
      const conclusions = await options.delegate(input, { resultId: context.resultId, scope: context.scope });
      return outcomeOf(conclusions, context.now());
    },
  });
}

function refuseContinuing(call: DelegationCall, { known, child }: SubagentToolOptions): string | undefined {
  for (const { continue: id } of call.tasks) {
    if (id === undefined) continue;
    const earlier = known().get(id);
    if (!earlier) return `there is no conclusion "${id}" to continue; known are: ${[...known().keys()].join(', ') || 'none'}`;
    if (earlier.agent !== child.name) return `conclusion "${id}" is of ${earlier.agent}, not of ${child.name}`;
  }
  return undefined;
}

function outcomeOf(conclusions: readonly ChildConclusion[], asOf: Date) {
  const gaps = conclusions.filter((one) => one.status !== 'ok');
  const warnings: ToolWarning[] = gaps
    .slice(0, 20)
    .map((one) => ({ code: `child_${one.status}`, message: `${one.id} (${clip(one.goal)}): ${one.reason ?? one.status}` }));
  const data = { conclusions: conclusions.map(shown) };
  const extra = { total: conclusions.length, returned: conclusions.length - gaps.length, warnings, asOf };
  return gaps.length === 0 ? complete(data, extra) : partial(data, extra);
}

function shown(one: ChildConclusion): z.output<typeof conclusion> {
  return {
    id: one.id,
    status: one.status,
    text: one.text,
    evidence: [...one.evidence],
    ...(one.reason === undefined ? {} : { reason: one.reason }),
    ...(one.fullText === undefined ? {} : { full_text: one.fullText }),
    goal: clip(one.goal),
    tool_calls: one.usage.toolCalls,
    tokens_in: one.usage.inputTokens,
    tokens_out: one.usage.outputTokens,
    peak_tokens: one.usage.peakContextTokens,
    wall_ms: one.usage.wallMs,
    model: one.model,
  };
}

function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
