import type { Play } from 'soloist';
import { dataOf } from './read-result.ts';

/** What an earlier session said of a table, and how long ago in days. */
export interface Recollection {
  readonly text: string;
  readonly daysAgo: number;
}

/** The table that the question is about. */
export function askedTable(goal: string): string {
  return /the table (\w+)/.exec(goal)?.[1] ?? '';
}

/** The owner that the newest recollection names; how many rows there are is looked up, whatever was said of it before. */
export async function answerFrom(play: Play, said: readonly Recollection[]): Promise<string> {
  const table = askedTable(play.task.goal);
  if (/how many rows/i.test(play.task.goal.split('\n', 1)[0] ?? '')) {
    const result = await play.call('query_sql', { sql: `SELECT count(*) AS rows FROM ${table}` });
    const [row = []] = (dataOf(result).rows ?? []) as readonly (readonly unknown[])[];
    return `The table ${table} has ${String(row[0])} rows now [${result.id}].`;
  }
  const own = said.filter(({ text }) => text.includes(`The table ${table} is owned`));
  const [newest] = [...own].sort((left, right) => left.daysAgo - right.daysAgo);
  const owner = newest && new RegExp(`The table ${table} is owned by team (\\w+)`).exec(newest.text)?.[1];
  return owner === undefined
    ? `Who owns the table ${table} is unknown.`
    : `The table ${table} is owned by team ${owner}, as an earlier session found.`;
}
