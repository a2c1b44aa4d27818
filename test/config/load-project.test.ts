import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkAgents } from '../../src/config/check-agents.ts';
import { loadProject } from '../../src/config/load-project.ts';
import { DEFAULT_LIMITS } from '../../src/core/agent-spec.ts';
import { formatProblem } from '../../src/core/errors.ts';
import { agentText, folderWith, linesOf, removeFolders } from './project-folder.ts';

afterAll(removeFolders);

function load(
  files: Readonly<Record<string, string>>,
  { environment = {}, flags = [] }: { environment?: NodeJS.ProcessEnv; flags?: string[] } = {},
) {
  const folder = folderWith(files);
  return loadProject({ folder, sourceFlags: flags, environment, cwd: folder });
}

const REASON = 'justification: {buys: [parallelism], because: many partitions}';

describe('a folder without soloist.yaml', () => {
  it('is one source of files, with every default', async () => {
    const folder = folderWith({
      'orders.csv': 'id\n1\n',
      'tools/clean.js': 'throw new Error("never loaded")',
      'agents/pod.yaml': 'kind: Pod',
    });
    const project = await loadProject({ folder, sourceFlags: [], environment: {} });
    expect(project.sources).toEqual([{ name: 'data', kind: 'files', paths: [folder], given: 'folder' }]);
    expect(project).toMatchObject({ folder, models: { default: { model: 'auto' } }, toolFiles: [], memory: {} });
    expect(project.file).toBeUndefined();
    expect(project.permissions).toEqual({ allow: [], ask: [], deny: [] });
    expect(project.agents.every(({ file }) => !file.startsWith(folder))).toBe(true);
  });

  it('is not looked for further up', async () => {
    const folder = folderWith({ 'soloist.yaml': 'name: above\n', 'below/x.csv': '' });
    expect((await loadProject({ folder: join(folder, 'below'), sourceFlags: [], environment: {} })).name).toBe('below');
  });

  it('that does not exist is refused', async () => {
    await expect(loadProject({ folder: '/nowhere/at/all', sourceFlags: [], environment: {} })).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('reads every setting of soloist.yaml', async () => {
  const project = await load({
    'soloist.yaml': `name: shop
models:
  default: ollama/qwen3:8b
  critic: {model: ollama/big, temperature: 0.2, seed: 7, keepAlive: 10m, think: low, context_tokens: 8192, parallel: 2, price: {input: 1, output: 2.5}, fallback: [default, rules]}
agents: [crew, one.yaml]
tools: kit
memory: {recall: true, write: false, scope: agent, skills: know}
permissions: {allow: [list_*], ask: [drop_table], deny: []}
`,
    'crew/a.yaml': agentText('alpha'),
    'one.yaml': agentText('one'),
    'kit/x.ts': '',
    'kit/x.d.ts': '',
    'know/backfill.md':
      '---\nname: backfill\ndescription: How to backfill.\nwhen_to_use: A day has to be loaded again.\n---\nDelete, then insert.\n',
  });
  expect(project.name).toBe('shop');
  expect(project.models.default).toEqual({ model: 'ollama/qwen3:8b' });
  expect(project.models.critic).toEqual({
    model: 'ollama/big',
    temperature: 0.2,
    seed: 7,
    keepAlive: '10m',
    think: 'low',
    contextTokens: 8192,
    parallel: 2,
    price: { input: 1, output: 2.5 },
    fallback: ['default', 'rules'],
  });
  expect(project.agents.slice(0, 2).map(({ name }) => name)).toEqual(['alpha', 'one']);
  expect(project.toolFiles).toEqual([join(project.folder, 'kit/x.ts')]);
  expect(project.memory).toEqual({ recall: true, write: false, scope: 'agent', skills: [join(project.folder, 'know/backfill.md')] });
  expect(project.permissions).toEqual({ allow: ['list_*'], ask: ['drop_table'], deny: [] });
});

it('reads every key of an agent, and its other spellings', async () => {
  const project = await load({
    'soloist.yaml': 'name: x\n',
    'agents/a.yaml':
      `name: alpha
description: d
model: rules
instruction: Take $` +
      `{HOME} as it is.
tools: [list_*]
load_tools: {above: 3, always: [list_runs]}
sub_agents: [{agent: beta, ${REASON}, concurrency: 2}]
${REASON}
limits: {turns: 1, tokens: 2, seconds: 3, tool_calls: 4, depth: 2, context: 1024, output: 64, parallel: 5}
memory: {recall: false, scope: project}
permissions: {deny: [drop_table]}
returns: {type: object, default: null}
`,
    'agents/b.yaml': agentText('beta'),
  });
  const { file, ...alpha } = project.agents.find(({ name }) => name === 'alpha')!;
  const justification = { buys: ['parallelism'], because: 'many partitions' };
  expect(file).toBe(join(project.folder, 'agents/a.yaml'));
  expect(alpha).toEqual({
    name: 'alpha',
    description: 'd',
    model: 'rules',
    instructions: 'Take ${HOME} as it is.',
    tools: ['list_*'],
    loadTools: { above: 3, always: ['list_runs'] },
    subagents: [{ agent: 'beta', justification, concurrency: 2 }],
    justification,
    limits: { turns: 1, tokens: 2, seconds: 3, toolCalls: 4, depth: 2, contextTokens: 1024, outputTokens: 64, parallelCalls: 5 },
    memory: { recall: false, scope: 'project' },
    permissions: { allow: [], ask: [], deny: ['drop_table'] },
    skills: [],
    returns: { type: 'object', default: null },
  });
  expect(project.agents.find(({ name }) => name === 'beta')).toMatchObject({
    model: 'auto',
    limits: DEFAULT_LIMITS,
    tools: [],
    subagents: [],
  });
});

it('prefers a project agent to a shipped one of the same name', async () => {
  const project = await load({ 'soloist.yaml': 'name: x\n', 'agents/i.yaml': agentText('investigator') });
  const found = project.agents.filter(({ name }) => name === 'investigator');
  expect(found.map(({ file }) => file)).toEqual([join(project.folder, 'agents/i.yaml')]);
});

it('reports all problems of all files at once, each at its place', async () => {
  const lines = await linesOf(
    load({
      'soloist.yaml': `models:
  default: olama/qwen3
  critic: {model: rules, temprature: 1, temperature: 3, think: [1]}
memory: {scope: team}
agent: ./x
tools: [./tols]
sources: {"1x": "files:."}
`,
      'agents/a.yaml': `name: Alpha
tools: list_files
limits: {turns: many, tool_call: 3}
model: critik
skills: [nope]
`,
      'agents/b.yaml': 'a: [',
    }),
  );
  const expected = [
    'soloist.yaml:2:12: unknown model provider in "olama/qwen3"; did you mean "ollama"?',
    'soloist.yaml:3:26: unknown key "temprature" in "models.critic"; did you mean "temperature"?',
    'soloist.yaml:3:54: "models.critic.temperature" is too large; write at most 2',
    'soloist.yaml:3:64: "models.critic.think" is a list; write true or false or low or medium or high',
    'soloist.yaml:4:17: "memory.scope" has the unknown value "team"; choose one of: project, agent, home',
    'soloist.yaml:5:1: unknown key "agent"; did you mean "agents"?',
    'soloist.yaml:6:9: there is no file or folder "./tols"; choose one of: agents, soloist.yaml',
    'agents/a.yaml:1:7: "name" must begin with a lower-case letter and hold only a-z, 0-9, "-" and "_"',
    'agents/a.yaml:1:1: "instructions" is missing; add the key "instructions"',
    'agents/a.yaml:2:8: "tools" is text; write a list',
    'agents/a.yaml:3:17: "limits.turns" is text; write a number',
    'agents/a.yaml:3:23: unknown key "tool_call" in "limits"; did you mean "tool_calls"?',
    'agents/a.yaml:4:8: unknown model "critik"; did you mean "critic"? or write ollama/<name>',
  ];
  for (const line of expected) expect(lines).toContain(line);
  expect(lines).toContainEqual(expect.stringMatching(/^agents\/a\.yaml:5:10: unknown skill "nope"; choose one of: /));
  expect(lines.filter((line) => line.startsWith('agents/b.yaml:'))).toHaveLength(1);
});

describe('subagents', () => {
  const beta = { 'agents/b.yaml': agentText('beta') };
  const project = { 'soloist.yaml': 'name: x\n' };

  it('do not load without a justification', async () => {
    const lines = await linesOf(load({ ...project, ...beta, 'agents/a.yaml': agentText('alpha', 'subagents:\n  - agent: beta\n') }));
    expect(lines).toEqual([
      'agents/a.yaml:4:5: subagent "beta" has no justification; add justification: {buys: [...], because: ...}, or give this agent its tools instead',
    ]);
  });

  it('need what they buy and why', async () => {
    const more = 'subagents:\n  - agent: beta\n    justification: {buys: [], because: " "}\n';
    const lines = await linesOf(load({ ...project, ...beta, 'agents/a.yaml': agentText('alpha', more) }));
    expect(lines).toEqual([
      'agents/a.yaml:5:27: "subagents.0.justification.buys" is too short; list at least 1',
      'agents/a.yaml:5:40: "subagents.0.justification.because" is too short; write something',
    ]);
  });

  it('take the justification of their own file', async () => {
    const loaded = await load({
      ...project,
      'agents/a.yaml': agentText('alpha', 'subagents:\n  - agent: beta\n'),
      'agents/b.yaml': agentText('beta', `${REASON}\n`),
    });
    expect(loaded.agents[0]?.subagents[0]?.justification).toEqual({ buys: ['parallelism'], because: 'many partitions' });
  });

  it('that do not exist get the nearest name', async () => {
    const lines = await linesOf(
      load({ ...project, ...beta, 'agents/a.yaml': agentText('alpha', `subagents:\n  - {agent: betta, ${REASON}}\n`) }),
    );
    expect(lines).toEqual(['agents/a.yaml:4:13: unknown subagent "betta"; did you mean "beta"?']);
  });

  it('must not go round in a circle', async () => {
    const lines = await linesOf(
      load({
        ...project,
        'agents/a.yaml': agentText('alpha', `subagents: [{agent: beta, ${REASON}}]\n`),
        'agents/b.yaml': agentText('beta', `subagents: [{agent: alpha, ${REASON}}]\n`),
      }),
    );
    expect(lines).toEqual(['agents/b.yaml:3:21: subagents go round in a circle: alpha → beta → alpha; remove one of them']);
  });

  it('must not be the agent itself', async () => {
    const lines = await linesOf(load({ ...project, 'agents/a.yaml': agentText('alpha', `subagents: [{agent: alpha, ${REASON}}]\n`) }));
    expect(lines).toEqual(['agents/a.yaml:3:21: subagents go round in a circle: alpha → alpha; remove one of them']);
  });

  it('must not share a name with another agent', async () => {
    const lines = await linesOf(load({ ...project, 'agents/a.yaml': agentText('alpha'), 'agents/b.yaml': agentText('alpha') }));
    expect(lines).toEqual(['agents/b.yaml:1:7: agent "alpha" is declared twice, first at agents/a.yaml:1:7; rename one of them']);
  });
});

it('checks tool names against those that exist, at the place they are named', async () => {
  const project = await load({
    'soloist.yaml': 'name: x\n',
    'agents/a.yaml': agentText(
      'alpha',
      `tools:\n  - profil_table\n  - list_*\n  - drop_*\npermissions: {deny: [quer_sql, beta]}\nsubagents: [{agent: beta, ${REASON}}]\n`,
    ),
    'agents/b.yaml': agentText('beta'),
  });
  const own = project.agents.filter(({ file }) => file.startsWith(project.folder));
  const names = ['profile_table', 'list_files', 'query_sql'];
  expect(checkAgents(own, names).map(formatProblem)).toEqual([
    'agents/a.yaml:4:5: unknown tool "profil_table"; did you mean "profile_table"?',
    'agents/a.yaml:6:5: no tool matches "drop_*"; choose one of: profile_table, list_files, query_sql',
    'agents/a.yaml:7:22: unknown tool "quer_sql"; did you mean "query_sql"?',
  ]);
  expect(checkAgents(own, [...names, 'beta', 'drop_table']).map(formatProblem)).toContain(
    'agents/a.yaml:8:21: subagent "beta" has the name of a tool; rename the agent',
  );
});
