import type { Cell } from '../../src/core/source.ts';
import type { OpenTable } from './ask-table.ts';
import { type ComparedPair, type Comparison, type ComparisonQuestion, comparedSql } from './comparison.ts';
import { exactText } from './exact-number.ts';
import type { Sides } from './open-sides.ts';
import { runQuery } from './run-query.ts';

/**
 * Compares two tables of one engine: both are put under one another and grouped by key, which takes NULL as a value and needs
 * no join. A key with one row on each side has its values compared.
 */
export async function compareTogether(sides: Sides, question: ComparisonQuestion): Promise<Comparison> {
  const parts = buildParts(sides, question);
  const [row = []] = await runQuery(sides.left, countsSql(parts));
  const [
    keys = 0,
    leftRows = 0,
    rightRows = 0,
    compared = 0,
    changed = 0,
    lk = 0,
    lr = 0,
    rk = 0,
    rr = 0,
    dlk = 0,
    dlr = 0,
    drk = 0,
    drr = 0,
    nl = 0,
    nr = 0,
    ...changedBy
  ] = row.map((cell) => Number(cell ?? 0));
  const asked = { table: sides.left, parts, question };
  return {
    keys,
    leftRows,
    rightRows,
    compared,
    changed,
    onlyLeft: { keys: lk, rows: lr },
    onlyRight: { keys: rk, rows: rr },
    doubleLeft: { keys: dlk, rows: dlr },
    doubleRight: { keys: drk, rows: drr },
    nullLeft: nl,
    nullRight: nr,
    changedBy,
    samples: {
      onlyLeft: lk === 0 ? [] : await sampleKeys(asked, 'nr = 0'),
      onlyRight: rk === 0 ? [] : await sampleKeys(asked, 'nl = 0'),
      double: dlk + drk === 0 ? [] : await sampleDouble(asked),
      changed: changed === 0 ? [] : await sampleChanged(asked, changedBy),
    },
  };
}

interface Parts {
  readonly keys: readonly string[];
  readonly sql: string;
  /** SQL over `grouped` for each content column: true where both sides differ. */
  readonly differs: readonly string[];
}

interface Asked {
  readonly table: OpenTable;
  readonly parts: Parts;
  readonly question: ComparisonQuestion;
}

function buildParts({ left, right }: Sides, { key, content, tolerance }: ComparisonQuestion): Parts {
  const { dialect } = left.engine;
  const keys = key.map((_, index) => `k${index}`);
  const keysOf = (side: 'left' | 'right'): string[] =>
    key.map((pair, index) => `${comparedSql(pair[side], pair.as, dialect)} AS k${index}`);
  const valuesOf = (side: 'left' | 'right', name: string): string[] =>
    content.map((pair, index) => `${comparedSql(pair[side], pair.as, dialect)} AS ${name}${index}`);
  const empty = (name: string): string[] => content.map((_, index) => `NULL AS ${name}${index}`);
  const upper = [...keysOf('left'), ...valuesOf('left', 'a'), ...empty('b'), '1 AS l', '0 AS r'].join(', ');
  const lower = [...keysOf('right'), ...empty('a'), ...valuesOf('right', 'b'), '0 AS l', '1 AS r'].join(', ');
  const values = content.flatMap((_, index) => [`MAX(a${index}) AS a${index}`, `MAX(b${index}) AS b${index}`]);
  const sql = `WITH both_sides AS (SELECT ${upper} FROM ${left.from} UNION ALL SELECT ${lower} FROM ${right.from}),
    grouped AS (SELECT ${[...keys, 'SUM(l) AS nl', 'SUM(r) AS nr', ...values].join(', ')} FROM both_sides GROUP BY ${keys.join(', ')})`;
  const differs = content.map((pair, index) =>
    differsSql(pair, index, tolerance === undefined || pair.as !== 'number' ? undefined : exactText(tolerance)),
  );
  return { keys, sql, differs };
}

/** NaN equals NaN and NULL equals NULL here. Whole numbers are widened, so that their difference is one too. */
function differsSql({ left, right }: ComparedPair, index: number, tolerance: string | undefined): string {
  const [a, b] = [`a${index}`, `b${index}`];
  if (tolerance === undefined) return `a${index} IS DISTINCT FROM b${index}`;
  const wide = (name: string): string => (left.kind === 'integer' && right.kind === 'integer' ? `CAST(${name} AS DECIMAL(38, 0))` : name);
  return `(${a} IS DISTINCT FROM ${b} AND NOT COALESCE(ABS(${wide(a)} - ${wide(b)}) <= ${tolerance}, ${a} IS NULL AND ${b} IS NULL))`;
}

const COMPARED = 'nl = 1 AND nr = 1';

function countsSql({ keys, sql, differs }: Parts): string {
  const count = (condition: string): string => `COUNT(CASE WHEN ${condition} THEN 1 END)`;
  const sum = (condition: string, value: string): string => `SUM(CASE WHEN ${condition} THEN ${value} END)`;
  const isNull = keys.map((name) => `${name} IS NULL`).join(' OR ');
  const any = differs.length === 0 ? '1 = 0' : differs.join(' OR ');
  const counts = [
    'COUNT(*)',
    'SUM(nl)',
    'SUM(nr)',
    count(COMPARED),
    count(`${COMPARED} AND (${any})`),
    ...[count('nr = 0'), sum('nr = 0', 'nl'), count('nl = 0'), sum('nl = 0', 'nr')],
    ...[count('nl > 1'), sum('nl > 1', 'nl'), count('nr > 1'), sum('nr > 1', 'nr')],
    ...[sum(isNull, 'nl'), sum(isNull, 'nr')],
    ...differs.map((differ) => count(`${COMPARED} AND ${differ}`)),
  ];
  return `${sql} SELECT ${counts.join(', ')} FROM grouped`;
}

function sampleKeys({ table, parts: { keys, sql }, question }: Asked, condition: string): Promise<readonly (readonly Cell[])[]> {
  const list = keys.join(', ');
  return runQuery(table, `${sql} SELECT ${list} FROM grouped WHERE ${condition} ORDER BY ${list} LIMIT ${question.samples}`);
}

async function sampleDouble({ table, parts: { keys, sql }, question }: Asked) {
  const list = keys.join(', ');
  const rows = await runQuery(
    table,
    `${sql} SELECT ${list}, nl, nr FROM grouped WHERE nl > 1 OR nr > 1 ORDER BY nl + nr DESC, ${list} LIMIT ${question.samples}`,
  );
  return rows.map((row) => ({ key: row.slice(0, keys.length), left: Number(row.at(-2)), right: Number(row.at(-1)) }));
}

/** Rows that differ, with those columns that do. */
async function sampleChanged({ table, parts: { keys, sql, differs }, question }: Asked, changedBy: readonly number[]) {
  const places = changedBy.flatMap((rows, index) => (rows > 0 ? [index] : []));
  const list = keys.join(', ');
  const values = places.flatMap((index) => [`CASE WHEN ${differs[index]} THEN 1 ELSE 0 END`, `a${index}`, `b${index}`]).join(', ');
  const any = places.map((index) => differs[index]).join(' OR ');
  const rows = await runQuery(
    table,
    `${sql} SELECT ${list}, ${values} FROM grouped WHERE ${COMPARED} AND (${any}) ORDER BY ${list} LIMIT ${question.samples}`,
  );
  return rows.map((row) => {
    const differ = places.flatMap((index, place) =>
      Number(row[keys.length + place * 3]) === 1 ? [{ index, at: keys.length + place * 3 }] : [],
    );
    return {
      key: row.slice(0, keys.length),
      columns: differ.map(({ index }) => index),
      left: differ.map(({ at }) => row[at + 1] ?? null),
      right: differ.map(({ at }) => row[at + 2] ?? null),
    };
  });
}
