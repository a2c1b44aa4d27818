import type { Cell, TableEngine } from '../../src/core/source.ts';
import { guessUnit } from './guess-unit.ts';
import { type ProfiledColumn, SENTINEL_DAYS } from './profile-sql.ts';
import { type Asking, runQuery } from './run-query.ts';
import { dialectOf } from './sql-dialect.ts';
import type { ZoneSegment } from './time-zone.ts';

/** A column as a moment in time. */
export interface TimeReading {
  readonly column: ProfiledColumn;
  /** SQL: whole seconds since 1970 by the column's own clock; NULL where it holds no finite time. */
  readonly seconds: string;
  /** True where the values say their zone, or count from 1970 UTC. */
  readonly zoned: boolean;
  /** How the values were read, for the result. */
  readonly reading: string;
}

type EngineDialect = TableEngine['dialect'];

const FACTORS: Readonly<Record<string, string>> = {
  'epoch seconds': '1',
  'epoch milliseconds': '1000',
  'epoch microseconds': '1000000',
  'epoch nanoseconds': '1000000000',
};

/** Reads a column as time; undefined when nothing says that it holds any. One query for whole numbers and texts. */
export async function readTimeColumn(asking: Asking, from: string, column: ProfiledColumn): Promise<TimeReading | undefined> {
  const { kind, sql, info } = column;
  const dialect = asking.engine.dialect;
  if (kind === 'time') {
    const zoned = /TZ|WITH TIME ZONE/i.test(info.type);
    if (dialect !== 'sqlite') return { column, seconds: secondsOfTime(sql, dialect), zoned, reading: info.type };
  }
  if (kind === 'text' || kind === 'time') return readText(asking, from, column);
  if (kind !== 'integer') return undefined;
  const [row = []] = await runQuery(asking, `SELECT MIN(${sql}), MAX(${sql}) FROM ${from}`);
  const unit = guessUnit({ name: `${info.name}_ts`, kind, min: row[0] as Cell, max: row[1] as Cell })?.unit ?? '';
  const factor = FACTORS[unit];
  if (factor === undefined) return undefined;
  return { column, seconds: divide(sql, factor, dialect), zoned: true, reading: `whole numbers read as ${unit}` };
}

async function readText(asking: Asking, from: string, column: ProfiledColumn): Promise<TimeReading | undefined> {
  const { sql } = column;
  const dialect = asking.engine.dialect;
  const seconds = secondsOfText(sql, dialect);
  const hasZone = `(${seconds}) IS NOT NULL AND (${endsWithZone(sql, dialect)})`;
  const counts = `COUNT(${sql}), COUNT(${seconds}), COUNT(CASE WHEN ${hasZone} THEN 1 END)`;
  const [row = []] = await runQuery(asking, `SELECT ${counts} FROM ${from}`);
  const [filled = 0, readable = 0, zoned = 0] = row.map(Number);
  if (filled > 0 && readable < filled / 2) return undefined;
  const all = readable > 0 && zoned === readable;
  const some = zoned > 0 && !all ? `, ${zoned} of ${readable} with a zone of their own, which is kept to` : '';
  return { column, seconds, zoned: all, reading: `texts read as times${some}` };
}

/** Date and time functions count whole seconds as floats or decimals that hold them exactly. */
function secondsOfTime(x: string, dialect: EngineDialect): string {
  return dialect === 'postgres'
    ? `CASE WHEN isfinite(${x}) THEN CAST(floor(extract(epoch FROM CAST(${x} AS timestamptz))) AS bigint) END`
    : `CASE WHEN isfinite(${x}) THEN CAST(epoch(date_trunc('second', CAST(${x} AS TIMESTAMP))) AS BIGINT) END`;
}

/** A fixed form is asked for first: engines read words such as 'now' or a bare number as times too. */
function secondsOfText(x: string, dialect: EngineDialect): string {
  if (dialect === 'sqlite')
    return `CASE WHEN ${x} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' THEN CAST(strftime('%s', ${x}) AS INTEGER) END`;
  if (dialect === 'duckdb') return `CAST(epoch(date_trunc('second', TRY_CAST(${x} AS TIMESTAMPTZ))) AS BIGINT)`;
  const form = `'^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?)? ?(Z|[+-]\\d\\d(:?\\d\\d)?)?$'`;
  return `CASE WHEN ${x} ~ ${form} THEN CAST(floor(extract(epoch FROM CAST(${x} AS timestamptz))) AS bigint) END`;
}

function endsWithZone(x: string, dialect: EngineDialect): string {
  if (dialect === 'sqlite') return `${x} LIKE '%Z' OR ${x} GLOB '*[+-][0-9][0-9]:[0-9][0-9]'`;
  const form = `'[ T][0-9:.]+ ?(Z|[+-][0-9][0-9](:?[0-9][0-9])?)$'`;
  return dialect === 'postgres' ? `${x} ~ ${form}` : `regexp_matches(${x}, ${form})`;
}

/** Whole-number division that rounds down, as no engine's own does below zero. */
export function divide(a: string, by: string, dialect: EngineDialect): string {
  return `((${a} - ((${a} % ${by}) + ${by}) % ${by}) ${dialect === 'duckdb' ? '//' : '/'} ${by})`;
}

/** Seconds since 1970 UTC from those of a clock in the zone. Of an hour that comes twice the first is meant. */
export function sqlToInstant(wall: string, segments: readonly ZoneSegment[]): string {
  return segments.length === 1 ? plus(wall, -(segments[0]?.offset ?? 0)) : `(${wall} - ${cases(wall, segments, true)})`;
}

/** Seconds of the zone's clock from those since 1970 UTC. */
export function sqlToWall(instant: string, segments: readonly ZoneSegment[]): string {
  return segments.length === 1 ? plus(instant, segments[0]?.offset ?? 0) : `(${instant} + ${cases(instant, segments, false)})`;
}

function plus(expression: string, offset: number): string {
  return offset === 0 ? expression : `(${expression} + ${offset})`.replace('+ -', '- ');
}

function cases(x: string, segments: readonly ZoneSegment[], byWall: boolean): string {
  const last = segments.at(-1)?.offset ?? 0;
  const whens = segments.slice(0, -1).map(({ until, offset }) => `WHEN ${x} < ${until + (byWall ? offset : 0)} THEN ${offset}`);
  return `CASE ${whens.join(' ')} ELSE ${last} END`;
}

/** The first seconds of the days that stand for "none" or "for ever". */
const SENTINEL_STARTS = SENTINEL_DAYS.map((day) => Math.floor(Date.parse(`${day}T00:00:00Z`) / 1000));

/** SQL: true where the seconds fall on a sentinel day. */
export function isSentinel(seconds: string, dialect: EngineDialect): string {
  const days = SENTINEL_STARTS.map((start) => Math.floor(start / 86_400));
  return `${divide(seconds, '86400', dialect)} IN (${days.join(', ')})`;
}

/** SQL: the table's rows with the column's time as `s`, and `x` the value itself. */
export function timedRows(from: string, time: TimeReading, asking: Asking): string {
  const x = dialectOf(asking.engine).comparable(time.column.sql, time.column.info.type);
  return `(SELECT ${time.seconds} AS s, ${x} AS x FROM ${from}) AS timed`;
}
