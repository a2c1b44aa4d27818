import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool } from '../../../src/app/call-tool.ts';
import { openWorkspace, type Workspace } from '../../../src/app/workspace.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-repeated-'));
let workspace: Workspace;

/** A million rows would show it as well: few keys come twice, with copies, copies by a second load and versions among them. */
const rows = `SELECT CASE WHEN i % 701 = 0 THEN NULL ELSE i END AS order_id, (i * 7) % 90 AS a, CASE WHEN i % 11 = 0 THEN 'NaN'::DOUBLE WHEN i % 13 = 0 THEN -0.0 ELSE (i % 17) / 4 END AS b,
  CASE WHEN i % 5 = 0 THEN NULL ELSE 'word ' || i % 900 END AS c, [i % 3, NULL] AS d, MAP {'k': i % 4} AS e, 1 AS batch FROM range(6000) AS t(i)`;
const statements = [
  `CREATE TABLE orders AS ${rows}`,
  'INSERT INTO orders SELECT * FROM orders WHERE order_id BETWEEN 100 AND 139',
  'INSERT INTO orders SELECT * REPLACE (2 AS batch) FROM orders WHERE order_id BETWEEN 130 AND 159',
  'INSERT INTO orders SELECT * REPLACE (0.0 AS b, 3 AS batch) FROM orders WHERE order_id BETWEEN 500 AND 579 AND batch = 1',
  `CREATE TABLE single AS SELECT i AS id, 'v' || i AS v, i * 2 AS w FROM range(500) AS t(i)`,
  `CREATE TABLE doubled AS SELECT i // 2 AS id, 'v' || i // 2 AS v, i % 2 AS batch FROM range(500) AS t(i)`,
];

async function makeDatabase(name: string, more: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, name));
  const connection = await instance.connect();
  for (const statement of [...statements, ...more]) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

beforeAll(async () => {
  await makeDatabase('plain.duckdb', []);
  await makeDatabase('collated.duckdb', [
    `CREATE TABLE people AS SELECT 1 AS n, 'x' AS name UNION ALL SELECT 1, 'X' UNION ALL SELECT 2, 'y'`,
    'CREATE TABLE named (name VARCHAR COLLATE NOCASE, n INTEGER)',
    'INSERT INTO named SELECT name, n FROM people',
  ]);
  const environment = { ...process.env, SOLOIST_HOME: join(folder, '.home') };
  const sourceFlags = ['plain', 'collated'].map((name) => `${name}=duckdb:${folder}/${name}.duckdb`);
  workspace = await openWorkspace({ folder, sourceFlags, environment });
});
afterAll(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

const find = async (source: string, input: Readonly<Record<string, unknown>>) => {
  const { data, status } = await callTool(workspace, 'find_duplicates', { source, ...input });
  return { status, data: { ...(data as Record<string, unknown>), source: '' } };
};

describe('rows that are like no other', () => {
  it.each([
    [{ table: 'orders' }],
    [{ table: 'orders', key: ['order_id'] }],
    [{ table: 'orders', key: ['a', 'c'] }],
    [{ table: 'orders', key: ['b'], load_columns: [] }],
    [{ table: 'orders', key: ['e', 'd', 'c'], where: 'a < 40' }],
    [{ table: 'single' }],
    [{ table: 'single', key: ['id'], where: 'id < 0' }],
    [{ table: 'doubled', key: ['id'] }],
  ])('are set aside without a change of the result: %j', async (input) => {
    // A collation anywhere in the database makes all rows be grouped.
    expect(await find('plain', input)).toEqual(await find('collated', input));
  });

  it('are counted', async () => {
    // 40 keys once more, 10 of them and 20 others by a second load (10 × 2 + 20 rows), 80 as a version but for 9 where b is 0 already.
    const { data } = await find('plain', { table: 'orders', key: ['order_id'] });
    const nulls = Math.ceil(6000 / 701);
    expect(data).toMatchObject({ rows: 6000 + 40 + 40 + 80, distinct_keys: 6000 - nulls + 1, null_key_rows: nulls });
    expect(data).toMatchObject({ groups: 60 + 80 + 1, exact_copies: 40 + 10, reload_copies: 30 + 9, versions: 71 + nulls - 1 });
  });

  it('are judged by the collation of a column, not by their bytes', async () => {
    const { data } = await find('collated', { table: 'named', key: ['name'] });
    expect(data).toMatchObject({ rows: 3, distinct_keys: 2, groups: 1, extra_rows: 1 });
  });
});
