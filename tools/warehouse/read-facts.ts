import type { Cell } from '../../src/core/source.ts';
import type { OpenTable } from './ask-table.ts';
import { isNumeric } from './column-class.ts';
import type { ColumnFacts } from './diff-columns.ts';
import { guessUnit } from './guess-unit.ts';
import { type MeasuredColumn, profileColumns } from './profile-columns.ts';
import { asText } from './profile-sql.ts';
import { runQuery } from './run-query.ts';

/** Columns beyond these are compared by name, type and place only. */
export const MOST_MEASURED = 80;
const EXACT_VALUES = 3_000_000;
/** Objects of more keys are maps rather than records. */
const MOST_KEYS = 200;
const VALUES_LOOKED_AT = 5_000;

/** The columns of a table with what their values are like. */
export async function readFacts(table: OpenTable): Promise<readonly ColumnFacts[]> {
  const [[count] = []] = await runQuery(table, `SELECT COUNT(*) FROM ${table.from}`);
  const rows = Number(count ?? 0);
  const columns = table.columns.slice(0, MOST_MEASURED);
  const exact = rows * columns.length <= EXACT_VALUES;
  const measured = rows === 0 || columns.length === 0 ? [] : await profileColumns({ ...table, columns, rows, exact });
  const byColumn = new Map(measured.map((item) => [item.column, item]));
  const facts: ColumnFacts[] = [];
  for (const column of table.columns) {
    const { name, type, position } = column.info;
    const item = byColumn.get(column);
    facts.push({ name, type, position, ...measuredFacts(item), ...(item === undefined ? {} : await jsonFacts(table, item)) });
  }
  return facts;
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

async function jsonFacts(table: OpenTable, { column, measures }: MeasuredColumn): Promise<Partial<ColumnFacts>> {
  const [objects, lists] = [Number(measures.json_objects ?? 0), Number(measures.json_lists ?? 0)];
  if (objects + lists === 0) return {};
  const text = asText(column.sql);
  const sql = objects === 0 ? undefined : table.dialect.jsonKeys?.(text, table.from);
  const keys = sql === undefined ? undefined : await runQuery(table, `SELECT k FROM (${sql}) AS keys ORDER BY k LIMIT ${MOST_KEYS}`);
  return {
    json: { objects, lists, ...(keys === undefined || keys.length === MOST_KEYS ? {} : { keys: keys.map(([key]) => String(key)) }) },
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
