import type { ModelNotice } from '../../core/model.ts';
import type { CallUsage } from '../../core/usage.ts';
import type { ChatResult } from './stream-chat.ts';

/** What one reply used over all its tries, and what a reader should know of it. */
export class ReplyTally {
  readonly notices: ModelNotice[] = [];
  queueMs = 0;
  loadMs: number | undefined;
  sentBytes = 0;
  /** Requests made so far. */
  tries = 0;
  private peakTokens = 0;
  private inputTokens: number | undefined;
  private outputTokens: number | undefined;
  private cachedTokens: number | undefined;
  private firstTokenMs: number | undefined;
  private readonly startedAt = performance.now();

  finish({ answer, firstTokenMs }: Extract<ChatResult, { ok: true }>): void {
    this.inputTokens = sum(this.inputTokens, answer.inputTokens);
    this.outputTokens = sum(this.outputTokens, answer.outputTokens);
    this.cachedTokens = sum(this.cachedTokens, answer.cachedTokens);
    this.peakTokens = Math.max(this.peakTokens, (answer.inputTokens ?? 0) + (answer.outputTokens ?? 0));
    if (answer.loadMs !== undefined) this.loadMs = answer.loadMs;
    this.firstTokenMs = firstTokenMs;
  }

  note(code: string, message: string): void {
    this.notices.push({ code, message });
  }

  usage(): CallUsage {
    const { inputTokens, outputTokens, cachedTokens, queueMs, loadMs, firstTokenMs, tries, peakTokens } = this;
    return {
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
      ...(cachedTokens === undefined ? {} : { cachedTokens }),
      ...(queueMs === 0 ? {} : { queueMs: tenths(queueMs) }),
      ...(loadMs === undefined ? {} : { loadMs: tenths(loadMs) }),
      ...(firstTokenMs === undefined ? {} : { firstTokenMs: tenths(firstTokenMs) }),
      totalMs: tenths(performance.now() - this.startedAt),
      ...(tries > 1 ? { tries, peakTokens } : {}),
    };
  }
}

function sum(before: number | undefined, more: number | undefined): number | undefined {
  return more === undefined ? before : (before ?? 0) + more;
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
