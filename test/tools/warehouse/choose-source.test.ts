import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callTool } from '../../../src/app/call-tool.ts';
import { openWorkspace, type Workspace } from '../../../src/app/workspace.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-choose-'));
let workspace: Workspace;

beforeAll(async () => {
  for (const name of ['landing', 'copies']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'landing/orders.csv'), 'id,at\n1,2026-01-01\n2,2026-01-02\n');
  writeFileSync(join(folder, 'landing/only_landing.csv'), 'id,at\n1,2026-01-01\n2,2026-01-02\n3,2026-01-03\n');
  writeFileSync(join(folder, 'copies/orders.csv'), 'id,at\n1,2026-01-01\n');
  const database = new Database(join(folder, 'shop.sqlite'));
  database.exec(
    'CREATE TABLE customers (id INTEGER PRIMARY KEY, at TEXT); INSERT INTO customers VALUES (1, NULL), (2, NULL), (3, NULL), (4, NULL)',
  );
  database.close();
  writeFileSync(join(folder, 'gone.duckdb'), 'no database');
  const environment = { ...process.env, SOLOIST_HOME: join(folder, '.home') };
  const sourceFlags = [
    `landing=files:${folder}/landing`,
    `copies=files:${folder}/copies`,
    `shop=sqlite:${folder}/shop.sqlite`,
    `gone=duckdb:${folder}/gone.duckdb`,
  ];
  workspace = await openWorkspace({ folder, sourceFlags, environment });
});
afterAll(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ['profile_table', { table: 'customers' }, 'shop'],
  ['describe_table', { table: 'only_landing' }, 'landing'],
  ['find_duplicates', { table: 'only_landing' }, 'landing'],
  ['row_counts', { table: 'only_landing', time_column: 'at' }, 'landing'],
  ['query_sql', { sql: 'WITH c AS (SELECT * FROM customers) SELECT COUNT(*) FROM c' }, 'shop'],
  ['check_sql', { sql: 'SELECT id FROM only_landing' }, 'landing'],
  ['query_sql', { sql: 'SELECT extract(year FROM "at"), COUNT(*) FROM only_landing GROUP BY 1' }, 'landing'],
  ['profile_tables', { pattern: 'cust*' }, 'shop'],
])('%s takes the only source that holds the table', async (tool, input, source) => {
  expect(await callTool(workspace, tool, input)).toMatchObject({ status: 'ok', data: { source } });
});

it('compares with a table of another source where that of the first does not hold it', async () => {
  const result = await callTool(workspace, 'compare_tables', { left: 'only_landing', right: 'customers', key: ['id'], columns: [] });
  expect(result).toMatchObject({
    data: { left: { source: 'landing', rows: 3 }, right: { source: 'shop', rows: 4 }, only_right: { keys: 1 } },
  });
  const beside = await callTool(workspace, 'compare_tables', { left: 'only_landing', right: 'orders', key: ['id'] });
  expect(beside).toMatchObject({ data: { left: { source: 'landing' }, right: { source: 'landing', rows: 2 } } });
});

it('names the sources where several hold the table', async () => {
  const result = await callTool(workspace, 'profile_table', { table: 'orders' });
  expect(result).toMatchObject({ status: 'refused', warnings: [{ code: 'source_choice' }] });
  expect(result.data).toEqual({ message: 'several sources hold "orders": say which with "source": landing, copies' });
  expect(await callTool(workspace, 'profile_table', { table: 'orders', source: 'copies' })).toMatchObject({ data: { rows: 1 } });
});

it('says of each source why it does not hold a table that none has', async () => {
  const result = await callTool(workspace, 'profile_table', { table: 'custmers' });
  expect(result).toMatchObject({ status: 'refused', warnings: [{ code: 'unknown_table' }] });
  const { message } = result.data as { message: string };
  expect(message).toMatch(/^no source holds "custmers" \(landing: .*shop: .*"?customers"?.*gone: /);
});
