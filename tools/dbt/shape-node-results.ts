import { z } from 'zod';
import { shortenText } from '../artifacts/shorten-text.ts';
import type { DbtNodeResult } from './dbt-results.ts';

/** A figure as the file has it: text where it is no finite number. */
export const figure = z.union([z.number(), z.string()]).nullable();

export const nodeResult = z.object({
  node: z.string(),
  status: z.string(),
  execution_s: figure,
  failures: figure.optional(),
  rows: figure.optional().describe('Left out where the adapter does not know (-1)'),
  message: z.string().optional(),
});

const LONGEST_MESSAGE = 300;

/** What a result says, without what is empty. */
export function shapeNodeResult(one: DbtNodeResult): z.output<typeof nodeResult> {
  const { node, status, execution_s, failures, rows, message } = one;
  return {
    node: shortenText(node, 250),
    status: shortenText(status, 60),
    execution_s,
    ...(failures === null || failures === 0 ? {} : { failures }),
    ...(rows === null ? {} : { rows }),
    ...(message === null ? {} : { message: shortenText(message.replace(/\s*\n\s*/g, ' | ').trim(), LONGEST_MESSAGE) }),
  };
}

/** Seconds of those that state them as a finite number, without the noise of adding floats. */
export function sumSeconds(results: readonly DbtNodeResult[]): number {
  const sum = results.reduce((total, { execution_s: seconds }) => total + (typeof seconds === 'number' ? seconds : 0), 0);
  return Math.round(sum * 1e6) / 1e6;
}

/** How many there are of each, the most frequent first. */
export function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string, most = 30): Record<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  const sorted = [...counts].sort((left, right) => right[1] - left[1]);
  const rest = sorted.slice(most).reduce((sum, [, count]) => sum + count, 0);
  const shown = sorted.slice(0, most).map(([key, count]) => [shortenText(key, 80), count] as const);
  return Object.fromEntries(rest > 0 ? [...shown, ['(others)', rest] as const] : shown);
}
