import type { Delta } from '../../core/model.ts';
import type { Scope } from '../../core/scope.ts';
import type { Watchdogs } from '../transport/exchange.ts';
import type { HttpTransport } from '../transport/http-transport.ts';
import { ChatStream } from './chat-stream.ts';
import type { ChatAnswer } from './chat-wire.ts';
import { type Addressee, type DescribedFailure, describeFault, describeOutcome } from './describe-failure.ts';

export interface ChatCall {
  readonly transport: HttpTransport;
  readonly addressee: Addressee;
  readonly body: readonly Buffer[];
  readonly scope: Scope;
  readonly watchdogs: Watchdogs;
  readonly detectLoops: boolean;
  readonly onDelta: ((delta: Delta) => void) | undefined;
  /** The server works on this call no longer. Called exactly once. */
  readonly onReleased: () => void;
}

export type ChatResult =
  | { readonly ok: true; readonly answer: ChatAnswer; readonly firstByteMs: number }
  | { readonly ok: false; readonly failure: DescribedFailure };

/**
 * One chat request, streamed, on our own transport. Never rejects. The `ollama` package serves all other calls; for this
 * one it would cost a quarter of a step and half of a short run (docs/benchmarks/overhead.md).
 */
export async function streamChat(call: ChatCall): Promise<ChatResult> {
  const { transport, addressee, scope, watchdogs, onDelta, onReleased } = call;
  const stream = new ChatStream(onDelta, call.detectLoops);
  const outcome = await transport.send({
    method: 'POST',
    path: '/api/chat',
    body: call.body,
    scope,
    watchdogs,
    onText: (text) => stream.push(text),
    ...(onDelta ? { onQuiet: () => onDelta({ type: 'waiting', ahead: 0 }) } : {}),
    onReleased,
  });
  stream.end();
  const partial = stream.partial === '' ? {} : { partial: stream.partial };
  if (outcome.kind !== 'complete') return { ok: false, failure: { ...describeOutcome(outcome, addressee), ...partial } };
  if (stream.fault) return { ok: false, failure: { ...describeFault(stream.fault, addressee), ...partial } };
  return { ok: true, answer: stream.answer(), firstByteMs: outcome.firstByteMs };
}
