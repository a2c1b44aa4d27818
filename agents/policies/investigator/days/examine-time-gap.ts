import type { Play } from '../../../../src/core/policy.ts';
import { mergeReports, NOTHING, type PartReport, tellCause } from '../part-report.ts';
import { figure, type Reading } from '../read-data.ts';
import { askSql, isText, nameOf, quoted, secondsBetween, typeOf } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const MOST_TABLES = 3;
/** Over more days hours are compared with those of other days. */
const MOST_DAYS = 5;
const LEAST_TIMES = 50;
const LEAST_SECONDS = 300;
/** A silence of more hours is a day without rows, or a night. */
const MOST_SECONDS = 20 * 3600;
/** The longest silence is so many times as long as the next longest. */
const LONGER = 5;

/** Within a few days, one stretch of time without a row that is far longer than any other. */
export async function examineTimeGap(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const short = looked.filter(({ happened }) => happened && spansFewDays(happened) && (happened.number('distinct') ?? 0) >= LEAST_TIMES);
  return mergeReports(await Promise.all(short.slice(0, MOST_TABLES).map((one) => longestGap(play, one))));
}

/** Whether the times of a column lie within a few days, and have hours. */
export function spansFewDays(column: Reading): boolean {
  if (!isText(column) && !/timestamp/i.test(typeOf(column))) return false;
  const [from, to] = ['min', 'max'].map((end) => String(column.at(end).value));
  if (!/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/.test(from ?? '')) return false;
  return Date.parse(to?.slice(0, 10) ?? '') - Date.parse(from?.slice(0, 10) ?? '') < MOST_DAYS * 86_400_000;
}

async function longestGap(play: Play, { table, happened }: LookedAt): Promise<PartReport> {
  if (!happened) return NOTHING;
  const time = quoted(nameOf(happened));
  const answered = await askSql(
    play,
    table.source,
    `WITH moments AS (SELECT ${time} AS t, COUNT(*) AS rows FROM ${quoted(table.name)} WHERE ${time} IS NOT NULL GROUP BY 1),
gaps AS (SELECT LAG(t) OVER (ORDER BY t) AS last_before, t AS first_after FROM moments),
lengths AS (SELECT last_before, first_after, ${secondsBetween(play, table.source, ['last_before', 'first_after'])} AS seconds FROM gaps WHERE last_before IS NOT NULL)
SELECT CAST(last_before AS VARCHAR) AS last_before, CAST(first_after AS VARCHAR) AS first_after, seconds, LEAD(seconds) OVER (ORDER BY seconds DESC, last_before) AS next_longest FROM lengths ORDER BY 3 DESC, 1 LIMIT 1`,
  );
  const [[from, to, seconds, next] = []] = answered?.rows ?? [];
  const [longest, second] = [Number(seconds), Number(next)];
  if (!answered || !(longest >= LEAST_SECONDS && longest <= MOST_SECONDS && longest >= second * LONGER)) return NOTHING;
  return tellCause(
    `\`${table.name}\` has no row by \`${nameOf(happened)}\` between ${String(from)} and ${String(to)}, seconds ${figure(longest)}, far longer than any other silence (next_longest ${figure(second)}): what was due in it was not recorded, not sent or not loaded`,
    [answered.id],
    'a source that holds no row of that time either',
  );
}
