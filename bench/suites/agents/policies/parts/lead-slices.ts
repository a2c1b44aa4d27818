import type { Play } from 'soloist';
import { answerOf, listTables } from './examine-tables.ts';
import { askChildren } from './read-result.ts';

const SLICES = 5;

/** Five subagents, each with a fifth of the tables, which it lists itself: what comes up does not grow with the tables. */
export async function leadSlices(play: Play, why: 'parallelism' | 'context_isolation'): Promise<string> {
  const { id, total } = await listTables(play, { limit: 1 });
  const size = Math.ceil(total / SLICES);
  const offsets = Array.from({ length: Math.ceil(total / size) }, (_, slice) => slice * size);
  const tasks = offsets.map((offset) => ({
    goal: 'Profile the tables of the page of the list that the inputs give, and say which hold copied rows or placeholder words.',
    inputs: { offset, limit: size },
  }));
  const because = 'The tables have nothing to do with one another.';
  const conclusions = await askChildren(play, { agent: 'tables_slice', why, because }, tasks);
  const odd = conclusions.flatMap(({ status, text }) => (status === 'ok' ? oddIn(text) : []));
  return answerOf(total, id, odd);
}

/** The odd tables of a conclusion. */
export function oddIn(text: string): string[] {
  const [, found] = /Odd: (.*)\.$/.exec(text) ?? [];
  return found === undefined ? [] : found.split('; ');
}
