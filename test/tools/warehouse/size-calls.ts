import type { Tool } from '../../../src/core/tool.ts';
import { checkSql } from '../../../tools/warehouse/check-sql.ts';
import { compareTables } from '../../../tools/warehouse/compare-tables.ts';
import { describeTable } from '../../../tools/warehouse/describe-table.ts';
import { diffSchema } from '../../../tools/warehouse/diff-schema.ts';
import { findDuplicates } from '../../../tools/warehouse/find-duplicates.ts';
import { freshness } from '../../../tools/warehouse/freshness.ts';
import { joinMultiplicity } from '../../../tools/warehouse/join-multiplicity.ts';
import { lateness } from '../../../tools/warehouse/lateness.ts';
import { listTables } from '../../../tools/warehouse/list-tables.ts';
import { profileTable } from '../../../tools/warehouse/profile-table.ts';
import { profileTables } from '../../../tools/warehouse/profile-tables.ts';
import { querySql } from '../../../tools/warehouse/query-sql.ts';
import { reconcileDays } from '../../../tools/warehouse/reconcile-days.ts';
import { rowCounts } from '../../../tools/warehouse/row-counts.ts';
import { validateContract } from '../../../tools/warehouse/validate-contract.ts';
import { openTestTables, type TestTables } from './open-test-tables.ts';

/** 2,500 tokens of four characters, less what the envelope of a result takes. */
export const MOST_CHARACTERS = 9_900;

/** Names that are long and need escapes. */
const longName = (index: number): string => `${'a "wide" \\ näme '.repeat(12)}${index}`;
const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const LONG = Array.from({ length: 300 }, (_, index) => longName(index));
const TEXT = `'${'"\\é\n'.repeat(300)}'`;

export type SizeTables = Pick<TestTables, 'call' | 'close'>;

/** Two tables of so many columns, and others with long names, long texts and many days. */
export async function openSizeTables(columnCount: number): Promise<SizeTables> {
  const columns = Array.from({ length: columnCount }, (_, index) => `c${index} INTEGER`).join(', ');
  const wide = Array.from({ length: 1_000 }, (_, index) => `i AS c${index}`).join(', ');
  const named = LONG.map(
    (name, index) =>
      `${index % 3 === 0 ? `${TEXT} || i` : index % 3 === 1 ? `DATE '2000-01-01' + i::INTEGER` : 'i * 1.5'} AS ${quote(name)}`,
  ).join(', ');
  const widest = await openTestTables({
    duckdb: [`CREATE TABLE widest (${columns})`, `CREATE TABLE widest2 (${columns.replaceAll('c9', 'd9')})`],
  });
  const rest = await openTestTables({
    duckdb: [
      `CREATE TABLE wide AS SELECT ${wide} FROM range(3) r(i)`,
      `CREATE TABLE wide2 AS SELECT ${wide.replaceAll('i AS', 'i + 1 AS')} FROM range(1, 4) r(i)`,
      `CREATE TABLE named AS SELECT ${named} FROM range(5) r(i)`,
      `CREATE TABLE named2 AS SELECT ${named.replaceAll(' AS "', ' AS "x')} FROM range(5) r(i)`,
      `CREATE TABLE days AS SELECT i AS id, ${TEXT} || i AS said, TIMESTAMP '1999-01-01' + INTERVAL (i) HOUR AS at, TIMESTAMP '1999-01-03' + INTERVAL (i * 7 % 5000) HOUR AS loaded_at, i * 1.25 AS amount FROM range(0, 15000, 3) r(i)`,
      `CREATE TABLE days2 AS SELECT id + 7500 AS id, said, "at" + INTERVAL 3 DAY AS at, loaded_at, amount * 3 AS amount FROM days`,
      ...Array.from({ length: 25 }, (_, index) => `CREATE TABLE ${quote(`${longName(index)} t`)} (a INTEGER, b TIMESTAMP)`),
    ],
  });
  return {
    call: (tool, input = {}) => (JSON.stringify(input).includes('widest') ? widest : rest).call(tool, input),
    close: async () => {
      await rest.close();
      await widest.close();
    },
  };
}

const checks = LONG.map((name) => ({ check: 'not_null', column: name }));
const contract = JSON.stringify({
  models: [{ name: 'named', columns: LONG.slice(0, 60).map((name) => ({ name, data_type: 'INTEGER', tests: ['unique', `${name}.odd`] })) }],
});
const first = quote(LONG[0] ?? '');

/** Calls of every tool of tables, on input that is as large and odd as it gets. */
export const SIZE_CALLS: readonly (readonly [Tool, Record<string, unknown>])[] = [
  ...['widest', 'named', 'days'].flatMap((table) =>
    [describeTable, profileTable, findDuplicates, freshness, rowCounts, lateness].map((tool) => [tool, { table }] as const),
  ),
  ...[
    ['widest', 'widest2'],
    ['wide', 'wide2'],
    ['named', 'named2'],
    ['days', 'days2'],
  ].flatMap(([left, right]) => [compareTables, reconcileDays, diffSchema].map((tool) => [tool, { left, right }] as const)),
  [compareTables, { left: 'days', right: 'days2', key: ['said', 'id'], samples: 20 }],
  [compareTables, { left: 'wide', right: 'wide2', key: ['c0'], samples: 20 }],
  [compareTables, { left: 'named', right: 'named', key: LONG.slice(0, 20), samples: 20 }],
  [reconcileDays, { left: 'days', right: 'days2', left_time: 'at', right_time: 'at' }],
  [rowCounts, { table: 'days', time_column: 'at', grain: 'hour' }],
  [rowCounts, { table: 'days', time_column: 'at', zone: 'Europe/Berlin' }],
  [lateness, { table: 'days', event_time: 'at', load_time: 'loaded_at' }],
  [joinMultiplicity, { left: 'days', right: 'days2', on: ['said'] }],
  [joinMultiplicity, { left: 'named', right: 'named', on: LONG.slice(0, 9) }],
  [joinMultiplicity, { left: 'widest', right: 'widest2', on: ['c0'] }],
  [diffSchema, { pattern: '*t' }],
  [profileTables, {}],
  [profileTables, { tables: Array.from({ length: 40 }, (_, index) => longName(index)) }],
  [listTables, {}],
  [checkSql, { sql: 'SELECT * FROM widest' }],
  [checkSql, { sql: 'SELECT * FROM named' }],
  [checkSql, { sql: `SELECT ${first} FROM ${Array.from({ length: 60 }, (_, index) => quote(longName(index + 400))).join(', ')}` }],
  [querySql, { sql: 'SELECT * FROM wide' }],
  [querySql, { sql: 'SELECT * FROM named' }],
  [validateContract, { table: 'named', checks: checks.slice(0, 200) }],
  [validateContract, { table: 'named', contract }],
  [validateContract, { table: 'widest', checks: [{ check: 'required_columns', columns: LONG }] }],
];
