import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, usable } from '../part-report.ts';
import { type Reading, read } from '../read-data.ts';

const MOST_CODES = 12;

export interface Answered {
  readonly id: string;
  readonly rows: readonly (readonly unknown[])[];
}

/** The rows of one SELECT; undefined where it could not be asked, or answered only in part. */
export async function askSql(play: Play, source: string, sql: string, most = 400): Promise<Answered | undefined> {
  const result = await callIfOffered(play, 'query_sql', { source, sql, max_rows: most });
  const data = read(result?.data);
  // A footer that is no data makes a file's result partial; rows that were cut off would make it wrong.
  if (!usable(result) || data.flag('truncated') === true || result.omitted !== undefined) return undefined;
  const rows = data.at('rows').value;
  return { id: result.id, rows: Array.isArray(rows) ? rows.filter(Array.isArray) : [] };
}

/** Rows as they stand in text: `DE / 12, FR / 3`. */
export function listRows(rows: Answered['rows']): string {
  return rows.map((row) => row.map(String).join(' / ')).join(', ');
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as it stands in SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

interface Lookup {
  readonly table: string;
  readonly column: string;
  /** Table and column in which the value is looked for. */
  readonly other: string;
  readonly key: string;
}

/** The seconds from one time to another in SQL, as the engine of the source reckons them; texts as ISO 8601 are times too. */
export function secondsBetween(play: Play, source: string, [from, to]: readonly [from: string, to: string]): string {
  const kind = play.sources.find(({ name }) => name === source)?.kind;
  if (kind === 'sqlite') return `CAST(ROUND((julianday(${to}) - julianday(${from})) * 86400) AS INTEGER)`;
  const [start, end] = [`CAST(${from} AS TIMESTAMP)`, `CAST(${to} AS TIMESTAMP)`];
  return kind === 'postgres' ? `CAST(EXTRACT(EPOCH FROM (${end} - ${start})) AS BIGINT)` : `date_diff('second', ${start}, ${end})`;
}

/** The rows of a table, as `l`, whose value another table does not hold: `FROM … WHERE …`, those without a value among them. */
export function withoutMatch({ table, column, other, key }: Lookup): string {
  return `FROM ${quoted(table)} l WHERE NOT EXISTS (SELECT 1 FROM ${quoted(other)} r WHERE r.${quoted(key)} = l.${quoted(column)})`;
}

export const nameOf = (column: Reading): string => column.text('name') ?? '';
export const typeOf = (column: Reading): string => column.text('type') ?? '';
/** The day of a time, as text. */
export const dayOf = (column: Reading, of = ''): string => `SUBSTR(CAST(${of}${quoted(nameOf(column))} AS VARCHAR), 1, 10)`;
/** A column whose few values part the rows: a kind, a branch, a currency. Numbers of more values than a code has are measures. */
export const isGrouping = (column: Reading, most: number): boolean => {
  const distinct = column.number('distinct') ?? 0;
  return (
    distinct >= 2 &&
    distinct <= most &&
    !isTime(column) &&
    !isWrittenTime(column) &&
    (!isNumber(column) || isKey(column) || distinct <= MOST_CODES)
  );
};
export const isTime = (column: Reading): boolean => /date|timestamp/i.test(typeOf(column));
export const isNumber = (column: Reading): boolean =>
  /int|decimal|numeric|double|float|real/i.test(typeOf(column)) && !isTime(column) && !/interval/i.test(typeOf(column));
export const isKey = (column: Reading): boolean =>
  /(^|[_ -])(id|key|no|nr|code|number|uuid|guid)$/i.test(nameOf(column)) ||
  /\p{Ll}(Id|ID|Key|No|Nr|Code|Number|Uuid|UUID|Guid|GUID)$/u.test(nameOf(column));
/** Codes of which only some begin with a zero: text where they do and numbers where none does, all as long, so that no zero was lost. */
export const isSameCode = (text: Reading, number: Reading): boolean => {
  const length = (column: Reading, end: string): number => String(column.at(end).value).length;
  const isZeroed = (text.number('leading_zeros') ?? 0) > 0 && isNumber(number) && length(text, 'min') === length(text, 'max');
  return isZeroed && length(number, 'min') >= length(text, 'min');
};
/** Numbers that measure something: no keys, and no whole numbers of which each row has its own. */
export const measuresOf = ({ columns, rows }: { readonly columns: readonly Reading[]; readonly rows: number | null }): readonly Reading[] =>
  columns.filter(
    (column) =>
      isNumber(column) && !isKey(column) && !(/int/i.test(typeOf(column)) && column.number('distinct') === rows && (rows ?? 0) > 1),
  );
export const isText = (column: Reading): boolean => /char|text|string/i.test(typeOf(column));
/** A number that an engine adds up with the dust of floats. */
export const isFloat = (column: Reading): boolean => /double|float|real/i.test(typeOf(column));
/** A sum with the places that the data have; of floats without the dust of their addition. */
export const sumOf = (column: Reading, of = ''): string => {
  const sum = `SUM(${of}${quoted(nameOf(column))})`;
  return isFloat(column) ? `ROUND(CAST(${sum} AS DECIMAL(28, 6)), 2)` : sum;
};
/** Columns that say when a row was loaded, not when what it tells of happened. */
export const LOADED = /load|arriv|ingest|insert|receiv|etl|sync|updated|modified/i;

/** Texts that are days or times as ISO 8601 writes them, as engines without types of their own hold them. */
export function isWrittenTime(column: Reading): boolean {
  const isDay = (key: string): boolean => /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d|$)/.test(column.text(key) ?? '');
  return !isNumber(column) && !isTime(column) && isDay('min') && isDay('max');
}
