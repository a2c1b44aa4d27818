import type { DescribedFailure } from './describe-failure.ts';

/** How the next try differs from the conversation's usual request. */
export interface Variation {
  readonly seed?: number;
  readonly warmer?: boolean;
  readonly think?: false;
  readonly moreOutput?: boolean;
  /** A message after the history, for this try alone. */
  readonly nudge?: string;
}

export interface Retry {
  readonly afterMs: number;
  readonly variation: Variation;
  readonly notice: string;
}

const NUDGE_EMPTY = 'Your last reply was empty. Either call one of the tools you were offered, or write your answer.';
const NUDGE_INVALID =
  'Your last reply could not be read as a tool call. Use exactly one of the offered tool names, with plain, short JSON arguments, or write your answer as text.';
const MOST_BUSY = 4;
const MOST_OTHER = 3;

/**
 * Decides whether a failed reply is asked for again, and how the second try differs. No tool runs before a reply is
 * whole, so repeating one repeats no work. The number of tries is bounded for each kind and over all kinds.
 */
export class RetryLadder {
  private readonly counts = new Map<string, number>();
  private others = 0;
  private readonly pauseMs: number;
  private readonly canThink: boolean;

  constructor(pauseMs: number, canThink: boolean) {
    this.pauseMs = pauseMs;
    this.canThink = canThink;
  }

  next(failure: DescribedFailure): Retry | undefined {
    const before = this.counts.get(failure.kind) ?? 0;
    this.counts.set(failure.kind, before + 1);
    if (failure.kind === 'busy') return before < MOST_BUSY ? this.afterBusy(before) : undefined;
    if (this.others >= MOST_OTHER) return undefined;
    this.others++;
    return this.rung(failure, before);
  }

  private rung(failure: DescribedFailure, before: number): Retry | undefined {
    switch (failure.kind) {
      case 'server_fault':
        if (before > 0) return undefined;
        return { afterMs: failure.beforeAnswer ? this.pauseMs / 5 : this.pauseMs * 2, variation: {}, notice: failure.message };
      case 'incomplete_stream':
        return before > 0 ? undefined : { afterMs: 0, variation: { seed: 1, warmer: true }, notice: failure.message };
      case 'output_invalid':
        if (before > 1) return undefined;
        return { afterMs: 0, variation: { seed: before + 1, warmer: true, nudge: NUDGE_INVALID }, notice: failure.message };
      case 'empty_turn':
        return this.afterEmpty(before);
      case 'thinking_exhausted':
        return this.afterThinking(before);
      default:
        return undefined;
    }
  }

  private afterBusy(before: number): Retry {
    const full = this.pauseMs * 2 ** before;
    return { afterMs: full * (0.5 + Math.random() / 2), variation: {}, notice: 'the server was busy' };
  }

  private afterEmpty(before: number): Retry | undefined {
    const notice = 'the model answered nothing';
    const nudge = NUDGE_EMPTY;
    if (before === 0) return { afterMs: 0, variation: { nudge }, notice };
    if (before === 1) return { afterMs: 0, variation: { nudge, seed: 2, warmer: true }, notice };
    return before === 2 && this.canThink ? { afterMs: 0, variation: { nudge, seed: 3, think: false }, notice } : undefined;
  }

  private afterThinking(before: number): Retry | undefined {
    const notice = 'the model reasoned until its output was used up';
    if (before === 0 && this.canThink) return { afterMs: 0, variation: { think: false }, notice };
    return before < 2 ? { afterMs: 0, variation: { moreOutput: true, seed: before + 1 }, notice } : undefined;
  }
}
