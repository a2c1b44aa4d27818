import type { Buys, SubagentSpec } from '../core/agent-spec.ts';

/** What a caller gives down: nothing of its own conversation. */
export interface DelegatedTask {
  readonly goal: string;
  readonly inputs?: Readonly<Record<string, unknown>> | undefined;
  readonly expect?: string | undefined;
  /** Id of an earlier conclusion of the same agent, to ask that child a further question. */
  readonly continue?: string | undefined;
}

export interface DelegationCall {
  readonly tasks: readonly DelegatedTask[];
  readonly why: Buys;
  readonly because: string;
}

/** What the caller's own window and tools are, for the refusals that name what to do in place. */
export interface CallerView {
  /** The child's tools that the caller has too. */
  readonly sharedTools: readonly string[];
  readonly childTools: readonly string[];
}

/** Words that only make sense to one who knows what came before; a child does not. */
const LEANS_BACK =
  /\b(as (?:i |we )?(?:said|mentioned|discussed|shown|above|before)|(?:the )?(?:above|aforementioned)\b|the (?:previous|earlier|prior|preceding|last) (?:result|results|step|answer|table|query|call|finding|findings|message|one|output)|same as before|mentioned (?:above|earlier|before)|from (?:before|earlier)|like last time)\b/i;

/** Why a delegation is refused, with what to do in its place; `undefined` when it may go ahead. */
export function refuseCall(call: DelegationCall, spec: SubagentSpec, view: CallerView): string | undefined {
  const { buys } = spec.justification;
  if (!buys.includes(call.why)) return `"${call.why}" is not what ${spec.agent} is declared to buy; it buys: ${buys.join(', ')}`;
  if (call.why === 'parallelism' && call.tasks.length === 1) {
    const tool = view.sharedTools[0] ?? view.childTools[0];
    return `one task is not parallel work; ${tool ? `call ${tool} yourself` : 'do it yourself'}, or give all independent tasks in one call`;
  }
  for (const [index, task] of call.tasks.entries()) {
    const place = call.tasks.length > 1 ? `task ${index + 1}: ` : '';
    const leaning = LEANS_BACK.exec(task.goal)?.[0];
    if (leaning)
      return `${place}"${leaning}" means nothing to ${spec.agent}: it has no history; write the goal so that it stands alone, and put what it needs into inputs`;
    const tool = singleTool(task.goal, view.sharedTools);
    if (tool) return `${place}one call of ${tool} answers this; call ${tool} yourself`;
  }
  return undefined;
}

/** A goal that is no more than the call of one tool which the caller has: "call query_sql with …", "list_tables". */
function singleTool(goal: string, tools: readonly string[]): string | undefined {
  const text = goal.trim().toLowerCase();
  return tools.find(
    (tool) =>
      text === tool ||
      new RegExp(`^(?:please )?(?:just )?(?:call|run|use|execute|invoke) (?:the )?(?:tool )?\`?${tool}\`?(?:\\b[^.;]*)?\\.?$`).test(text),
  );
}
