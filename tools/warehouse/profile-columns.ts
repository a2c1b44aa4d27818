import type { Cell } from '../../src/core/source.ts';
import { isNumeric } from './column-class.ts';
import { type Measure, type Measures, measureColumn, type ProfiledColumn, QUANTILES } from './profile-sql.ts';
import { type Asking, QueryError, runQuery } from './run-query.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** What was measured of a column, or why it could not be. */
export interface MeasuredColumn {
  readonly column: ProfiledColumn;
  readonly measures: Measures;
  readonly error?: string;
}

export interface ProfileRequest extends Asking {
  /** What stands after FROM. */
  readonly from: string;
  readonly dialect: SqlDialect;
  readonly columns: readonly ProfiledColumn[];
  readonly rows: number;
  readonly exact: boolean;
  /** False where no one asks for quantiles, which cost a sort. */
  readonly withQuantiles?: boolean;
}

const MOST_ROWS_SORTED = 1_000_000;

/** Measures all columns in one scan; when that fails, each alone, so that one bad column costs only itself. */
export async function profileColumns(request: ProfileRequest): Promise<readonly MeasuredColumn[]> {
  try {
    return await sortSqlite(request, await measure(request, request.columns));
  } catch (error) {
    if (!canRetry(error)) throw error;
  }
  const measured: MeasuredColumn[] = [];
  for (const column of request.columns) measured.push(await measureAlone(request, column));
  return sortSqlite(request, measured);
}

function canRetry(error: unknown): boolean {
  return error instanceof QueryError && error.code !== 'timeout' && error.code !== 'stopped';
}

async function measure(request: ProfileRequest, columns: readonly ProfiledColumn[]): Promise<readonly MeasuredColumn[]> {
  const asked = columns.map((column) => measureColumn(column, request.dialect, request));
  const expressions = asked.flatMap((measures, index) => measures.map(([, sql], place) => `${sql} AS m${index}_${place}`));
  const [row = []] = await runQuery(request, `SELECT ${expressions.join(', ')} FROM ${request.from}`);
  let place = 0;
  return columns.map((column, index) => {
    const measures: Partial<Record<Measure, Cell>> = {};
    for (const [name] of asked[index] ?? []) measures[name] = row[place++] ?? null;
    return { column, measures };
  });
}

/** A column of which some measure fails keeps those that work. */
async function measureAlone(request: ProfileRequest, column: ProfiledColumn): Promise<MeasuredColumn> {
  try {
    const [measured] = await measure(request, [column]);
    return measured ?? { column, measures: {} };
  } catch (first) {
    if (!canRetry(first)) return { column, measures: {}, error: 'the time for this tool was over' };
    const measures: Partial<Record<Measure, Cell>> = {};
    for (const [name, sql] of measureColumn(column, request.dialect, request)) {
      const rows = await runQuery(request, `SELECT ${sql} AS measure FROM ${request.from}`).catch(() => undefined);
      if (rows) measures[name] = rows[0]?.[0] ?? null;
    }
    return { column, measures, error: (first as Error).message };
  }
}

/** Quantiles for an engine without such a function: the rows at their places in order. */
async function sortSqlite(request: ProfileRequest, measured: readonly MeasuredColumn[]): Promise<readonly MeasuredColumn[]> {
  if (request.withQuantiles === false) return measured;
  if (request.dialect.quantiles('x', true, QUANTILES) !== undefined || request.rows > MOST_ROWS_SORTED) return measured;
  const sorted: MeasuredColumn[] = [];
  for (const item of measured) {
    const { column, measures } = item;
    const filled = Number(measures.filled ?? 0) - Number(measures.non_finite ?? 0) - Number(measures.not_text ?? 0);
    const isMeasured = filled > 0 && (isNumeric(column.kind) || column.kind === 'time');
    sorted.push(isMeasured ? { ...item, measures: { ...measures, quantiles: await pickSorted(request, column, filled) } } : item);
  }
  return sorted;
}

async function pickSorted(request: ProfileRequest, column: ProfiledColumn, filled: number): Promise<Cell> {
  const x = column.sql;
  const finite = request.dialect.isFinite(x, column.kind, column.info.type);
  const numeric = isNumeric(column.kind) ? `typeof(${x}) IN ('integer', 'real') AND ${finite}` : `${x} IS NOT NULL`;
  const places = QUANTILES.map((fraction) => Math.max(1, Math.ceil(fraction * filled)));
  const sql = `SELECT place, x FROM (SELECT ${x} AS x, ROW_NUMBER() OVER (ORDER BY ${x}) AS place FROM ${request.from} WHERE ${numeric}) AS s WHERE place IN (${places.join(', ')})`;
  const rows = await runQuery(request, sql).catch(() => []);
  const byPlace = new Map(rows.map(([place, value]) => [Number(place), value]));
  return rows.length === 0 ? null : JSON.stringify(places.map((place) => byPlace.get(place) ?? null));
}
