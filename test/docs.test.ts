import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openWorkspace } from '../src/app/workspace.ts';
import { importModule } from '../src/config/import-module.ts';
import { Scope } from '../src/core/scope.ts';
import { BUILT_IN_TOOLS } from '../tools/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-docs-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1] ?? '');
}

describe('the README', () => {
  it('has an agent and a tool that load as they stand', async () => {
    const [agent] = blocks('yaml');
    const [tool] = blocks('ts');
    mkdirSync(join(folder, 'agents'));
    mkdirSync(join(folder, 'tools'));
    writeFileSync(join(folder, 'soloist.yaml'), 'name: readme\n');
    writeFileSync(join(folder, 'agents/order-checker.yaml'), agent!);
    writeFileSync(join(folder, 'tools/add-numbers.ts'), tool!);
    const workspace = await openWorkspace({ folder, sourceFlags: [], environment: { SOLOIST_HOME: join(folder, 'home') } });
    try {
      expect(workspace.agent('order-checker').tools).toContain('find_duplicates');
      const added = workspace.tools.get('add_numbers')!;
      const context = {
        sources: workspace.catalog,
        scope: new Scope(),
        now: () => new Date(),
        resultId: 'r1',
        resultIds: () => [],
        readReference: () => undefined,
      };
      expect(await added.run({ left: 2, right: 40 }, context)).toMatchObject({ status: 'ok', data: { sum: 42 } });
    } finally {
      await workspace.close();
    }
  });

  it('has a program that runs as it stands, on a folder of its own', async () => {
    const [, program] = blocks('ts');
    const file = join(folder, 'program.ts');
    const runs = join(root, 'test/cases/slow-run-pool-starvation');
    writeFileSync(
      file,
      program!
        .replace("folder: '.'", `folder: ${JSON.stringify(folder)}, environment: { SOLOIST_HOME: ${JSON.stringify(join(folder, 'home'))} }`)
        .replace('./export', runs),
    );
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      await importModule(file);
      expect(printed.mock.calls[0]?.[0]).toBe('ok');
      expect(printed.mock.calls[0]?.[1]).toContain('6494.8 s');
    } finally {
      printed.mockRestore();
    }
  });

  it('names every agent and every verb that ships', () => {
    const agents = readdirSync(join(root, 'agents'))
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => name.replace('.yaml', ''));
    expect(agents.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
    const verbs = readdirSync(join(root, 'src/cli')).flatMap((file) =>
      [...readFileSync(join(root, 'src/cli', file), 'utf8').matchAll(/program\s*\.command\('(\w+)'/g)].map((match) => match[1] ?? ''),
    );
    expect(verbs.length).toBeGreaterThan(4);
    expect(verbs.filter((verb) => !readme.includes(`| \`${verb}`))).toEqual([]);
  });

  it('shows what the investigation of the example prints', async () => {
    expect(readme).toMatch(/`reload_2025`.*held 12 of 16 slots of pool `warehouse`/);
    expect(readme).toMatch(/6494\.8 s/);
    expect(readme).toMatch(/2290\.2 s/);
  });
});

describe('the shipped project', () => {
  it('has agents whose tools all exist and are permitted to read only', async () => {
    const workspace = await openWorkspace({
      folder: join(root, 'examples/nightly-sales'),
      sourceFlags: [],
      environment: { SOLOIST_HOME: join(folder, 'home') },
    });
    try {
      const investigator = workspace.agent('investigator');
      const first = [
        'list_files',
        'sniff_file',
        'list_tables',
        'describe_table',
        'query_sql',
        'profile_table',
        'find_duplicates',
        'summarize_log',
        'search_logs',
        'list_runs',
        'get_run',
        'compare_runs',
        'who_else_ran',
        'record_finding',
      ];
      expect(investigator.tools).toEqual(expect.arrayContaining(first));
      const writing = BUILT_IN_TOOLS.filter((tool) => tool.effect === 'write').map(({ name }) => name);
      for (const agent of workspace.project.agents) {
        const may = writing.filter((name) =>
          agent.tools.some((pattern) => pattern === name || (pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1)))),
        );
        expect(may, agent.name).toEqual([]);
      }
    } finally {
      await workspace.close();
    }
  });

  it('has no tool whose name or description leaves its use open', () => {
    for (const tool of BUILT_IN_TOOLS) expect(tool.description.length, tool.name).toBeGreaterThan(60);
  });
});
