import type { EmbeddingModel, EmbeddingPurpose, EmbeddingReply } from '../../core/embedding-model.ts';
import type { ModelFailure } from '../../core/model.ts';
import type { Scope } from '../../core/scope.ts';
import { embedBatch } from './embed-batch.ts';
import type { EmbeddingServer } from './embedding-server.ts';
import { packBatches } from './pack-batches.ts';
import { type PrefixProfile, prefixProfileOf, withPrefix } from './prefix-profile.ts';

/** Whole-number room for the prefix and the marks that a tokenizer adds. */
const FEWEST_WINDOW = 64;

/**
 * An embedding model of a server: texts go out in batches with the prefixes of the model's family, a text that fails is
 * found by halving its batch, one that is too long is cut until the server takes it, and every vector is checked.
 */
export class ServerEmbeddingModel implements EmbeddingModel {
  readonly id: string;
  readonly prefixes: string;
  private readonly server: EmbeddingServer;
  private readonly profile: PrefixProfile;
  /** Of every vector so far; one of another size cannot be compared with them. */
  private dimensions: number | undefined;
  private cleared = false;

  constructor(server: EmbeddingServer) {
    this.server = server;
    this.id = server.id;
    this.profile = prefixProfileOf(server.name);
    this.prefixes = this.profile.id;
  }

  async embed(texts: readonly string[], purpose: EmbeddingPurpose, scope: Scope): Promise<EmbeddingReply> {
    const unfit = await this.learn(scope);
    if (unfit) return { ok: false, failure: unfit };
    const placed = texts.flatMap((text, place) => (text.trim() === '' ? [] : [{ place, text: withPrefix(this.profile, purpose, text) }]));
    const vectors = new Map<number, Float32Array>();
    const shortened: number[] = [];
    const rejected: { place: number; failure: ModelFailure }[] = [];
    let inputTokens = 0;
    for (const batch of packBatches(placed, Math.max(FEWEST_WINDOW, this.server.windowTokens))) {
      const done = await embedBatch(this.server, batch, scope);
      inputTokens += done.inputTokens;
      for (const one of done.embedded) {
        const mismatch = this.checkSize(one.vector);
        if (mismatch) return { ok: false, failure: mismatch };
        vectors.set(one.place, one.vector);
        if (one.shortened) shortened.push(one.place);
      }
      if (done.failure) return { ok: false, failure: done.failure };
      rejected.push(...done.rejected);
    }
    const first = rejected[0];
    // Nothing came through: the fault is hardly in the texts.
    if (first && vectors.size === 0) return { ok: false, failure: first.failure };
    const zeros = new Float32Array(this.dimensions ?? 0);
    return {
      ok: true,
      vectors: texts.map((_, place) => vectors.get(place) ?? zeros),
      inputTokens,
      shortened: shortened.sort((left, right) => left - right),
      ...(first ? { rejected: rejected.sort((left, right) => left.place - right.place) } : {}),
    };
  }

  async close(): Promise<void> {
    this.server.close();
  }

  private async learn(scope: Scope): Promise<ModelFailure | undefined> {
    const unfit = this.cleared ? undefined : await this.server.learn(scope);
    this.cleared = unfit === undefined;
    return unfit;
  }

  private checkSize(vector: Float32Array): ModelFailure | undefined {
    this.dimensions ??= vector.length;
    if (vector.length === this.dimensions) return undefined;
    return {
      kind: 'protocol',
      message: `${this.server.name} made a vector of ${vector.length} numbers after vectors of ${this.dimensions}`,
      fix: 'was the model replaced? build the index anew with one model',
    };
  }
}
