import type { Play } from '../../../../src/core/policy.ts';
import { combinations } from '../combinations.ts';
import { mergeReports, NOTHING, type PartReport, tellCause } from '../part-report.ts';
import type { Reading } from '../read-data.ts';
import { askSql, dayOf, isKey, isNumber, isText, isTime, isWrittenTime, nameOf, quoted, typeOf } from '../tables/ask-sql.ts';
import type { ListedTable } from '../tables/choose-tables.ts';
import type { ProfiledTable } from '../tables/describe-profile.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const MOST_TABLES = 4;
const MOST_COLUMNS = 3;
const LEAST_DAYS = 3;
/** Rows that a spreadsheet holds at most, with and without its header. */
const SHEET: ReadonlySet<number> = new Set([65_535, 65_536, 1_048_575, 1_048_576]);
const CENSUS = 0.1;
/** Things of which a table tells every day are on average there on half of the days. */
const COME_AND_GO = 2;
/** So many of the rows of a day tell of a thing of their own, where the table tells of each once. */
const SINGLE = 0.99;
const MOST_CODES = 5;
const MOST_SIDES = 3;
const MOST_GRIDS = 20;
/** Before decimals were lost, at most such a share of the values was whole. */
const SOME_WHOLE = 0.3;

/** What a limit or a cast cut off: days and tables that end at a round number of rows, amounts that lost their decimals. */
export async function examineLimits(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const reports = await Promise.all(
    looked.slice(0, MOST_TABLES).map(async (one) => {
      const amounts = one.profile.columns.filter((column) => isNumber(column) && !/int/i.test(typeOf(column))).slice(0, MOST_COLUMNS);
      const parts = [dayLimit(play, one), ...amounts.map((amount) => lostDecimals(play, one, amount))];
      return mergeReports([sheetLimit(one), ...(await Promise.all(parts))]);
    }),
  );
  return mergeReports(reports);
}

function sheetLimit({ table, profile }: LookedAt): PartReport {
  if (!SHEET.has(profile.rows ?? 0)) return NOTHING;
  return tellCause(
    `\`${table.name}\` has exactly ${profile.rows} rows, as many as a spreadsheet holds: what came behind them was cut off`,
    [profile.result],
  );
}

/** Several days with the very same round number of rows and none with more. */
async function dayLimit(play: Play, { table, profile, happened }: LookedAt): Promise<PartReport> {
  if (!happened) return NOTHING;
  const answered = await askSql(
    play,
    table.source,
    `WITH daily AS MATERIALIZED (SELECT ${dayOf(happened)} AS day, COUNT(*) AS n FROM ${quoted(table.name)} WHERE ${quoted(nameOf(happened))} IS NOT NULL GROUP BY 1)
SELECT n AS most_rows_a_day, COUNT(*) AS days_with_so_many, MIN(day) AS first_day, MAX(day) AS last_day, (SELECT COUNT(*) FROM daily) AS days, (SELECT COUNT(DISTINCT n) FROM daily) AS different_counts, (SELECT COUNT(*) FROM daily WHERE n < (SELECT MAX(n) FROM daily) AND day < (SELECT MAX(d.day) FROM daily d WHERE d.n = (SELECT MAX(n) FROM daily))) AS days_below FROM daily WHERE n = (SELECT MAX(n) FROM daily) GROUP BY 1`,
  );
  const [[most, days, first, last, all, different, below] = []] = answered?.rows ?? [];
  if (!answered || !isRound(Number(most)) || Number(days) < LEAST_DAYS || Number(different) < 2) return NOTHING;
  // As many rows every day, and fewer from some day on, are no limit.
  if (Number(below) === 0) return NOTHING;
  // A table that tells of the same things every day has as many rows as there are things.
  const isCensus = profile.columns.some((column) => Math.abs((column.number('distinct') ?? 0) - Number(most)) <= Number(most) * CENSUS);
  if (isCensus || (await isGrid(play, { table, profile, happened, most: Number(most) }))) return NOTHING;
  return tellCause(
    `The most rows a day of \`${table.name}\` by \`${nameOf(happened)}\` are exactly ${String(most)}, on ${String(days)} of ${String(all)} days (most_rows_a_day ${String(most)}, days_with_so_many ${String(days)}), first_day ${String(first)}, last_day ${String(last)}: a limit cut off what came beyond it, as of a page, a batch or a query`,
    [answered.id],
  );
}

interface FullDays {
  readonly table: ListedTable;
  readonly profile: ProfiledTable;
  readonly happened: Reading;
  /** Rows of each of them. */
  readonly most: number;
}

/** A column or a time of day: what it is in SQL, and how many values it has. */
interface Side {
  readonly sql: string;
  readonly values: number;
  readonly ofDay: boolean;
}

/**
 * Whether the full days tell of the same things, each once: products by shops, sensors by hours. A limit leaves others every day, and a grid has
 * as many rows a day as it has places.
 */
async function isGrid(play: Play, { table, profile, happened, most }: FullDays): Promise<boolean> {
  const sides = [...codesOf(profile, most), ...timesOfDay(happened, most)];
  const grids = combinations(sides, MOST_SIDES).filter(
    (grid) =>
      grid.filter(({ ofDay }) => ofDay).length <= 1 && grid.reduce((places, { values }) => places * values, 1) >= most * (1 - CENSUS),
  );
  if (grids.length === 0) return false;
  const day = dayOf(happened);
  const places = grids.slice(0, MOST_GRIDS).map((grid) => grid.map(({ sql }) => sql).join(" || '/' || "));
  const counts = places.map((place) => `COUNT(DISTINCT ${place}), COUNT(DISTINCT ${day} || '/' || ${place})`);
  const answered = await askSql(
    play,
    table.source,
    `SELECT COUNT(*), ${counts.join(', ')} FROM ${quoted(table.name)} WHERE ${day} IN (SELECT ${day} FROM ${quoted(table.name)} GROUP BY 1 HAVING COUNT(*) = ${most})`,
  );
  const [rows = 0, ...found] = (answered?.rows[0] ?? []).map(Number);
  return places.some((_, at) => {
    const [things = 0, single = 0] = found.slice(2 * at);
    return things > 0 && things <= most * COME_AND_GO && single >= rows * SINGLE;
  });
}

/** Columns that tell things apart: keys, names, codes, numbers of hours; those with the most values first. */
function codesOf({ columns }: ProfiledTable, most: number): readonly Side[] {
  return columns
    .flatMap((column): Side[] => {
      const values = column.number('distinct') ?? 0;
      const isCode = isText(column) || isKey(column) || /int/i.test(typeOf(column));
      const sql = `COALESCE(CAST(${quoted(nameOf(column))} AS VARCHAR), '')`;
      return isCode && !isTime(column) && !isWrittenTime(column) && values > 1 && values <= most * COME_AND_GO
        ? [{ sql, values, ofDay: false }]
        : [];
    })
    .sort((left, right) => right.values - left.values)
    .slice(0, MOST_CODES);
}

/** The time of day to the second, the minute and the hour. */
function timesOfDay(happened: Reading, most: number): readonly Side[] {
  if ((happened.text('min') ?? '').length <= 'YYYY-MM-DD'.length) return [];
  const written = [
    [8, 86_400],
    [5, 1_440],
    [2, 24],
  ] as const;
  return written.map(([letters, values]) => ({
    sql: `SUBSTR(CAST(${quoted(nameOf(happened))} AS VARCHAR), 12, ${letters})`,
    values: Math.min(values, most),
    ofDay: true,
  }));
}

/** Hundreds, and powers of two, with one more or less. */
function isRound(rows: number): boolean {
  return (
    rows >= 100 &&
    [rows - 1, rows, rows + 1].some((near) => (near === rows && near % 100 === 0) || (near >= 256 && Math.log2(near) % 1 === 0))
  );
}

/** Values that had decimals until a day and are all whole since. */
async function lostDecimals(play: Play, { table, happened }: LookedAt, amount: Reading): Promise<PartReport> {
  if (!happened) return NOTHING;
  const value = quoted(nameOf(amount));
  const answered = await askSql(
    play,
    table.source,
    `WITH daily AS MATERIALIZED (SELECT ${dayOf(happened)} AS day, COUNT(*) AS n, SUM(CASE WHEN ${value} = ROUND(${value}) THEN 1 ELSE 0 END) AS whole FROM ${quoted(table.name)} WHERE ${value} IS NOT NULL AND ${quoted(nameOf(happened))} IS NOT NULL GROUP BY 1),
mixed AS (SELECT MAX(day) AS last_mixed FROM daily WHERE whole < n)
SELECT (SELECT MIN(day) FROM daily WHERE day > last_mixed) AS whole_from, last_mixed, (SELECT SUM(n) FROM daily WHERE day > last_mixed) AS rows_since, (SELECT COUNT(*) FROM daily WHERE day > last_mixed) AS days_since, (SELECT SUM(n) FROM daily WHERE day <= last_mixed) AS rows_before, (SELECT SUM(whole) FROM daily WHERE day <= last_mixed) AS whole_before, (SELECT COUNT(*) FROM daily WHERE day <= last_mixed) AS days_before FROM mixed`,
  );
  const [[from, , since, days, before, whole, daysBefore] = []] = answered?.rows ?? [];
  if (!answered || Number(days ?? 0) < LEAST_DAYS || Number(daysBefore ?? 0) < LEAST_DAYS) return NOTHING;
  const share = Number(whole) / Number(before);
  // As many whole values in a row would be no chance.
  if (share > SOME_WHOLE || Number(since) < 10) return NOTHING;
  return tellCause(
    `In \`${table.name}\` \`${nameOf(amount)}\` is a whole number in all rows from ${String(from)} on (rows_since ${String(since)}), where before it was one in few (whole_before ${String(whole)}, rows_before ${String(before)}): the decimals are lost, as a cast to an integer loses them`,
    [answered.id],
  );
}
