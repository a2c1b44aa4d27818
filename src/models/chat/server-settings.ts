import type { Watchdogs } from '../transport/exchange.ts';

/** How one model of a server is asked; every field has a default. */
export interface ServerSettings {
  /** The window to use, in tokens; it lowers an agent's own limit and the model's maximum lowers it. */
  readonly contextTokens?: number;
  /** The largest window that any agent of the run wants, so that all of them ask for the same. */
  readonly runWindowTokens?: number;
  readonly temperature?: number;
  readonly seed?: number;
  /** Whether, or how much, the model reasons before it answers; the model's own default unless set. */
  readonly think?: boolean | 'low' | 'medium' | 'high' | 'max';
  /** Further options of the server, as it names them: `top_p`, `num_gpu`, … */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Requests under way at once; 1 for Ollama unless set, since it works on one at a time unless told otherwise. */
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
  /** How long a server may take to load a model while it answers that it does; 180 000 ms unless set. */
  readonly loadingMs?: number;
}
