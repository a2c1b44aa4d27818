import type { Ollama } from 'ollama';
import type { ModelFailure } from '../../core/model.ts';
import { Scope } from '../../core/scope.ts';
import { hostForDisplay } from '../chat/host-for-display.ts';
import { DEFAULT_WATCHDOGS } from '../transport/exchange.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import { isCloudName, traitsOf } from './inspect-model.ts';
import { OllamaCallError, openOllamaClient } from './ollama-client.ts';
import { resolveHost } from './resolve-host.ts';

const FIRST_ANSWER_MS = 1_500;
const LATER_ANSWER_MS = 3_000;
const MOST_SHOWN = 24;

export interface InstalledModel {
  readonly name: string;
  /** `8.2B`, as the server writes it. */
  readonly parameterSize?: string;
  readonly family?: string;
  readonly bytes?: number;
  readonly trainedWindow?: number;
  /** Absent where the server does not say. */
  readonly tools?: boolean;
  readonly thinking?: boolean;
  readonly chat?: boolean;
  readonly embedding?: boolean;
  /** It runs on another machine than the server. */
  readonly remote: boolean;
}

/** What stands at an address. */
export interface OllamaProbe {
  /** The address, without credentials. */
  readonly host: string;
  readonly reachable: boolean;
  readonly version?: string;
  readonly models: readonly InstalledModel[];
  /** Why it is not reachable, or why its models could not be listed. */
  readonly failure?: ModelFailure;
}

export interface ProbeOptions {
  /** Read for `OLLAMA_HOST`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly host?: string | undefined;
  readonly scope?: Scope;
}

/**
 * Asks what Ollama server there is and which models it has. Never rejects for what the server does; when nothing answers
 * it says so within a second and a half.
 *
 * @throws SoloistError `configuration` when the host is no address
 */
export async function probeModels({ environment = {}, host, scope }: ProbeOptions = {}): Promise<OllamaProbe> {
  const address = resolveHost(host ?? environment.OLLAMA_HOST);
  const transport = new HttpTransport(address);
  const own = new Scope(scope);
  const shown = hostForDisplay(address);
  try {
    const first = await openOllamaClient({ host: address, transport, scope: own, watchdogs: limits(FIRST_ANSWER_MS) });
    const { version } = await (first as unknown as { version(): Promise<{ version?: string }> }).version();
    const found = { host: shown, reachable: true, ...(version ? { version } : {}) };
    const client = await openOllamaClient({ host: address, transport, scope: own, watchdogs: limits(LATER_ANSWER_MS) });
    return await listModels(client).then(
      (models) => ({ ...found, models }),
      (error: unknown) => ({ ...found, models: [], failure: failureOf(error) }),
    );
  } catch (error) {
    return { host: shown, reachable: false, models: [], failure: failureOf(error) };
  } finally {
    own.close();
    transport.close();
  }
}

/** One entry of `/api/tags`; servers of different ages fill different fields. */
interface TagEntry {
  readonly name?: string;
  readonly model?: string;
  readonly size?: number;
  readonly details?: { readonly family?: string; readonly parameter_size?: string } | null;
  readonly remote_host?: string;
  readonly remote_model?: string;
}

async function listModels(client: Ollama): Promise<InstalledModel[]> {
  const tags = (await client.list()) as unknown as { models?: readonly TagEntry[] | null };
  const entries = (tags.models ?? []).slice(0, 500);
  return Promise.all(entries.map((entry, place) => describeModel(client, entry, place < MOST_SHOWN)));
}

async function describeModel(client: Ollama, entry: TagEntry, ask: boolean): Promise<InstalledModel> {
  const name = entry.name ?? entry.model ?? '';
  const remote = Boolean(entry.remote_host ?? entry.remote_model) || isCloudName(name);
  const traits = ask && !remote ? await showTraits(client, name) : {};
  const { parameter_size: parameterSize, family } = entry.details ?? {};
  const { remoteHost, ...known } = traits;
  return {
    name,
    remote: remote || remoteHost !== undefined,
    ...(parameterSize ? { parameterSize } : {}),
    ...(family ? { family } : {}),
    ...(entry.size === undefined ? {} : { bytes: entry.size }),
    ...known,
  };
}

async function showTraits(client: Ollama, model: string): Promise<ReturnType<typeof traitsOf>> {
  try {
    return traitsOf((await client.show({ model })) as unknown as Parameters<typeof traitsOf>[0]);
  } catch (error) {
    if (error instanceof OllamaCallError) return {};
    throw error;
  }
}

function failureOf(error: unknown): ModelFailure {
  if (error instanceof OllamaCallError) return error.failure;
  throw error;
}

function limits(milliseconds: number): typeof DEFAULT_WATCHDOGS {
  return { ...DEFAULT_WATCHDOGS, connectMs: milliseconds, firstByteMs: milliseconds, stallMs: milliseconds };
}
