import type { ModelFailure } from '../../core/model.ts';
import type { Scope } from '../../core/scope.ts';
import type { ModelTraits } from '../chat/model-traits.ts';
import { remoteRefusal } from '../chat/remote-refusal.ts';
import type { ServerLink } from '../chat/server-link.ts';
import { askJson, type JsonAnswer } from './ask-json.ts';
import { isOpenAi } from './resolve-base-url.ts';

/** What a server may say of a model in its list: vLLM, llama-server and others each in a field of their own. */
interface ListedModel {
  readonly id?: unknown;
  readonly max_model_len?: unknown;
  readonly context_length?: unknown;
  readonly max_context_length?: unknown;
  readonly loaded_context_length?: unknown;
  readonly meta?: { readonly n_ctx?: unknown; readonly n_ctx_train?: unknown } | null;
}

/**
 * What the server's list says of the model. A server without a list, or one whose list lacks the name, is taken as it is:
 * only a server that is not there, or wants a key, is a failure.
 */
export async function inspectModel(link: ServerLink, scope: Scope): Promise<ModelTraits | { readonly failure: ModelFailure }> {
  if (isLocalCloudName(link)) return { failure: remoteRefusal(link.name, 'ollama.com') };
  if (isOpenAi(link.host)) return link.dialect.headers?.authorization ? {} : { failure: withoutKey(link) };
  const answer = await ask(link, '/models', scope);
  if (!answer.ok) {
    const { kind } = answer.failure;
    return kind === 'unreachable' || kind === 'not_authorised' || kind === 'stopped' ? { failure: answer.failure } : {};
  }
  const trainedWindow = windowOf(findModel(answer.value, link.name));
  return trainedWindow === undefined ? {} : { trainedWindow };
}

/** OpenAI says nothing of its models' windows; without a key it only refuses, so no prompt is sent there for that. */
function withoutKey({ addressee }: ServerLink): ModelFailure {
  return { kind: 'not_authorised', message: `${addressee.host} wants a key, and OPENAI_API_KEY is not set`, fix: addressee.hints.signIn };
}

function ask({ transport, addressee, dialect, inspection }: ServerLink, path: string, scope: Scope): Promise<JsonAnswer> {
  return askJson({ transport, addressee, path, headers: dialect.headers ?? {}, scope, watchdogs: inspection });
}

function findModel(value: unknown, name: string): ListedModel | undefined {
  const { data } = (value ?? {}) as { data?: unknown };
  const models = (Array.isArray(data) ? data : []) as ListedModel[];
  // A server of one model answers with it whatever name is asked for.
  return models.find((model) => model?.id === name) ?? (models.length === 1 ? models[0] : undefined);
}

function windowOf(model: ListedModel | undefined): number | undefined {
  const { max_model_len, loaded_context_length, context_length, max_context_length, meta } = model ?? {};
  return [max_model_len, loaded_context_length, meta?.n_ctx, context_length, max_context_length, meta?.n_ctx_train].find(
    (value): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0,
  );
}

/** Ollama's own interface for OpenAI's clients passes such names on to its cloud. */
function isLocalCloudName({ host, name, settings }: ServerLink): boolean {
  return settings.allowRemote !== true && /\/\/(?:[^/@]*@)?(?:127\.|localhost|\[::1\])/.test(host) && /(?:^|[:-])cloud$/i.test(name);
}
