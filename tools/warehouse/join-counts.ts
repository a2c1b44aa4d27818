import type { Cell } from '../../src/core/source.ts';
import type { OpenTable } from './ask-table.ts';
import { isNumeric } from './column-class.ts';
import { type ComparedPair, comparedSql, normaliseCell } from './comparison.ts';
import { isIdentifierName } from './load-columns.ts';
import type { Sides } from './open-sides.ts';
import { readAllRows, runQuery } from './run-query.ts';

/** How rows of left find rows of right under an equality join, which never matches NULL. Counts as text-safe numbers. */
export interface JoinCounts {
  readonly leftRows: number;
  readonly rightRows: number;
  readonly none: number;
  readonly one: number;
  readonly many: number;
  readonly most: number;
  readonly innerRows: string;
  readonly leftJoinRows: string;
  readonly leftNull: number;
  readonly rightNull: number;
  readonly rightUnmatched: number;
  readonly doubleKeys: { readonly left: number; readonly right: number };
  readonly sampleMany: readonly { readonly key: readonly Cell[]; readonly left: number; readonly right: number }[];
  readonly sampleNone: readonly { readonly key: readonly Cell[]; readonly left: number }[];
}

const SAMPLES = 3;
const MOST_SUMS = 4;
const MOST_KEYS = { maxRows: 200_000, maxBytes: 128_000_000 };

function keysSql(table: OpenTable, on: readonly ComparedPair[], side: 'left' | 'right', more: readonly string[] = []): string {
  const keys = on.map((pair, index) => `${comparedSql(pair[side], pair.as, table.engine.dialect)} AS k${index}`);
  const names = on.map((_, index) => `k${index}`).join(', ');
  const isNull = on.map((_, index) => `k${index} IS NULL`).join(' OR ');
  const sums = sumsOf(table, more);
  const columns = more.map((column) => `, ${column}`).join('');
  return `SELECT ${names}, COUNT(*) AS n, CASE WHEN ${isNull} THEN 1 ELSE 0 END AS is_null${sums} FROM (SELECT ${keys.join(', ')}${columns} FROM ${table.from}) AS keyed GROUP BY ${names}`;
}

function sumsOf(table: OpenTable, columns: readonly string[]): string {
  return columns
    .map((sql, index) => `, ${table.dialect.sum(sql, table.columns.find((column) => column.sql === sql)?.kind ?? 'decimal')} AS s${index}`)
    .join('');
}

function joined({ left, right }: Sides, on: readonly ComparedPair[], more: readonly string[] = []): string {
  const equal = on.map((_, index) => `l.k${index} = r.k${index}`).join(' AND ');
  return `WITH l AS (${keysSql(left, on, 'left', more)}), r AS (${keysSql(right, on, 'right')}),
    j AS (SELECT l.*, COALESCE(r.n, 0) AS m FROM l LEFT JOIN r ON ${equal})`;
}

/** Counts of two tables of one engine. */
export async function countTogether(sides: Sides, on: readonly ComparedPair[]): Promise<JoinCounts> {
  const { left } = sides;
  const base = joined(sides, on);
  const sum = (condition: string, value = 'n'): string => `COALESCE(SUM(CASE WHEN ${condition} THEN ${value} END), 0)`;
  const counts = `${base} SELECT COALESCE(SUM(n), 0), ${sum('m = 0')}, ${sum('m = 1')}, ${sum('m > 1')}, MAX(m), COALESCE(SUM(n * m), 0), ${sum('m = 0')} + COALESCE(SUM(n * m), 0),
    ${sum('is_null = 1')}, COUNT(CASE WHEN n > 1 THEN 1 END) FROM j`;
  const [[leftRows, none, one, many, most, inner, leftJoin, leftNull, leftDouble] = []] = await runQuery(left, counts);
  const equal = on.map((_, index) => `l.k${index} = r.k${index}`).join(' AND ');
  const rights = `${base} SELECT COALESCE(SUM(r.n), 0), COALESCE(SUM(CASE WHEN r.is_null = 1 THEN r.n END), 0), COALESCE(SUM(CASE WHEN l.n IS NULL THEN r.n END), 0),
    COUNT(CASE WHEN r.n > 1 THEN 1 END) FROM r LEFT JOIN l ON ${equal}`;
  const [[rightRows, rightNull, rightUnmatched, rightDouble] = []] = await runQuery(left, rights);
  const names = on.map((_, index) => `k${index}`).join(', ');
  const manyRows =
    Number(many) === 0
      ? []
      : await runQuery(left, `${base} SELECT ${names}, n, m FROM j WHERE m > 1 ORDER BY n * m DESC, ${names} LIMIT ${SAMPLES}`);
  const noneRows =
    Number(none) === 0
      ? []
      : await runQuery(left, `${base} SELECT ${names}, n FROM j WHERE m = 0 AND is_null = 0 ORDER BY n DESC, ${names} LIMIT ${SAMPLES}`);
  return {
    leftRows: Number(leftRows),
    rightRows: Number(rightRows),
    none: Number(none),
    one: Number(one),
    many: Number(many),
    most: Number(most ?? 0),
    innerRows: String(inner),
    leftJoinRows: String(leftJoin),
    leftNull: Number(leftNull),
    rightNull: Number(rightNull),
    rightUnmatched: Number(rightUnmatched),
    doubleKeys: { left: Number(leftDouble), right: Number(rightDouble) },
    sampleMany: manyRows.map((row) => ({ key: row.slice(0, on.length), left: Number(row.at(-2)), right: Number(row.at(-1)) })),
    sampleNone: noneRows.map((row) => ({ key: row.slice(0, on.length), left: Number(row.at(-1)) })),
  };
}

interface KeyCount {
  readonly key: readonly Cell[];
  readonly left: number;
  readonly right: number;
  readonly isNull: boolean;
}

/** Counts of tables of two engines, from their keys. @throws QueryError `too_many_rows` for more keys than can be held. */
export async function countApart(sides: Sides, on: readonly ComparedPair[]): Promise<JoinCounts> {
  const keys = new Map<string, KeyCount>();
  for (const side of ['left', 'right'] as const) {
    for (const row of await readAllRows(sides[side], keysSql(sides[side], on, side), MOST_KEYS)) {
      const key = row.slice(0, on.length);
      const name = JSON.stringify(key.map((cell, index) => normaliseCell(cell, on[index]?.as ?? 'text')));
      const known = keys.get(name) ?? { key, left: 0, right: 0, isNull: key.includes(null) };
      keys.set(name, { ...known, [side]: known[side] + Number(row[on.length]) });
    }
  }
  const all = [...keys.values()];
  const sum = (of: (item: KeyCount) => boolean, side: 'left' | 'right'): number =>
    all.filter(of).reduce((total, item) => total + item[side], 0);
  const matches = ({ right, isNull }: KeyCount): number => (isNull ? 0 : right);
  const inner = all.reduce((total, item) => total + BigInt(item.left) * BigInt(matches(item)), 0n);
  const none = sum((item) => matches(item) === 0, 'left');
  const many = all.filter((item) => item.left > 0 && matches(item) > 1).sort((a, b) => b.left * b.right - a.left * a.right);
  return {
    leftRows: sum(() => true, 'left'),
    rightRows: sum(() => true, 'right'),
    none,
    one: sum((item) => matches(item) === 1, 'left'),
    many: sum((item) => matches(item) > 1, 'left'),
    most: all.reduce((most, item) => Math.max(most, item.left > 0 ? matches(item) : 0), 0),
    innerRows: String(inner),
    leftJoinRows: String(inner + BigInt(none)),
    leftNull: sum((item) => item.isNull, 'left'),
    rightNull: sum((item) => item.isNull, 'right'),
    rightUnmatched: sum((item) => item.isNull || item.left === 0, 'right'),
    doubleKeys: { left: all.filter((item) => item.left > 1).length, right: all.filter((item) => item.right > 1).length },
    sampleMany: many.slice(0, SAMPLES),
    sampleNone: all.filter((item) => item.left > 0 && item.right === 0 && !item.isNull).slice(0, SAMPLES),
  };
}

/** What a left join does to the sums of left's numbers: before it and after. */
export async function sumInflation(sides: Sides, on: readonly ComparedPair[]) {
  const { left } = sides;
  const numbers = left.columns
    .filter(({ kind, info }) => isNumeric(kind) && !isIdentifierName(info.name) && !on.some((pair) => pair.left.info === info))
    .slice(0, MOST_SUMS);
  if (numbers.length === 0) return [];
  const base = joined(
    sides,
    on,
    numbers.map(({ sql }) => sql),
  );
  const sums = numbers.flatMap((_, index) => [`SUM(s${index})`, `SUM(s${index} * CASE WHEN m = 0 THEN 1 ELSE m END)`]);
  const [row = []] = await runQuery(left, `${base} SELECT ${sums.join(', ')} FROM j`);
  return numbers.map((column, index) => ({ column, before: row[index * 2] ?? null, after: row[index * 2 + 1] ?? null }));
}

/** Rows of left without a match that would have one if case and blanks at the ends did not count; for one text key. */
export async function countAlmost(sides: Sides, on: readonly ComparedPair[]): Promise<number | undefined> {
  const [only] = on;
  if (on.length !== 1 || only?.as !== 'text') return undefined;
  const base = joined(sides, on);
  const [[rows] = []] = await runQuery(
    sides.left,
    `${base} SELECT COALESCE(SUM(n), 0) FROM j WHERE m = 0 AND LOWER(TRIM(k0)) IN (SELECT LOWER(TRIM(k0)) FROM r WHERE k0 IS NOT NULL)`,
  );
  return Number(rows ?? 0);
}
