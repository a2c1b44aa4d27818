import type { Cell, ColumnInfo, QueryOutcome } from '../../core/source.ts';
import { quoteIdentifier } from '../tables/find-table.ts';

const ROWS_LOOKED_AT = 10_000;
/** SQLite has at most 2,000 terms in a result. */
const MOST_COLUMNS = 300;

/**
 * Columns that declare no type, as the expressions of views do, with that of the values at the beginning of the table: it is
 * marked as seen, not declared. Numbers of both sorts are REAL, numbers among which texts stand NUMERIC.
 */
export async function seeTypes(
  columns: readonly ColumnInfo[],
  table: string,
  ask: (sql: string) => Promise<QueryOutcome>,
): Promise<readonly ColumnInfo[]> {
  const untyped = columns.filter(({ type }) => type === 'ANY').slice(0, MOST_COLUMNS);
  if (untyped.length === 0) return columns;
  const counts = untyped.flatMap(({ name }) => KINDS.map((kind) => `SUM(typeof(${quoteIdentifier(name)}) = '${kind}')`));
  const rows = `SELECT * FROM ${quoteIdentifier(table)} LIMIT ${ROWS_LOOKED_AT}`;
  const outcome = await ask(`SELECT ${counts.join(', ')} FROM (${rows})`);
  if (!outcome.ok) return columns;
  const [row = []] = outcome.rows;
  const seen = new Map(untyped.map((column, index) => [column, nameType(row.slice(index * KINDS.length, (index + 1) * KINDS.length))]));
  return columns.map((column) => ({ ...column, type: seen.get(column) ?? column.type }));
}

const KINDS = ['integer', 'real', 'text', 'blob'] as const;

/** Undefined where nothing is filled, or no sort is the greater part. */
function nameType(counts: readonly Cell[]): string | undefined {
  const [integers = 0, reals = 0, texts = 0, blobs = 0] = counts.map(Number);
  const numbers = integers + reals;
  if (numbers + texts + blobs === 0) return undefined;
  if (numbers > texts + blobs) return `${texts + blobs > 0 ? 'NUMERIC' : reals > 0 ? 'REAL' : 'INTEGER'} (seen)`;
  if (texts > numbers + blobs) return 'TEXT (seen)';
  return blobs > numbers + texts ? 'BLOB (seen)' : undefined;
}
