import type { DescribedFailure } from './describe-error-text.ts';

/** How the next try differs from the conversation's usual request. */
export interface Variation {
  readonly seed?: number;
  readonly warmer?: boolean;
  readonly think?: false;
  readonly moreOutput?: boolean;
  /** A message after the history, for this try alone. */
  readonly nudge?: string;
  /** From here on the conversation acts by JSON instead of tool calls. */
  readonly actionMode?: true;
}

export interface Retry {
  readonly afterMs: number;
  readonly variation: Variation;
  readonly notice: string;
}

export interface LadderOptions {
  /** The first pause; later ones double. */
  readonly pauseMs: number;
  /** How long a model may take to load. */
  readonly loadingMs: number;
  readonly canThink: boolean;
  /** Whether tools were asked for that could be called by JSON actions instead. */
  readonly canAct: boolean;
}

const NUDGE_EMPTY = 'Your last reply was empty. Either call one of the tools you were offered, or write your answer.';
const NUDGE_INVALID =
  'Your last reply could not be read as a tool call. Use exactly one of the offered tool names, with plain, short JSON arguments, or write your answer as text.';
const MOST_BUSY = 4;
const MOST_OTHER = 4;

/**
 * Decides whether a failed reply is asked for again, and how the second try differs. No tool runs before a reply is
 * whole, so repeating one repeats no work. The number of tries is bounded for each kind and over all kinds.
 */
export class RetryLadder {
  private readonly counts = new Map<string, number>();
  private readonly options: LadderOptions;
  private readonly startedAt = performance.now();
  private others = 0;

  constructor(options: LadderOptions) {
    this.options = options;
  }

  next(failure: DescribedFailure): Retry | undefined {
    if (failure.loading) return this.afterLoading();
    const before = this.counts.get(failure.kind) ?? 0;
    this.counts.set(failure.kind, before + 1);
    if (failure.kind === 'busy') return before < MOST_BUSY ? this.afterBusy(before, failure.retryAfterMs) : undefined;
    if (this.others >= MOST_OTHER) return undefined;
    this.others++;
    return this.rung(failure, before);
  }

  private rung(failure: DescribedFailure, before: number): Retry | undefined {
    const { pauseMs, canAct } = this.options;
    const notice = failure.message;
    switch (failure.kind) {
      case 'server_fault':
        return before > 0 ? undefined : { afterMs: failure.beforeAnswer ? pauseMs / 5 : pauseMs * 2, variation: {}, notice };
      case 'incomplete_stream':
        return before > 0 ? undefined : { afterMs: 0, variation: { seed: 1, warmer: true }, notice };
      case 'output_invalid':
        if (before < 2) return { afterMs: 0, variation: { seed: before + 1, warmer: true, nudge: NUDGE_INVALID }, notice };
        return before === 2 && canAct ? { afterMs: 0, variation: { actionMode: true }, notice } : undefined;
      case 'empty_turn':
        return this.afterEmpty(before);
      case 'thinking_exhausted':
        return this.afterThinking(before);
      default:
        return undefined;
    }
  }

  private afterBusy(before: number, asked: number | undefined): Retry {
    const full = this.options.pauseMs * 2 ** before;
    return { afterMs: asked ?? full * (0.5 + Math.random() / 2), variation: {}, notice: 'the server was busy' };
  }

  private afterLoading(): Retry | undefined {
    const { pauseMs, loadingMs } = this.options;
    if (performance.now() - this.startedAt + pauseMs > loadingMs) return undefined;
    return { afterMs: pauseMs, variation: {}, notice: 'the server was loading the model' };
  }

  private afterEmpty(before: number): Retry | undefined {
    const { canThink, canAct } = this.options;
    const notice = 'the model answered nothing';
    const nudge = NUDGE_EMPTY;
    const act: Retry | undefined = canAct ? { afterMs: 0, variation: { actionMode: true }, notice } : undefined;
    if (before === 0) return { afterMs: 0, variation: { nudge }, notice };
    if (before === 1) return { afterMs: 0, variation: { nudge, seed: 2, warmer: true }, notice };
    if (before === 2) return canThink ? { afterMs: 0, variation: { nudge, seed: 3, think: false }, notice } : act;
    return before === 3 && canThink ? act : undefined;
  }

  private afterThinking(before: number): Retry | undefined {
    const notice = 'the model reasoned until its output was used up';
    if (before === 0 && this.options.canThink) return { afterMs: 0, variation: { think: false }, notice };
    return before < 2 ? { afterMs: 0, variation: { moreOutput: true, seed: before + 1 }, notice } : undefined;
  }
}
