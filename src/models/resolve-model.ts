import { SoloistError } from '../core/errors.ts';
import type { Gate } from '../core/gate.ts';
import type { ChatModel } from '../core/model.ts';
import { suggestName } from '../core/nearest.ts';
import type { ModelSettings } from '../core/project.ts';
import type { TraitMemory } from './chat/trait-memory.ts';
import { createFallbackModel } from './fallback-model.ts';
import { serverSettings, splitId } from './model-settings.ts';
import { createOllamaModel } from './ollama/ollama-model.ts';
import { resolveHost } from './ollama/resolve-host.ts';
import { createOpenAiModel } from './openai/openai-model.ts';
import { resolveBaseUrl } from './openai/resolve-base-url.ts';
import { createPricedModel } from './priced-model.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a session's models share, and what makes those that need more than this zone knows. */
export interface ModelFactories {
  readonly rules?: () => ChatModel | Promise<ChatModel>;
  /** The places at a model of a server, so that two names of one model share its limit. */
  readonly gateFor?: (place: string, limit: number) => Gate;
  readonly memory?: TraitMemory;
  /** The largest window that any agent of the run wants. */
  readonly runWindowTokens?: number;
}

/**
 * The model that a name means: `ollama/<name>`, `openai/<name>`, `rules`, or a name from the project's `models`, whose
 * settings then hold. Settings of an id given directly are those of the project's entry for the same model, if it has
 * one. Its fallbacks are resolved with it; theirs are not looked at.
 *
 * @throws SoloistError `configuration` for a name that means nothing, or a kind of model that does not exist here
 */
export async function resolveModel(
  idOrName: string,
  models: Readonly<Record<string, ModelSettings>>,
  environment: Environment,
  factories: ModelFactories = {},
): Promise<ChatModel> {
  const place = { models, environment, factories };
  const { model, settings } = await resolveOne(idOrName, place);
  if (!settings?.fallback?.length) return model;
  const others: ChatModel[] = [];
  for (const name of settings.fallback) others.push((await resolveOne(name, place, `fallback of ${idOrName}`)).model);
  return createFallbackModel(model, others);
}

interface Surroundings {
  readonly models: Readonly<Record<string, ModelSettings>>;
  readonly environment: Environment;
  readonly factories: ModelFactories;
}

interface Resolved {
  readonly model: ChatModel;
  readonly settings: ModelSettings | undefined;
}

async function resolveOne(idOrName: string, surroundings: Surroundings, role?: string): Promise<Resolved> {
  const { models, factories } = surroundings;
  const named = Object.hasOwn(models, idOrName) ? models[idOrName] : undefined;
  const id = named?.model ?? idOrName;
  if (id === 'rules' && factories.rules) return { model: await factories.rules(), settings: named };
  const settings = named ?? Object.values(models).find((entry) => entry.model === id);
  const model = createServerModel(id, settings, surroundings);
  if (!model) throw unknownModel(id, Object.keys(models), role ?? (named ? `models.${idOrName}` : undefined));
  return { model: settings?.price ? createPricedModel(model, settings.price) : model, settings };
}

function createServerModel(id: string, given: ModelSettings | undefined, { environment, factories }: Surroundings): ChatModel | undefined {
  const { provider, name } = splitId(id);
  const { gateFor, memory, runWindowTokens } = factories;
  const settings = { ...serverSettings(given), ...(runWindowTokens === undefined ? {} : { runWindowTokens }) };
  if (provider === 'ollama') {
    const host = environment.OLLAMA_HOST;
    const gate = gateFor?.(`${resolveHost(host)} ${name}`, settings.parallel ?? 1);
    return createOllamaModel({ name, host, settings, gate, memory });
  }
  if (provider === 'openai') {
    const baseUrl = environment.OPENAI_BASE_URL;
    const gate = gateFor?.(`${resolveBaseUrl(baseUrl)} ${name}`, settings.parallel ?? 4);
    return createOpenAiModel({ name, baseUrl, settings: { ...settings, apiKey: environment.OPENAI_API_KEY }, gate });
  }
  return undefined;
}

function unknownModel(id: string, names: readonly string[], where: string | undefined): SoloistError {
  const place = where ? { where } : {};
  if (id === 'rules' || id === 'auto') {
    return new SoloistError('configuration', `model "${id}" cannot be used here`, {
      ...place,
      fix: 'name an ollama/<name> or openai/<name>',
    });
  }
  return new SoloistError('configuration', `there is no model "${id}"`, {
    ...place,
    fix: `${suggestName(id, [...names, 'auto', 'rules'])} (a model of Ollama is written ollama/<name>, one of an OpenAI-compatible server openai/<name>)`,
  });
}
