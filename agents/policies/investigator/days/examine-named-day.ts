import type { Play } from '../../../../src/core/policy.ts';
import { mergeReports, NOTHING, type PartReport, tell } from '../part-report.ts';
import { daysAfter, dayUpTo } from '../question/read-days.ts';
import type { Question } from '../question/read-question.ts';
import { askSql, dayOf, nameOf, quoted } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const MOST_TABLES = 3;
const LEAST_DAYS = 4;
/** A day that lies further beyond the newest is not the next that was due. */
const MOST_BEYOND = 3;
/** Of a table with rows on fewer of its days no day is due. */
const DAILY = 0.7;

/** A day that the question names and that lies just beyond the newest rows of a table with rows for each day. */
export async function examineNamedDay(play: Play, { days, direction }: Question, looked: readonly LookedAt[]): Promise<PartReport> {
  const [named] = days;
  if (named === undefined || direction === 'up') return NOTHING;
  return mergeReports(await Promise.all(looked.slice(0, MOST_TABLES).map((one) => lackedBy(play, one, named))));
}

async function lackedBy(play: Play, { table, happened }: LookedAt, named: string): Promise<PartReport> {
  const newest = happened?.text('max')?.slice(0, 10) ?? '';
  const day = dayUpTo(named, daysAfter(newest, MOST_BEYOND) ?? '');
  const beyond = daysBetween(newest, day);
  if (!happened || !(beyond > 0 && beyond <= MOST_BEYOND)) return NOTHING;
  const own = dayOf(happened);
  const answered = await askSql(
    play,
    table.source,
    `SELECT '${day}' AS asked_day, MIN(${own}) AS first_day, MAX(${own}) AS newest_day, COUNT(DISTINCT ${own}) AS days, COUNT(*) AS rows FROM ${quoted(table.name)} WHERE ${quoted(nameOf(happened))} IS NOT NULL`,
  );
  const [[asked, first, last, held, rows] = []] = answered?.rows ?? [];
  const span = daysBetween(String(first), String(last)) + 1;
  if (!answered || Number(held) < LEAST_DAYS || Number(held) < span * DAILY) return NOTHING;
  const claim = `\`${table.name}\` has no rows of ${String(asked)} by \`${nameOf(happened)}\`: its newest are of ${String(last)} (first day ${String(first)}, days with rows ${String(held)}, rows ${String(rows)}), so what was due after it has not been loaded`;
  return tell({
    kind: 'cause',
    claim: `${claim}.`,
    evidence: [answered.id],
    confidence: 'high',
    refuted_by: 'a load of that day that has yet to come',
  });
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}
