import { SoloistError } from '../core/errors.ts';
import type { ChatModel } from '../core/model.ts';
import { suggestName } from '../core/nearest.ts';
import type { ModelSettings } from '../core/project.ts';
import { createOllamaModel } from './ollama/ollama-model.ts';
import type { OllamaSettings } from './ollama/ollama-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Makes the models that need more than this zone knows. */
export interface ModelFactories {
  readonly rules?: () => ChatModel | Promise<ChatModel>;
}

/**
 * The model that a name means: `ollama/<name>`, `rules`, or a name from the project's `models`, whose settings then
 * hold. Settings of an `ollama/<name>` given directly are those of the project's entry for the same model, if it has
 * one.
 *
 * @throws SoloistError `configuration` for a name that means nothing, or a kind of model that does not exist here
 */
export async function resolveModel(
  idOrName: string,
  models: Readonly<Record<string, ModelSettings>>,
  environment: Environment,
  factories: ModelFactories = {},
): Promise<ChatModel> {
  const named = Object.hasOwn(models, idOrName) ? models[idOrName] : undefined;
  const id = named?.model ?? idOrName;
  if (id === 'rules' && factories.rules) return factories.rules();
  const [, provider = '', name = ''] = /^([^/]+)\/(.+)$/.exec(id) ?? [];
  if (provider === 'ollama') {
    const settings = named ?? Object.values(models).find((entry) => entry.model === id);
    return createOllamaModel({ name, host: environment.OLLAMA_HOST, settings: settings ? ollamaSettings(settings) : {} });
  }
  throw unknownModel(id, provider, Object.keys(models), named ? `models.${idOrName}` : undefined);
}

function ollamaSettings(settings: ModelSettings): OllamaSettings {
  const { temperature, seed, keepAlive, think, contextTokens, parallel, allowRemote } = settings;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
    ...(keepAlive === undefined ? {} : { keepAlive }),
    ...(think === undefined ? {} : { think }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(parallel === undefined ? {} : { parallel }),
    ...(allowRemote === undefined ? {} : { allowRemote }),
  };
}

function unknownModel(id: string, provider: string, names: readonly string[], where: string | undefined): SoloistError {
  const place = where ? { where } : {};
  if (provider === 'openai') {
    return new SoloistError('configuration', `model "${id}": this version talks to Ollama only`, {
      ...place,
      fix: 'use ollama/<name>, rules or auto',
    });
  }
  if (id === 'rules' || id === 'auto') {
    return new SoloistError('configuration', `model "${id}" cannot be used here`, { ...place, fix: 'name an ollama/<name>' });
  }
  return new SoloistError('configuration', `there is no model "${id}"`, {
    ...place,
    fix: `${suggestName(id, [...names, 'auto', 'rules'])} (a model of Ollama is written ollama/<name>)`,
  });
}
