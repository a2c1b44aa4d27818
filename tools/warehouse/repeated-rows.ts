import type { ProfiledColumn } from './profile-sql.ts';
import { type Asking, runQuery } from './run-query.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** Where rows are looked for, and the columns by which they may be alike. */
export interface AlikeQuestion extends Asking {
  readonly from: string;
  readonly dialect: SqlDialect;
  readonly columns: readonly ProfiledColumn[];
}

/** A table split by whether other rows may be alike in the columns: what is single need not be grouped again. */
export interface SplitRows {
  /** What stands after FROM for the rows that may have others like them: all of those, and perhaps a few more. */
  readonly repeated: string;
  readonly repeatedRows: number;
  /** Rows that are like no other. */
  readonly single: number;
  /** Those of them with NULL in one of the columns. */
  readonly singleWithNull: number;
}

/**
 * Splits by one number for each row, which rows that are alike share, as grouping whole rows of millions costs many times more.
 * Where the engine has no such number, or columns that compare otherwise than they are written, all rows count as repeated.
 */
export async function splitRows({ from, dialect, columns, ...asking }: AlikeQuestion): Promise<SplitRows> {
  const number = await numberOf(columns, dialect, asking);
  if (number === undefined) return { repeated: from, repeatedRows: Number.NaN, single: 0, singleWithNull: 0 };
  const isNull = columns.map(({ sql }) => `${sql} IS NULL`).join(' OR ');
  const groups = `SELECT COUNT(*) AS n, COUNT(CASE WHEN ${isNull} THEN 1 END) AS z FROM ${from} GROUP BY ${number}`;
  const counts = `SELECT COUNT(CASE WHEN n = 1 THEN 1 END), SUM(CASE WHEN n = 1 THEN z END), SUM(CASE WHEN n > 1 THEN n END) FROM (${groups}) AS g`;
  const [row = []] = await runQuery(asking, counts);
  const [single = 0, singleWithNull = 0, repeatedRows = 0] = row.map(Number);
  if (repeatedRows > single) return { repeated: from, repeatedRows: repeatedRows + single, single: 0, singleWithNull: 0 };
  const numbers = `SELECT ${number} FROM ${from} GROUP BY 1 HAVING COUNT(*) > 1`;
  return { repeated: `(SELECT * FROM ${from} WHERE ${number} IN (${numbers})) AS repeated`, repeatedRows, single, singleWithNull };
}

async function numberOf(columns: readonly ProfiledColumn[], dialect: SqlDialect, asking: Asking): Promise<string | undefined> {
  const { rowNumbers } = dialect;
  if (rowNumbers === undefined || columns.length === 0) return undefined;
  const [row = []] = await runQuery(asking, rowNumbers.collations);
  if (Number(row[0] ?? 0) > 0) return undefined;
  return rowNumbers.of(columns.map(({ sql, info }) => dialect.comparable(sql, info.type)));
}
