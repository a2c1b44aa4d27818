import type { ModelFailure } from '../../core/model.ts';
import type { ModelTraits } from '../chat/model-traits.ts';
import { type ClientOptions, OllamaCallError, openOllamaClient } from './ollama-client.ts';

/** The fields of `/api/show` that are read, none of them sure to be there. */
interface ShowAnswer {
  readonly capabilities?: unknown;
  readonly model_info?: unknown;
  readonly remote_host?: unknown;
  readonly remote_model?: unknown;
}

/** Whether the name itself sends prompts to another machine. */
export function isCloudName(name: string): boolean {
  return /(?:^|[:-])cloud$/i.test(name);
}

/** Asks the server about a model. A model that is not there is a failure; an answer that says little is not. */
export async function readTraits(
  options: ClientOptions & { readonly model: string },
): Promise<ModelTraits | { readonly failure: ModelFailure }> {
  try {
    const client = await openOllamaClient(options);
    return traitsOf((await client.show({ model: options.model })) as unknown as ShowAnswer);
  } catch (error) {
    if (!(error instanceof OllamaCallError)) throw error;
    const { failure } = error;
    return failure.kind === 'bad_request' || failure.kind === 'server_fault' || failure.kind === 'protocol' ? {} : { failure };
  }
}

/** Reads an answer of `/api/show`. */
export function traitsOf(shown: ShowAnswer): ModelTraits {
  const trainedWindow = contextLength(shown.model_info);
  const capabilities = Array.isArray(shown.capabilities) ? (shown.capabilities as unknown[]) : undefined;
  const remote = [shown.remote_host, shown.remote_model].find((value) => typeof value === 'string' && value !== '');
  return {
    ...(trainedWindow === undefined ? {} : { trainedWindow }),
    ...(capabilities === undefined
      ? {}
      : {
          tools: capabilities.includes('tools'),
          thinking: capabilities.includes('thinking'),
          chat: capabilities.includes('completion'),
          embedding: capabilities.includes('embedding'),
        }),
    ...(remote === undefined ? {} : { remoteHost: String(remote) }),
  };
}

function contextLength(modelInfo: unknown): number | undefined {
  if (modelInfo === null || typeof modelInfo !== 'object') return undefined;
  const info = modelInfo as Record<string, unknown>;
  const value = info[`${String(info['general.architecture'])}.context_length`];
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}
