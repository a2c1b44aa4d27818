import type { Gate } from '../../core/gate.ts';
import type { ChatModel } from '../../core/model.ts';
import type { Dialect } from '../chat/dialect.ts';
import { ServerConversation } from '../chat/server-conversation.ts';
import { ServerLink } from '../chat/server-link.ts';
import { compileHead } from './compile-head.ts';
import { inspectModel } from './inspect-model.ts';
import { openAiEncoding } from './openai-encoding.ts';
import { OPENAI_HINTS } from './openai-hints.ts';
import { authorisation, type OpenAiSettings } from './openai-settings.ts';
import { isOpenAi, resolveBaseUrl } from './resolve-base-url.ts';
import { SseReader } from './sse-reader.ts';

/** Servers of this kind batch requests; more than this at once only makes them queue. */
const PARALLEL = 4;

export interface OpenAiModelOptions {
  /** As the server names it: `gpt-5-mini`, `Qwen/Qwen3-8B`. */
  readonly name: string;
  /** `OPENAI_BASE_URL`; OpenAI's own service unless given. */
  readonly baseUrl?: string | undefined;
  readonly settings?: OpenAiSettings;
  /** Shared by all that ask the same model of the same server; `settings.parallel` places, or 4, unless given. */
  readonly gate?: Gate | undefined;
}

/**
 * A model behind OpenAI's chat completions: vLLM, llama-server, LM Studio, OpenAI. Nothing is sent before the first reply.
 *
 * @throws SoloistError `configuration` when the base URL is no address
 */
export function createOpenAiModel({ name, baseUrl, settings = {}, gate }: OpenAiModelOptions): ChatModel {
  const host = resolveBaseUrl(baseUrl);
  const link = new ServerLink({
    name,
    host,
    settings: { parallel: PARALLEL, ...settings },
    hints: OPENAI_HINTS,
    dialect: dialectFor(host, settings.apiKey),
    gate,
    memory: undefined,
  });
  return {
    id: `openai/${name}`,
    kind: 'model',
    startConversation: (opening) => new ServerConversation(link, opening),
    close: async () => link.transport.close(),
  };
}

function dialectFor(host: string, apiKey: string | undefined): Dialect {
  return {
    encoding: openAiEncoding(!isOpenAi(host)),
    path: '/chat/completions',
    headers: authorisation(apiKey),
    send: ({ transport }, request) => transport.send(request),
    inspect: inspectModel,
    windowFor: ({ settings, traits }) =>
      Math.min(settings.contextTokens ?? Number.POSITIVE_INFINITY, traits?.trainedWindow ?? Number.POSITIVE_INFINITY),
    compileHead,
    openReader: (onDelta, detectLoops) => new SseReader(onDelta, detectLoops),
  };
}
