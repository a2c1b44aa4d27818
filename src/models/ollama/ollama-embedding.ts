import type { EmbeddingModel } from '../../core/embedding-model.ts';
import { Gate } from '../../core/gate.ts';
import type { ModelFailure } from '../../core/model.ts';
import type { Scope } from '../../core/scope.ts';
import type { ModelTraits } from '../chat/model-traits.ts';
import { remoteRefusal } from '../chat/remote-refusal.ts';
import type { EmbeddingServer, RawEmbeddings } from '../embedding/embedding-server.ts';
import { ServerEmbeddingModel } from '../embedding/server-embedding-model.ts';
import { DEFAULT_WATCHDOGS } from '../transport/exchange.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import { isCloudName, readTraits } from './inspect-model.ts';
import { OllamaCallError, openOllamaClient } from './ollama-client.ts';
import type { OllamaSettings } from './ollama-settings.ts';
import { resolveHost } from './resolve-host.ts';

/** The window of an embedding model whose server does not say, and the most that is asked for. */
const USUAL_WINDOW = 2_048;
const MOST_WINDOW = 8_192;

export interface OllamaEmbeddingOptions {
  readonly name: string;
  /** `OLLAMA_HOST` in any of its forms. */
  readonly host?: string | undefined;
  readonly settings?: OllamaSettings;
  /** Shared by all that ask the same model of the same host. */
  readonly gate?: Gate | undefined;
}

/** @throws SoloistError `configuration` when the host is no address */
export function createOllamaEmbedding(options: OllamaEmbeddingOptions): EmbeddingModel {
  return new ServerEmbeddingModel(new OllamaEmbeddingServer(options));
}

class OllamaEmbeddingServer implements EmbeddingServer {
  readonly name: string;
  readonly id: string;
  private readonly host: string;
  private readonly settings: OllamaSettings;
  private readonly transport: HttpTransport;
  private readonly gate: Gate;
  private traits: ModelTraits = {};

  constructor({ name, host, settings = {}, gate }: OllamaEmbeddingOptions) {
    this.name = name;
    this.id = `ollama/${name}`;
    this.host = resolveHost(host);
    this.settings = settings;
    this.transport = new HttpTransport(this.host);
    this.gate = gate ?? new Gate(settings.parallel ?? 1);
  }

  get windowTokens(): number {
    return Math.min(this.traits.trainedWindow ?? USUAL_WINDOW, this.settings.contextTokens ?? MOST_WINDOW);
  }

  async learn(scope: Scope): Promise<ModelFailure | undefined> {
    const { allowRemote } = this.settings;
    if (isCloudName(this.name) && !allowRemote) return remoteRefusal(this.name, 'ollama.com');
    const traits = await readTraits({ ...this.question(scope, 5_000), model: this.name });
    if ('failure' in traits) return traits.failure;
    this.traits = traits;
    return traits.remoteHost && !allowRemote ? remoteRefusal(this.name, traits.remoteHost) : undefined;
  }

  async request(texts: readonly string[], scope: Scope): Promise<RawEmbeddings> {
    if (!(await this.gate.enter(scope))) return { ok: false, failure: { kind: 'stopped', message: 'the model call was stopped' } };
    try {
      const client = await openOllamaClient({ ...this.question(scope), model: this.name });
      const answer = (await client.embed(this.bodyFor(texts))) as { embeddings?: unknown; prompt_eval_count?: unknown };
      const { embeddings, prompt_eval_count: counted } = answer ?? {};
      return {
        ok: true,
        vectors: Array.isArray(embeddings) ? embeddings : [],
        inputTokens: typeof counted === 'number' ? counted : undefined,
      };
    } catch (error) {
      if (error instanceof OllamaCallError) return { ok: false, failure: error.failure };
      throw error;
    } finally {
      this.gate.leave();
    }
  }

  close(): void {
    this.transport.close();
  }

  /** A text that is too long is refused, not cut; the batch size is raised with the window, since it would cut silently. */
  private bodyFor(texts: readonly string[]) {
    const { keepAlive = '30m', options = {} } = this.settings;
    const window = this.windowTokens;
    return {
      model: this.name,
      input: [...texts],
      truncate: false,
      keep_alive: keepAlive,
      options: { ...options, num_ctx: window, num_batch: window },
    };
  }

  private question(scope: Scope, firstByteMs?: number) {
    const watchdogs = { ...DEFAULT_WATCHDOGS, ...this.settings.watchdogs, ...(firstByteMs ? { firstByteMs } : {}) };
    return { transport: this.transport, host: this.host, scope, watchdogs };
  }
}
