import type { ChildConclusion, Conclusion, LimitName } from '../core/conclusion.ts';
import type { Event } from '../core/event.ts';
import type { Message, ToolCall } from '../core/message.ts';
import { renderTask } from '../core/task.ts';
import type { Finding } from '../core/tool.ts';
import type { CallUsage } from '../core/usage.ts';
import { countRepetition, type Repetition } from './count-repetition.ts';
import { countEvidence, type EvidenceCount } from './evidence-count.ts';
import { findingFromResult } from './finding-from-result.ts';
import { fitWindow } from './fit-window.ts';
import { LOAD_TOOLS } from './load-tools.ts';
import { type CutCall, cutBy, reopenCalls } from './reopen-calls.ts';

/** Why an agent may only conclude: a limit, or an interruption. */
export interface EndCause {
  readonly limit?: LimitName;
  readonly detail: string;
}

export type StartedChild = Extract<Event['body'], { type: 'delegation.started' }>['children'][number];

/**
 * What an agent's run amounts to so far: a fold over its events. It only ever grows at the end, so a step costs the
 * same whether it is the tenth or the thousandth.
 */
export interface AgentState {
  readonly messages: Message[];
  /** The same as the model sees it: results and turns that gave way are heads and a summary. */
  readonly window: Message[];
  /** Tools that `load_tools` has brought, in the order they came. */
  readonly loadedTools: string[];
  /** Calls without a result yet, by call id. */
  readonly open: Map<string, ToolCall>;
  /** Those of them that were begun: the ids that their results will have, by call id. */
  readonly begun: Map<string, string>;
  /** Calls that an interruption cut off, by call id, until the model has seen what became of them. */
  readonly cutOff: Map<string, CutCall>;
  /** Calls begun so far, finished ones included. */
  callsBegun: number;
  /** Children of the calls that are open, by the id of the result they will come back in. */
  readonly delegations: Map<string, readonly StartedChild[]>;
  readonly resultIds: string[];
  readonly findings: Finding[];
  readonly evidence: EvidenceCount;
  readonly repetitions: Map<string, Repetition>;
  step: number;
  sequence: number;
  modelCalls: number;
  toolCalls: number;
  inputTokens: number;
  outputTokens: number;
  peakContextTokens: number;
  conclusion: Conclusion | undefined;
  /** Set once the agent may only conclude. */
  ending: EndCause | undefined;
  /** Whether the limits began anew and the agent has not been told. */
  begunAnew: boolean;
  /** How often an answer was sent back, by why, since the task or the last question that followed it. */
  readonly sentBack: { repair: number; shorten: number; ground: number; reflect: number };
  /** What was used when the limits last began anew: they count from there. */
  allowanceFrom: Readonly<Record<'turns' | 'toolCalls' | 'tokens', number>>;
  /** Time under way since the task or the last follow-up, the gaps between processes left out. */
  activeMs: number;
  lastAt: number | undefined;
  /** Children started so far, and what those that have concluded used. */
  childrenStarted: number;
  readonly childrenUsed: { modelCalls: number; toolCalls: number; inputTokens: number; outputTokens: number };
  readonly conclusions: Map<string, ChildConclusion>;
}

export function emptyState(): AgentState {
  return {
    messages: [],
    window: [],
    loadedTools: [],
    open: new Map(),
    begun: new Map(),
    cutOff: new Map(),
    callsBegun: 0,
    delegations: new Map(),
    resultIds: [],
    findings: [],
    evidence: { informative: 0, listings: 0, failedLooks: 0 },
    repetitions: new Map(),
    step: 0,
    sequence: 0,
    modelCalls: 0,
    toolCalls: 0,
    inputTokens: 0,
    outputTokens: 0,
    peakContextTokens: 0,
    conclusion: undefined,
    ending: undefined,
    begunAnew: false,
    sentBack: { repair: 0, shorten: 0, ground: 0, reflect: 0 },
    allowanceFrom: { turns: 0, toolCalls: 0, tokens: 0 },
    activeMs: 0,
    lastAt: undefined,
    childrenStarted: 0,
    childrenUsed: { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 },
    conclusions: new Map(),
  };
}

/** The state that an agent's events amount to. */
export function foldEvents(events: Iterable<Event>): AgentState {
  const state = emptyState();
  for (const event of events) applyEvent(state, event);
  return state;
}

/** Takes one event into the state. Events of other agents must not be passed. */
export function applyEvent(state: AgentState, event: Event): void {
  state.step = event.step;
  state.sequence = event.sequence + 1;
  const body = event.body;
  if (body.type !== 'agent.resumed') state.activeMs += Math.max(0, event.at - (state.lastAt ?? event.at));
  state.lastAt = event.at;
  switch (body.type) {
    case 'agent.started':
      add(state, { role: 'user', content: `${renderTask(body.task)}\n\nIt is now ${new Date(event.at).toISOString()}.` });
      break;
    case 'model.replied':
      add(state, body.message);
      takeCall(state, body.usage);
      if (!state.ending) state.cutOff.clear();
      for (const call of body.message.toolCalls ?? []) state.open.set(call.id, call);
      break;
    case 'model.failed':
      takeCall(state, body.usage);
      break;
    case 'tool.called':
      state.begun.set(body.callId, body.resultId);
      state.callsBegun++;
      break;
    case 'tool.finished':
      takeResult(state, body);
      break;
    case 'answer.reflected':
      if (!body.done) state.sentBack.reflect++;
      break;
    case 'user.said':
      add(state, { role: 'user', content: body.content });
      takeMessage(state, body.why);
      break;
    case 'context.fitted':
      fitWindow(state.window, body);
      state.inputTokens += body.compacted?.usage?.inputTokens ?? 0;
      state.outputTokens += body.compacted?.usage?.outputTokens ?? 0;
      break;
    case 'limit.reached':
      state.ending = { limit: body.limit, detail: body.detail };
      break;
    case 'interrupted':
      state.ending = { detail: 'interrupted' };
      break;
    case 'agent.resumed':
      if (body.after !== 'killed') beginAnew(state);
      break;
    case 'delegation.started':
      state.childrenStarted += body.children.length;
      state.delegations.set(body.resultId, body.children);
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

function add(state: AgentState, message: Message): void {
  state.messages.push(message);
  state.window.push(message);
}

function takeLoaded(state: AgentState, content: string): void {
  const { data } = JSON.parse(content) as { readonly data: { readonly loaded: readonly string[] } };
  state.loadedTools.push(...data.loaded.filter((name) => !state.loadedTools.includes(name)));
}

function takeMessage(state: AgentState, why: Extract<Event['body'], { type: 'user.said' }>['why']): void {
  state.begunAnew = false;
  if (why === 'repair' || why === 'shorten' || why === 'ground') state.sentBack[why]++;
  if (why !== 'follow_up') return;
  Object.assign(state.sentBack, { repair: 0, shorten: 0, ground: 0, reflect: 0 });
  state.conclusion = undefined;
  state.ending = undefined;
  state.activeMs = 0;
}

/** An agent that had ended goes on: what it has used so far no longer counts against its limits. */
function beginAnew(state: AgentState): void {
  state.conclusion = undefined;
  state.ending = undefined;
  state.begunAnew = true;
  state.allowanceFrom = usedInAll(state);
  reopenCalls(state);
}

/** What an agent and its children have used since its first event. */
export function usedInAll(state: AgentState): Readonly<Record<'turns' | 'toolCalls' | 'tokens', number>> {
  const { childrenUsed: children } = state;
  return {
    turns: state.modelCalls + children.modelCalls,
    toolCalls: state.toolCalls + children.toolCalls,
    tokens: state.inputTokens + state.outputTokens + children.inputTokens + children.outputTokens,
  };
}

function takeChild(state: AgentState, conclusion: ChildConclusion): void {
  const { usage } = conclusion;
  state.conclusions.set(conclusion.id, conclusion);
  state.childrenUsed.modelCalls += usage.modelCalls;
  state.childrenUsed.toolCalls += usage.toolCalls;
  state.childrenUsed.inputTokens += usage.inputTokens;
  state.childrenUsed.outputTokens += usage.outputTokens;
}

function takeCall(state: AgentState, { inputTokens = 0, outputTokens = 0, peakTokens = inputTokens + outputTokens }: CallUsage): void {
  state.modelCalls++;
  state.inputTokens += inputTokens;
  state.outputTokens += outputTokens;
  state.peakContextTokens = Math.max(state.peakContextTokens, peakTokens);
}

function takeResult(state: AgentState, body: Extract<Event['body'], { type: 'tool.finished' }>): void {
  const call = state.open.get(body.callId);
  state.open.delete(body.callId);
  state.begun.delete(body.callId);
  const cut = cutBy(body, call, state);
  if (cut) state.cutOff.set(body.callId, cut);
  if (!cut || cut.children) countEvidence(state, body);
  state.delegations.delete(body.resultId);
  state.toolCalls++;
  add(state, { role: 'tool', toolCallId: body.callId, toolName: call?.name ?? body.tool, content: body.content });
  if (body.tool === LOAD_TOOLS && body.status === 'ok') takeLoaded(state, body.content);
  state.resultIds.push(body.resultId);
  if (call) countRepetition(state, call, body.content);
  const finding = findingFromResult(body);
  if (finding) state.findings.push(finding);
}
