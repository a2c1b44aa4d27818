import type { EmbeddingModel, EmbeddingPurpose } from '../core/embedding-model.ts';
import type { ModelFailure } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';

/** Texts that go out in one call. */
export const EMBEDDED_AT_ONCE = 32;

export type Asked =
  | {
      readonly ok: true;
      readonly vectors: readonly Float32Array[];
      /** Places of texts that the model could not embed. */
      readonly rejected: ReadonlySet<number>;
    }
  | { readonly ok: false; readonly failure: ModelFailure };

export type Ask = (texts: readonly string[], purpose: EmbeddingPurpose) => Promise<Asked>;

/** Asks a model for vectors, some texts at a time, and keeps count of what that took. */
export function createAsk(
  embedding: EmbeddingModel,
  scope: Scope,
): { readonly ask: Ask; readonly cost: () => { calls: number; tokens: number } } {
  let [calls, tokens] = [0, 0];
  return {
    cost: () => ({ calls, tokens }),
    ask: async (texts, purpose) => {
      const vectors: Float32Array[] = [];
      const rejected = new Set<number>();
      for (let from = 0; from < texts.length; from += EMBEDDED_AT_ONCE) {
        const reply = await embedding.embed(texts.slice(from, from + EMBEDDED_AT_ONCE), purpose, scope);
        calls++;
        if (!reply.ok) return reply;
        tokens += reply.inputTokens;
        for (const { place } of reply.rejected ?? []) rejected.add(from + place);
        vectors.push(...reply.vectors);
      }
      return { ok: true, vectors, rejected };
    },
  };
}
