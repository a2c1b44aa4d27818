import type { ProfiledColumn } from './profile-sql.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** The three parts that a table's columns fall into. */
export interface RowParts {
  readonly from: string;
  readonly dialect: SqlDialect;
  readonly key: readonly ProfiledColumn[];
  /** What a row says beyond its key. */
  readonly content: readonly ProfiledColumn[];
  readonly load: readonly ProfiledColumn[];
}

/** `k0`, `c0`, `l0` … each with its expression, so that no name of the table clashes with ours. */
function aliases(
  prefix: string,
  columns: readonly ProfiledColumn[],
  dialect: SqlDialect,
): { readonly names: string[]; readonly selected: string[] } {
  const names = columns.map((_, index) => `${prefix}${index}`);
  return { names, selected: columns.map(({ sql, info }, index) => `${dialect.comparable(sql, info.type)} AS ${names[index]}`) };
}

/** Rows folded to whole rows, those to contents, those to keys; grouping takes NULL as one value. */
function levels(parts: RowParts): { readonly sql: string; readonly key: string[]; readonly content: string[] } {
  const key = aliases('k', parts.key, parts.dialect);
  const content = aliases('c', parts.content, parts.dialect);
  const load = aliases('l', parts.load, parts.dialect);
  const all = [...key.names, ...content.names, ...load.names].join(', ');
  const inner = [...key.names, ...content.names].join(', ');
  const plain = `SELECT ${[...key.selected, ...content.selected, ...load.selected].join(', ')} FROM ${parts.from}`;
  const sql = `WITH plain AS (${plain}),
    whole AS (SELECT ${all}, COUNT(*) AS n FROM plain GROUP BY ${all}),
    content AS (SELECT ${inner}, SUM(n) AS n, COUNT(*) AS f FROM whole GROUP BY ${inner}),
    keys AS (SELECT ${key.names.join(', ')}, SUM(n) AS n, SUM(f) AS f, COUNT(*) AS v FROM content GROUP BY ${key.names.join(', ')})`;
  return { sql, key: key.names, content: content.names };
}

/** One row: rows, keys, groups, extra rows and what they are. */
export function countDuplicates(parts: RowParts): string {
  const { sql, key } = levels(parts);
  const isNullKey = key.map((name) => `${name} IS NULL`).join(' OR ');
  return `${sql} SELECT COALESCE(SUM(n), 0), COUNT(*), COUNT(CASE WHEN n > 1 THEN 1 END), COALESCE(SUM(n - 1), 0), COALESCE(SUM(n - f), 0),
    COALESCE(SUM(f - v), 0), COALESCE(SUM(v - 1), 0), COUNT(CASE WHEN v > 1 THEN 1 END), COUNT(CASE WHEN n > v THEN 1 END),
    COALESCE(SUM(CASE WHEN ${isNullKey} THEN n ELSE 0 END), 0) FROM keys`;
}

/** Keys by content, each pair once: one grouping less than `levels`. */
function sharedContents(parts: RowParts): { readonly sql: string; readonly key: string[]; readonly content: string[] } {
  const key = aliases('k', parts.key, parts.dialect);
  const content = aliases('c', parts.content, parts.dialect);
  const sql = `SELECT DISTINCT ${[...key.selected, ...content.selected].join(', ')} FROM ${parts.from}`;
  return { sql, key: key.names, content: content.names };
}

/** Contents that several keys share, and the keys beyond one each. */
export function countLookalikes(parts: RowParts): string {
  const { sql, content } = sharedContents(parts);
  const groups = `SELECT COUNT(*) AS k FROM (${sql}) AS d GROUP BY ${content.join(', ')} HAVING COUNT(*) > 1`;
  return `SELECT COUNT(*), COALESCE(SUM(k - 1), 0) FROM (${groups}) AS p`;
}

/** For each content column: in how many keys with several versions it differs. */
export function countVersionColumns(parts: RowParts): string {
  const { sql, key, content } = levels(parts);
  const names = key.join(', ');
  const inner = content.map((name) => `CASE WHEN ${parts.dialect.varies(name)} THEN 1 ELSE 0 END AS v_${name}`).join(', ');
  const sums = content.map((name) => `SUM(v_${name})`).join(', ');
  return `${sql} SELECT ${sums} FROM (SELECT ${names}, ${inner} FROM content GROUP BY ${names} HAVING COUNT(*) > 1) AS g`;
}

/** The rows that have copies, numbered in the order they were loaded; the first is kept, the others are extra. */
function copies(parts: RowParts): string {
  const key = aliases('k', parts.key, parts.dialect);
  const content = aliases('c', parts.content, parts.dialect);
  const load = aliases('l', parts.load, parts.dialect);
  const same = [...key.names, ...content.names].join(', ');
  const order = orderOfLoad(parts.load, load.names);
  const plain = `SELECT ${[...key.selected, ...content.selected, ...load.selected].join(', ')} FROM ${parts.from}`;
  return `WITH plain AS (${plain}),
    copies AS MATERIALIZED (SELECT * FROM (SELECT plain.*, COUNT(*) OVER (PARTITION BY ${same}) AS n_rows,
      ROW_NUMBER() OVER (PARTITION BY ${same} ORDER BY ${order}) AS place FROM plain) AS numbered WHERE n_rows > 1)`;
}

/** Times first, then attempts, then the rest: what was loaded first is the one to keep. */
function orderOfLoad(load: readonly ProfiledColumn[], names: readonly string[]): string {
  const rank = ({ kind, info }: ProfiledColumn): number => (kind === 'time' ? 0 : /try|attempt/i.test(info.name) ? 1 : 2);
  const ordered = load
    .map((column, index) => ({ rank: rank(column), name: names[index] ?? '' }))
    .sort((left, right) => left.rank - right.rank);
  return ordered.length === 0 ? '1' : ordered.map(({ name }) => name).join(', ');
}

/** For each load column and value: rows kept (first in their group) and extra (loaded after). */
export function breakDownByLoad(parts: RowParts): string {
  const counts = 'COUNT(CASE WHEN place = 1 THEN 1 END) AS kept, COUNT(CASE WHEN place > 1 THEN 1 END) AS extra';
  const queries = parts.load.map(
    (_, index) =>
      `SELECT * FROM (SELECT ${index} AS i, CAST(l${index} AS TEXT) AS v, ${counts} FROM copies GROUP BY l${index} ORDER BY extra DESC, v LIMIT 101) AS b${index}`,
  );
  return `${copies(parts)} ${queries.join(' UNION ALL ')}`;
}

/** Sums over the extra copies, and over all rows of `whole`, for the columns named. */
export function sumExtraCopies(parts: RowParts, columns: readonly number[], whole: string): string {
  const sums = columns.map((index) => parts.dialect.sum(`c${index}`, parts.content[index]?.kind ?? 'decimal'));
  const extra = `SELECT ${sums.join(', ')} FROM copies WHERE place > 1`;
  const all = `SELECT ${aliases('c', parts.content, parts.dialect).selected.join(', ')} FROM ${whole}`;
  return `${copies(parts)} SELECT 0 AS part, e.* FROM (${extra}) AS e UNION ALL SELECT 1, a.* FROM (SELECT ${sums.join(', ')} FROM (${all}) AS w) AS a`;
}

/** Keys whose rows are copies of one another, most rows first, with how many rows say the same. */
export function sampleCopies(parts: RowParts, limit: number): string {
  const key = aliases('k', parts.key, parts.dialect);
  const content = aliases('c', parts.content, parts.dialect);
  const same = [...key.names, ...content.names].join(', ');
  const plain = `SELECT ${[...key.selected, ...content.selected].join(', ')} FROM ${parts.from}`;
  return `SELECT ${key.names.join(', ')}, COUNT(*) AS n FROM (${plain}) AS plain GROUP BY ${same} HAVING COUNT(*) > 1 ORDER BY n DESC, ${key.names.join(', ')} LIMIT ${limit}`;
}

/** Keys with several contents, most first, with how many. */
export function sampleVersions(parts: RowParts, limit: number): string {
  const { sql, key } = sharedContents(parts);
  const names = key.join(', ');
  return `SELECT ${names}, COUNT(*) AS v FROM (${sql}) AS d GROUP BY ${names} HAVING COUNT(*) > 1 ORDER BY v DESC, ${names} LIMIT ${limit}`;
}

/** Contents that several keys share, with the least and the greatest of the keys. */
export function sampleLookalikes(parts: RowParts, limit: number): string {
  const { sql, key, content } = sharedContents(parts);
  const [first = 'k0'] = key;
  return `SELECT MIN(${first}), MAX(${first}), COUNT(*) AS k FROM (${sql}) AS d GROUP BY ${content.join(', ')} HAVING COUNT(*) > 1 ORDER BY k DESC, 1 LIMIT ${limit}`;
}
