import type { Cell } from '../../src/core/source.ts';
import { isIdentifierName } from './load-columns.ts';
import type { ProfiledColumn } from './profile-sql.ts';
import { splitRows } from './repeated-rows.ts';
import { type Asking, runQuery } from './run-query.ts';
import type { SqlDialect } from './sql-dialect.ts';

export interface KeyCandidate {
  readonly columns: readonly ProfiledColumn[];
  readonly distinct: number;
  /** Distinct keys for each distinct row (load columns aside): 1 where the key tells all rows apart. */
  readonly share: number;
}

export interface KeyQuestion extends Asking {
  readonly from: string;
  readonly dialect: SqlDialect;
  /** The table's columns without the load columns. */
  readonly content: readonly ProfiledColumn[];
}

const ENOUGH = 0.95;
const MOST_SINGLE = 25;
const MOST_PAIRS = 40;

/**
 * Keys that tell rows apart, best first: few columns before many. Measured against the distinct rows, so that rows loaded
 * twice do not speak against a key. Empty when nothing does.
 */
export async function proposeKeys(question: KeyQuestion): Promise<readonly KeyCandidate[]> {
  const rows = await countDistinctRows(question);
  if (rows === 0) return [];
  const identifiers = question.content.filter((column) => isIdentifierName(column.info.name));
  const others = question.content.filter((column) => !identifiers.includes(column) && column.kind !== 'float' && column.kind !== 'other');
  const singles = await measureKeys(
    question,
    [...identifiers, ...others].slice(0, MOST_SINGLE).map((column) => [column]),
    rows,
  );
  const good = singles.filter(({ columns, share }) => share >= ENOUGH && identifiers.includes(columns[0] as ProfiledColumn));
  if (good.length > 0) return sortKeys(good);
  const pairs = identifiers.flatMap((first, place) => [...identifiers.slice(place + 1), ...others].map((second) => [first, second]));
  const better = (await measureKeys(question, pairs.slice(0, MOST_PAIRS), rows)).filter(({ share }) => share >= ENOUGH);
  return better.length > 0 ? sortKeys(better) : [];
}

function sortKeys(keys: readonly KeyCandidate[]): readonly KeyCandidate[] {
  const place = (key: KeyCandidate): number => key.columns.reduce((sum, column) => sum + column.info.position, 0);
  return [...keys].sort((left, right) => right.share - left.share || place(left) - place(right));
}

async function countDistinctRows({ content, ...question }: KeyQuestion): Promise<number> {
  const { repeated, repeatedRows, single } = await splitRows({ ...question, columns: content });
  if (repeatedRows === 0) return single;
  const columns = content.map((column) => question.dialect.comparable(column.sql, column.info.type)).join(', ');
  const rows = await runQuery(question, `SELECT COUNT(*) FROM (SELECT DISTINCT ${columns} FROM ${repeated}) AS d`);
  return single + Number(rows[0]?.[0] ?? 0);
}

/** Distinct keys, NULL as one value like any other, a scan for each. */
async function measureKeys(
  { from, dialect, content: _content, ...asking }: KeyQuestion,
  keys: readonly (readonly ProfiledColumn[])[],
  rows: number,
): Promise<readonly KeyCandidate[]> {
  if (keys.length === 0) return [];
  const parts = keys.map((columns, index) => {
    const list = columns.map((column) => dialect.comparable(column.sql, column.info.type)).join(', ');
    return `SELECT ${index} AS i, COUNT(*) AS n FROM (SELECT DISTINCT ${list} FROM ${from}) AS d`;
  });
  const counts = await runQuery(asking, parts.join(' UNION ALL '));
  const byIndex = new Map(counts.map(([index, count]) => [Number(index as Cell), Number(count)]));
  return keys.map((columns, index) => {
    const distinct = byIndex.get(index) ?? 0;
    return { columns, distinct, share: distinct / rows };
  });
}
