import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool } from '../../src/app/call-tool.ts';
import { openWorkspace, type Workspace } from '../../src/app/workspace.ts';
import { openFileTree } from '../../src/sources/file-tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-links-'));
let workspace: Workspace;

beforeAll(async () => {
  for (const path of ['data', 'data/days', 'data/z_last']) mkdirSync(join(folder, path));
  writeFileSync(join(folder, 'data/a.csv'), 'id,word\n1,late\n');
  writeFileSync(join(folder, 'data/days/b.csv'), 'id,word\n2,late\n');
  writeFileSync(join(folder, 'data/z_last/c.log'), '2026-03-01T00:00:00Z ERROR late\n');
  const link = (target: string, path: string): void => symlinkSync(target, join(folder, 'data', path));
  link('..', 'days/up');
  link('itself', 'itself');
  link('pong', 'ping');
  link('ping', 'pong');
  link('days', 'latest');
  link('a.csv', 'copy.csv');
  const environment = { ...process.env, SOLOIST_HOME: join(folder, '.home') };
  workspace = await openWorkspace({ folder, sourceFlags: [`d=files:${folder}/data`], environment });
});
afterAll(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

const loops = [
  { code: 'link_loop', message: 'days/up is a link that leads back to ., a folder above it: not followed' },
  { code: 'link_loop', message: 'itself is a link that leads back to itself: nothing is behind it' },
  { code: 'link_loop', message: 'ping is a link that leads back to itself: nothing is behind it' },
  { code: 'link_loop', message: 'pong is a link that leads back to itself: nothing is behind it' },
  { code: 'linked_folder', message: 'latest is a link to the folder days: its files are listed there' },
];
const byMessage = (warnings: readonly { code: string; message: string }[]) =>
  [...warnings].sort((left, right) => (left.code + left.message < right.code + right.message ? -1 : 1));

describe('a folder with links that lead in circles', () => {
  it('is listed in full, each loop named', async () => {
    const { entries, warnings, complete } = await (await openFileTree(join(folder, 'data'))).list();
    expect(entries.map(({ path }) => path)).toEqual(['a.csv', 'copy.csv', 'days/b.csv', 'z_last/c.log']);
    expect(byMessage(warnings)).toEqual(loops);
    expect(complete).toBe(true);
  });

  it.each([
    ['list_files', {}],
    ['list_tables', {}],
    ['search_files', { text: 'late' }],
    ['search_logs', { pattern: 'late' }],
    ['summarize_log', {}],
  ])('does not make the result of %s a part', async (tool, input) => {
    expect(await callTool(workspace, tool, input)).toMatchObject({ status: 'ok', complete: true });
  });

  it.each([
    ['list_files', {}],
    ['list_artifacts', {}],
    ['list_tables', {}],
    ['search_files', { text: 'late' }],
    ['search_files', { text: 'nowhere' }],
    ['search_logs', { pattern: 'late' }],
    ['search_logs', { pattern: 'nowhere' }],
    ['summarize_log', {}],
    ['summarize_log', { path: 'none' }],
  ])('makes the result of %s %j a part where files may be missing from it', async (tool, input) => {
    symlinkSync(tmpdir(), join(folder, 'data/none_outside'));
    try {
      expect(await callTool(workspace, tool, input)).toMatchObject({ status: 'partial', complete: false });
    } finally {
      rmSync(join(folder, 'data/none_outside'));
    }
  });

  it('holds no table that fits where none does, whatever its links', async () => {
    expect(await callTool(workspace, 'list_tables', { pattern: 'zzz' })).toMatchObject({ status: 'no_data', complete: true, total: 0 });
  });

  it('still is a part where a link leads out of the folder or to nothing', async () => {
    symlinkSync('nowhere', join(folder, 'data/gone.csv'));
    expect(await callTool(workspace, 'list_files', {})).toMatchObject({ status: 'partial', complete: false, returned: 4 });
    rmSync(join(folder, 'data/gone.csv'));
    symlinkSync(tmpdir(), join(folder, 'data/out'));
    expect(await callTool(workspace, 'list_files', {})).toMatchObject({ status: 'partial', complete: false, returned: 4 });
    rmSync(join(folder, 'data/out'));
  });
});
