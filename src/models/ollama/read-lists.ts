import { type ClientOptions, OllamaCallError, openOllamaClient } from './ollama-client.ts';

/** An entry of `/api/tags` or `/api/ps`, of which servers of different ages fill different fields. */
export interface ListedModel {
  readonly name?: string;
  readonly model?: string;
  readonly digest?: string;
  readonly context_length?: number;
}

/** The installed models; none when the server does not say. */
export function readInstalled(options: ClientOptions): Promise<readonly ListedModel[]> {
  return readList(options, 'list');
}

/** The models that are loaded now; none when the server does not say. */
export function readRunning(options: ClientOptions): Promise<readonly ListedModel[]> {
  return readList(options, 'ps');
}

/** Names match whatever their case, and `latest` is the tag of a name without one. */
export function findByName(models: readonly ListedModel[], name: string): ListedModel | undefined {
  return models.find((model) => fullName(model.name ?? model.model ?? '') === fullName(name));
}

async function readList(options: ClientOptions, kind: 'list' | 'ps'): Promise<readonly ListedModel[]> {
  try {
    const answer = (await (await openOllamaClient(options))[kind]()) as { models?: unknown };
    return Array.isArray(answer?.models) ? (answer.models as ListedModel[]) : [];
  } catch (error) {
    if (error instanceof OllamaCallError) return [];
    throw error;
  }
}

function fullName(name: string): string {
  const short = (name.split('/').at(-1) ?? name).includes(':') ? name : `${name}:latest`;
  return short.toLowerCase();
}
