import type { ModelFailure } from './model.ts';
import type { Scope } from './scope.ts';

/** What a text is embedded for; some models want another prefix for a question than for what it is to find. */
export type EmbeddingPurpose = 'document' | 'query';

export type EmbeddingReply =
  | {
      readonly ok: true;
      /** One vector a text, in the order of the texts, each of length 1. */
      readonly vectors: readonly Float32Array[];
      readonly inputTokens: number;
      /** Places of texts that were longer than the model's window and were cut there. */
      readonly shortened: readonly number[];
      /** Texts that the model could not embed, by place, and why; their vectors are zeros. */
      readonly rejected?: readonly { readonly place: number; readonly failure: ModelFailure }[];
    }
  | { readonly ok: false; readonly failure: ModelFailure };

/** Turns texts into vectors. Vectors of two models, or of two prefix templates, are never compared. */
export interface EmbeddingModel {
  /** As the user names it: `ollama/nomic-embed-text`. */
  readonly id: string;
  /** Names the template of prefixes; part of what makes two vectors comparable. */
  readonly prefixes: string;
  /** Never rejects. An empty text is not sent and gives a vector of zeros (of no length while nothing was embedded yet). */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, scope: Scope): Promise<EmbeddingReply>;
  close(): Promise<void>;
}
