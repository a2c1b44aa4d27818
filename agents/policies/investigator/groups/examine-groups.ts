import type { Play } from '../../../../src/core/policy.ts';
import { spansFewDays } from '../days/examine-time-gap.ts';
import { explainBy } from '../days/explain-level.ts';
import { mergeReports, NOTHING, type PartReport } from '../part-report.ts';
import type { Reading } from '../read-data.ts';
import { askSql, dayOf, isGrouping, isNumber, measuresOf, nameOf, quoted, typeOf } from '../tables/ask-sql.ts';
import { measuredValue } from '../tables/examine-sentinels.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';
import { frozenGroups } from './frozen-groups.ts';
import { groupCounts } from './group-counts.ts';
import { groupEnds } from './group-ends.ts';
import { groupHours } from './group-hours.ts';

const MOST_TABLES = 3;
const MOST_COLUMNS = 4;
const MOST_GROUPS = 40;
const MOST_AMOUNTS = 3;
/** Every day since lies beyond every day before by so many times, and by more than the days of either side lie apart. */
const MOVED = 1.5;
const LEAST_SIDE = 3;
const LEAST_DAYS = 7;
const MOST_STEPS = 8;

/** A column that parts the rows of a table with days. */
export interface GroupPlace {
  readonly one: LookedAt;
  readonly group: Reading;
  /** The day of a row, in SQL; where the table holds a few days only, its hour. */
  readonly day: string;
  readonly unit: 'day' | 'hour';
}

/** What changes in one group of rows and not in the others: it ends, goes by another name, stands still, moves its level or its hours. */
export async function examineGroups(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const dated = looked.filter(({ happened }) => happened !== undefined).slice(0, MOST_TABLES);
  const reports = await Promise.all(dated.map((one) => examineTable(play, one, looked)));
  return mergeReports(reports);
}

async function examineTable(play: Play, one: LookedAt, looked: readonly LookedAt[]): Promise<PartReport> {
  const { happened, profile } = one;
  if (!happened) return NOTHING;
  const groups = profile.columns.filter(isPart).slice(0, MOST_COLUMNS);
  const unit = spansFewDays(happened) ? 'hour' : 'day';
  const day = unit === 'hour' ? `SUBSTR(CAST(${quoted(nameOf(happened))} AS VARCHAR), 1, 13) || ':00'` : dayOf(happened);
  const places = groups.map((group): GroupPlace => ({ one, group, day, unit }));
  const reports = await Promise.all(
    places.flatMap((place) => [
      groupEnds(play, place, looked),
      groupLevels(play, place),
      groupCounts(play, place),
      groupHours(play, place),
    ]),
  );
  // What stands still does so by each column that parts the rows; the first one that tells is enough.
  const [still = NOTHING] = (await Promise.all(places.map((place) => frozenGroups(play, place)))).filter(({ answer }) => answer.length > 0);
  return mergeReports([...reports, still]);
}

/** A kind or a code that parts the rows; a measure of few values is none. */
function isPart(column: Reading): boolean {
  return isGrouping(column, MOST_GROUPS) && (!isNumber(column) || (/int/i.test(typeOf(column)) && Number(column.at('min').value) >= 0));
}

/** Groups whose average moves on one day and stays there, though the table as a whole may not. */
async function groupLevels(play: Play, { one, group, day }: GroupPlace): Promise<PartReport> {
  const amounts = measuresOf(one.profile)
    .filter((column) => column !== group && Number(column.at('min').value) >= 0)
    .slice(0, MOST_AMOUNTS);
  const told = await Promise.all(
    amounts.map(async (amount) => {
      const from = await stepDay(play, { one, group, day }, amount);
      return from === undefined ? NOTHING : explainBy(play, nameOf(group), { one, day, moved: nameOf(amount), from });
    }),
  );
  return mergeReports(told);
}

/** The day of the widest step of any group. */
async function stepDay(play: Play, { one, group, day }: Omit<GroupPlace, 'unit'>, amount: Reading): Promise<string | undefined> {
  const value = quoted(nameOf(group));
  const before = 'PARTITION BY value ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING';
  const since = 'PARTITION BY value ORDER BY day ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING';
  const answered = await askSql(
    play,
    one.table.source,
    `WITH daily AS (SELECT ${value} AS value, ${day} AS day, AVG(${measuredValue(amount)}) AS level FROM ${quoted(one.table.name)} WHERE ${value} IS NOT NULL GROUP BY 1, 2),
sides AS (SELECT value, day, COUNT(*) OVER (${before}) AS days_before, COUNT(*) OVER (${since}) AS days_since, MIN(level) OVER (${before}) AS low_before, MAX(level) OVER (${before}) AS high_before, MIN(level) OVER (${since}) AS low_since, MAX(level) OVER (${since}) AS high_since FROM daily WHERE level IS NOT NULL AND day IS NOT NULL)
SELECT value, day, days_before, days_since, low_before, high_before, low_since, high_since FROM sides
WHERE days_before >= ${LEAST_SIDE} AND days_since >= ${LEAST_SIDE} AND days_before + days_since >= ${LEAST_DAYS} AND (low_since > 0 OR low_before > 0) AND (low_since >= high_before * ${MOVED} OR high_since * ${MOVED} <= low_before)
ORDER BY 1, 2 LIMIT ${MOST_STEPS}`,
    MOST_STEPS,
  );
  const steps = (answered?.rows ?? []).flatMap((row) => {
    const [lowBefore, highBefore, lowSince, highSince] = row.slice(4).map(Number) as [number, number, number, number];
    const gap = Math.max(lowSince / highBefore, lowBefore / highSince);
    // Where all are zero on one side, they do not lie apart.
    const apart = (high: number, low: number): number => (high === 0 ? 1 : high / low);
    return gap >= Math.max(apart(highBefore, lowBefore), apart(highSince, lowSince)) ? [{ day: String(row[1]), gap }] : [];
  });
  return steps.sort((left, right) => right.gap - left.gap)[0]?.day;
}
