import type { Watchdogs } from '../transport/exchange.ts';

/** How one model is asked; every field has a default. */
export interface OllamaSettings {
  /** The window to use, in tokens; it lowers an agent's own limit and the model's maximum lowers it. */
  readonly contextTokens?: number;
  readonly temperature?: number;
  readonly seed?: number;
  /** Whether, or how much, the model reasons before it answers; the model's own default unless set. */
  readonly think?: boolean | 'low' | 'medium' | 'high' | 'max';
  /** How long the server keeps the model loaded after a reply; `30m` unless set, longer than a pause for approval. */
  readonly keepAlive?: string | number;
  /** Further options of the server, as it names them: `top_p`, `num_gpu`, … */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Requests under way at once; 1 unless set, since a server works on one at a time unless told otherwise. */
  readonly parallel?: number;
  /** Whether a model that runs on another machine than the server may be used; no unless set. */
  readonly allowRemote?: boolean;
  /** Whether to ask the server about the model before the first prompt; yes unless set to false. */
  readonly inspect?: boolean;
  /** Whether a model that repeats itself is stopped; yes unless set to false. */
  readonly detectLoops?: boolean;
  readonly watchdogs?: Partial<Watchdogs>;
  /** The first pause before a repeated request, in milliseconds; later ones double. 1000 unless set. */
  readonly retryPauseMs?: number;
}
