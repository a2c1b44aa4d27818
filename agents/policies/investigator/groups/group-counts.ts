import type { Play } from '../../../../src/core/policy.ts';
import { NOTHING, type PartReport, tellCause } from '../part-report.ts';
import { askSql, nameOf, quoted } from '../tables/ask-sql.ts';
import type { GroupPlace } from './examine-groups.ts';

const MOST_GROUPS = 41;
/** Every day since holds so many times as many rows as every day before, or so many times fewer. */
const MOVED = 2;
const LEAST_SIDE = 3;
const LEAST_DAYS = 7;
/** Fewer rows a day come and go by chance. */
const LEAST_ROWS = 8;

/** One value of every day whose rows become far fewer or more on one day, while those of the others stay as many. */
export async function groupCounts(play: Play, { one, group, day, unit }: GroupPlace): Promise<PartReport> {
  const { table } = one;
  const value = quoted(nameOf(group));
  const before = 'PARTITION BY value ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING';
  const since = 'PARTITION BY value ORDER BY day ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING';
  const answered = await askSql(
    play,
    table.source,
    `WITH daily AS (SELECT ${value} AS value, ${day} AS day, COUNT(*) AS n FROM ${quoted(table.name)} WHERE ${value} IS NOT NULL AND ${day} IS NOT NULL GROUP BY 1, 2),
inner_days AS (SELECT * FROM daily WHERE day > (SELECT MIN(day) FROM daily) AND day < (SELECT MAX(day) FROM daily)),
sides AS (SELECT value, day, COUNT(*) OVER (${before}) AS days_before, COUNT(*) OVER (${since}) AS days_since, MIN(n) OVER (${before}) AS least_before, MAX(n) OVER (${before}) AS most_before, MIN(n) OVER (${since}) AS least_since, MAX(n) OVER (${since}) AS most_since FROM inner_days),
steps AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY value ORDER BY day) AS place FROM sides WHERE days_before >= ${LEAST_SIDE} AND days_since >= ${LEAST_SIDE} AND days_before + days_since >= ${LEAST_DAYS} AND ((most_since * ${MOVED} <= least_before AND least_before >= ${LEAST_ROWS}) OR (least_since >= most_before * ${MOVED} AND least_since >= ${LEAST_ROWS})))
SELECT g.value, s.day AS first_day, s.least_before, s.most_before, s.least_since, s.most_since FROM (SELECT value FROM inner_days GROUP BY 1) AS g LEFT JOIN steps s ON s.value = g.value AND s.place = 1 ORDER BY 1`,
    MOST_GROUPS,
  );
  const moved = (answered?.rows ?? []).filter(([, first]) => first !== null && first !== undefined);
  if (!answered || answered.rows.length < 2 || moved.length === 0 || moved.length * 2 > answered.rows.length) return NOTHING;
  const each = unit === 'hour' ? 'an hour' : 'a day';
  const told = moved.slice(0, 4).map((row) => row.map(String).join(' / '));
  return tellCause(
    `In \`${table.name}\` the rows ${each} of these values of \`${nameOf(group)}\` alone change ${unit === 'hour' ? 'at' : 'on'} one ${unit}, as value / first ${unit} / least and most rows ${each} before / least and most since: ${told.join(', ')}; the other values have as many as before`,
    [answered.id],
    'a source in which these values have as many rows',
  );
}
