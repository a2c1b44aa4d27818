import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBench } from '../../src/app/bench-run-suite.ts';
import { Scope } from '../../src/core/scope.ts';

/** A project with two agents that count the rows of a table by rules, one of them through a subagent, and a suite over both. */
export const PROJECT: Readonly<Record<string, string>> = {
  'soloist.yaml': 'name: benched\nsources: {}\nagents: agents\ntools: tools\n',
  'agents/alone.yaml': `name: alone
description: Counts by itself. Use it in tests.
instructions: Count.
tools: [query_sql]
limits: { tokens: 100000 }
`,
  'agents/lead.yaml': `name: lead
description: Has others count. Use it in tests.
instructions: Lead.
tools: []
subagents:
  - agent: counter
    justification: { buys: [context_isolation], because: The count is one figure. }
limits: { tokens: 100000 }
`,
  'agents/counter.yaml': 'name: counter\ndescription: Counts. Use it in tests.\ninstructions: Count.\ntools: [query_sql]\n',
  'agents/policies/alone.mjs': `export default async (play) => {
  const { data, id } = await play.call('query_sql', { sql: 'SELECT count(*) FROM items' });
  return data.rows[0][0] + ' rows are there [' + id + ']';
};
`,
  'agents/policies/counter.mjs': `export default async (play) => {
  const { data, id } = await play.call('query_sql', { sql: 'SELECT count(*) FROM items' });
  return data.rows[0][0] + ' rows are there [' + id + ']';
};
`,
  'agents/policies/lead.mjs': `export default async (play) => {
  const tasks = [{ goal: 'Count the rows of the table items.' }];
  const { data } = await play.call('counter', { tasks, why: 'context_isolation', because: 'One figure comes back.' });
  return '[[' + data.conclusions[0].id + ']]';
};
`,
  'tools/nothing.mjs': `import { defineTool, noData, z } from 'soloist';
export const nothing = defineTool({ name: 'find_nothing', description: 'Finds nothing.', input: z.object({}), output: z.object({}), effect: 'read', run: async () => noData({}) });
`,
  'make-items.mjs': `import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
export function generate({ folder, seed, parameters }) {
  const rows = parameters.rows + seed;
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data', 'items.csv'), 'id,name\\n' + Array.from({ length: rows }, (_, at) => at + ',x').join('\\n') + '\\n');
  return { rows };
}
`,
  'counting.yaml': `name: counting
about: Counting rows alone and through another.
claim: A test.
designs:
  alone: { agent: alone, about: by itself }
  lead: { agent: lead, about: through another }
axis: rows
cases:
  - { id: few, x: 10, tags: [small], task: How many rows are there?, source: 'files:data', setup: { generator: make-items.mjs, with: { rows: 10 } } }
  - { id: many, x: 40, tags: [large], task: How many rows are there?, source: 'files:data', setup: { generator: make-items.mjs, with: { rows: 40 } } }
expect:
  - { number: '{{rows}}', near: rows }
seeds: [1, 2, 3]
model: rules
`,
};

/** Writes a project into a temporary folder. */
export function writeProject(files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-suite-'));
  for (const [path, text] of Object.entries({ ...PROJECT, ...files })) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export type BenchOptions = Partial<Parameters<typeof runBench>[0]>;

/** Runs the suite of a project, with its results in that project. */
export function bench(folder: string, options: BenchOptions = {}) {
  return runBench({
    suite: join(folder, 'counting.yaml'),
    folder,
    cwd: folder,
    environment: { SOLOIST_HOME: join(folder, 'home') },
    only: [],
    concurrency: 1,
    fresh: false,
    scope: new Scope(),
    ...options,
  });
}
