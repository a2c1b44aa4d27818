import type { Cell } from '../../src/core/source.ts';
import { type OpenTable, QuestionError } from './ask-table.ts';
import { absoluteExact, addExact, compareExact, type ExactNumber, exactText, parseExact, subtractExact } from './exact-number.ts';
import type { ProfiledColumn } from './profile-sql.ts';
import { runQuery } from './run-query.ts';
import type { TimeFrame } from './time-frame.ts';
import { divide, isSentinel, sqlToWall } from './time-sql.ts';

export interface DaySums {
  readonly rows: number;
  readonly sums: readonly Cell[];
}

/** One table by day, days counted from 1970-01-01. */
export interface SideDays {
  readonly days: ReadonlyMap<number, DaySums>;
  readonly total: DaySums;
  readonly rows: number;
  /** Rows without a time or with a sentinel date. */
  readonly withoutDay: number;
  readonly nonFinite: number;
  /** False where a sum went through floating point. */
  readonly exact: boolean;
}

const MOST_DAYS = 15_000;

/** Rows and sums of each day of the zone in the window. @throws QuestionError for too many days. */
export async function readDays(table: OpenTable, frame: TimeFrame, columns: readonly ProfiledColumn[]): Promise<SideDays> {
  const { dialect, engine } = table;
  const numbers = columns.map((column, index) => {
    const finite = dialect.isFinite(column.sql, column.kind, column.info.type);
    const value = finite === undefined ? column.sql : `CASE WHEN ${finite} THEN ${column.sql} END`;
    return { value: `${value} AS v${index}`, odd: finite === undefined ? '0' : `CASE WHEN NOT (${finite}) THEN 1 ELSE 0 END` };
  });
  const odd = numbers.map((number) => number.odd).join(' + ') || '0';
  const values = numbers.map((number) => `, ${number.value}`).join('');
  const timed = `(SELECT ${frame.time.seconds} AS s, ${odd} AS odd${values} FROM ${table.from}) AS timed`;
  const placed = `(SELECT timed.*, ${frame.instant} AS i FROM ${timed}) AS placed`;
  const real = `s IS NOT NULL AND NOT (${isSentinel('s', engine.dialect)})`;
  const window = [...(frame.from === undefined ? [] : [`i >= ${frame.from}`]), ...(frame.to === undefined ? [] : [`i < ${frame.to}`])];
  const within = [real, ...window].join(' AND ');
  const sums = columns.map((column, index) => `, ${dialect.sum(`v${index}`, column.kind)}`).join('');
  const wall = frame.sameClock ? 's' : sqlToWall('i', frame.segments);
  const day = divide(wall, '86400', engine.dialect);
  const byDay = `SELECT d, COUNT(*), SUM(odd)${sums} FROM (SELECT placed.*, ${day} AS d FROM ${placed} WHERE ${within}) AS days GROUP BY d ORDER BY d LIMIT ${MOST_DAYS + 1}`;
  const [[rows, withDay] = []] = await runQuery(table, `SELECT COUNT(*), COUNT(CASE WHEN ${real} THEN 1 END) FROM ${placed}`);
  const found = await runQuery(table, byDay);
  if (found.length > MOST_DAYS)
    throw new QuestionError('too_many_days', `more than ${MOST_DAYS} days hold rows; narrow the window with "from" and "to"`);
  const days = new Map(
    found.map(([at, count, , ...own]): [number, DaySums] => [Number(at), { rows: Number(count), sums: own.map(plainCell) }]),
  );
  return {
    days,
    total: addUp([...days.values()], columns.length),
    rows: Number(rows ?? 0),
    withoutDay: Number(rows ?? 0) - Number(withDay ?? 0),
    nonFinite: found.reduce((sum, [, , count]) => sum + Number(count ?? 0), 0),
    exact: columns.every(({ kind }) => kind !== 'float') && ![...days.values()].some((item) => item.sums.some(isRounded)),
  };
}

/** Engines give decimals as text; a fraction that comes as a number was a float. */
function isRounded(cell: Cell): boolean {
  return typeof cell === 'number' && !Number.isSafeInteger(cell);
}

/** A decimal's zeros at the end say nothing: 1.50 is 1.5. */
function plainCell(cell: Cell): Cell {
  const exact = typeof cell === 'string' ? parseExact(cell) : undefined;
  return exact === undefined ? cell : exactText(exact);
}

function addUp(days: readonly DaySums[], width: number): DaySums {
  const sums = Array.from({ length: width }, (_, index): Cell => {
    const numbers = days.map((day) => parseExact(day.sums[index])).filter((number): number is ExactNumber => number !== undefined);
    return numbers.length === 0 ? null : exactText(numbers.reduce(addExact));
  });
  return { rows: days.reduce((sum, day) => sum + day.rows, 0), sums };
}

/** How far two sums are apart: exactly, or, where one is a float, by more than a billionth. No sum counts as zero. */
export function differenceOf(left: Cell, right: Cell): { readonly different: boolean; readonly difference: string | null } {
  const [mine, other] = [parseExact(left ?? 0), parseExact(right ?? 0)];
  if (!mine || !other) return { different: String(left) !== String(right), difference: null };
  const difference = subtractExact(other, mine);
  const isFloat = isRounded(left) || isRounded(right);
  const size = absoluteExact(mine);
  const least: ExactNumber = isFloat ? { digits: size.digits, scale: size.scale + 9 } : { digits: 0n, scale: 0 };
  return {
    different: compareExact(absoluteExact(difference), least) > 0,
    difference: isFloat ? String(Number(exactText(difference))) : exactText(difference),
  };
}
