import type { Play } from '../../../../src/core/policy.ts';
import { examineSilentGroups } from '../groups/examine-silent-groups.ts';
import { callIfOffered, cite, type Finding, mergeReports, NOTHING, type PartReport, usable } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { enumerate, figure, type Reading, read } from '../read-data.ts';
import { askSql, dayOf, isTime, isWrittenTime, measuresOf, nameOf, quoted } from '../tables/ask-sql.ts';
import { measuredValue, sentinelsOf } from '../tables/examine-sentinels.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';
import { type DayRow, levelChanges, readDayRows } from './day-levels.ts';
import { explainLevel } from './explain-level.ts';

const MOST_TABLES = 4;
const MOST_COLUMNS = 4;
/** Days are compared where there are at least so many, of about so many rows. */
const LEAST_DAYS = 4;
const LEAST_ROWS = 2;

/** What breaks from one day to the next: days without rows, with far fewer or more, amounts of another size, values that went empty. */
export async function examineDays(play: Play, question: Question, looked: readonly LookedAt[]): Promise<PartReport> {
  const dated = looked.filter(({ happened }) => happened !== undefined).slice(0, MOST_TABLES);
  const reports = await Promise.all(dated.map((one) => examineTable(play, question, one)));
  return mergeReports(reports);
}

async function examineTable(play: Play, question: Question, one: LookedAt): Promise<PartReport> {
  const { table, profile, happened } = one;
  if (!happened) return NOTHING;
  const amounts = measuresOf(profile).slice(0, MOST_COLUMNS);
  // When something was done to a row is empty until it is done.
  const gappy = profile.columns
    .filter((column) => (column.number('null') ?? 0) > 0 && column !== happened && !isTime(column) && !isWrittenTime(column))
    .slice(0, MOST_COLUMNS);
  const day = dayOf(happened);
  const averages = amounts.map((column) => `, ROUND(CAST(AVG(${measuredValue(column)}) AS DECIMAL(28, 6)), 2)`).join('');
  const empties = gappy.map((column) => `, SUM(CASE WHEN ${quoted(nameOf(column))} IS NULL THEN 1 ELSE 0 END)`).join('');
  const signed = amounts.filter(
    (column) => sentinelsOf(column).length === 0 && Number(column.at('min').value) < 0 && Number(column.at('max').value) > 0,
  );
  const negatives = signed.map((column) => `, SUM(CASE WHEN ${quoted(nameOf(column))} < 0 THEN 1 ELSE 0 END)`).join('');
  const [answered, counted] = await Promise.all([
    askSql(
      play,
      table.source,
      `SELECT ${day}, COUNT(*) AS rows${averages}${empties}${negatives} FROM ${quoted(table.name)} WHERE ${quoted(nameOf(happened))} IS NOT NULL GROUP BY 1 ORDER BY 1`,
    ),
    callIfOffered(play, 'row_counts', { table: table.name, source: table.source, time_column: nameOf(happened) }),
  ]);
  const gaps = usable(counted) ? missingDays(counted, one, question) : NOTHING;
  const days = answered
    ? readDayRows(answered.rows, { amounts: amounts.map(nameOf), empties: gappy.map(nameOf), signed: signed.map(nameOf) })
    : [];
  if (!answered || days.length < LEAST_DAYS || typicalRows(days) < LEAST_ROWS) return gaps;
  const told = levelChanges(days, question);
  const findings = told.map(
    ({ text, strong }): Finding => ({
      kind: strong ? 'cause' : 'observation',
      claim: `In \`${table.name}\` by day of \`${nameOf(happened)}\`, ${text}.`,
      evidence: [answered.id],
      confidence: strong ? 'high' : 'medium',
      refuted_by: 'the same change in the source of the table',
    }),
  );
  const answer = findings.map(({ claim }) => `${claim.replace(/\.$/, '')}${cite(answered)}.`);
  const silent = await examineSilentGroups(play, one, days.length);
  const explained = await Promise.all(told.filter(({ strong }) => strong).map((change) => explainLevel(play, one, change)));
  // Which rows are not there says more than how many are.
  return mergeReports([gaps, ...explained, silent, { answer, detail: [], findings }]);
}

function typicalRows(days: readonly DayRow[]): number {
  const sorted = days.map(({ rows }) => rows).sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Many tables have no rows on Saturdays and Sundays by their nature. */
function isWeekend(gap: Reading): boolean {
  const [from, to] = [Date.parse(`${gap.text('from')}T00:00:00Z`), Date.parse(`${gap.text('to')}T00:00:00Z`)];
  const days = Math.round((to - from) / 86_400_000) + 1;
  return (
    days <= 2 &&
    Array.from({ length: days }, (_, index) => new Date(from + index * 86_400_000).getUTCDay()).every(
      (weekday) => weekday === 0 || weekday === 6,
    )
  );
}

interface Silence {
  readonly silent: number;
  readonly days: number;
  readonly rows: number;
  readonly longest: number;
}

/** Where few rows fall on a day, some days get none: as many as rows that are strewn at random (Poisson) leave empty. */
function isByChance({ silent, days, rows, longest }: Silence): boolean {
  const empty = Math.exp(-rows / days);
  return silent < days * empty * 2 && days * empty ** longest > 0.05;
}

function lengthOf(gap: Reading): number {
  return Math.round((Date.parse(gap.text('to') ?? '') - Date.parse(gap.text('from') ?? '')) / 86_400_000) + 1;
}

/** Days between the first and the last that hold no row at all. */
function missingDays(
  counted: { readonly id: string; readonly data: unknown; readonly total?: number },
  { table }: LookedAt,
  question: Question,
): PartReport {
  const data = read(counted.data);
  const missing = data.at('missing');
  const total = missing.number('buckets') ?? 0;
  const gaps = missing.list('gaps');
  // A table with rows on a few days only has gaps by its nature.
  const held = data.list('buckets').length;
  if (total === 0 || total * 2 > held) return NOTHING;
  const asked = gaps.some((gap) => gap.text('from') === gap.text('to') && question.days.some((day) => gap.text('from')?.endsWith(day)));
  if (!asked && gaps.every(isWeekend)) return NOTHING;
  const rows = data.list('buckets').reduce((sum, bucket) => sum + (bucket.number('rows') ?? 0), 0);
  const all = Math.max(held, counted.total ?? held);
  const silence = { silent: total, days: total + all, rows: (rows / Math.max(1, held)) * all, longest: Math.max(0, ...gaps.map(lengthOf)) };
  if (!asked && isByChance(silence)) return NOTHING;
  const told = gaps
    .slice(0, 6)
    .map((gap) =>
      gap.text('from') === gap.text('to') ? (gap.text('from') ?? '') : `${gap.text('from') ?? ''} to ${gap.text('to') ?? ''}`,
    );
  const claim = `\`${table.name}\` has no rows on ${figure(total)} of the days between ${figure(data.text('first'))} and ${figure(data.text('last'))} by \`${data.text('time_column') ?? ''}\`: ${enumerate(told, 6)}.`;
  return {
    answer: [`${claim.replace(/\.$/, '')}${cite(counted)}.`],
    detail: [],
    findings: [{ kind: 'cause', claim, evidence: [counted.id], confidence: 'high', refuted_by: 'days on which nothing happens' }],
  };
}
