import type { AgentSpec } from '../core/agent-spec.ts';
import type { Conclusion, ConclusionStatus } from '../core/conclusion.ts';
import type { Message, ToolCall } from '../core/message.ts';
import type { ChatModel, Delta, ModelFailure, ModelReply } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';
import type { Task } from '../core/task.ts';
import type { EndCause } from './agent-state.ts';
import { callKey } from './call-key.ts';
import type { Dispatcher } from './dispatch.ts';
import { restsOnData } from './evidence-count.ts';
import { type Ending, takeLastTurn } from './last-turn.ts';
import { reachedLimit } from './limits.ts';
import { offeredTools } from './load-tools.ts';
import { recordPrompt } from './record-prompt.ts';
import type { Recorder } from './recorder.ts';
import { type EndedBefore, recordResumption, unhandledReply } from './resume-agent.ts';
import { END_AT, runCalls } from './run-calls.ts';
import { type Summarise, Window } from './window.ts';

/** One agent on one task. */
export interface AgentRun {
  readonly spec: Pick<AgentSpec, 'name' | 'limits'>;
  readonly task: Task;
  readonly system: string;
  readonly model: ChatModel;
  readonly recorder: Recorder;
  readonly dispatcher: Dispatcher;
  readonly sources: readonly { readonly name: string; readonly kind: string }[];
  /** Stops everything at once. */
  readonly scope: Scope;
  /** Stops the work under way and lets the agent conclude from what it has; a child of `scope`. */
  readonly work: Scope;
  readonly onDelta?: (delta: Delta) => void;
  /** Set when the recorder holds the events of an earlier process: the agent goes on from them. */
  readonly resumedAfter?: EndedBefore;
  /** Sums up old turns when the window is full; a digest by fixed rules unless given. */
  readonly summarise?: Summarise;
  /** Looks at a finished answer; may send it back with a message, once or more, or end the run as not good. */
  readonly review?: (text: string, sentBack: number) => Review | Promise<Review>;
}

export type Review =
  | { readonly verdict: 'accept' }
  | { readonly verdict: 'again'; readonly message: string; readonly why: 'repair' | 'shorten' | 'ground' }
  /** Goes back for this run only: the message does not enter the stored conversation. */
  | { readonly verdict: 'reconsider'; readonly message: string }
  | { readonly verdict: 'fail'; readonly status: ConclusionStatus; readonly reason: string };

/**
 * Runs an agent until it answers without calling a tool, reaches a limit, or is stopped. Never rejects for a failure of
 * the model or a tool: those are conclusions. The log holds every step before anything is done on the next reply.
 */
export async function runAgent(run: AgentRun): Promise<Conclusion> {
  const { recorder, spec, model } = run;
  const started = performance.now();
  const earlierMs = recorder.state.activeMs;
  if (run.resumedAfter === 'killed' && recorder.state.conclusion) return recorder.state.conclusion;
  const seconds = spec.limits.seconds;
  const timer = setTimeout(() => run.work.stop({ kind: 'timeout', seconds }), seconds * 1000);
  try {
    if (recorder.state.messages.length === 0) {
      recorder.record({
        type: 'agent.started',
        agent: spec.name,
        model: model.id,
        task: run.task,
        tools: [...run.dispatcher.tools.keys()],
        prompt: recordPrompt(recorder.log, { system: run.system, tools: offeredTools(run.dispatcher, model, []) }),
      });
      recorder.flush();
    } else if (run.resumedAfter !== undefined) {
      const tools = offeredTools(run.dispatcher, model, recorder.state.loadedTools);
      const prompt = recordPrompt(recorder.log, { system: run.system, tools });
      recordResumption(recorder, { name: spec.name, model: model.id, after: run.resumedAfter, prompt });
    }
    const ending = await takeTurns(run, openWindow(run));
    return conclude(run, ending, (run.resumedAfter === undefined ? 0 : earlierMs) + performance.now() - started);
  } finally {
    clearTimeout(timer);
    run.work.close();
  }
}

function openWindow(run: AgentRun): Window {
  const { limits } = run.spec;
  return new Window({
    recorder: run.recorder,
    model: run.model,
    opening: {
      agent: run.spec.name,
      system: run.system,
      task: run.task,
      sources: run.sources,
      maxOutputTokens: limits.outputTokens,
      contextTokens: limits.contextTokens,
    },
    tools: run.dispatcher.tools,
    shelf: run.dispatcher.shelf,
    ...(run.summarise ? { summarise: run.summarise } : {}),
  });
}

async function takeTurns(run: AgentRun, window: Window): Promise<Ending> {
  const { recorder, spec } = run;
  let message = unhandledReply(recorder.state);
  for (;;) {
    const cause = recorder.state.ending ?? (message ? undefined : (stopCause(run) ?? reachedLimit(recorder.state, spec.limits)));
    if (cause) return takeLastTurn({ ...run, window, ask: (scope) => ask(run, window, scope, false) }, cause);
    if (!message) {
      recorder.nextStep();
      const reply = await ask(run, window, run.work, true);
      if (run.work.stopped && !reply.ok) continue;
      if (!reply.ok) return failedEnding(reply.failure);
      message = reply.message;
    }
    const ending = message.toolCalls?.length
      ? await takeCalls(run, window, message.toolCalls)
      : await reviewAnswer(run, window, message.content);
    if (ending) return ending;
    message = undefined;
  }
}

/** Runs the calls of a reply, those without a result yet; an ending when one of them makes a loop. */
async function takeCalls(run: AgentRun, window: Window, calls: readonly ToolCall[]): Promise<Ending | undefined> {
  const { recorder, spec } = run;
  const { state } = recorder;
  const known = state.messages.length;
  await runCalls(
    calls.filter((call) => state.open.has(call.id)),
    recorder,
    run.dispatcher,
    { scope: run.work, parallel: spec.limits.parallelCalls },
  );
  for (let at = known; at < state.messages.length; at++) window.append(state.messages[at] as Message);
  window.bringLoaded();
  for (const call of calls) {
    const times = state.repetitions.get(callKey(call))?.times ?? 0;
    if (times < END_AT) continue;
    recorder.record({ type: 'loop.blocked', tool: call.name, times });
    return { status: 'failed', text: '', reason: `the same call of ${call.name} gave the same result ${times} times: a loop` };
  }
  return undefined;
}

/** The ending that an answer makes, or nothing when it was sent back to be mended. */
async function reviewAnswer(run: AgentRun, window: Window, text: string): Promise<Ending | undefined> {
  if (!text.trim()) return { status: 'empty', text: '', reason: 'the model answered nothing' };
  const { repair, shorten, ground } = run.recorder.state.sentBack;
  const sentBack = repair + shorten + ground;
  const review = (await run.review?.(text, sentBack)) ?? { verdict: 'accept' };
  if (review.verdict === 'accept') return accepted(run, text);
  if (review.verdict === 'fail') return { status: review.status, text, reason: review.reason };
  if (review.verdict === 'again') run.recorder.record({ type: 'user.said', content: review.message, why: review.why });
  window.append({ role: 'user', content: review.message });
  return undefined;
}

function accepted({ recorder: { state } }: AgentRun, text: string): Ending {
  if (state.toolCalls === 0 || restsOnData(state.evidence)) return { status: 'ok', text };
  return { status: 'no_evidence', text, reason: 'no tool returned any data; check the sources with `soloist doctor`' };
}

/** One reply, recorded. The step before it is written while the model answers. */
async function ask(run: AgentRun, window: Window, scope: Scope, withTools: boolean): Promise<ModelReply> {
  const reply = await window.reply({ scope, withTools, ...(run.onDelta ? { onDelta: run.onDelta } : {}) });
  const written = run.recorder.settled();
  if (written) await written;
  for (const notice of reply.notices) run.recorder.record({ type: 'model.noticed', notice });
  if (reply.ok) {
    run.recorder.record({ type: 'model.replied', message: reply.message, finish: reply.finish, usage: reply.usage });
    window.append(reply.message);
  } else run.recorder.record({ type: 'model.failed', failure: reply.failure, usage: reply.usage });
  return reply;
}

function stopCause(run: AgentRun): EndCause | undefined {
  const reason = run.work.reason;
  if (!reason) return undefined;
  if (reason.kind === 'timeout') return { limit: 'seconds', detail: `${reason.seconds} seconds` };
  return { detail: 'interrupted' };
}

function failedEnding(failure: ModelFailure): Ending {
  const status: ConclusionStatus = failure.kind === 'stopped' ? 'aborted' : failure.kind === 'empty_turn' ? 'empty' : 'failed';
  return { status, text: failure.partial ?? '', reason: `${failure.kind}: ${failure.message}${failure.fix ? `; ${failure.fix}` : ''}` };
}

function conclude(run: AgentRun, ending: Ending, wallMs: number): Conclusion {
  const { state } = run.recorder;
  const evidence = [...new Set(state.findings.flatMap((finding) => finding.evidence))];
  const conclusion: Conclusion = {
    status: ending.status,
    text: ending.text,
    evidence,
    findings: [...state.findings],
    usage: {
      modelCalls: state.modelCalls + state.childrenUsed.modelCalls,
      toolCalls: state.toolCalls + state.childrenUsed.toolCalls,
      inputTokens: state.inputTokens + state.childrenUsed.inputTokens,
      outputTokens: state.outputTokens + state.childrenUsed.outputTokens,
      peakContextTokens: state.peakContextTokens,
      wallMs: Math.round(wallMs),
    },
    model: run.model.id,
    ...(ending.reason === undefined ? {} : { reason: ending.reason }),
    ...(ending.limit === undefined ? {} : { limit: ending.limit }),
  };
  run.recorder.record({ type: 'agent.concluded', conclusion });
  run.recorder.flush();
  return conclusion;
}
