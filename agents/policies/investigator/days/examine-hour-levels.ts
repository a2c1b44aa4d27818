import type { Play } from '../../../../src/core/policy.ts';
import { mergeReports, NOTHING, type PartReport, tellCause } from '../part-report.ts';
import { askSql, dayOf, isText, nameOf, quoted, typeOf } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const MOST_CELLS = 400;
/** The same hour of so many days is needed to know what is usual. */
const LEAST_DAYS = 5;
const LEAST_ROWS = 4;
const MANY = 1.7;
const CHANCE = 0.05;
const SURE = 0.8;

/** Hours of single days with no row where the same hour of the other days has many, or with about twice as many. */
export async function examineHourLevels(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const moments = looked.filter(({ happened }) => happened && (isText(happened) || /timestamp/i.test(typeOf(happened)))).slice(0, 3);
  return mergeReports(await Promise.all(moments.map((one) => examineTable(play, one))));
}

interface Cell {
  readonly day: string;
  readonly hour: string;
  readonly rows: number;
  readonly usual: number;
}

async function examineTable(play: Play, { table, happened }: LookedAt): Promise<PartReport> {
  if (!happened) return NOTHING;
  const text = `CAST(${quoted(nameOf(happened))} AS VARCHAR)`;
  const answered = await askSql(
    play,
    table.source,
    `SELECT ${dayOf(happened)} AS day, SUBSTR(${text}, 12, 2) AS hour, COUNT(*) AS rows FROM ${quoted(table.name)} WHERE ${quoted(nameOf(happened))} IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
    MOST_CELLS,
  );
  if (!answered) return NOTHING;
  const counts = new Map(answered.rows.map(([day, hour, rows]) => [`${String(day)} ${String(hour)}`, Number(rows)]));
  const days = [...new Set(answered.rows.map(([day]) => String(day)))];
  const hours = [...new Set(answered.rows.map(([, hour]) => String(hour)))];
  if (days.length < LEAST_DAYS || hours.length < 4) return NOTHING;
  const cells = hours.flatMap((hour) => {
    const all = days.map((day) => ({ day, hour, rows: counts.get(`${day} ${hour}`) ?? 0 }));
    const usual = [...all].sort((left, right) => left.rows - right.rows)[Math.floor(all.length / 2)]?.rows ?? 0;
    return usual < LEAST_ROWS ? [] : all.map((cell) => ({ ...cell, usual }));
  });
  // The first and the last day may be cut.
  const inner = cells.filter(({ day }) => day !== days[0] && day !== days.at(-1));
  const silent = inner.filter(({ rows }) => rows === 0);
  const double = inner.filter(
    ({ day, hour, rows, usual }) => rows >= usual * MANY && rows - usual > (isClockBackHour({ day, hour }) ? 1.5 : 5) * Math.sqrt(usual),
  );
  const by = `\`${table.name}\` by \`${nameOf(happened)}\``;
  return mergeReports([
    ...tellSilent(
      silent,
      [...inner].sort((left, right) => Number(left.hour) - Number(right.hour)),
      { by, id: answered.id },
    ),
    ...tellDouble(double, by, answered.id),
  ]);
}

/** Whole days of silence are told of elsewhere; here, hours within one day. */
function tellSilent(
  silent: readonly Cell[],
  cells: readonly Cell[],
  { by, id }: { readonly by: string; readonly id: string },
): PartReport[] {
  const days = [...new Set(silent.map(({ day }) => day))];
  if (days.length === 0 || days.length > 2 || isByChance(silent, cells)) return [];
  const said = days.flatMap((day) => {
    const hours = silent.filter((cell) => cell.day === day).map(({ hour }) => Number(hour));
    const [from, to] = [Math.min(...hours), Math.max(...hours)];
    const held = cells.filter((cell) => cell.day === day && cell.rows > 0);
    const before = held.filter(({ hour }) => Number(hour) < from).at(-1);
    const after = held.find(({ hour }) => Number(hour) > to);
    if (to - from + 1 !== hours.length || !before || !after) return [];
    return [[before, after].map((cell) => `${cell.day} / ${cell.hour} / ${cell.rows}`).join(' and ')];
  });
  if (said.length < days.length) return [];
  const claim = `In ${by}, as day / hour / rows, no row stands in the hours between ${said.join(', and between ')}, where these hours of the other days hold rows: they were not recorded, not sent or not loaded`;
  return [tellCause(claim, [id])];
}

/** Of few rows that are strewn at random some hour gets none, where others get hardly any. */
function isByChance(silent: readonly Cell[], cells: readonly Cell[]): boolean {
  if (cells.every(({ rows, usual }) => rows === 0 || rows * 2 >= usual)) return false;
  const days = [...new Set(silent.map(({ day }) => day))];
  // What is usual in one hour of few days is itself by chance.
  const most = (cells.reduce((sum, { rows }) => sum + rows, 0) / cells.length) * MANY;
  const expected = Math.max(
    ...days.map((day) => silent.reduce((sum, cell) => sum + (cell.day === day ? Math.min(cell.usual * SURE, most) : 0), 0)),
  );
  return cells.length * Math.exp(-expected) > CHANCE;
}

function tellDouble(cells: readonly Cell[], by: string, id: string): PartReport[] {
  if (cells.length === 0 || cells.length > 3) return [];
  const said = cells.map(({ day, hour, rows }) => `${day} / ${hour} / ${rows}`);
  const back = cells.every(isClockBackHour);
  const why = back ? ': local time runs through that hour twice when summer time ends, so that this clock hour holds the rows of both' : '';
  return [tellCause(`In ${by}, as day / hour / rows, ${said.join(', ')} is far above the same hour of the other days${why}`, [id])];
}

/** The nights in which Europe and North America set their clocks back: the last Sunday of October, the first of November. */
function isClockBackHour({ day, hour }: Pick<Cell, 'day' | 'hour'>): boolean {
  return isClockBack(day) && Number(hour) <= 3;
}

/** Whether clocks are set back on a day; of one without its year, whether they may be. */
export function isClockBack(day: string): boolean {
  const [, year = '', month, dayOfMonth] = /^(\d{4})?-(\d\d)-(\d\d)$/.exec(day) ?? [];
  const isNight = (month === '10' && Number(dayOfMonth) > 24) || (month === '11' && Number(dayOfMonth) < 8);
  return isNight && (year === '' || new Date(`${day}T00:00:00Z`).getUTCDay() === 0);
}
