import type { Scope } from '../../core/scope.ts';
import type { ExchangeOutcome, ExchangeRequest, Watchdogs } from '../transport/exchange.ts';
import type { Addressee } from './addressee.ts';
import type { AnswerReader } from './answer-reader.ts';
import type { ChatAnswer } from './chat-answer.ts';
import type { DescribedFailure } from './describe-error-text.ts';
import { describeFault, describeOutcome } from './describe-failure.ts';

export interface ChatCall {
  readonly send: (request: ExchangeRequest) => Promise<ExchangeOutcome>;
  readonly addressee: Addressee;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: readonly Buffer[];
  readonly scope: Scope;
  readonly watchdogs: Watchdogs;
  readonly reader: AnswerReader;
  /** The server has taken the request but is silent. */
  readonly onQuiet?: () => void;
  /** The server works on this call no longer. Called exactly once. */
  readonly onReleased: () => void;
}

export type ChatResult =
  | { readonly ok: true; readonly answer: ChatAnswer; readonly firstTokenMs: number | undefined }
  | { readonly ok: false; readonly failure: DescribedFailure };

/** One chat request, streamed. Never rejects. */
export async function streamChat(call: ChatCall): Promise<ChatResult> {
  const { addressee, reader, onQuiet, headers } = call;
  const begunAt = performance.now();
  const outcome = await call.send({
    method: 'POST',
    path: call.path,
    ...(headers ? { headers } : {}),
    body: call.body,
    scope: call.scope,
    watchdogs: call.watchdogs,
    onText: (text) => reader.push(text),
    ...(onQuiet ? { onQuiet } : {}),
    onReleased: call.onReleased,
  });
  reader.end();
  const partial = reader.partial === '' ? {} : { partial: reader.partial };
  if (outcome.kind !== 'complete') return { ok: false, failure: { ...describeOutcome(outcome, addressee), ...partial } };
  if (reader.fault) return { ok: false, failure: { ...describeFault(reader.fault, addressee), ...partial } };
  const { firstPieceAt } = reader;
  return { ok: true, answer: reader.answer(), firstTokenMs: firstPieceAt === undefined ? undefined : firstPieceAt - begunAt };
}
