import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callTool } from '../../../src/app/call-tool.ts';
import { openWorkspace, type Workspace } from '../../../src/app/workspace.ts';
import { complete } from '../../../src/core/tool-result.ts';
import { defineTool, z } from '../../../src/index.ts';
import { BUILT_IN_TOOLS } from '../../../tools/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-lost-'));
let workspace: Workspace;

const line = (id: number): string =>
  JSON.stringify({ id, v: id % 7, at: `2026-03-${String(1 + (id % 20)).padStart(2, '0')}T08:00:00Z`, loaded_at: '2026-03-25T00:00:00Z' });
const lines = Array.from({ length: 50 }, (_, id) => line(id));
const files = {
  'lossy.jsonl': [...lines, '{"id":50,"v"', line(51), ''].join('\n'),
  'priced.csv': 'id,v\n1,$5\n2,$6\n',
  'sound.jsonl': [...lines, ''].join('\n'),
  'broken.json': `[${lines.join(',\n')},\n{"id": 50, "v": `,
};

beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const environment = { ...process.env, SOLOIST_HOME: join(folder, '.home') };
  workspace = await openWorkspace({ folder, sourceFlags: [`d=files:${folder}`], environment });
});
afterAll(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A call of each tool that reads the rows of tables; a tool that is new must be added. */
const calls: Readonly<Record<string, (table: string) => Readonly<Record<string, unknown>>>> = {
  profile_table: (table) => ({ table }),
  profile_tables: (table) => ({ tables: [table] }),
  find_duplicates: (table) => ({ table, key: ['id'] }),
  validate_contract: (table) => ({ table, checks: [{ check: 'unique', columns: ['id'] }] }),
  row_counts: (table) => ({ table, time_column: 'at' }),
  freshness: (table) => ({ table, column: 'at' }),
  lateness: (table) => ({ table, event_time: 'at', load_time: 'loaded_at' }),
  reconcile_days: (table) => ({ left: 'sound', right: table, left_time: 'at', right_time: 'at' }),
  compare_tables: (table) => ({ left: 'sound', right: table, key: ['id'] }),
  join_multiplicity: (table) => ({ left: 'sound', right: table, on: ['id'] }),
  diff_schema: (table) => ({ left: 'sound', right: table }),
  query_sql: (table) => ({ sql: `SELECT COUNT(*) FROM "${table}"` }),
  list_tables: (table) => ({ pattern: `${table}*` }),
  describe_table: (table) => ({ table }),
};
/** It binds a statement and reads no row. */
const READS_NO_ROWS = ['check_sql'];
const SUBJECTS = ['table', 'tables', 'left', 'sql'];

it('knows a call of every tool that takes a table', () => {
  const taking = BUILT_IN_TOOLS.filter(({ input }) => SUBJECTS.some((key) => key in input.shape)).map(({ name }) => name);
  const known = [...Object.keys(calls), ...READS_NO_ROWS, 'add_check'];
  expect(taking.filter((name) => !known.includes(name))).toEqual([]);
});

it.each(Object.keys(calls))('%s says of which table places could not be read, and calls its result a part', async (tool) => {
  for (const [table, code] of [
    ['lossy', 'bad_json'],
    ['broken', 'broken_json'],
  ] as const) {
    const result = await callTool(workspace, tool, calls[tool]?.(table) ?? {});
    expect(result).toMatchObject({ status: 'partial', complete: false });
    const told = result.warnings.filter((warning) => warning.code === code);
    expect(told).toEqual([{ code, message: expect.stringMatching(/line 51/) }]);
  }
  const sound = await callTool(workspace, tool, calls[tool]?.('sound') ?? {});
  expect(sound.warnings.filter(({ code }) => /_json$/.test(code))).toEqual([]);
  expect(sound.status).toBe('ok');
});

it('says so of a tool of the user that asks a table itself', async () => {
  const own = defineTool({
    name: 'count_lossy',
    description: 'Counts.',
    effect: 'read',
    input: z.object({}),
    output: z.object({ rows: z.string() }),
    async run(_input, context) {
      const { tables } = await context.sources.pick('tables');
      const sql = 'SELECT COUNT(*)::TEXT FROM lossy';
      const outcome = await tables?.query({ sql, maxRows: 1, maxBytes: 1_000, timeoutMs: 5_000, scope: context.scope });
      return complete({ rows: outcome?.ok ? String(outcome.rows[0]?.[0]) : '' });
    },
  });
  const result = await callTool({ ...workspace, tools: new Map([[own.name, own]]) }, own.name, {});
  expect(result).toMatchObject({ status: 'partial', complete: false, data: { rows: '51' }, warnings: [{ code: 'bad_json' }] });
});

it('calls a result whole of which only the signs of the values were left out', async () => {
  const result = await callTool(workspace, 'query_sql', { source: 'd', sql: 'SELECT SUM(v) FROM priced' });
  expect(result).toMatchObject({ status: 'ok', complete: true, data: { rows: [[11]] }, warnings: [{ code: 'numbers_with_signs' }] });
});
