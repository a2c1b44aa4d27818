import type { Gate } from '../../core/gate.ts';
import type { ChatModel } from '../../core/model.ts';
import { ServerConversation } from '../chat/server-conversation.ts';
import { ServerLink } from '../chat/server-link.ts';
import type { TraitMemory } from '../chat/trait-memory.ts';
import { type HeldModel, holdModel } from './hold-model.ts';
import { OLLAMA_DIALECT } from './ollama-dialect.ts';
import { OLLAMA_HINTS } from './ollama-hints.ts';
import type { OllamaSettings } from './ollama-settings.ts';
import { resolveHost } from './resolve-host.ts';

export interface OllamaModelOptions {
  /** As `ollama list` shows it: `qwen3:8b`. */
  readonly name: string;
  /** `OLLAMA_HOST` in any of its forms; loopback and port 11434 unless given. */
  readonly host?: string | undefined;
  readonly settings?: OllamaSettings;
  /** Shared by all that ask the same model of the same host; one of `settings.parallel` places unless given. */
  readonly gate?: Gate | undefined;
  readonly memory?: TraitMemory | undefined;
}

/**
 * A model of an Ollama server. Nothing is sent before the first reply, which first asks the server about the model:
 * its window, whether it takes tools, and whether it runs there at all.
 *
 * @throws SoloistError `configuration` when the host is no address
 */
export function createOllamaModel({ name, host, settings = {}, gate, memory }: OllamaModelOptions): ChatModel & HeldModel {
  const link = new ServerLink({
    name,
    host: resolveHost(host),
    settings,
    hints: OLLAMA_HINTS,
    dialect: OLLAMA_DIALECT,
    gate,
    memory,
  });
  return {
    id: `ollama/${name}`,
    kind: 'model',
    startConversation: (opening) => new ServerConversation(link, opening),
    close: async () => link.transport.close(),
    ...holdModel(link),
  };
}
