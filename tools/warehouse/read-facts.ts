import type { Cell } from '../../src/core/source.ts';
import type { OpenTable } from './ask-table.ts';
import { isNumeric } from './column-class.ts';
import type { ColumnFacts } from './diff-columns.ts';
import { guessUnit } from './guess-unit.ts';
import { type MeasuredColumn, profileColumns } from './profile-columns.ts';
import { runQuery } from './run-query.ts';

/** Columns beyond these are compared by name, type and place only. */
export const MOST_MEASURED = 80;
const EXACT_VALUES = 3_000_000;
const VALUES_LOOKED_AT = 5_000;

/** The columns of a table with what their values are like. */
export async function readFacts(table: OpenTable): Promise<readonly ColumnFacts[]> {
  const [[count] = []] = await runQuery(table, `SELECT COUNT(*) FROM ${table.from}`);
  const rows = Number(count ?? 0);
  const columns = table.columns.slice(0, MOST_MEASURED);
  const exact = rows * columns.length <= EXACT_VALUES;
  const measured = rows === 0 || columns.length === 0 ? [] : await profileColumns({ ...table, columns, rows, exact });
  const byColumn = new Map(measured.map((item) => [item.column, item]));
  return table.columns.map((column) => {
    const { name, type, position } = column.info;
    return { name, type, position, ...measuredFacts(byColumn.get(column)) };
  });
}

function measuredFacts(item: MeasuredColumn | undefined): Partial<ColumnFacts> {
  if (item === undefined) return {};
  const { column, measures } = item;
  const quartiles =
    isNumeric(column.kind) && typeof measures.quantiles === 'string'
      ? (JSON.parse(measures.quantiles) as Cell[]).slice(1, 4).map(Number)
      : undefined;
  const unit = guessUnit({ name: column.info.name, kind: column.kind, min: measures.min, max: measures.max })?.unit;
  return {
    ...(quartiles === undefined ? {} : { quartiles }),
    ...(unit === undefined ? {} : { unit }),
    filled: Number(measures.filled ?? 0),
    distinct: Number(measures.distinct ?? 0),
  };
}

/** Of a column that became text: how many of its values are still numbers, and one that is not. */
export async function describeMisfits(table: OpenTable, name: string): Promise<string | undefined> {
  const column = table.columns.find(({ info }) => info.name === name);
  if (column?.kind !== 'text') return undefined;
  const rows = await runQuery(table, `SELECT ${column.sql} FROM ${table.from} WHERE ${column.sql} IS NOT NULL LIMIT ${VALUES_LOOKED_AT}`);
  const values = rows.map(([value]) => String(value));
  const odd = values.filter((value) => !/^\s*[+-]?(\d+(\.\d*)?|\.\d+)\s*$/.test(value));
  if (odd.length === 0 || odd.length > values.length / 2) return undefined;
  return `${values.length - odd.length} of ${values.length} values looked at are numbers; not "${(odd[0] ?? '').slice(0, 40)}"`;
}
