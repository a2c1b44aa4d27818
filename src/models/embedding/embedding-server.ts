import type { ModelFailure } from '../../core/model.ts';
import type { Scope } from '../../core/scope.ts';

/** The vectors of one request, as the server sent them, in the order of its texts. */
export type RawEmbeddings =
  | { readonly ok: true; readonly vectors: readonly unknown[]; readonly inputTokens: number | undefined }
  | { readonly ok: false; readonly failure: ModelFailure };

/** One embedding model of one server. */
export interface EmbeddingServer {
  readonly name: string;
  readonly id: string;
  /** Most tokens of a text; learnt before the first request. */
  readonly windowTokens: number;
  /** A failure says why no text may be sent. */
  learn(scope: Scope): Promise<ModelFailure | undefined>;
  /** One request; the texts stand as they are to be sent. Never rejects. */
  request(texts: readonly string[], scope: Scope): Promise<RawEmbeddings>;
  close(): void;
}
