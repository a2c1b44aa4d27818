import type { Cell } from '../../src/core/source.ts';
import type { MeasuredColumn, ProfileRequest } from './profile-columns.ts';
import { asText } from './profile-sql.ts';
import { runQuery } from './run-query.ts';

export type TopValues = readonly (readonly [string, number])[];

const SHOWN = 5;
const MOST_DISTINCT = 2_000;
const SMALL_TABLE = 200_000;
const COLUMNS_PER_QUERY = 30;

/** The most frequent values of each column that repeats any, by its place in `measured`; in one scan where the engine can. */
export async function readTopValues(request: ProfileRequest, measured: readonly MeasuredColumn[]): Promise<ReadonlyMap<number, TopValues>> {
  const tops = new Map<number, TopValues>();
  const wanted = measured.flatMap((item, index) => (repeatsValues(item, request.rows) ? [{ item, index }] : []));
  for (let start = 0; start < wanted.length; start += COLUMNS_PER_QUERY) {
    const part = wanted.slice(start, start + COLUMNS_PER_QUERY);
    const columns = part.map(({ item }) => request.dialect.comparable(item.column.sql, item.column.info.type));
    const sql = request.dialect.hasGroupingSets ? groupingSets(request.from, columns) : unionOfGroups(request.from, columns);
    const rows = await runQuery(request, sql).catch(() => undefined);
    if (!rows) continue;
    for (const [place, value, count] of rows) {
      const index = part[Number(place)]?.index;
      if (index === undefined || value === null) continue;
      tops.set(index, [...(tops.get(index) ?? []), [String(value), Number(count)]]);
    }
  }
  return tops;
}

function repeatsValues({ measures }: MeasuredColumn, rows: number): boolean {
  const distinct = number(measures.distinct);
  return distinct > 0 && distinct < number(measures.filled) && (distinct <= MOST_DISTINCT || rows <= SMALL_TABLE);
}

function number(cell: Cell | undefined): number {
  return Number(cell ?? 0);
}

/** GROUPING is a bit mask, the first column its highest bit, set where the column is not grouped by. */
function groupingSets(from: string, columns: readonly string[]): string {
  const list = columns.join(', ');
  const all = 2 ** columns.length - 1;
  const places = columns.map((_, place) => `WHEN ${all - 2 ** (columns.length - 1 - place)} THEN ${place}`).join(' ');
  const grouped = `SELECT CASE GROUPING(${list}) ${places} END AS place, COALESCE(${columns.map(asText).join(', ')}) AS v, COUNT(*) AS n FROM ${from} GROUP BY GROUPING SETS (${columns.map((column) => `(${column})`).join(', ')})`;
  return `SELECT place, v, n FROM (SELECT place, v, n, ROW_NUMBER() OVER (PARTITION BY place ORDER BY n DESC, v) AS rank FROM (${grouped}) AS g WHERE v IS NOT NULL) AS r WHERE rank <= ${SHOWN} ORDER BY place, rank`;
}

function unionOfGroups(from: string, columns: readonly string[]): string {
  const parts = columns.map(
    (column, place) =>
      `SELECT * FROM (SELECT ${place} AS place, ${asText(column)} AS v, COUNT(*) AS n FROM ${from} WHERE ${column} IS NOT NULL GROUP BY ${column} ORDER BY n DESC, v LIMIT ${SHOWN})`,
  );
  return parts.join(' UNION ALL ');
}
