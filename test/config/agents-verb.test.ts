import { Command } from 'commander';
import { afterAll, expect, it } from 'vitest';
import { registerAgents } from '../../src/cli/agents.ts';
import { registerInit } from '../../src/cli/init.ts';
import type { SoloistError } from '../../src/core/errors.ts';
import { agentText, folderWith, removeFolders } from './project-folder.ts';

afterAll(removeFolders);

async function soloist(cwd: string, ...words: string[]): Promise<{ out: string; error: SoloistError | undefined }> {
  let out = '';
  const write = (text: string): void => {
    out += text;
  };
  const services = { out: write, note: () => {}, cwd, environment: {}, color: { out: false, note: false } };
  const program = new Command('soloist')
    .option('--project <dir>')
    .option('--source <spec>', '', (value: string, before: string[]) => [...before, value], []);
  program.exitOverride();
  registerAgents(program, services);
  registerInit(program, services);
  try {
    await program.parseAsync(words, { from: 'user' });
    return { out, error: undefined };
  } catch (error) {
    return { out, error: error as SoloistError };
  }
}

it('init writes a project that agents check and list accept, from anywhere with --project', async () => {
  const folder = folderWith({});
  const init = await soloist(folder, 'init', 'shop');
  expect(init.error).toBeUndefined();
  expect(init.out).toContain('  agents/my-investigator.yaml\n');
  expect(init.out).toContain('  cd shop\n  soloist agents check\n');
  for (const words of [
    ['--project', 'shop', 'agents', 'check', '--json'],
    ['agents', 'check', '--json', '--project', 'shop'],
  ]) {
    const check = await soloist(folder, ...words);
    expect(check.error?.problems ?? []).toEqual([]);
    expect(JSON.parse(check.out)).toMatchObject({ ok: true, sources: 1, problems: [] });
  }
  const list = JSON.parse((await soloist(folder, 'agents', 'list', '--json', '--project', 'shop')).out) as { name: string }[];
  expect(list.map(({ name }) => name)).toContain('my-investigator');
});

it('agents check fails with every problem, also as JSON', async () => {
  const folder = folderWith({ 'soloist.yaml': 'nmae: x\n', 'agents/a.yaml': agentText('alpha', 'tool: [x]\n') });
  const check = await soloist(folder, 'agents', 'check', '--json', '--project', folder, '--source', 'fils:.');
  expect(check.error).toMatchObject({ code: 'configuration' });
  expect(check.out).toBe('');
  const facts = (check.error as SoloistError).problems.map(({ fact }) => fact);
  expect(facts).toContain('unknown key "nmae"');
  expect(facts).toContain('unknown key "tool"');
  expect(facts).toContain('unknown kind of source "fils"');
});

it('agents schema prints either schema and names the choices', async () => {
  expect(JSON.parse((await soloist('/', 'agents', 'schema')).out)).toMatchObject({ title: 'Soloist agent' });
  expect(JSON.parse((await soloist('/', 'agents', 'schema', 'project')).out)).toMatchObject({ title: 'soloist.yaml' });
  expect((await soloist('/', 'agents', 'schema', 'projct')).error).toMatchObject({ code: 'usage', fix: 'did you mean "project"?' });
});
