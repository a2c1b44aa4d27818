import type { ChildConclusion, Conclusion } from '../core/conclusion.ts';
import type { Event } from '../core/event.ts';
import type { Message, ToolCall } from '../core/message.ts';
import { renderTask } from '../core/task.ts';
import type { Finding } from '../core/tool.ts';
import { FINDING_TOOL, findingFromResult } from './finding-from-result.ts';

/** A call and the result it gave, how often in a row. */
interface Repetition {
  readonly content: string;
  readonly times: number;
}

/**
 * What an agent's run amounts to so far: a fold over its events. It only ever grows at the end, so a step costs the
 * same whether it is the tenth or the thousandth.
 */
export interface AgentState {
  readonly messages: Message[];
  /** Calls without a result yet, by call id. */
  readonly open: Map<string, ToolCall>;
  readonly resultIds: string[];
  readonly findings: Finding[];
  /** Results that held data, findings aside: what an answer can rest on. */
  informative: number;
  readonly repetitions: Map<string, Repetition>;
  step: number;
  sequence: number;
  modelCalls: number;
  toolCalls: number;
  inputTokens: number;
  outputTokens: number;
  peakContextTokens: number;
  conclusion: Conclusion | undefined;
  /** Children started so far, and what those that have concluded used. */
  childrenStarted: number;
  readonly childrenUsed: { modelCalls: number; toolCalls: number; inputTokens: number; outputTokens: number };
  readonly conclusions: Map<string, ChildConclusion>;
}

export function emptyState(): AgentState {
  return {
    messages: [],
    open: new Map(),
    resultIds: [],
    findings: [],
    informative: 0,
    repetitions: new Map(),
    step: 0,
    sequence: 0,
    modelCalls: 0,
    toolCalls: 0,
    inputTokens: 0,
    outputTokens: 0,
    peakContextTokens: 0,
    conclusion: undefined,
    childrenStarted: 0,
    childrenUsed: { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 },
    conclusions: new Map(),
  };
}

/** Takes one event into the state. Events of other agents must not be passed. */
export function applyEvent(state: AgentState, event: Event): void {
  state.step = event.step;
  state.sequence = event.sequence + 1;
  const body = event.body;
  switch (body.type) {
    case 'agent.started':
      state.messages.push({ role: 'user', content: `${renderTask(body.task)}\n\nIt is now ${new Date(event.at).toISOString()}.` });
      break;
    case 'model.replied': {
      state.messages.push(body.message);
      state.modelCalls++;
      const { inputTokens = 0, outputTokens = 0 } = body.usage;
      state.inputTokens += inputTokens;
      state.outputTokens += outputTokens;
      state.peakContextTokens = Math.max(state.peakContextTokens, inputTokens + outputTokens);
      for (const call of body.message.toolCalls ?? []) state.open.set(call.id, call);
      break;
    }
    case 'model.failed':
      state.modelCalls++;
      break;
    case 'tool.finished':
      takeResult(state, body);
      break;
    case 'user.said':
      state.messages.push({ role: 'user', content: body.content });
      break;
    case 'delegation.started':
      state.childrenStarted += body.children.length;
      break;
    case 'child.concluded':
      takeChild(state, body.conclusion);
      break;
    case 'agent.concluded':
      state.conclusion = body.conclusion;
      break;
    default:
  }
}

function takeChild(state: AgentState, conclusion: ChildConclusion): void {
  const { usage } = conclusion;
  state.conclusions.set(conclusion.id, conclusion);
  state.childrenUsed.modelCalls += usage.modelCalls;
  state.childrenUsed.toolCalls += usage.toolCalls;
  state.childrenUsed.inputTokens += usage.inputTokens;
  state.childrenUsed.outputTokens += usage.outputTokens;
}

function takeResult(state: AgentState, body: Extract<Event['body'], { type: 'tool.finished' }>): void {
  const call = state.open.get(body.callId);
  state.open.delete(body.callId);
  state.toolCalls++;
  state.messages.push({ role: 'tool', toolCallId: body.callId, toolName: call?.name ?? body.tool, content: body.content });
  state.resultIds.push(body.resultId);
  if (call) countRepetition(state, call, body.content);
  if (body.tool !== FINDING_TOOL && (body.status === 'ok' || body.status === 'partial')) state.informative++;
  const finding = findingFromResult(body);
  if (finding) state.findings.push(finding);
}

function countRepetition(state: AgentState, call: ToolCall, content: string): void {
  const key = callKey(call);
  const before = state.repetitions.get(key);
  if (!before) state.repetitions.set(key, { content, times: 1 });
  else if (isBlocked(content)) state.repetitions.set(key, { content: before.content, times: before.times + 1 });
  else state.repetitions.set(key, { content, times: sameResult(before.content, content) ? before.times + 1 : 1 });
}

/** Whether two results are equal but for their id and time. */
export function sameResult(left: string, right: string): boolean {
  return withoutVolatile(left) === withoutVolatile(right);
}

export const BLOCKED_CODE = 'repeated_call_blocked';

function isBlocked(content: string): boolean {
  return content.includes(`"${BLOCKED_CODE}"`);
}

/** The result without its id and time, which differ from call to call though nothing else does. */
function withoutVolatile(content: string): string {
  return content.replace(/"id":"[^"]*",/, '').replace(/"as_of":"[^"]*",/, '');
}

/** Name and arguments in one canonical text: keys sorted, so that their order makes no difference. */
export function callKey(call: Pick<ToolCall, 'name' | 'arguments'>): string {
  const known = keys.get(call);
  if (known !== undefined) return known;
  const key = `${call.name} ${JSON.stringify(sortKeys(call.arguments))}`;
  keys.set(call, key);
  return key;
}

/** A call is asked for its key several times a turn. */
const keys = new WeakMap<object, string>();

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object' || isSorted(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, child]) => [key, sortKeys(child)]),
  );
}

/** The common case: simple values under keys that are in order already. */
function isSorted(value: object): boolean {
  let before = '';
  for (const [key, child] of Object.entries(value)) {
    if (key < before || (child !== null && typeof child === 'object')) return false;
    before = key;
  }
  return true;
}
