import type { EmbeddingModel } from '../core/embedding-model.ts';
import { SoloistError } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import type { ModelSettings } from '../core/project.ts';
import { serverSettings, splitId } from './model-settings.ts';
import { createOllamaEmbedding } from './ollama/ollama-embedding.ts';
import { createOpenAiEmbedding } from './openai/openai-embedding.ts';

/**
 * The embedding model that a name means: `ollama/<name>`, `openai/<name>`, or a name from the project's `models`, whose
 * settings then hold. Nothing is sent before the first text is embedded.
 *
 * @throws SoloistError `configuration` for a name that means no model that makes vectors
 */
export async function resolveEmbeddingModel(
  idOrName: string,
  models: Readonly<Record<string, ModelSettings>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<EmbeddingModel> {
  const named = Object.hasOwn(models, idOrName) ? models[idOrName] : undefined;
  const id = named?.model ?? idOrName;
  const { provider, name } = splitId(id);
  const settings = serverSettings(named ?? Object.values(models).find((entry) => entry.model === id));
  if (provider === 'ollama') return createOllamaEmbedding({ name, host: environment.OLLAMA_HOST, settings });
  if (provider === 'openai') {
    const apiKey = environment.OPENAI_API_KEY;
    return createOpenAiEmbedding({ name, baseUrl: environment.OPENAI_BASE_URL, settings: { ...settings, apiKey } });
  }
  throw new SoloistError('configuration', `"${id}" is no embedding model`, {
    ...(named ? { where: `models.${idOrName}` } : {}),
    fix: `${named ? 'write' : `${suggestName(idOrName, Object.keys(models))}; or write`} ollama/<name>, such as ollama/nomic-embed-text, or openai/<name>`,
  });
}
