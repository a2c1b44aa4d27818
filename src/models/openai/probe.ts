import type { ModelFailure } from '../../core/model.ts';
import { Scope } from '../../core/scope.ts';
import { hostForDisplay } from '../chat/host-for-display.ts';
import { DEFAULT_WATCHDOGS } from '../transport/exchange.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import { askJson } from './ask-json.ts';
import { OPENAI_HINTS } from './openai-hints.ts';
import { authorisation } from './openai-settings.ts';
import { resolveBaseUrl } from './resolve-base-url.ts';

const ANSWER_MS = 3_000;

/** What stands at an address. */
export interface OpenAiProbe {
  /** The address, without credentials. */
  readonly baseUrl: string;
  /** Names of the models it lists. */
  readonly models: readonly string[];
  readonly failure?: ModelFailure;
}

/**
 * Asks an OpenAI-compatible server for its models. Never rejects for what the server does.
 *
 * @param environment read for `OPENAI_BASE_URL` and `OPENAI_API_KEY`
 * @throws SoloistError `configuration` when the base URL is no address
 */
export async function probeOpenAi(environment: Readonly<Record<string, string | undefined>>): Promise<OpenAiProbe> {
  const host = resolveBaseUrl(environment.OPENAI_BASE_URL);
  const baseUrl = hostForDisplay(host);
  const transport = new HttpTransport(host);
  const answer = await askJson({
    transport,
    addressee: { model: '', host: baseUrl, hints: OPENAI_HINTS },
    path: '/models',
    headers: authorisation(environment.OPENAI_API_KEY),
    scope: new Scope(),
    watchdogs: { ...DEFAULT_WATCHDOGS, connectMs: ANSWER_MS, firstByteMs: ANSWER_MS, stallMs: ANSWER_MS },
  });
  transport.close();
  if (!answer.ok) return { baseUrl, models: [], failure: answer.failure };
  const { data } = (answer.value ?? {}) as { data?: unknown };
  const entries = (Array.isArray(data) ? data : []) as { id?: unknown }[];
  return { baseUrl, models: entries.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])) };
}
