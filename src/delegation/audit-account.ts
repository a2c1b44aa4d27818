import type { Buys } from '../core/agent-spec.ts';
import type { EventBody } from '../core/event.ts';
import type { ToolCall } from '../core/message.ts';
import { estimateTokens } from '../core/usage.ts';
import type { ValueTrail } from './audit-values.ts';

/** What one child did for one conclusion, counted from its events; no text is kept. */
export interface ChildAccount {
  readonly id: string;
  readonly path: string;
  readonly callerTools: ReadonlySet<string>;
  /** Absent where no claim needs it: it costs reading every result. */
  readonly trail: ValueTrail | undefined;
  /** Tools that gave it something and that its caller lacks. */
  readonly foreignTools: Set<string>;
  /** Steps whose arguments held a value from an earlier result. */
  readonly dependentSteps: Set<number>;
  /** `open` until it concluded. */
  status: string;
  startedAt: number | undefined;
  endedAt: number;
  queueMs: number;
  modelCalls: number;
  toolCalls: number;
  inputTokens: number;
  outputTokens: number;
  peakTokens: number;
  textTokens: number;
  /** Model calls that called tools: those that would have been made inline as well. */
  callingTurns: number;
  /** How far the window had grown since the first prompt, summed over the calling turns. */
  grownOverTurns: number;
  /** Largest of growth and reply, over the calling turns. */
  grownPeak: number;
  grown: number;
  /** Replies and results after the last measured prompt, estimated. */
  pending: number;
  basePrompt: number | undefined;
  lastPrompt: number;
  /** Whether the last reply was text: what follows it in the window is talk about the answer, which inline nobody needs. */
  answered: boolean;
}

export function openChild(place: Pick<ChildAccount, 'id' | 'path' | 'callerTools' | 'trail'>): ChildAccount {
  return {
    ...place,
    foreignTools: new Set(),
    dependentSteps: new Set(),
    status: 'open',
    startedAt: undefined,
    endedAt: 0,
    queueMs: 0,
    modelCalls: 0,
    toolCalls: 0,
    inputTokens: 0,
    outputTokens: 0,
    peakTokens: 0,
    textTokens: 0,
    callingTurns: 0,
    grownOverTurns: 0,
    grownPeak: 0,
    grown: 0,
    pending: 0,
    basePrompt: undefined,
    lastPrompt: 0,
    answered: false,
  };
}

/** One delegation with its children, and what the caller's window was before and after it. */
export interface DelegationAccount {
  readonly resultId: string;
  readonly caller: string;
  readonly agent: string;
  readonly buys: readonly Buys[];
  readonly why: Buys;
  readonly because: string;
  readonly concurrency: number;
  readonly children: readonly ChildAccount[];
  readonly startedAt: number;
  /** Prompt and reply of the caller's turn that delegated. */
  readonly windowBefore: number;
  /** The caller's peak up to and with that turn. */
  readonly peakBefore: number;
  /** What the caller got back; absent while no result stands in the log. */
  returnedTokens: number | undefined;
  laterTurns: number;
  laterPeak: number;
}

export function takeReply(child: ChildAccount, body: Extract<EventBody, { type: 'model.replied' }>, step: number): void {
  const { inputTokens: prompt = 0, outputTokens: reply = 0, queueMs = 0 } = body.usage;
  child.modelCalls++;
  child.inputTokens += prompt;
  child.outputTokens += reply;
  child.queueMs += queueMs;
  child.peakTokens = Math.max(child.peakTokens, prompt + reply);
  if (child.basePrompt === undefined) child.basePrompt = prompt;
  else if (child.answered) child.basePrompt += prompt - child.lastPrompt;
  child.lastPrompt = prompt;
  child.grown = Math.max(child.grown, prompt - child.basePrompt);
  child.pending = 0;
  const calls = body.message.toolCalls ?? [];
  child.answered = calls.length === 0;
  if (child.answered) return;
  if (child.trail && holdsLearned(child.trail, calls)) child.dependentSteps.add(step);
  child.callingTurns++;
  child.grownOverTurns += child.grown;
  child.grownPeak = Math.max(child.grownPeak, child.grown + reply);
  child.pending = reply;
}

export function takeResult(child: ChildAccount, content: string): void {
  child.toolCalls++;
  child.pending += estimateTokens(content);
  child.trail?.takeResult(content);
}

/** A child's own children are part of what it used. */
export function addNested(child: ChildAccount, nested: ChildAccount): void {
  child.modelCalls += nested.modelCalls;
  child.toolCalls += nested.toolCalls;
  child.inputTokens += nested.inputTokens;
  child.outputTokens += nested.outputTokens;
}

/** The calls of a turn were all written before any of its results came. */
function holdsLearned(trail: ValueTrail, calls: readonly ToolCall[]): boolean {
  return calls.map((call) => trail.takeArguments(call.arguments)).some((holds) => holds);
}
