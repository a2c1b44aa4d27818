import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, expect, it } from 'vitest';
import { initProject } from '../../src/app/init-project.ts';
import { findWarnings, openConfiguration } from '../../src/app/open-configuration.ts';
import { registerAgents } from '../../src/cli/agents.ts';
import { formatProblem } from '../../src/core/errors.ts';
import { folderWith, removeFolders } from '../config/project-folder.ts';

afterAll(removeFolders);

interface Files {
  /** Of the caller: its subagents' lines, and what else its file holds. */
  readonly buys: string;
  readonly concurrency?: number;
  readonly boss?: string;
  readonly child?: string;
  readonly childDescription?: string;
  readonly others?: Readonly<Record<string, string>>;
}

/** The warnings about an agent `boss` with one subagent `child`, each as `file:line:column: fact; fix`. */
async function warningsOf(files: Files): Promise<string[]> {
  const { buys, concurrency = 4, boss = 'tools: [list_tables]', child = 'tools: [profile_table, query_sql]' } = files;
  const folder = folderWith({
    'soloist.yaml': 'name: lint\n',
    'agents/boss.yaml': `name: boss
description: Leads. Use it for tests.
instructions: Lead.
subagents:
  - agent: child
    justification:
      buys: [${buys}]
      because: Tables are independent.
    concurrency: ${concurrency}
${boss}
`,
    'agents/child.yaml': `name: child
description: ${files.childDescription ?? 'Counts one table. Use it for many tables.'}
instructions: Count.
${child}
`,
    ...files.others,
  });
  const configuration = await openConfiguration({ folder, sourceFlags: [], environment: {} });
  const warnings = findWarnings(configuration);
  for (const { severity } of warnings) expect(severity).toBe('warning');
  return warnings.map((problem) => formatProblem(problem).replace(/^.*\/agents\//, ''));
}

it('says nothing of a subagent that buys what it claims', async () => {
  expect(await warningsOf({ buys: 'parallelism, context_isolation, scoped_tools' })).toEqual([]);
});

it('warns of multi_step_reasoning alone, with the reason, and not of it beside another claim', async () => {
  const [warning, ...more] = await warningsOf({ buys: 'multi_step_reasoning' });
  expect(more).toEqual([]);
  expect(warning).toMatch(
    /^boss\.yaml:7:13: "child" buys multi_step_reasoning alone: .*reasoning in sequence comes out worse when it is split/,
  );
  expect(warning).toContain('give boss the tools of child');
  expect(await warningsOf({ buys: 'multi_step_reasoning, context_isolation' })).toEqual([]);
});

it('warns of scoped_tools when the caller has every tool of the child, also through a pattern', async () => {
  for (const boss of ['tools: [query_sql, profile_table, list_tables]', 'tools: ["*"]']) {
    const warnings = await warningsOf({ buys: 'scoped_tools', boss });
    expect(warnings.some((one) => /^boss\.yaml:7:13: .*boss has all of its tools too \(profile_table, query_sql\)/.test(one))).toBe(true);
  }
  expect(await warningsOf({ buys: 'scoped_tools', boss: 'tools: [query_sql]' })).toEqual([]);
});

it('names the tool to call in place of a child with one tool and one turn', async () => {
  const child = (turns: number) => `tools: [query_sql]\nlimits: { turns: ${turns} }`;
  expect(await warningsOf({ buys: 'context_isolation', child: child(1) })).toEqual([
    'boss.yaml:5:12: "child" has one tool and one turn: it is no more than that tool; list query_sql under tools of boss and call it directly',
  ]);
  expect(await warningsOf({ buys: 'context_isolation', child: child(2) })).toEqual([]);
});

it('warns of parallelism with room for one task at a time', async () => {
  expect(await warningsOf({ buys: 'parallelism', concurrency: 1 })).toEqual([
    'boss.yaml:9:18: "child" claims parallelism, but at most 1 of its tasks runs at once; raise concurrency, or drop the claim',
  ]);
  expect(await warningsOf({ buys: 'context_isolation', concurrency: 1 })).toEqual([]);
});

it('warns of a description that does not say when to use the child', async () => {
  expect(await warningsOf({ buys: 'parallelism', childDescription: 'Counts tables.' })).toEqual([
    expect.stringMatching(/^child\.yaml:2:14: the description of "child" does not say when to use it, and boss chooses by it; say what/),
  ]);
});

it('warns of an agent that delegates and has more than twenty tools of its own', async () => {
  const own = (count: number) => Array.from({ length: count }, (_, index) => `own_${index + 1}`);
  const toolFile = `import { complete, defineTool, z } from 'soloist';
const make = (name) => defineTool({ name, description: 'Looks.', effect: 'read', input: z.object({}), output: z.object({}), run: async () => complete({}) });
${own(21)
  .map((name) => `export const ${name} = make('${name}');`)
  .join('\n')}
`;
  const others = { 'tools/own.mjs': toolFile };
  expect(await warningsOf({ buys: 'parallelism', boss: `tools: [${own(21).join(', ')}]`, others })).toEqual([
    expect.stringMatching(/^boss\.yaml:10:\d+: "boss" delegates and has 21 tools of its own, more than 20; keep those/),
  ]);
  expect(await warningsOf({ buys: 'parallelism', boss: `tools: [${own(20).join(', ')}]`, others })).toEqual([]);
});

it('warns of nesting deeper than limits.depth, at the subagent that leads there', async () => {
  const child = `tools: [profile_table]
subagents:
  - agent: grandchild
    justification: { buys: [context_isolation], because: It reads much. }
`;
  const others = {
    'agents/grandchild.yaml': 'name: grandchild\ndescription: Reads. Use it for long logs.\ninstructions: Read.\ntools: [summarize_log]\n',
  };
  expect(await warningsOf({ buys: 'parallelism', child, others })).toEqual([
    'boss.yaml:5:12: subagents nest 2 deep (boss → child → grandchild), but limits.depth of "boss" is 1: "grandchild" is never called; set limits.depth to 2, or take "grandchild" away',
  ]);
  expect(await warningsOf({ buys: 'parallelism', child, others, boss: 'limits: { depth: 2 }' })).toEqual([]);
});

it('refuses agents that call one another in a circle', async () => {
  const child = 'subagents:\n  - agent: boss\n    justification: { buys: [context_isolation], because: It reads much. }\n';
  await expect(warningsOf({ buys: 'parallelism', child })).rejects.toMatchObject({
    code: 'configuration',
    problems: [{ where: expect.stringMatching(/child\.yaml:\d+:\d+$|boss\.yaml:\d+:\d+$/), fact: expect.stringMatching(/circle: .*boss/) }],
  });
});

it('finds nothing to warn of in the agents that ship', async () => {
  const folder = folderWith({ 'soloist.yaml': 'name: empty\n' });
  const configuration = await openConfiguration({ folder, sourceFlags: [], environment: {} });
  expect(configuration.project.agents.length).toBeGreaterThan(0);
  expect(findWarnings(configuration).map(formatProblem)).toEqual([]);
});

it('is shown by agents check, which still passes; a project that init writes has no warning', async () => {
  const folder = folderWith({});
  initProject(folder);
  const check = await runCheck(folder);
  expect(check.out).toMatch(/^no problems: \d+ agents, /);
  writeFileSync(
    join(folder, 'agents/boss.yaml'),
    `name: boss
description: Leads.
instructions: Lead.
subagents:
  - agent: my-investigator
    justification: { buys: [multi_step_reasoning, parallelism], because: Questions are independent. }
    concurrency: 1
`,
  );
  const warned = await runCheck(folder);
  expect(warned.out).toMatch(/agents\/boss\.yaml:7:18: warning: "my-investigator" claims parallelism, but at most 1 .*\n/);
  expect(warned.out).toMatch(/\nno errors, 2 warnings: \d+ agents, /);
  const { ok, problems, warnings } = JSON.parse((await runCheck(folder, '--json')).out);
  expect({ ok, problems }).toEqual({ ok: true, problems: [] });
  expect(warnings).toHaveLength(2);
});

async function runCheck(folder: string, ...flags: readonly string[]): Promise<{ readonly out: string }> {
  let out = '';
  const write = (text: string): void => {
    out += text;
  };
  const program = new Command('soloist').option('--project <dir>');
  program.exitOverride();
  registerAgents(program, { out: write, note: () => {}, color: { out: false, note: false }, cwd: folder, environment: {} });
  await program.parseAsync(['agents', 'check', ...flags], { from: 'user' });
  return { out };
}

it('warns of a caller whose limits leave its children too little to work with', async () => {
  const warnings = await warningsOf({
    buys: 'parallelism, context_isolation',
    concurrency: 8,
    boss: 'tools: [list_tables]\nlimits: { turns: 12, tool_calls: 6 }',
  });
  expect(warnings.map((warning) => warning.replace(/^boss\.yaml:\d+:\d+: /, ''))).toEqual([
    'limits.turns of "boss" is 12: of 8 tasks of "child" at once each gets 1, and needs 2; raise limits.turns of boss, or lower concurrency',
    'limits.tool_calls of "boss" is 6: of 8 tasks of "child" at once each gets 0, and needs 1; raise limits.tool_calls of boss, or lower concurrency',
  ]);
});
