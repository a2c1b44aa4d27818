import pLimit from 'p-limit';
import type { ToolCall } from '../core/message.ts';
import type { Scope } from '../core/scope.ts';
import { failed, type ToolOutcome, type ToolResult } from '../core/tool-result.ts';
import { BLOCKED_CODE, callKey, sameResult } from './call-key.ts';
import { type Dispatcher, onlyReads, type PreparedCall, permit, permitAgain, prepareCall, runTool } from './dispatch.ts';
import { fitResult } from './fit-result.ts';
import type { Recorder } from './recorder.ts';
import { NOT_BEGUN_CODE } from './reopen-calls.ts';

/** The same call with the same result this often is answered with a message in place of the result. */
const BLOCK_AT = 3;
/** … and this often ends the run. */
export const END_AT = 5;

interface Numbered {
  readonly call: ToolCall;
  readonly resultId: string;
  readonly prepared: PreparedCall;
  /** Its beginning is in the log already: an earlier process had it. */
  readonly isRecorded: boolean;
  /** Begun by an earlier process, which ended before it had the result. */
  readonly interrupted: boolean;
}

/**
 * Runs all calls of one turn, at most `parallel` at once, and records their results in call order. A call that writes is
 * on disk before it runs. Where all calls only read, which may be done again, they begin at once: the calls go to disk
 * with the results of those that are quick. All results are there before the next reply is taken (`run-agent.ts`).
 */
export async function runCalls(
  calls: readonly ToolCall[],
  recorder: Recorder,
  dispatcher: Dispatcher,
  options: { readonly scope: Scope; readonly parallel: number },
): Promise<void> {
  const numbered = numberCalls(calls, recorder, dispatcher);
  for (const { call, resultId, prepared, isRecorded } of numbered) {
    if (isRecorded) continue;
    const tool = prepared.ready ? prepared.tool.name : call.name;
    recorder.record({ type: 'tool.called', callId: call.id, resultId, tool, arguments: prepared.ready ? prepared.input : call.arguments });
  }
  if (numbered.every(mayRunAgain)) recorder.flushSoon();
  else {
    recorder.flush();
    await recorder.settled();
  }
  const only = numbered[0];
  const run = (one: Numbered): Promise<FinishedCall> => runNumbered(one, recorder, dispatcher, options.scope);
  const finished = numbered.length === 1 && only ? [await run(only)] : await inParallel(numbered, options.parallel, run);
  for (const body of finished) recorder.record(body);
  recorder.flush();
}

function mayRunAgain({ prepared }: Numbered): boolean {
  return !prepared.ready || onlyReads(prepared);
}

/** A call that was begun keeps the id that its result was to have. */
function numberCalls(calls: readonly ToolCall[], { state }: Recorder, dispatcher: Dispatcher): Numbered[] {
  const prefix = dispatcher.agent === 'main' ? '' : `${dispatcher.agent}.`;
  let last = state.callsBegun;
  return calls.map((call) => {
    const begun = state.begun.get(call.id);
    const resultId = begun ?? `${prefix}r${++last}`;
    const isRecorded = begun !== undefined;
    const interrupted = isRecorded && state.cutOff.get(call.id)?.isUnrun !== true;
    return { call, resultId, prepared: prepareCall(call, dispatcher), isRecorded, interrupted };
  });
}

type FinishedCall = Parameters<Recorder['record']>[0] & { readonly type: 'tool.finished' };

function inParallel(
  numbered: readonly Numbered[],
  parallel: number,
  run: (one: Numbered) => Promise<FinishedCall>,
): Promise<FinishedCall[]> {
  if (numbered.length <= parallel) return Promise.all(numbered.map(run));
  const limit = pLimit(parallel);
  return Promise.all(numbered.map((one) => limit(run, one)));
}

async function runNumbered(one: Numbered, recorder: Recorder, dispatcher: Dispatcher, scope: Scope): Promise<FinishedCall> {
  const started = performance.now();
  const outcome = await outcomeOf(one, recorder, dispatcher, scope);
  const name = one.prepared.ready ? one.prepared.tool.name : one.call.name;
  const result: ToolResult = { id: one.resultId, tool: name, ...withCoercions(outcome, one.prepared) };
  const fitted = fitResult(
    result,
    (text) => recorder.log.putBlob(text),
    one.prepared.ready ? one.prepared.tool.resultCharacters : undefined,
  );
  const content = blockRepetition(one, fitted.content, recorder) ?? fitted.content;
  return {
    type: 'tool.finished',
    callId: one.call.id,
    resultId: one.resultId,
    tool: name,
    status: outcome.status,
    complete: outcome.complete,
    content,
    ...(fitted.reference ? { reference: fitted.reference } : {}),
    elapsedMs: Math.round((performance.now() - started) * 10) / 10,
  };
}

function outcomeOf(one: Numbered, recorder: Recorder, dispatcher: Dispatcher, scope: Scope): ToolOutcome | Promise<ToolOutcome> {
  if (scope.stopped) return failed(NOT_BEGUN_CODE, 'the run was stopped before this call began');
  if (!one.prepared.ready) return one.prepared.outcome;
  if ((recorder.state.repetitions.get(callKey(one.call))?.times ?? 0) >= BLOCK_AT) return blocked(one.call.name);
  const { tool, input } = one.prepared;
  const run = (): Promise<ToolOutcome> => runTool({ tool, input, resultId: one.resultId }, scope, dispatcher);
  const asked = { prepared: one.prepared, resultId: one.resultId, scope, interrupted: one.interrupted };
  const refusal = one.interrupted ? permitAgain(asked, dispatcher) : permit(asked, dispatcher);
  if (refusal === undefined) return run();
  return refusal instanceof Promise ? refusal.then((outcome) => outcome ?? run()) : refusal;
}

function blocked(name: string): ToolOutcome {
  return failed(
    BLOCKED_CODE,
    `${name} was called with these arguments ${BLOCK_AT} times and gave the same result each time; it is blocked. Use what you have, change the arguments, or conclude.`,
  );
}

/** The message that stands in place of a result that came for the third time. */
function blockRepetition(one: Numbered, content: string, recorder: Recorder): string | undefined {
  const before = recorder.state.repetitions.get(callKey(one.call));
  if (!before || before.times !== BLOCK_AT - 1 || !sameResult(before.content, content)) return undefined;
  return JSON.stringify({ id: one.resultId, tool: one.call.name, ...blocked(one.call.name) });
}

function withCoercions(outcome: ToolOutcome, prepared: PreparedCall): ToolOutcome {
  if (!prepared.ready || prepared.coercions.length === 0) return outcome;
  return { ...outcome, warnings: [...outcome.warnings, { code: 'arguments_coerced', message: prepared.coercions.join('; ') }] };
}
