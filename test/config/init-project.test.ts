import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { initProject } from '../../src/app/init-project.ts';
import { openConfiguration } from '../../src/app/open-configuration.ts';
import { folderWith, problemsOf, removeFolders } from './project-folder.ts';

afterAll(removeFolders);

it('writes a project that the check accepts and whose tool works', async () => {
  const folder = join(folderWith({}), 'new');
  const files = initProject(folder);
  for (const file of files.filter((name) => name.endsWith('.yaml'))) {
    const [first = ''] = readFileSync(join(folder, file), 'utf8').split('\n');
    const address = /^# yaml-language-server: \$schema=(file:\S+)$/.exec(first)?.[1];
    expect(JSON.parse(readFileSync(new URL(address!), 'utf8'))).toHaveProperty('properties.name');
  }
  const { project, tools } = await openConfiguration({ folder, sourceFlags: [], environment: {} });
  expect(project.agents[0]).toMatchObject({ name: 'my-investigator', model: 'auto' });
  const source = { files: { resolve: async (path: string) => join(folder, 'data', path) } };
  const result = await tools.get('count_late_orders')!.run({ days: 2 }, { sources: { pick: async () => source } } as never);
  // By hand: A-1002 is 7 days late, A-1004 is 4; A-1003 is 1.
  expect(result).toMatchObject({ status: 'ok', data: { orders: 6, late: 2, latest: 'A-1002' } });
});

it('overwrites nothing and says what is in the way', () => {
  const folder = folderWith({ 'soloist.yaml': 'mine\n', 'data/orders.csv': 'mine\n' });
  expect(() => initProject(folder)).toThrow(
    expect.objectContaining({ code: 'usage', message: expect.stringContaining('already has soloist.yaml, data/orders.csv') }),
  );
  expect(readFileSync(join(folder, 'soloist.yaml'), 'utf8')).toBe('mine\n');
  expect(() => readFileSync(join(folder, '.gitignore'))).toThrow();
});

it('says when the folder cannot be made', () => {
  const folder = folderWith({ file: '' });
  expect(() => initProject(join(folder, 'file'))).toThrow(expect.objectContaining({ code: 'usage' }));
});

it('reports the problems of settings, agents and tools together', async () => {
  const folder = join(folderWith({}), 'new');
  initProject(folder);
  writeFileSync(join(folder, 'soloist.yaml'), 'nmae: x\npermissions: {deny: [recrd_finding]}\n');
  writeFileSync(join(folder, 'agents/b.yaml'), 'name: b\ninstructions: x\ntools: [count_late_order]\nlimit: {}\n');
  writeFileSync(join(folder, 'tools/empty.mjs'), 'export const a = 1;\n');
  mkdirSync(join(folder, 'x'));
  const problems = await problemsOf(openConfiguration({ folder, sourceFlags: [], environment: {} }));
  const lines = problems.map(({ where, fact, fix }) => `${where.replace(`${folder}/`, '')}: ${fact}; ${fix}`);
  expect(lines).toEqual([
    'soloist.yaml:1:1: unknown key "nmae"; did you mean "name"?',
    'soloist.yaml:2:22: unknown tool "recrd_finding"; did you mean "record_finding"?',
    'agents/b.yaml:3:9: unknown tool "count_late_order"; did you mean "count_late_orders"?',
    'agents/b.yaml:4:1: unknown key "limit"; did you mean "limits"?',
    'tools/empty.mjs:1:1: the file exports no tool; export one made with defineTool',
  ]);
});
