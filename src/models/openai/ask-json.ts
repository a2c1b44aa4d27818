import type { ModelFailure } from '../../core/model.ts';
import type { Scope } from '../../core/scope.ts';
import type { Addressee } from '../chat/addressee.ts';
import { describeOutcome } from '../chat/describe-failure.ts';
import type { Watchdogs } from '../transport/exchange.ts';
import type { HttpTransport } from '../transport/http-transport.ts';

export interface JsonQuestion {
  readonly transport: HttpTransport;
  readonly addressee: Addressee;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with POST; a question without one is a GET. */
  readonly body?: unknown;
  readonly scope: Scope;
  readonly watchdogs: Watchdogs;
}

export type JsonAnswer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly failure: ModelFailure };

/** One question with a whole JSON document as its answer. Never rejects. */
export async function askJson(question: JsonQuestion): Promise<JsonAnswer> {
  const { transport, addressee, path, headers, body, scope, watchdogs } = question;
  let text = '';
  const outcome = await transport.send({
    method: body === undefined ? 'GET' : 'POST',
    path,
    ...(headers ? { headers } : {}),
    ...(body === undefined ? {} : { body: [Buffer.from(JSON.stringify(body))] }),
    scope,
    watchdogs,
    onText: (piece) => {
      text += piece;
      return 'more';
    },
  });
  if (outcome.kind !== 'complete') return { ok: false, failure: describeOutcome(outcome, addressee) };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, failure: { kind: 'protocol', message: `${addressee.host}${path} did not answer JSON; is it a model server?` } };
  }
}
