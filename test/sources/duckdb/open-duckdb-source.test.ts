import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { FileAccessError, type Source, TableNotFoundError } from '../../../src/core/source.ts';
import { openDuckDbSource } from '../../../src/sources/duckdb/open-duckdb-source.ts';

let root: string;
let source: Source;
const scope = new Scope();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'soloist-duckdb-file-'));
  await mkdir(join(root, 'scratch'));
  await makeFile('shop.duckdb', [
    'CREATE TABLE orders (order_id BIGINT PRIMARY KEY, amount DECIMAL(12,2) NOT NULL)',
    'INSERT INTO orders VALUES (1, 1.5), (2, 2.5), (3, 3.5)',
    'DELETE FROM orders WHERE order_id = 2',
    'CREATE SCHEMA mart',
    'CREATE TABLE mart."order ""lines" (order_id BIGINT, line INTEGER, PRIMARY KEY (line, order_id))',
    'CREATE TABLE mart.lines (a INTEGER)',
    'CREATE VIEW big_orders AS SELECT * FROM orders WHERE amount > 3',
  ]);
  source = await openDuckDbSource({ name: 'shop', kind: 'duckdb', paths: [join(root, 'shop.duckdb')] }, { scratch: join(root, 'scratch') });
});

afterAll(async () => {
  await source.close();
  await rm(root, { recursive: true });
});

async function makeFile(name: string, statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(join(root, name));
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

async function query(sql: string) {
  return source.tables!.query({ sql, maxRows: 10, maxBytes: 100_000, timeoutMs: 10_000, scope });
}

describe('a DuckDB file as a source', () => {
  it('lists tables of all schemas with exact rows, and views', async () => {
    const { tables } = await source.tables!.listTables(scope);
    expect(tables).toEqual([
      { name: 'big_orders', kind: 'view' },
      { name: 'orders', kind: 'table', rows: { count: '2', exact: true } },
      { name: 'mart.lines', kind: 'table', rows: { count: '0', exact: true } },
      { name: 'mart.order "lines', kind: 'table', rows: { count: '0', exact: true } },
    ]);
  });

  it('describes columns and the primary key in its order', async () => {
    expect(await source.tables!.describeTable('orders', scope)).toMatchObject({
      name: 'orders',
      columns: [
        { name: 'order_id', type: 'BIGINT', nullable: false, position: 1 },
        { name: 'amount', type: 'DECIMAL(12,2)', nullable: false, position: 2 },
      ],
      primaryKey: ['order_id'],
      typesFrom: 'declared',
    });
    expect((await source.tables!.describeTable('mart.order "lines', scope)).primaryKey).toEqual(['line', 'order_id']);
  });

  it('gives a relation that can be queried, by a name of any case', async () => {
    expect(await source.tables!.relation('ORDERS', scope)).toBe('"main"."orders"');
    const relation = await source.tables!.relation('mart.order "lines', scope);
    expect(await query(`SELECT COUNT(*) FROM ${relation}`)).toMatchObject({ ok: true, rows: [[0]] });
  });

  it('takes a name with its schema quoted as a whole or part by part', async () => {
    for (const name of ['mart.lines', '"mart"."lines"', '"mart.lines"', 'MART.lines'])
      expect(await query(`SELECT COUNT(*) FROM ${name}`), name).toMatchObject({ ok: true, rows: [[0]] });
    expect((await source.tables!.describeTable('"mart"."lines"', scope)).name).toBe('mart.lines');
  });

  it('names the nearest table for one that does not exist', async () => {
    await expect(source.tables!.describeTable('ordrs', scope)).rejects.toThrow(TableNotFoundError);
    await expect(source.tables!.describeTable('ordrs', scope)).rejects.toThrow('did you mean "orders"?');
  });

  it('changes nothing and reads no other file', async () => {
    for (const sql of [
      'DELETE FROM orders',
      'WITH x AS (SELECT 1) DELETE FROM orders',
      'INSERT INTO orders VALUES (9, 9)',
      'UPDATE orders SET amount = 0',
    ])
      expect(await query(sql)).toMatchObject({ ok: false });
    await writeFile(join(root, 'beside.csv'), 'a\n1\n');
    expect(await query(`SELECT * FROM read_csv('${root}/beside.csv')`)).toMatchObject({ ok: false });
    expect(await query('SELECT COUNT(*) FROM orders')).toMatchObject({ ok: true, rows: [[2]] });
  });

  it('reads nothing from a file whose view calls what a query may not', async () => {
    await makeFile('trap.duckdb', ['CREATE TABLE t AS SELECT 1 AS a', `CREATE VIEW v AS SELECT * FROM enable_logging()`]);
    const trap = await openDuckDbSource(
      { name: 'trap', kind: 'duckdb', paths: [join(root, 'trap.duckdb')] },
      { scratch: join(root, 'scratch') },
    );
    const outcome = await trap.tables!.query({ sql: 'SELECT * FROM v', maxRows: 1, maxBytes: 1_000, timeoutMs: 5_000, scope });
    expect(outcome).toMatchObject({ ok: false, status: 'refused', code: 'unsafe_function' });
    await trap.close();
  });

  it('says what is wrong with a missing file and with one that is no database', async () => {
    await expect(
      openDuckDbSource({ name: 'x', kind: 'duckdb', paths: [join(root, 'none.duckdb')] }, { scratch: join(root, 'scratch') }),
    ).rejects.toThrow(FileAccessError);
    await writeFile(join(root, 'text.duckdb'), 'this is a text that is no database at all\n'.repeat(500));
    await expect(
      openDuckDbSource({ name: 'x', kind: 'duckdb', paths: [join(root, 'text.duckdb')] }, { scratch: join(root, 'scratch') }),
    ).rejects.toThrow(/text\.duckdb cannot be opened as a DuckDB file/);
  });
});
