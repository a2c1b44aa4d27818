import type { Ollama } from 'ollama';
import type { ModelFailure } from '../../core/model.ts';
import type { Scope } from '../../core/scope.ts';
import { describeOutcome } from '../chat/describe-failure.ts';
import { hostForDisplay } from '../chat/host-for-display.ts';
import type { Watchdogs } from '../transport/exchange.ts';
import type { HttpTransport } from '../transport/http-transport.ts';
import { OLLAMA_HINTS } from './ollama-hints.ts';

/** What the `ollama` package hands to its `fetch`. For ollama.com its headers hold the user's `OLLAMA_API_KEY`. */
export interface FetchInit {
  readonly method?: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The part of the Fetch API's response that the `ollama` package reads. */
interface FetchedBody {
  readonly ok: true;
  readonly status: 200;
  readonly headers: { get(name: string): string | null };
  readonly body: unknown;
  text(): Promise<string>;
  json(): Promise<unknown>;
}

/** A failed call of the client, carried through the package as an exception. */
export class OllamaCallError extends Error {
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.message);
    this.name = 'OllamaCallError';
    this.failure = failure;
  }
}

export interface ClientOptions {
  readonly host: string;
  readonly transport: HttpTransport;
  readonly scope: Scope;
  readonly watchdogs: Watchdogs;
  /** The model that failures speak of. */
  readonly model?: string;
}

/** The `ollama` package on our transport: its calls reject with {@link OllamaCallError}, and never print. */
export async function openOllamaClient(options: ClientOptions): Promise<Ollama> {
  const { Ollama: Client } = await import('ollama');
  const path = new URL(options.host).pathname.replace(/\/+$/, '');
  const fetch = (url: string, init: FetchInit): Promise<FetchedBody> => fetchWhole(options, new URL(url).pathname.slice(path.length), init);
  return new Client({ host: options.host, fetch: fetch as unknown as typeof globalThis.fetch });
}

async function fetchWhole(options: ClientOptions, path: string, { method, body = '', headers }: FetchInit): Promise<FetchedBody> {
  const { transport, scope, watchdogs, host, model = '' } = options;
  let text = '';
  const outcome = await transport.send({
    path,
    headers,
    ...(method === 'POST' ? { method, body: [Buffer.from(body)] } : { method: 'GET' }),
    scope,
    watchdogs,
    onText: (piece) => {
      text += piece;
      return 'more';
    },
  });
  const addressee = { model, host: hostForDisplay(host), hints: OLLAMA_HINTS };
  if (outcome.kind !== 'complete') throw new OllamaCallError(describeOutcome(outcome, addressee));
  return {
    ok: true,
    status: 200,
    headers: { get: () => 'application/json' },
    body: undefined,
    text: async () => text,
    json: async () => parseJson(text, addressee.host, path),
  };
}

function parseJson(text: string, host: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OllamaCallError({ kind: 'protocol', message: `${host}${path} did not answer JSON; is it Ollama?` });
  }
}
