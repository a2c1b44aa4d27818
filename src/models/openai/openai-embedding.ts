import type { EmbeddingModel } from '../../core/embedding-model.ts';
import { Gate } from '../../core/gate.ts';
import type { ModelFailure } from '../../core/model.ts';
import type { Scope } from '../../core/scope.ts';
import { hostForDisplay } from '../chat/host-for-display.ts';
import type { EmbeddingServer, RawEmbeddings } from '../embedding/embedding-server.ts';
import { ServerEmbeddingModel } from '../embedding/server-embedding-model.ts';
import { DEFAULT_WATCHDOGS } from '../transport/exchange.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import { askJson } from './ask-json.ts';
import { OPENAI_HINTS } from './openai-hints.ts';
import { authorisation, type OpenAiSettings } from './openai-settings.ts';
import { resolveBaseUrl } from './resolve-base-url.ts';

/** OpenAI's own models take 8,191 tokens; what is too long for another server it says. */
const USUAL_WINDOW = 8_191;
const PARALLEL = 4;

export interface OpenAiEmbeddingOptions {
  readonly name: string;
  /** `OPENAI_BASE_URL`; OpenAI's own service unless given. */
  readonly baseUrl?: string | undefined;
  readonly settings?: OpenAiSettings;
  readonly gate?: Gate | undefined;
}

/** @throws SoloistError `configuration` when the base URL is no address */
export function createOpenAiEmbedding(options: OpenAiEmbeddingOptions): EmbeddingModel {
  return new ServerEmbeddingModel(new OpenAiEmbeddingServer(options));
}

class OpenAiEmbeddingServer implements EmbeddingServer {
  readonly name: string;
  readonly id: string;
  readonly windowTokens: number;
  private readonly host: string;
  private readonly settings: OpenAiSettings;
  private readonly transport: HttpTransport;
  private readonly gate: Gate;

  constructor({ name, baseUrl, settings = {}, gate }: OpenAiEmbeddingOptions) {
    this.name = name;
    this.id = `openai/${name}`;
    this.host = resolveBaseUrl(baseUrl);
    this.settings = settings;
    this.windowTokens = settings.contextTokens ?? USUAL_WINDOW;
    this.transport = new HttpTransport(this.host);
    this.gate = gate ?? new Gate(settings.parallel ?? PARALLEL);
  }

  async learn(): Promise<ModelFailure | undefined> {
    return undefined;
  }

  async request(texts: readonly string[], scope: Scope): Promise<RawEmbeddings> {
    if (!(await this.gate.enter(scope))) return { ok: false, failure: { kind: 'stopped', message: 'the model call was stopped' } };
    const answer = await askJson({
      transport: this.transport,
      addressee: { model: this.name, host: hostForDisplay(this.host), hints: OPENAI_HINTS },
      path: '/embeddings',
      headers: authorisation(this.settings.apiKey),
      body: { model: this.name, input: texts, encoding_format: 'float' },
      scope,
      watchdogs: { ...DEFAULT_WATCHDOGS, ...this.settings.watchdogs },
    });
    this.gate.leave();
    return answer.ok ? { ok: true, ...readEmbeddings(answer.value, texts.length) } : answer;
  }

  close(): void {
    this.transport.close();
  }
}

/** The vectors by the index that each names, which need not be the order they stand in. */
function readEmbeddings(value: unknown, count: number): { readonly vectors: readonly unknown[]; readonly inputTokens: number | undefined } {
  const { data, usage } = (value ?? {}) as { data?: unknown; usage?: { prompt_tokens?: unknown } | null };
  const entries = (Array.isArray(data) ? data : []) as { index?: unknown; embedding?: unknown }[];
  const vectors: unknown[] = entries.length === count ? new Array(count) : [];
  if (entries.length === count) {
    for (const [place, entry] of entries.entries()) vectors[typeof entry?.index === 'number' ? entry.index : place] = entry?.embedding;
  }
  const tokens = usage?.prompt_tokens;
  return { vectors, inputTokens: typeof tokens === 'number' ? tokens : undefined };
}
