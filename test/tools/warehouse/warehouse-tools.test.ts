import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeTable } from '../../../tools/warehouse/describe-table.ts';
import { findDuplicates } from '../../../tools/warehouse/find-duplicates.ts';
import { listTables } from '../../../tools/warehouse/list-tables.ts';
import { profileTable } from '../../../tools/warehouse/profile-table.ts';
import { querySql } from '../../../tools/warehouse/query-sql.ts';
import { openTestTables, type TestTables } from './open-test-tables.ts';

/** What the dispatcher shows a model of one result. */
const RESULT_CHARACTERS = 10_000;

let tables: TestTables;

beforeAll(async () => {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const wide = Array.from({ length: 600 }, (_, index) => `${index % 3} AS ${quoted(`column ${'"\\ü'.repeat(60)} ${index}`)}`);
  const loads = Array.from(
    { length: 60 },
    (_, index) => `repeat(chr(1), 500) || (i // 20 % 9)::TEXT || chr(${65 + (index % 20)}) AS _load_${'x'.repeat(120)}_${index}`,
  );
  tables = await openTestTables({
    duckdb: [
      'CREATE TABLE orders AS SELECT i AS order_id, 9007199254740993 + i AS big, 1.10::DECIMAL(10,2) AS amount FROM range(2000) r(i)',
      `CREATE TABLE wide AS SELECT ${wide.join(', ')} FROM range(3)`,
      `CREATE TABLE texts AS SELECT repeat(chr(1), 100000) AS a, repeat('"', 100000) AS b, repeat('😀', 100000) AS c, i // 2 AS id FROM range(40) r(i)`,
      `CREATE TABLE loads AS SELECT i // 2 AS id, repeat('\\', 300) AS text, i AS price, ${loads.join(', ')} FROM range(40) r(i)`,
      ...Array.from({ length: 300 }, (_, index) => `CREATE VIEW ${quoted(`stg_${'"'.repeat(200)}_${index}`)} AS SELECT 1 AS a`),
    ],
    sqlite: ['CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT)', `INSERT INTO customers VALUES (1, 'a')`],
  });
});

afterAll(() => tables.close());

describe('list_tables', () => {
  it('lists the tables of all sources with rows', async () => {
    const { data } = await tables.call(listTables, { pattern: 'o*r*s' });
    expect(data.tables).toEqual([{ source: 'duck', name: 'orders', kind: 'table', rows: '2000', rows_exact: true }]);
    const { data: other } = await tables.call(listTables, { source: 'lite' });
    expect(other.tables).toMatchObject([{ source: 'lite', name: 'customers', rows: '1', rows_exact: true }]);
  });

  it('pages with totals', async () => {
    const first = await tables.call(listTables, { source: 'duck', limit: 5 });
    expect(first).toMatchObject({ status: 'partial', complete: false, total: 304, returned: 5 });
    const next = await tables.call(listTables, { source: 'duck', limit: 5, offset: 5 });
    const names = [...first.data.tables, ...next.data.tables].map(({ name }: { name: string }) => name);
    expect(new Set(names).size).toBe(10);
  });

  it('answers no_data when nothing fits and refuses an unknown source', async () => {
    expect(await tables.call(listTables, { pattern: 'zzz' })).toMatchObject({ status: 'no_data', total: 0 });
    expect(await tables.call(listTables, { source: 'duk' })).toMatchObject({ status: 'refused' });
  });
});

describe('describe_table', () => {
  it('describes columns, key and where the types come from', async () => {
    expect(await tables.call(describeTable, { table: 'customers', source: 'lite' })).toMatchObject({
      status: 'ok',
      total: 2,
      data: {
        primary_key: ['id'],
        types_from: 'declared',
        columns: [
          { name: 'id', type: 'INTEGER', position: 1 },
          { name: 'name', type: 'TEXT' },
        ],
      },
    });
  });

  it('pages wide tables by columns', async () => {
    const first = await tables.call(describeTable, { table: 'wide', source: 'duck' });
    expect(first).toMatchObject({ status: 'partial', total: 600 });
    const next = await tables.call(describeTable, { table: 'wide', source: 'duck', from_column: (first.returned ?? 0) + 1 });
    expect(next.data.columns[0].position).toBe((first.returned ?? 0) + 1);
  });
});

describe('query_sql', () => {
  it('returns exact rows with types', async () => {
    expect(await tables.call(querySql, { sql: 'SELECT * FROM orders ORDER BY order_id LIMIT 1', source: 'duck' })).toMatchObject({
      status: 'ok',
      complete: true,
      total: 1,
      data: {
        columns: [
          { name: 'order_id', type: 'BIGINT' },
          { name: 'big', type: 'BIGINT' },
          { name: 'amount', type: 'DECIMAL(10,2)' },
        ],
        rows: [[0, '9007199254740993', '1.10']],
        truncated: false,
      },
    });
  });

  it('says that there are more rows', async () => {
    const outcome = await tables.call(querySql, { sql: 'SELECT * FROM orders', source: 'duck' });
    expect(outcome).toMatchObject({ status: 'partial', complete: false, returned: 50, data: { truncated: true } });
    expect(outcome.total).toBeUndefined();
    expect(outcome.warnings.map(({ code }) => code)).toEqual(['rows_truncated']);
  });

  it('leaves out whole rows that do not fit and counts them', async () => {
    const outcome = await tables.call(querySql, { sql: 'SELECT * FROM orders LIMIT 1000', source: 'duck', max_rows: 1000 });
    expect(outcome).toMatchObject({ status: 'partial', total: 1000, data: { truncated: true } });
    expect(outcome.returned).toBe(outcome.data.rows.length);
    expect(outcome.data.rows.at(-1)).toHaveLength(3);
  });

  it('says how long a cut text is', async () => {
    const outcome = await tables.call(querySql, { sql: `SELECT repeat('x', 5000)`, source: 'duck' });
    expect(outcome.data.rows[0][0]).toBe(`${'x'.repeat(300)}… (5000 characters)`);
    expect(outcome.status).toBe('partial');
  });

  it('answers no_data, refuses what is no SELECT, and passes errors on', async () => {
    expect(await tables.call(querySql, { sql: 'SELECT * FROM orders WHERE false', source: 'duck' })).toMatchObject({ status: 'no_data' });
    for (const source of ['duck', 'lite'])
      expect(await tables.call(querySql, { sql: 'DROP TABLE customers', source })).toMatchObject({ status: 'refused' });
    expect(await tables.call(querySql, { sql: 'SELECT nope FROM orders', source: 'duck' })).toMatchObject({ status: 'error' });
    expect(await tables.call(querySql, { sql: 'SELECT 1' })).toMatchObject({
      status: 'refused',
      data: { message: expect.stringContaining('duck, lite') },
    });
  });

  it('stops with its timeout', async () => {
    const sql = 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT COUNT(*) FROM r';
    for (const source of ['duck', 'lite'])
      expect(await tables.call(querySql, { sql, source, timeout_seconds: 0.3 })).toMatchObject({
        status: 'error',
        warnings: [{ code: 'timeout' }],
      });
  });
});

describe('the size of results', () => {
  it.each([
    [listTables, { limit: 500 }],
    [describeTable, { table: 'wide' }],
    [profileTable, { table: 'wide' }],
    [profileTable, { table: 'texts' }],
    [profileTable, { table: 'loads' }],
    [profileTable, { table: 'wide', columns: ['x'.repeat(5_000)] }],
    [findDuplicates, { table: 'wide' }],
    [findDuplicates, { table: 'texts' }],
    [findDuplicates, { table: 'texts', key: ['a', 'b'] }],
    [findDuplicates, { table: 'loads' }],
    [findDuplicates, { table: 'loads', key: ['id'], where: `text <> '${'y'.repeat(1_500)}'` }],
    [findDuplicates, { table: 'z'.repeat(3_000) }],
    [querySql, { sql: 'SELECT * FROM wide' }],
    [querySql, { sql: 'SELECT * FROM texts' }],
    [querySql, { sql: 'SELECT * FROM loads', max_rows: 1000 }],
    [querySql, { sql: `SELECT ${'"n'.repeat(3_000)}` }],
  ])('stays below what a model is shown: %# ', async (tool, input) => {
    const outcome = await tables.call(tool, { source: 'duck', ...input });
    const { again: _again, ...shown } = { id: 'r999', tool: tool.name, again: undefined, ...outcome };
    expect(JSON.stringify(shown).length).toBeLessThan(RESULT_CHARACTERS);
    expect(outcome.complete).toBe(outcome.status === 'ok');
  });
});
