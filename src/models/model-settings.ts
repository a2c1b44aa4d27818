import type { ModelSettings } from '../core/project.ts';
import type { OllamaSettings } from './ollama/ollama-settings.ts';

/** A project's settings of a model as the servers' own code takes them. */
export function serverSettings(settings: ModelSettings | undefined): OllamaSettings {
  if (!settings) return {};
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

/** The parts of `ollama/<name>` or `openai/<name>`; the name may hold slashes. */
export function splitId(id: string): { readonly provider: string; readonly name: string } {
  const [, provider = '', name = ''] = /^([^/]+)\/(.+)$/.exec(id) ?? [];
  return { provider, name };
}
