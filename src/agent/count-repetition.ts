import type { ToolCall } from '../core/message.ts';
import { callKey, isBlocked, sameResult } from './call-key.ts';

/** The result that a call gave, and how often in a row. */
export interface Repetition {
  readonly content: string;
  readonly times: number;
}

/** Counts the results of each call that are the same as the one before. */
export function countRepetition({ repetitions }: { readonly repetitions: Map<string, Repetition> }, call: ToolCall, content: string): void {
  const key = callKey(call);
  const before = repetitions.get(key);
  if (!before) repetitions.set(key, { content, times: 1 });
  else if (isBlocked(content)) repetitions.set(key, { content: before.content, times: before.times + 1 });
  else repetitions.set(key, { content, times: sameResult(before.content, content) ? before.times + 1 : 1 });
}
