import type { ChildConclusion } from '../core/conclusion.ts';
import type { EventBody } from '../core/event.ts';
import type { Message, ToolCall } from '../core/message.ts';
import type { AgentState, StartedChild } from './agent-state.ts';

/** Stands in a result where the run was stopped while the call was under way. */
export const STOPPED_CODE = 'stopped';
/** … and where it was stopped before the call began. */
export const NOT_BEGUN_CODE = 'not_begun';

/** A call whose result says only that the run was stopped. */
export interface CutCall {
  readonly call: ToolCall;
  readonly resultId: string;
  /** The tool was never run. */
  readonly isUnrun: boolean;
  /** Of a subagent's call: all of its children. */
  readonly children: readonly StartedChild[] | undefined;
}

type Finished = Extract<EventBody, { type: 'tool.finished' }>;

/** What there is to do again of a call that has just ended, should the run go on later; nothing where it ended by itself. */
export function cutBy(
  { status, resultId, content }: Finished,
  call: ToolCall | undefined,
  { delegations, conclusions }: Pick<AgentState, 'delegations' | 'conclusions'>,
): CutCall | undefined {
  if (!call) return undefined;
  const children = delegations.get(resultId);
  if (children?.some(({ id }) => isCut(conclusions.get(id)))) return { call, resultId, isUnrun: false, children };
  if (status !== 'error') return undefined;
  const code = /"warnings":\[\{"code":"(\w+)"/.exec(content)?.[1];
  if (code !== STOPPED_CODE && code !== NOT_BEGUN_CODE) return undefined;
  return { call, resultId, isUnrun: code === NOT_BEGUN_CODE, children };
}

/** Stopped with its caller, or out of time: the work of a child was not done. */
export function isCut(conclusion: Pick<ChildConclusion, 'status'> | undefined): boolean {
  return conclusion?.status === 'aborted' || conclusion?.status === 'timeout';
}

/** Ids of the results that are still to come when the agent goes on. */
export function unfinishedResults({ begun, cutOff }: AgentState, after: string): string[] {
  return [...begun.values(), ...(after === 'killed' ? [] : [...cutOff.values()].map(({ resultId }) => resultId))];
}

/**
 * The calls that the interruption cut off are open again, as if their results had never come: neither these nor what the
 * agent was made to conclude from them stays in its conversation.
 */
export function reopenCalls(state: AgentState): void {
  if (state.cutOff.size === 0) return;
  for (const messages of [state.messages, state.window]) dropCutResults(messages, state.cutOff);
  for (const [callId, { call, resultId, children }] of state.cutOff) {
    state.open.set(callId, call);
    state.begun.set(callId, resultId);
    state.resultIds.splice(state.resultIds.lastIndexOf(resultId), 1);
    if (!children) continue;
    state.delegations.set(resultId, children);
    for (const { id } of children) forgetChild(state, id);
  }
}

function dropCutResults(messages: Message[], cutOff: AgentState['cutOff']): void {
  const at = messages.findLastIndex((message) => message.role === 'assistant' && message.toolCalls?.some(({ id }) => cutOff.has(id)));
  if (at < 0) return;
  const kept = messages.slice(at + 1).filter((message) => message.role === 'tool' && !cutOff.has(message.toolCallId));
  messages.splice(at + 1, messages.length, ...kept);
}

function forgetChild({ conclusions, childrenUsed }: AgentState, id: string): void {
  const conclusion = conclusions.get(id);
  if (!conclusion || !isCut(conclusion)) return;
  conclusions.delete(id);
  const { modelCalls, toolCalls, inputTokens, outputTokens } = conclusion.usage;
  childrenUsed.modelCalls -= modelCalls;
  childrenUsed.toolCalls -= toolCalls;
  childrenUsed.inputTokens -= inputTokens;
  childrenUsed.outputTokens -= outputTokens;
}
