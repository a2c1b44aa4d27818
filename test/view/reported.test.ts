import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createChat } from '../../src/app/chat.ts';
import { createViewData, type SessionsPage, type SessionView } from '../../src/app/view-data.ts';
import { openWorkspace, type Workspace } from '../../src/app/workspace.ts';
import { DEFAULT_THRESHOLDS } from '../../src/core/audit-thresholds.ts';
import { Scope } from '../../src/core/scope.ts';
import { scriptedModel } from '../../src/models/scripted.ts';

const FILES: Readonly<Record<string, string>> = {
  'soloist.yaml': 'name: talk\nsources: {}\n',
  'agents/counter.yaml': `name: counter
description: Counts.
instructions: Count.
tools: [count_rows, record_finding]
grounding: strict
subagents:
  - agent: worker
    justification: { buys: [parallelism], because: Tables are independent of one another. }
`,
  'agents/worker.yaml': 'name: worker\ndescription: Counts.\ninstructions: Count.\ntools: [count_rows]\n',
  'tools/count-rows.ts': `import { complete, defineTool, z } from 'soloist';
export const countRows = defineTool({
  name: 'count_rows', description: 'Counts.', input: z.object({ table: z.string() }), output: z.object({ rows: z.number() }), effect: 'read',
  run: async ({ table }) => complete({ rows: table.length * 1000 }),
});
`,
};

let folder: string;
let workspace: Workspace;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-reported-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  workspace = await openWorkspace({ folder, sourceFlags: [], environment: { SOLOIST_HOME: join(folder, 'home') } });
});
afterAll(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

const call = (tool: string, input: Record<string, unknown>) => ({ tool, input });
const finding = (claim: string) => call('record_finding', { kind: 'observation', claim, evidence: ['r1'], confidence: 'high' });
const tasks = ['orders', 'lines'].map((table) => ({ goal: `Count the rows of table ${table}.`, inputs: { table } }));

it('shows of each question of a chat what its run reported', async () => {
  const model = scriptedModel([
    { calls: [call('count_rows', { table: 'orders' })] },
    { calls: [call('worker', { tasks, why: 'parallelism', because: 'they are independent' })] },
    { calls: [finding('orders has 6000 rows and 4711 gaps')] },
    { text: 'First: [[c1]] And 4711 gaps.' },
    { text: 'First: [[c1]] And 4711 gaps.' },
    { calls: [call('count_rows', { table: 'users' }), finding('orders has 6000 rows')] },
    { text: 'users has 5000 rows [r4].' },
  ]);
  const worker = scriptedModel((messages) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'orders has 6000 rows [r1].' }
      : { calls: [call('count_rows', { table: 'orders' })] },
  );
  const chat = createChat({
    ...{ workspace, agent: workspace.agent('counter'), model },
    modelFor: async ({ name }) => (name === 'worker' ? worker : model),
  });
  const data = createViewData(await workspace.openLog(), { thresholds: DEFAULT_THRESHOLDS, place: {} });
  const used = { inputTokens: 0, outputTokens: 0 };
  for (const question of ['How many rows has orders?', 'And users?']) {
    const scope = new Scope();
    const reported = await chat.ask(question, { scope, work: new Scope(scope) });
    const { report, earlier } = (await data.session(reported.session)) as SessionView;
    // The texts of a strict agent are marked in the report; the page marks what it links to.
    expect({ ...report, notes: undefined }).toEqual(
      JSON.parse(JSON.stringify({ ...reported, notes: undefined }).replaceAll(' (unsupported)', '')),
    );
    used.inputTokens += reported.usage.inputTokens;
    used.outputTokens += reported.usage.outputTokens;
    const { sessions } = data.sessions({ after: undefined, filter: '', limit: 1 }) as SessionsPage;
    expect(sessions[0]?.used).toEqual(used);
    if (question === 'And users?') expect(earlier).toMatchObject([{ answer: 'First: orders has 6000 rows [r1]. And 4711 gaps.' }]);
    else expect(report.findings).toMatchObject([{ unsupported: ['4711'] }]);
  }
});
