import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import type { QueryRequest, Source } from '../../../src/core/source.ts';
import { openPostgresSource } from '../../../src/sources/postgres/open-postgres-source.ts';
import { POSTGRES_MISSING, startPostgres, type TemporaryPostgres } from './temporary-postgres.ts';

const scope = new Scope();

describe.skipIf(POSTGRES_MISSING !== undefined)(`a PostgreSQL database as a source ${POSTGRES_MISSING ?? ''}`, () => {
  let server: TemporaryPostgres;
  let source: Source;

  beforeAll(async () => {
    server = await startPostgres();
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query(`
      CREATE TABLE orders (order_id bigint PRIMARY KEY, amount numeric(20,4), at timestamptz, raw bytea, ratio double precision, extra jsonb);
      INSERT INTO orders VALUES (9007199254740993, 12345678901234.5678, '2020-01-01 00:00:00.123456+02', '\\x00ff', 'NaN', '{"a": 1}'),
        (1, NULL, 'infinity', NULL, '-Infinity', NULL);
      CREATE SCHEMA mart; CREATE TABLE mart."order ""lines" (order_id int, line int, PRIMARY KEY (line, order_id));
      CREATE VIEW big AS SELECT * FROM orders WHERE amount > 10; CREATE SEQUENCE numbers`);
    await client.end();
    source = await openPostgresSource({ name: 'shop', kind: 'postgres', paths: [], url: server.url }, { scratch: '' });
  });

  afterAll(async () => {
    await source.close();
    server.stop();
  });

  const query = (sql: string, changes: Partial<QueryRequest> = {}) =>
    source.tables!.query({ sql, maxRows: 10, maxBytes: 100_000, timeoutMs: 10_000, scope, ...changes });

  it('shows where it is without user and password', () => {
    expect(source.location).toMatch(/^postgres:\/\/127\.0\.0\.1:\d+\/postgres$/);
  });

  it('lists tables and views of all schemas with exact rows', async () => {
    const { tables } = await source.tables!.listTables(scope);
    expect(tables.map(({ name, kind, rows }) => [name, kind, rows])).toEqual([
      ['mart.order "lines', 'table', { count: '0', exact: true }],
      ['big', 'view', undefined],
      ['orders', 'table', { count: '2', exact: true }],
    ]);
  });

  it('describes columns and the primary key in its order', async () => {
    const description = await source.tables!.describeTable('orders', scope);
    expect(description.columns.slice(0, 2)).toEqual([
      { name: 'order_id', type: 'bigint', nullable: false, position: 1 },
      { name: 'amount', type: 'numeric(20,4)', nullable: true, position: 2 },
    ]);
    expect((await source.tables!.describeTable('mart.order "lines', scope)).primaryKey).toEqual(['line', 'order_id']);
    await expect(source.tables!.relation('ordrs', scope)).rejects.toThrow('did you mean "orders"?');
  });

  it('keeps big integers, decimals, times and non-finite numbers', async () => {
    expect(await query('SELECT * FROM orders ORDER BY order_id DESC;')).toMatchObject({
      ok: true,
      rows: [
        ['9007199254740993', '12345678901234.5678', '2019-12-31 22:00:00.123456+00', '0x00ff (2 bytes)', 'NaN', '{"a": 1}'],
        [1, null, 'infinity', null, '-Infinity', null],
      ],
    });
  });

  it('binds parameters', async () => {
    expect(await query('SELECT $1::bigint + 1, $2::text', { parameters: [9007199254740992n, "'; DROP TABLE orders; --"] })).toMatchObject({
      rows: [['9007199254740993', "'; DROP TABLE orders; --"]],
    });
  });

  it('stops reading at the row limit', async () => {
    expect(await query('SELECT * FROM generate_series(1, 100000)', { maxRows: 2 })).toMatchObject({
      ok: true,
      rows: [[1], [2]],
      truncated: true,
    });
    expect(await query('SELECT * FROM generate_series(1, 2)', { maxRows: 2 })).toMatchObject({ ok: true, truncated: false });
    const many = await query('SELECT * FROM generate_series(1, 1201)', { maxRows: 2_000 });
    expect(many.ok && [many.rows.length, many.rows[1200], many.truncated]).toEqual([1201, [1201], false]);
  });

  it('stops a query with its time or its scope, and stays usable', async () => {
    expect(await query('SELECT pg_sleep(20)', { timeoutMs: 200 })).toMatchObject({ ok: false, code: 'timeout' });
    const own = new Scope();
    const endless = query('WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT 1 FROM r) SELECT COUNT(*) FROM r', { scope: own });
    setTimeout(() => own.stop({ kind: 'interrupted' }), 100);
    expect(await endless).toMatchObject({ ok: false, code: 'stopped' });
    expect(await query('SELECT 1')).toMatchObject({ ok: true });
  });

  it.each([
    'DELETE FROM orders',
    'WITH x AS (DELETE FROM orders RETURNING *) SELECT * FROM x',
    'SELECT * INTO copied FROM orders',
    'SELECT * FROM orders FOR UPDATE',
    'SELECT 1; DELETE FROM orders',
    `COPY orders TO '/tmp/soloist-orders'`,
    `COPY orders TO PROGRAM 'id'`,
    `SELECT pg_read_file('/etc/passwd')`,
    `SELECT pg_catalog."pg_read_file" /* a */ ('/etc/passwd')`,
    `SELECT U&"\\0070g_read_file"('/etc/passwd')`,
    `SELECT set_config('transaction_read_only', 'off', true)`,
    `SELECT query_to_xml('SELECT 1', true, true, '')`,
    `SELECT nextval('numbers')`,
    `SELECT lo_import('/etc/passwd')`,
    'SELECT pg_advisory_lock(1)',
    'SELECT pg_terminate_backend(1)',
    'EXPLAIN ANALYZE DELETE FROM orders',
    'DO $$ BEGIN END $$',
    'SET ROLE postgres',
    'COMMIT',
    'CREATE TABLE t AS SELECT 1',
    'LISTEN x',
    '',
  ])('refuses %j', async (sql) => {
    expect(await query(sql)).toMatchObject({ ok: false, status: 'refused' });
    expect(await query('SELECT COUNT(*) FROM orders')).toMatchObject({ rows: [[2]] });
  });

  it('answers a wrong statement with the engine’s message', async () => {
    expect(await query('SELECT nope FROM orders')).toMatchObject({ ok: false, status: 'error', message: 'column "nope" does not exist' });
  });
});

describe('a PostgreSQL database that does not answer', () => {
  it('is named without the password', async () => {
    const url = 'postgres://someone:geheim@127.0.0.1:1/shop';
    const source = await openPostgresSource({ name: 'shop', kind: 'postgres', paths: [], url }, { scratch: '' });
    expect(await source.check(scope)).toEqual({ ok: false, summary: 'no PostgreSQL server answers at postgres://127.0.0.1:1/shop' });
    await source.close();
  });
});
