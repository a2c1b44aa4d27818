import type { ServerSettings } from '../chat/server-settings.ts';

/** How one model of Ollama is asked; every field has a default. */
export interface OllamaSettings extends ServerSettings {
  /** How long the server keeps the model loaded after a reply; `30m` unless set, longer than a pause for approval. */
  readonly keepAlive?: string | number;
}
