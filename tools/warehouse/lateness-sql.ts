import type { OpenTable } from './ask-table.ts';
import { runQuery } from './run-query.ts';
import { divide, isSentinel, type TimeReading } from './time-sql.ts';

export const LATENESS_QUANTILES = [0.5, 0.9, 0.95, 0.99, 1] as const;
const MOST_ROWS_READ = 15_000;

/** Rows with the moment of their event `e` and of their arrival `l`, in whole seconds. */
export interface Arrivals {
  readonly table: OpenTable;
  readonly event: TimeReading;
  readonly load: TimeReading;
  /** When the incremental runs took place; undefined where each distinct arrival time is a run. */
  readonly runs: readonly number[] | undefined;
}

function pairs({ table, event, load }: Arrivals): string {
  return `(SELECT ${event.seconds} AS e, ${load.seconds} AS l FROM ${table.from}) AS pairs`;
}

/** Rows with both times that stand for a moment. */
function placed(arrivals: Arrivals): string {
  const { dialect } = arrivals.table.engine;
  const isReal = `e IS NOT NULL AND l IS NOT NULL AND NOT (${isSentinel('e', dialect)}) AND NOT (${isSentinel('l', dialect)})`;
  return `(SELECT e, l FROM ${pairs(arrivals)} WHERE ${isReal}) AS placed`;
}

/** All rows, those without either time, those measured, arrived before their event; first and last arrival. */
export async function countArrivals(arrivals: Arrivals) {
  const all = `SELECT COUNT(*), COUNT(CASE WHEN e IS NULL THEN 1 END), COUNT(CASE WHEN l IS NULL THEN 1 END) FROM ${pairs(arrivals)}`;
  const real = `SELECT COUNT(*), COUNT(CASE WHEN l < e THEN 1 END), MIN(l), MAX(l) FROM ${placed(arrivals)}`;
  const [[rows, noEvent, noLoad] = []] = await runQuery(arrivals.table, all);
  const [[measured, early, first, last] = []] = await runQuery(arrivals.table, real);
  return {
    rows: Number(rows ?? 0),
    without_event_time: Number(noEvent ?? 0),
    without_load_time: Number(noLoad ?? 0),
    measured: Number(measured ?? 0),
    before_event: Number(early ?? 0),
    first: Number(first ?? 0),
    last: Number(last ?? 0),
  };
}

/** Exact quantiles of seconds from event to arrival: the values at these places in order. */
export async function latenessQuantiles(arrivals: Arrivals, measured: number): Promise<readonly number[]> {
  const places = LATENESS_QUANTILES.map((fraction) => Math.max(1, Math.ceil(fraction * measured)));
  const sql = `SELECT place, d FROM (SELECT d, ROW_NUMBER() OVER (ORDER BY d) AS place FROM (SELECT l - e AS d FROM ${placed(arrivals)}) AS waits) AS ranked
    WHERE place IN (${places.join(', ')})`;
  const byPlace = new Map((await runQuery(arrivals.table, sql)).map(([place, value]) => [Number(place), Number(value)]));
  return places.map((place) => byPlace.get(place) ?? 0);
}

/**
 * Each row with the number of runs before it arrived (`n`), and each run's watermark: the greatest event time of all that
 * had arrived by the run before. A row is behind when its event is not later than the watermark of the run that first saw it.
 */
function behind(arrivals: Arrivals): string {
  const numbered =
    arrivals.runs === undefined
      ? `numbered AS (SELECT e, l, l AS n FROM ${placed(arrivals)})`
      : `runs(r) AS (VALUES ${arrivals.runs.map((run) => `(${run})`).join(', ')}),
    marked AS (SELECT e, l, l AS t, 0 AS is_run FROM ${placed(arrivals)} UNION ALL SELECT NULL, NULL, r, 1 FROM runs),
    numbered AS (SELECT e, l, n FROM (SELECT e, l, is_run, SUM(is_run) OVER (ORDER BY t, is_run ROWS UNBOUNDED PRECEDING) AS n FROM marked) AS counted WHERE is_run = 0)`;
  const seen = arrivals.runs === undefined ? '' : ` WHERE b.n < ${arrivals.runs.length}`;
  return `WITH ${numbered},
    batches AS (SELECT n, MAX(e) AS newest FROM numbered GROUP BY n),
    watermarks AS (SELECT n, MAX(newest) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS watermark FROM batches),
    late AS (SELECT e, l, w.watermark - e AS behind FROM numbered AS b JOIN watermarks AS w ON w.n = b.n${seen})`;
}

/** Rows behind the watermark when first seen: how many, how far at most, how many runs saw rows. */
export async function countBehind(arrivals: Arrivals) {
  const sql = `${behind(arrivals)} SELECT COUNT(CASE WHEN behind >= 0 THEN 1 END), MAX(behind), (SELECT COUNT(*) FROM batches), COUNT(*) FROM late`;
  const [[rows, most, batches, seen] = []] = await runQuery(arrivals.table, sql);
  return { rows: Number(rows ?? 0), most: Number(most ?? 0), batches: Number(batches ?? 0), seen: Number(seen ?? 0) };
}

/** Rows behind the watermark by the day of their event, with how far behind in seconds at most. */
export async function behindByDay(arrivals: Arrivals) {
  const day = divide('e', '86400', arrivals.table.engine.dialect);
  const sql = `${behind(arrivals)} SELECT day, COUNT(*), MAX(behind) FROM (SELECT ${day} AS day, behind FROM late WHERE behind >= 0) AS days GROUP BY day ORDER BY day LIMIT ${MOST_ROWS_READ}`;
  return (await runQuery(arrivals.table, sql)).map(([at, rows, most]) => ({
    day: new Date(Number(at) * 86_400_000).toISOString().slice(0, 10),
    rows: Number(rows),
    most_seconds_behind: Number(most),
  }));
}

/** How many rows would still be lost with each lookback, in hours. */
export async function lostWithLookback(arrivals: Arrivals, hours: readonly number[]) {
  const counts = hours.map((hour) => `COUNT(CASE WHEN behind >= ${hour * 3600} THEN 1 END)`);
  const [row = []] = await runQuery(arrivals.table, `${behind(arrivals)} SELECT ${counts.join(', ')} FROM late`);
  return hours.map((hour, index) => ({ hours: hour, rows_still_lost: Number(row[index] ?? 0) }));
}
