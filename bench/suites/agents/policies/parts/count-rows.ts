import type { Play } from 'soloist';
import { dataOf } from './read-result.ts';

/** The table that a question names in backticks. */
export function askedTable(goal: string): string {
  return /`([^`]+)`/.exec(goal)?.[1] ?? '';
}

/** The statement that answers the question. */
export function statementFor(goal: string): string {
  const table = askedTable(goal);
  return /paid/.test(goal)
    ? `SELECT count(*) AS paid FROM ${table} WHERE state = 'paid'`
    : `SELECT region, sum(amount) AS total FROM ${table} GROUP BY region ORDER BY total DESC LIMIT 1`;
}

export async function answerFrom(play: Play, sql: string): Promise<string> {
  const result = await play.call('query_sql', { sql });
  const [row = []] = (dataOf(result).rows ?? []) as readonly (readonly unknown[])[];
  return row.length === 1
    ? `${String(row[0])} rows are paid [${result.id}].`
    : `${String(row[0])} has the largest sum, ${String(row[1])} [${result.id}].`;
}
