import type { ServerSettings } from '../chat/server-settings.ts';

/** How one model of an OpenAI-compatible server is asked; every field has a default. */
export interface OpenAiSettings extends ServerSettings {
  /** Sent as a bearer token; a local server wants none. */
  readonly apiKey?: string | undefined;
}

/** Headers of every request. */
export function authorisation(apiKey: string | undefined): Readonly<Record<string, string>> {
  return apiKey ? { authorization: `Bearer ${apiKey}` } : {};
}
