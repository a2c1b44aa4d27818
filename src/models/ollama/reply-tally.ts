import type { ModelNotice } from '../../core/model.ts';
import type { CallUsage } from '../../core/usage.ts';
import type { ChatResult } from './stream-chat.ts';

/** What one reply used over all its tries, and what a reader should know of it. */
export class ReplyTally {
  readonly notices: ModelNotice[] = [];
  queueMs = 0;
  loadMs: number | undefined;
  sentBytes = 0;
  private inputTokens: number | undefined;
  private outputTokens: number | undefined;
  private firstTokenMs: number | undefined;
  private readonly startedAt = performance.now();

  begin(body: readonly Buffer[]): void {
    this.sentBytes = 0;
    for (const part of body) this.sentBytes += part.length;
  }

  finish({ answer: { last }, firstByteMs }: Extract<ChatResult, { ok: true }>): void {
    this.inputTokens = sum(this.inputTokens, last.prompt_eval_count);
    this.outputTokens = sum(this.outputTokens, last.eval_count);
    if (last.load_duration !== undefined) this.loadMs = last.load_duration / 1e6;
    this.firstTokenMs = firstByteMs;
  }

  note(code: string, message: string): void {
    this.notices.push({ code, message });
  }

  usage(): CallUsage {
    const { inputTokens, outputTokens, queueMs, loadMs, firstTokenMs } = this;
    return {
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
      ...(queueMs === 0 ? {} : { queueMs: tenths(queueMs) }),
      ...(loadMs === undefined ? {} : { loadMs: tenths(loadMs) }),
      ...(firstTokenMs === undefined ? {} : { firstTokenMs: tenths(firstTokenMs) }),
      totalMs: tenths(performance.now() - this.startedAt),
    };
  }
}

function sum(before: number | undefined, more: number | undefined): number | undefined {
  return more === undefined ? before : (before ?? 0) + more;
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
