import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { FileAccessError, type QueryRequest, type Source } from '../../../src/core/source.ts';
import { openSqliteSource } from '../../../src/sources/sqlite/open-sqlite-source.ts';

let root: string;
let source: Source;
const scope = new Scope();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'soloist-sqlite-'));
  const database = new Database(join(root, 'shop.sqlite'));
  database.exec(`
    CREATE TABLE orders (order_id INTEGER PRIMARY KEY, amount NUMERIC(12,2) NOT NULL, note TEXT);
    INSERT INTO orders VALUES (1, 1.5, NULL), (9007199254740993, 2, 'x');
    CREATE TABLE lines (order_id INTEGER, line INTEGER, PRIMARY KEY (line, order_id)) WITHOUT ROWID;
    CREATE VIEW big AS SELECT * FROM orders WHERE amount > 1.9;
    CREATE VIRTUAL TABLE words USING fts5(word)`);
  database.close();
  source = await openSqliteSource({ name: 'shop', kind: 'sqlite', paths: [join(root, 'shop.sqlite')] }, { scratch: root });
});

afterAll(async () => {
  await source.close();
  await rm(root, { recursive: true });
});

function query(sql: string, changes: Partial<QueryRequest> = {}) {
  return source.tables!.query({ sql, maxRows: 10, maxBytes: 100_000, timeoutMs: 10_000, scope, ...changes });
}

const ENDLESS = 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT COUNT(*) FROM r';

describe('a SQLite file as a source', () => {
  it('lists tables and views with exact rows, without the storage of virtual tables', async () => {
    const { tables } = await source.tables!.listTables(scope);
    expect(tables.map(({ name, kind, rows }) => [name, kind, rows?.count])).toEqual([
      ['big', 'view', undefined],
      ['lines', 'table', '0'],
      ['orders', 'table', '2'],
      ['words', 'table', '0'],
    ]);
  });

  it('says of columns without a declared type what their values are, as seen', async () => {
    const path = join(root, 'untyped.sqlite');
    const database = new Database(path);
    database.exec(`
      CREATE TABLE t (a, b, c, d, e, f TEXT);
      INSERT INTO t VALUES (1, 1, 'x', NULL, 1, 1), (2, 2.5, 'y', NULL, 'x', 2), (3, 3, 3, NULL, 3, 3);
      CREATE VIEW v AS SELECT f, SUM(b) AS total, COUNT(*) AS n, MAX(c) AS last FROM t GROUP BY f`);
    database.close();
    const untyped = await openSqliteSource({ name: 'u', kind: 'sqlite', paths: [path] }, { scratch: root });
    const typesOf = async (name: string) =>
      (await untyped.tables!.describeTable(name, scope)).columns.map((column) => `${column.name} ${column.type}`);
    expect(await typesOf('t')).toEqual(['a INTEGER (seen)', 'b REAL (seen)', 'c TEXT (seen)', 'd ANY', 'e NUMERIC (seen)', 'f TEXT']);
    expect(await typesOf('v')).toEqual(['f TEXT', 'total REAL (seen)', 'n INTEGER (seen)', 'last TEXT (seen)']);
    await untyped.close();
  });

  it('describes declared types and the primary key in its order', async () => {
    expect(await source.tables!.describeTable('orders', scope)).toMatchObject({
      columns: [
        { name: 'order_id', type: 'INTEGER', position: 1 },
        { name: 'amount', type: 'NUMERIC(12,2)', nullable: false, position: 2 },
        { name: 'note', type: 'TEXT', nullable: true, position: 3 },
      ],
      primaryKey: ['order_id'],
    });
    expect((await source.tables!.describeTable('lines', scope)).primaryKey).toEqual(['line', 'order_id']);
  });

  it('keeps 64-bit integers, infinity and blobs', async () => {
    expect(await query(`SELECT order_id, 1e999, x'00ff', NULL, 'a' AS t, 2 AS t FROM orders ORDER BY order_id DESC`)).toMatchObject({
      ok: true,
      columns: [{ type: 'INTEGER' }, { type: 'REAL' }, { type: 'BLOB' }, { type: 'ANY' }, { name: 't' }, { name: 't' }],
      rows: [
        ['9007199254740993', 'Infinity', '0x00ff (2 bytes)', null, 'a', 2],
        [1, 'Infinity', '0x00ff (2 bytes)', null, 'a', 2],
      ],
    });
  });

  it('binds parameters', async () => {
    expect(await query('SELECT ? + 1, ?', { parameters: [9007199254740992n, 'x'] })).toMatchObject({ rows: [['9007199254740993', 'x']] });
  });

  it('stops a query whose time is over although SQLite cannot be interrupted, and stays usable', async () => {
    expect(await query(ENDLESS, { timeoutMs: 300 })).toMatchObject({ ok: false, code: 'timeout' });
    expect(await query('SELECT 1')).toMatchObject({ ok: true, rows: [[1]] });
  });

  it('stops with the scope, also while waiting for the query before', async () => {
    const own = new Scope();
    const first = query(ENDLESS, { timeoutMs: 20_000, scope: own });
    const second = query('SELECT 2', { timeoutMs: 20_000, scope: own });
    setTimeout(() => own.stop({ kind: 'interrupted' }), 100);
    expect(await first).toMatchObject({ ok: false, code: 'stopped' });
    expect(await second).toMatchObject({ ok: false, code: 'stopped' });
  });

  it('stops reading at the row limit', async () => {
    const endlessRows = 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r';
    expect(await query(endlessRows, { maxRows: 2 })).toMatchObject({ ok: true, rows: [[1], [2]], truncated: true });
  });

  it.each([
    'DELETE FROM orders',
    'WITH x AS (SELECT 1) DELETE FROM orders',
    'WITH x AS (SELECT 1) INSERT INTO orders VALUES (3, 3, NULL) RETURNING *',
    'DELETE FROM orders RETURNING *',
    'SELECT 1; DROP TABLE orders',
    'PRAGMA journal_mode = DELETE',
    '/* a */ PRAGMA query_only = 0',
    `ATTACH 'other.db' AS other`,
    `VACUUM INTO 'copy.db'`,
    'CREATE TABLE t (a)',
    'BEGIN',
    'EXPLAIN SELECT 1',
    'REPLACE INTO orders VALUES (1, 1, NULL)',
    '',
  ])('refuses %j', async (sql) => {
    expect(await query(sql)).toMatchObject({ ok: false, status: 'refused' });
  });

  it('loads no extension and leaves the data as it was', async () => {
    expect(await query(`SELECT load_extension('x')`)).toMatchObject({ ok: false, status: 'refused', code: 'unsafe_function' });
    expect(await query('SELECT COUNT(*) FROM orders')).toMatchObject({ rows: [[2]] });
    expect(existsSync('copy.db')).toBe(false);
  });

  it('answers a wrong statement with the engine’s message', async () => {
    expect(await query('SELECT * FROM nope')).toMatchObject({ ok: false, status: 'error', message: 'no such table: nope' });
  });

  it('says what is wrong with a missing file and with one that is no database', async () => {
    await expect(openSqliteSource({ name: 'x', kind: 'sqlite', paths: [join(root, 'none.db')] }, { scratch: root })).rejects.toThrow(
      FileAccessError,
    );
    await writeFile(join(root, 'text.db'), 'this is a text that is no database at all\n'.repeat(500));
    const other = await openSqliteSource({ name: 'x', kind: 'sqlite', paths: [join(root, 'text.db')] }, { scratch: root });
    expect(await other.check(scope)).toEqual({ ok: false, summary: 'text.db is not a SQLite database, or it is encrypted' });
    await other.close();
  });
});
