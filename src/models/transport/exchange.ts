import type { Scope, StopReason } from '../../core/scope.ts';

/** How long each phase of a request may last, in milliseconds. Time in our own queue counts for none of them. */
export interface Watchdogs {
  readonly connectMs: number;
  /** From the request's end to the beginning of the answer: the server's queue, loading and reading the prompt. */
  readonly firstByteMs: number;
  /** Between two pieces of the answer. */
  readonly stallMs: number;
  /** After this long without an answer `onQuiet` is told, once. */
  readonly quietMs: number;
}

export const DEFAULT_WATCHDOGS: Watchdogs = { connectMs: 5_000, firstByteMs: 900_000, stallMs: 120_000, quietMs: 2_000 };

/**
 * What a piece of the answer was: `waiting` when nothing of the answer itself has come yet (a comment, a ping), so that
 * the wait for its beginning goes on; `enough` when no more is needed, and what still comes is read for a second at most.
 */
export type ReadVerdict = 'waiting' | 'more' | 'enough';

/** One request and what to do with its answer. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  /** Absolute path on the server, with any prefix of the host. */
  readonly path: string;
  readonly body?: readonly Buffer[];
  readonly scope: Scope;
  readonly watchdogs: Watchdogs;
  readonly headers?: Readonly<Record<string, string>>;
  /** A piece of a 2xx body, decoded. */
  readonly onText: (text: string) => ReadVerdict;
  /** The server has taken the request but is silent. */
  readonly onQuiet?: () => void;
  /** The server is free of this request: the answer ended or the socket is closed. Called exactly once. */
  readonly onReleased?: () => void;
}

/** How an exchange ended; `firstByteMs` is the time until the answer began, if it did. */
export type ExchangeOutcome =
  /** A 2xx answer came to its end, or as far as it was needed. */
  | { readonly kind: 'complete'; readonly firstByteMs: number }
  /** Another status, with the start of its body. */
  | { readonly kind: 'status'; readonly status: number; readonly contentType: string; readonly body: string; readonly retryAfter?: string }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | { readonly kind: 'unreachable'; readonly code: string }
  | { readonly kind: 'reset'; readonly code: string; readonly started: boolean }
  | { readonly kind: 'timeout'; readonly phase: 'connect' | 'first_byte' | 'stall'; readonly seconds: number };
