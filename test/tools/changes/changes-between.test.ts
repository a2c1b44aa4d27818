import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changesBetween } from '../../../tools/changes/changes-between.ts';
import { classifyPath } from '../../../tools/changes/classify-path.ts';
import { callOver, callTool, type Data, dropFolder, makeFolder } from '../artifacts/call-tool.ts';
import { manifest } from '../dbt/dbt-files.ts';

let folder = '';

function git(...args: string[]): string {
  const env = {
    ...process.env,
    GIT_AUTHOR_DATE: '2026-03-01T10:00:00Z',
    GIT_COMMITTER_DATE: '2026-03-01T10:00:00Z',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  return execFileSync('git', ['-C', folder, '-c', 'user.name=A B', '-c', 'user.email=a@example.org', ...args], { env, encoding: 'utf8' });
}

beforeAll(() => {
  folder = makeFolder({ 'models/orders.sql': 'select *\nfrom raw.orders\n', 'README.md': 'x' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'First');
  writeFileSync(join(folder, 'models/orders.sql'), 'select *\n-- all of them\nfrom raw.orders\njoin raw.customers using (id)\n');
  mkdirSync(join(folder, 'dags'));
  writeFileSync(join(folder, 'dags/é nightly.py'), 'pool = "small"\n');
  writeFileSync(join(folder, 'packages.yml'), 'packages: []\n');
  git('add', '.');
  git('commit', '-q', '-m', 'Join the customers');
});

afterAll(() => dropFolder(folder));

describe('changes_between', () => {
  it('lists commits and the lines of models, dags and packages that changed', async () => {
    const { data, complete } = await callTool(changesBetween, folder, { from: 'HEAD~1' });
    expect(complete).toBe(true);
    expect(data.git.commits.items).toMatchObject([{ subject: 'Join the customers', author: 'A B', files: 3 }]);
    expect(data.git.by_kind).toEqual({ model: 1, packages: 1, dag: 1 });
    expect(data.git.files.items[0]).toMatchObject({
      path: 'models/orders.sql',
      kind: 'model',
      lines: ['+ -- all of them', '+ join raw.customers using (id)'],
    });
    expect(data.git.files.items.map((one: Data) => one.path)).toContain('dags/é nightly.py');
  });

  it('takes the first commit for new where no beginning is given', async () => {
    const { data } = await callTool(changesBetween, folder);
    expect(data.git.commits.total).toBe(2);
    expect(data.git.files.items[0]).toMatchObject({ commits: 2, lines: expect.arrayContaining(['+ select *']) });
  });

  it.each(['--output=/tmp/soloist-written', '-n1', 'HEAD;touch x', 'a b'])('refuses %s as a revision', async (from) => {
    expect(await callTool(changesBetween, folder, { from })).toMatchObject({ status: 'refused' });
    expect(existsSync('/tmp/soloist-written')).toBe(false);
  });

  it('runs no program that the repository names', async () => {
    const trap = join(folder, 'ran');
    git('config', 'diff.external', `touch ${trap}`);
    git('config', 'core.fsmonitor', `touch ${trap}`);
    git('config', 'core.pager', `touch ${trap}`);
    git('config', 'diff.sql.textconv', `touch ${trap};cat`);
    writeFileSync(join(folder, '.gitattributes'), '*.sql diff=sql\n');
    const { status } = await callTool(changesBetween, folder, { from: 'HEAD~1' });
    expect(status).toBe('ok');
    expect(existsSync(trap)).toBe(false);
  });

  it('answers an unknown revision and a broken repository as what they are', async () => {
    expect(await callTool(changesBetween, folder, { from: 'nope' })).toMatchObject({ status: 'refused' });
    expect(await callOver(changesBetween, { '.git/HEAD': 'ref: refs/heads/main\n' }, {})).toMatchObject({ status: 'error' });
  });

  it('compares the two newest manifests', async () => {
    const files = {
      'a/manifest.json': manifest([{ id: 'model.shop.orders', sql: 'select 1' }, { id: 'test.shop.t' }], { at: '2026-03-01T00:00:00Z' }),
      'b/manifest.json': manifest([{ id: 'model.shop.orders', sql: 'select 2', config: { materialized: 'table' } }], {
        at: '2026-03-02T00:00:00Z',
        extra: { macros: { 'macro.shop.m': { macro_sql: 'x' } } },
      }),
    };
    const { data, complete } = await callOver(changesBetween, files);
    expect(complete).toBe(true);
    expect(data).toMatchObject({ kind: 'manifests', from: 'a/manifest.json', to: 'b/manifest.json' });
    expect(data.changed_nodes.items).toMatchObject([
      { what: ['sql', 'config'], diff: ['- select 1', '+ select 2'], config: ['materialized: none → table'] },
    ]);
    expect(data.tests_disappeared.items).toMatchObject([{ test: 'test.shop.t', why: 'no longer in the manifest' }]);
    expect(data.macros_changed.items).toEqual([{ macro: 'macro.shop.m', change: 'added', used_by: 0 }]);
    const back = await callOver(changesBetween, files, { from: 'b', to: 'a' });
    expect(back.data.changed_nodes.items[0].diff).toEqual(['- select 2', '+ select 1']);
  });

  it('says that one manifest is not enough', async () => {
    expect(await callOver(changesBetween, { 'manifest.json': manifest([]) })).toMatchObject({
      status: 'no_data',
      data: { message: expect.stringMatching(/two are needed/) },
    });
  });
});

describe('classifyPath', () => {
  it.each([
    ['models/staging/stg_orders.sql', 'model'],
    ['models/schema.yml', 'schema'],
    ['macros/cents.sql', 'macro'],
    ['packages.yml', 'packages'],
    ['dags/nightly.py', 'dag'],
    ['dbt_project.yml', 'settings'],
    ['sql/report.sql', 'sql'],
    ['docs/a.md', 'other'],
  ])('takes %s for %s', (path, kind) => {
    expect(classifyPath(path)).toBe(kind);
  });
});
