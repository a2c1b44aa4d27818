import type { Play } from '../../../../src/core/policy.ts';
import { type Finding, mergeReports, NOTHING, type PartReport, tell } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { askSql, dayOf, isText, listRows, nameOf, quoted, typeOf } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const MOST_TABLES = 3;
const LEAST_DAYS = 4;
/** The newest row of the last day lies so many hours before the newest row of any other day. */
const HOURS_SHORT = 3;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** A last day or month that is not over in the data: it holds less than the others, and nothing is missing of it yet. */
export async function examineOpenEnd(play: Play, question: Question, looked: readonly LookedAt[]): Promise<PartReport> {
  if (question.direction === 'up') return NOTHING;
  const dated = looked.filter(({ happened }) => happened !== undefined).slice(0, MOST_TABLES);
  const reports = await Promise.all(dated.flatMap((one) => [lastDay(play, one), lastMonth(play, question, one)]));
  return mergeReports(reports);
}

async function lastDay(play: Play, { table, happened }: LookedAt): Promise<PartReport> {
  if (!happened || !(isText(happened) || /timestamp/i.test(typeOf(happened)))) return NOTHING;
  const time = `SUBSTR(CAST(${quoted(nameOf(happened))} AS VARCHAR), 12, 5)`;
  const answered = await askSql(
    play,
    table.source,
    `SELECT ${dayOf(happened)} AS day, COUNT(*) AS rows, MAX(${time}) AS newest_time FROM ${quoted(table.name)} WHERE ${quoted(nameOf(happened))} IS NOT NULL GROUP BY 1 ORDER BY 1 DESC LIMIT 15`,
  );
  const [last, before, ...others] = answered?.rows ?? [];
  if (!answered || !last || !before || others.length + 2 < LEAST_DAYS) return NOTHING;
  const earliest = Math.min(...[before, ...others].map(([, , newest]) => hoursOf(newest)));
  const least = Math.min(...[before, ...others].map(([, rows]) => Number(rows)));
  if (!(hoursOf(last[2]) + HOURS_SHORT < earliest) || Number(last[1]) >= least) return NOTHING;
  const claim = `The last day of \`${table.name}\` by \`${nameOf(happened)}\` is not over in the data, as day / rows / newest time: ${listRows([last, before])}, and every day before it ends later too: what is lower on it had not come yet when it was loaded`;
  return observed(claim, answered.id);
}

/** The hours of a time of day; not a number where there is none. */
function hoursOf(time: unknown): number {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(String(time)) ?? [];
  return Number(hours) + Number(minutes) / 60;
}

async function lastMonth(play: Play, question: Question, { table, happened }: LookedAt): Promise<PartReport> {
  if (!happened) return NOTHING;
  const day = dayOf(happened);
  const answered = await askSql(
    play,
    table.source,
    `SELECT SUBSTR(${day}, 1, 7) AS month, COUNT(*) AS rows, COUNT(DISTINCT ${day}) AS days, MAX(${day}) AS last_day FROM ${quoted(table.name)} WHERE ${quoted(nameOf(happened))} IS NOT NULL GROUP BY 1 ORDER BY 1 DESC LIMIT 3`,
  );
  const [last, before] = answered?.rows ?? [];
  if (!answered || !last || !before || Number(last[2]) >= Number(before[2]) || isMonthEnd(String(last[3]))) return NOTHING;
  const name = MONTHS[Number(String(last[0]).slice(5, 7)) - 1] ?? '';
  if (!question.plain.includes(` ${name} `) && !/ (months?|monthly) /.test(question.plain)) return NOTHING;
  const [now, usual] = [last, before].map(([, rows, days]) => Number(rows) / Number(days)) as [number, number];
  if (now < usual * 0.8) return NOTHING;
  const claim = `The last month of \`${table.name}\` is not over in the data, as month / rows / days / last day: ${listRows([last, before])}: it has fewer days, and about as many rows on each`;
  return observed(claim, answered.id);
}

function isMonthEnd(day: string): boolean {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).getUTCDate() === 1;
}

function observed(claim: string, id: string): PartReport {
  const finding: Finding = {
    kind: 'observation',
    claim: `${claim}.`,
    evidence: [id],
    confidence: 'high',
    refuted_by: 'rows of that time in the source of the table',
  };
  return tell(finding);
}
