import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callTool } from '../../../src/app/call-tool.ts';
import { openWorkspace, type Workspace } from '../../../src/app/workspace.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-json-shape-'));
let workspace: Workspace;

const plain = (id: number) => ({
  id,
  customer: `c${id}`,
  tags: 'red',
  items: [1, 2],
  meta: { a: 1 },
  amount: id * 1.5,
  note: '[draft',
  empty: null,
});
const nested = (id: number) => ({
  ...{ id, customer: { name: 'x' }, tags: ['red'], items: { n: 2 }, meta: { b: 1, 'c.d': { e: 2 } } },
  ...{ amount: { value: id, currency: 'EUR' }, note: '{braces} in a text', empty: { a: 1 } },
});
const days: Readonly<Record<string, (id: number) => object>> = {
  'day_1.jsonl': plain,
  'day_2.jsonl': plain,
  'day_3.jsonl': nested,
  'day_4.jsonl': (id) => (id % 4 === 0 ? nested(id) : plain(id)),
};

beforeAll(async () => {
  for (const [name, row] of Object.entries(days))
    writeFileSync(join(folder, name), Array.from({ length: 20 }, (_, id) => `${JSON.stringify(row(id))}\n`).join(''));
  const database = new Database(join(folder, 'raw.sqlite'));
  for (const [name, row] of Object.entries(days)) {
    const table = name.slice(0, 5);
    database.exec(`CREATE TABLE ${table} (id INTEGER, meta TEXT)`);
    const insert = database.prepare(`INSERT INTO ${table} VALUES (?, ?)`);
    for (let id = 0; id < 20; id++) insert.run(id, JSON.stringify((row(id) as { customer: unknown }).customer));
  }
  database.close();
  const environment = { ...process.env, SOLOIST_HOME: join(folder, '.home') };
  workspace = await openWorkspace({ folder, sourceFlags: [`d=files:${folder}`, `s=sqlite:${folder}/raw.sqlite`], environment });
});
afterAll(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Diff {
  readonly different: readonly {
    readonly tables: readonly string[];
    readonly changes: readonly { readonly from: string; readonly evidence: string }[];
  }[];
}
const changesOf = ({ different }: Diff) =>
  different.map(({ tables, changes }) => [tables, Object.fromEntries(changes.map(({ from, evidence }) => [from, evidence]))]);

it('names the fields that became objects or lists from a day on, and objects of other keys', async () => {
  const { data } = await callTool(workspace, 'diff_schema', { source: 'd', pattern: 'day_*' });
  expect(data).toMatchObject({ reference: 'day_1', compared: 3, unchanged: 1 });
  expect(changesOf(data as Diff)).toEqual([
    [
      ['day_3'],
      {
        customer: '20 plain values (VARCHAR) become 20 JSON objects',
        tags: '20 plain values (VARCHAR) become 20 JSON lists',
        items: '20 JSON lists become 20 JSON objects',
        meta: 'JSON objects of other keys: without "a", with "b", "c.d"',
        amount: '20 plain values (DECIMAL(3,1)) become 20 JSON objects',
      },
    ],
    [
      ['day_4'],
      {
        customer: '20 plain values (VARCHAR) become 15 plain values and 5 JSON objects',
        tags: '20 plain values (VARCHAR) become 15 plain values and 5 JSON lists',
        items: '20 JSON lists become 5 JSON objects and 15 JSON lists',
        meta: 'JSON objects of other keys: with "b", "c.d"',
        amount: expect.stringMatching(/^20 plain values \(DECIMAL\(3,1\)\) become 15 plain values and 5 JSON objects/),
      },
    ],
  ]);
});

it('tells it of texts in a database as well', async () => {
  const { data } = await callTool(workspace, 'diff_schema', { source: 's', left: 'day_1', right: 'day_4' });
  expect(changesOf(data as Diff)).toEqual([[['day_4'], { meta: '20 plain values (TEXT) become 15 plain values and 5 JSON objects' }]]);
});

it('counts objects and lists among the values of a column', async () => {
  const { data } = await callTool(workspace, 'profile_table', {
    source: 'd',
    table: 'day_4',
    columns: ['customer', 'items', 'note', 'meta', 'amount'],
  });
  const { columns } = data as { columns: Record<string, unknown>[] };
  expect(columns.map(({ name, json_objects: objects, json_lists: lists }) => [name, objects, lists])).toEqual([
    ['customer', 5, undefined],
    ['items', 5, 15],
    ['note', undefined, undefined],
    ['meta', 20, undefined],
    ['amount', 5, undefined],
  ]);
});

it('calls a column odd whose values are of several forms', async () => {
  const { data } = await callTool(workspace, 'profile_tables', { source: 'd', tables: ['day_3', 'day_4'] });
  const [third, fourth] = (data as { tables: { odd: string[] }[] }).tables;
  expect(third?.odd.filter((text) => text.includes('JSON'))).toEqual([]);
  expect(fourth?.odd).toEqual(expect.arrayContaining(['customer: 5 JSON objects among 20 values', 'items: 15 JSON lists among 20 values']));
});
