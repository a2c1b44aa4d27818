import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import type { QueryRequest } from '../../../src/core/source.ts';
import { type DuckDbSession, openDuckDb } from '../../../src/sources/duckdb/duckdb-session.ts';

let root: string;
let folder: string;
let session: DuckDbSession;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'soloist-duckdb-'));
  folder = join(root, 'data');
  await mkdir(folder);
  await mkdir(join(root, 'scratch'));
  await writeFile(join(folder, 'a.csv'), 'a,b\n1,2\n3,4\n');
  await writeFile(join(root, 'secret.csv'), 'secret\n1\n');
  await symlink(join(root, 'secret.csv'), join(folder, 'link.csv'));
  session = await openDuckDb({ folder, scratch: join(root, 'scratch'), memoryMegabytes: 256, temporaryMegabytes: 64 });
  await session.define(`CREATE VIEW a AS SELECT * FROM read_csv('${folder}/a.csv')`);
});

afterAll(async () => {
  await session.close();
  await rm(root, { recursive: true });
});

function request(sql: string, changes: Partial<QueryRequest> = {}): QueryRequest {
  return { sql, maxRows: 100, maxBytes: 1_000_000, timeoutMs: 20_000, scope: new Scope(), ...changes };
}

async function firstRow(sql: string, changes: Partial<QueryRequest> = {}) {
  const outcome = await session.select(request(sql, changes));
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.rows[0];
}

describe('times', () => {
  it('are in UTC on every connection, wherever the machine stands', () => {
    const program = `
      const { openDuckDb } = await import(${JSON.stringify(new URL('../../../src/sources/duckdb/duckdb-session.ts', import.meta.url).href)});
      const { Scope } = await import(${JSON.stringify(new URL('../../../src/core/scope.ts', import.meta.url).href)});
      const session = await openDuckDb({ scratch: ${JSON.stringify(join(root, 'scratch'))} });
      const sql = "SELECT TIMESTAMPTZ '2026-01-01 00:00:00+00'::VARCHAR, date_trunc('day', TIMESTAMPTZ '2026-01-01 03:00:00+00')";
      const outcome = await session.select({ sql, maxRows: 1, maxBytes: 1000, timeoutMs: 20000, scope: new Scope() });
      console.log(JSON.stringify(outcome.rows));
      await session.close();`;
    const args = ['--import', 'tsx', '--input-type=module', '-e', program];
    const said = execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, TZ: 'America/New_York' } });
    expect(JSON.parse(said)).toEqual([['2026-01-01 00:00:00+00', '2026-01-01 00:00:00+00']]);
  });
});

describe('exact cells', () => {
  it('keeps integers, decimals and nanoseconds that a JavaScript number cannot hold', async () => {
    expect(
      await firstRow(`SELECT 9007199254740993::BIGINT, 42::BIGINT, 18446744073709551615::UBIGINT,
        170141183460469231731687303715884105727::HUGEINT, 1.10::DECIMAL(38,10), '2020-01-01 00:00:00.123456789'::TIMESTAMP_NS, 0.1::FLOAT`),
    ).toEqual([
      '9007199254740993',
      42,
      '18446744073709551615',
      '170141183460469231731687303715884105727',
      '1.1000000000',
      '2020-01-01 00:00:00.123456789',
      0.1,
    ]);
  });

  it('writes non-finite numbers and times as text', async () => {
    expect(
      await firstRow(
        `SELECT 'nan'::DOUBLE, '-inf'::DOUBLE, 'infinity'::DATE, '-infinity'::TIMESTAMP, 'infinity'::TIMESTAMPTZ, '2020-01-01 01:00:00+03'::TIMESTAMPTZ`,
      ),
    ).toEqual(['NaN', '-Infinity', 'infinity', '-infinity', 'infinity', '2019-12-31 22:00:00+00']);
  });

  it('keeps all digits within lists, structs and maps', async () => {
    expect(await firstRow(`SELECT [9007199254740993], {'a': 1.50::DECIMAL(5,2), 'b': 'x"y', 'c': NULL}, MAP {'k': 1}, MAP {1: 2}`)).toEqual(
      ['[9007199254740993]', '{"a":1.50,"b":"x\\"y","c":null}', '{"k":1}', '[[1,2]]'],
    );
  });

  it('shows the beginning and the length of a blob', async () => {
    expect(await firstRow(`SELECT '\\x00\\xff'::BLOB, repeat('a', 20)::BLOB`)).toEqual([
      '0x00ff (2 bytes)',
      '0x61616161616161616161616161616161… (20 bytes)',
    ]);
  });

  it('takes two columns of one name', async () => {
    const outcome = await session.select(request('SELECT 1 AS a, 2 AS a'));
    expect(outcome).toMatchObject({ ok: true, columns: [{ name: 'a' }, { name: 'a' }], rows: [[1, 2]] });
  });

  it('binds parameters', async () => {
    expect(await firstRow('SELECT $1 + 1, $2', { parameters: [41n, "x' OR 1=1 --"] })).toEqual([42, "x' OR 1=1 --"]);
  });
});

describe('limits', () => {
  it('stops reading at the row limit and says so', async () => {
    const outcome = await session.select(request('SELECT * FROM range(1000000000)', { maxRows: 3 }));
    expect(outcome).toMatchObject({ ok: true, rows: [[0], [1], [2]], truncated: true });
  });

  it('does not call a result truncated that has exactly as many rows as allowed', async () => {
    expect(await session.select(request('SELECT * FROM range(3)', { maxRows: 3 }))).toMatchObject({ ok: true, truncated: false });
  });

  it('stops reading at the byte limit with whole rows', async () => {
    const outcome = await session.select(request(`SELECT repeat('x', 1000) FROM range(100)`, { maxBytes: 5_000 }));
    expect(outcome).toMatchObject({ ok: true, truncated: true });
    expect(outcome.ok && outcome.rows.length).toBe(4);
    expect(outcome.ok && outcome.warnings.map(({ code }) => code)).toEqual(['byte_limit']);
  });

  it('cuts the cells of a single huge row and says how long they are', async () => {
    const outcome = await session.select(request(`SELECT repeat('x', 50000)`, { maxBytes: 1_000 }));
    expect(outcome.ok && String(outcome.rows[0]?.[0])).toMatch(/^x{1000}… \(50000 characters\)$/);
  });

  it('stops a query whose time is over, and stays usable', async () => {
    const outcome = await session.select(request('SELECT COUNT(*) FROM range(1000000000) a, range(1000000) b', { timeoutMs: 200 }));
    expect(outcome).toMatchObject({ ok: false, status: 'error', code: 'timeout' });
    expect(await firstRow('SELECT 1')).toEqual([1]);
  });

  it('stops one query with its scope and leaves another alone', async () => {
    const scope = new Scope();
    const endless = session.select(request('SELECT COUNT(*) FROM range(1000000000) a, range(1000000) b', { scope }));
    const other = session.select(request('SELECT SUM(range) FROM range(1000000)'));
    setTimeout(() => scope.stop({ kind: 'interrupted' }), 100);
    expect(await endless).toMatchObject({ ok: false, code: 'stopped' });
    expect(await other).toMatchObject({ ok: true, rows: [[499999500000]] });
  });

  it('ends a query that needs more memory and disk than it may use with an error', async () => {
    const outcome = await session.select(
      request(
        `SELECT COUNT(*) FROM (SELECT md5(range::TEXT) AS h, md5((range + 1)::TEXT) AS i FROM range(20000000) ORDER BY h, i OFFSET 1)`,
        { timeoutMs: 100_000 },
      ),
    );
    expect(outcome).toMatchObject({ ok: false, status: 'error' });
    expect(!outcome.ok && outcome.message).toMatch(/memory|temp_directory/i);
  }, 120_000);
});

const REFUSED = [
  `COPY (SELECT 1) TO 'out.csv'`,
  `ATTACH 'other.db'`,
  'INSTALL httpfs',
  'LOAD httpfs',
  'SET threads = 1',
  'RESET threads',
  'PRAGMA enable_profiling',
  '/* a */ PRAGMA version',
  '-- a\nPRAGMA database_list',
  '/* /* nested */ */ PRAGMA version',
  '\u00a0\ufeffPRAGMA version',
  'SELECT 1; SELECT 2',
  'SELECT 1; DROP VIEW a',
  'CALL enable_logging()',
  `SELECT * FROM enable_logging(storage = 'file', storage_config = {'path': '/tmp/soloist-log'})`,
  'SELECT * FROM "enable_logging"()',
  'SELECT * FROM system.main.enable_logging /* a */ ()',
  `SELECT * FROM query('SELECT * FROM enable_logging()')`,
  'FROM query\u00a0($$SELECT 1$$)',
  `SELECT * FROM json_execute_serialized_sql('{}')`,
  'SELECT * FROM force_checkpoint()',
  'SELECT * FROM arrow_scan(1::POINTER, 1::POINTER, 1::POINTER)',
  'CREATE TABLE t (a INTEGER)',
  'DROP VIEW a',
  'EXPLAIN ANALYZE SELECT 1',
  'BEGIN',
  'USE main',
  `EXPORT DATABASE 'out'`,
  'PREPARE p AS SELECT 1',
  'EXECUTE p',
  'CHECKPOINT',
  'VACUUM',
  '',
  ';',
  '-- nothing',
];

const FAILS = [
  'WITH x AS (INSERT INTO a VALUES (1, 2) RETURNING *) SELECT * FROM x',
  `SELECT * FROM read_text('/etc/passwd')`,
  `FROM '/etc/passwd'`,
  `SELECT * FROM glob('/etc/*')`,
  `SELECT * FROM read_csv('https://localhost/a.csv')`,
  `SELECT * FROM read_blob('../../../../etc/passwd')`,
  'SELECT nope FROM a',
  'SELECT',
];

describe('refusals', () => {
  it.each(REFUSED)('refuses %j', async (sql) => {
    expect(await session.select(request(sql))).toMatchObject({ ok: false, status: 'refused' });
  });

  it.each(FAILS)('answers %j with the engine’s error', async (sql) => {
    expect(await session.select(request(sql))).toMatchObject({ ok: false, status: 'error', code: 'query_failed' });
  });

  it('does not follow a path or a link out of the folder', async () => {
    for (const path of [`${root}/secret.csv`, `${folder}/../secret.csv`, `${folder}/link.csv`, `${folder}/*.csv`])
      expect(await session.select(request(`SELECT secret FROM read_csv('${path}')`))).toMatchObject({ ok: false });
  });

  it('writes nothing into the folder it may read', async () => {
    await session.select(request(`COPY (SELECT 1) TO '${folder}/out.csv'`));
    await session.select(request(`ATTACH '${folder}/out.db'`));
    expect(readdirSync(folder).sort()).toEqual(['a.csv', 'link.csv']);
    expect(readFileSync(join(folder, 'a.csv'), 'utf8')).toBe('a,b\n1,2\n3,4\n');
    expect(existsSync('/tmp/soloist-log')).toBe(false);
  });

  it('shows no absolute path of the folder in a message', async () => {
    const outcome = await session.select(request(`SELECT * FROM read_csv('${folder}/none.csv')`));
    expect(!outcome.ok && outcome.message).toMatch(/none\.csv/);
    expect(!outcome.ok && outcome.message.includes(folder)).toBe(false);
  });

  it('takes SELECT in its other forms', async () => {
    for (const sql of [
      'FROM a',
      'VALUES (1)',
      'TABLE a',
      'DESCRIBE a',
      'SUMMARIZE a',
      '(SELECT 1)',
      '-- a\n/* b */ WITH x AS (SELECT 1) SELECT * FROM x;',
    ])
      expect(await session.select(request(sql))).toMatchObject({ ok: true });
  });
});
