import type { Play } from '../../../../src/core/policy.ts';
import { type Finding, mergeReports, NOTHING, type PartReport, tell } from '../part-report.ts';
import { enumerate } from '../read-data.ts';
import { askSql, dayOf, isGrouping, nameOf, quoted } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const MOST_GROUPS = 60;
const MOST_COLUMNS = 3;
const MOST_TOLD = 20;
/** A value that is there on at least this share of the days, with so many rows a day, is one of every day: it is not away by chance. */
const MOST_DAYS = 0.8;
const LEAST_ROWS = 8;
/** … nor is one that has just one row on each of so many days, such as a rate or a reading. */
const STEADY_DAYS = 10;

/** Values of every day that a few days lack altogether: a branch, a country or a feed that was silent, and none that had yet to begin. */
export async function examineSilentGroups(play: Play, one: LookedAt, days: number): Promise<PartReport> {
  const columns = one.profile.columns.filter((column) => isGrouping(column, MOST_GROUPS) && column !== one.happened).slice(0, MOST_COLUMNS);
  return mergeReports(await Promise.all(columns.map((column) => examineColumn(play, one, { column: nameOf(column), days }))));
}

async function examineColumn(
  play: Play,
  { table, happened }: LookedAt,
  { column, days }: { column: string; days: number },
): Promise<PartReport> {
  if (!happened) return NOTHING;
  const day = dayOf(happened);
  const least = Math.ceil(days * MOST_DAYS);
  const answered = await askSql(
    play,
    table.source,
    `WITH held AS (SELECT ${quoted(column)} AS value, ${day} AS held_day, COUNT(*) AS n FROM ${quoted(table.name)} WHERE ${quoted(column)} IS NOT NULL AND ${quoted(nameOf(happened))} IS NOT NULL GROUP BY 1, 2),
each_value AS (SELECT value, COUNT(*) AS days_with_rows, SUM(n) AS rows, MAX(n) AS most, MIN(held_day) AS begins FROM held GROUP BY 1),
each_day AS (SELECT held_day FROM held GROUP BY 1 HAVING SUM(n) * 2 * ${days} >= (SELECT SUM(n) FROM held))
SELECT v.value, d.held_day AS day_without_rows, v.days_with_rows, v.rows FROM each_value v CROSS JOIN each_day d
WHERE d.held_day > v.begins AND v.days_with_rows >= ${least} AND (v.rows >= v.days_with_rows * ${LEAST_ROWS} OR (v.most = 1 AND v.days_with_rows >= ${STEADY_DAYS})) AND NOT EXISTS (SELECT 1 FROM held h WHERE h.value = v.value AND h.held_day = d.held_day)
ORDER BY 1, 2 LIMIT ${MOST_TOLD + 1}`,
    MOST_TOLD + 1,
  );
  if (!answered || answered.rows.length === 0 || answered.rows.length > MOST_TOLD) return NOTHING;
  const byValue = new Map<string, { days: string[]; held: string; rows: string }>();
  for (const [value, missing, held, rows] of answered.rows) {
    const known = byValue.get(String(value)) ?? { days: [], held: String(held), rows: String(rows) };
    known.days.push(String(missing));
    byValue.set(String(value), known);
  }
  const told = [...byValue].map(
    ([value, { days: without, held, rows }]) => `${value} has none on ${enumerate(without, 6)}, and ${rows} on ${held} other days`,
  );
  const claim = `In \`${table.name}\` rows of a value of \`${column}\` are missing on whole days: ${told.join('; ')}`;
  const finding: Finding = {
    kind: 'cause',
    claim: `${claim}.`,
    evidence: [answered.id],
    confidence: 'high',
    refuted_by: 'days on which nothing happens there',
  };
  return tell(finding);
}
