import { afterEach, describe, expect, it } from 'vitest';
import { openProjectMemory } from '../../src/app/memory-project.ts';
import { readPastSession } from '../../src/app/past-session.ts';
import { runSession } from '../../src/app/run-session.ts';
import { Scope } from '../../src/core/scope.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { closeShops, openShop, type Shop } from './memory-project-folder.ts';

afterEach(closeShops);

const TOOLS = 'tools: [read_note, record_finding, recall, remember, graph_add, graph_walk, scratchpad]';
const TEAM = {
  'agents/boss.yaml': `name: boss
instructions: Lead.
${TOOLS}
memory: { write: true }
subagents:
  - agent: helper
    justification: { buys: [parallelism], because: Tables are independent of one another. }
`,
  'agents/helper.yaml': `name: helper\ninstructions: Help.\n${TOOLS}\nmemory: { write: true }\nlimits: { turns: 8 }\n`,
};

function helper() {
  return scriptedModel([
    {
      calls: [
        { tool: 'read_note', input: { text: 'orders come from raw' } },
        { tool: 'scratchpad', input: { add: ['own list'] } },
      ],
    },
    {
      calls: [
        { tool: 'graph_add', input: { subject: 'orders', relation: 'reads_from', object: 'raw.orders' } },
        {
          tool: 'remember',
          input: { key: 'orders.source', kind: 'constraint', text: 'Orders must be read from raw.orders alone.', evidence: ['c1.r1'] },
        },
        { tool: 'recall', input: { question: 'who is the owner of ledger?' } },
      ],
    },
    { text: 'Orders come from raw [c1.r1].' },
  ]);
}

function boss(child: string) {
  return scriptedModel([
    {
      calls: [
        { tool: 'scratchpad', input: { add: ['ask'] } },
        {
          tool: child,
          input: {
            tasks: [
              { goal: 'Find where the table orders comes from.', expect: 'One line.' },
              { goal: 'Find what the table stores is for.', expect: 'One line.' },
            ],
            why: 'parallelism',
            because: 'two tables',
          },
        },
      ],
    },
    {
      calls: [
        { tool: 'graph_walk', input: { from: 'orders' } },
        { tool: 'scratchpad', input: {} },
      ],
    },
    { text: 'From raw.' },
  ]);
}

async function lead(shop: Shop, child = 'helper') {
  const scope = new Scope();
  const models = { boss: boss(child), helper: helper() };
  const report = await runSession({
    workspace: shop.workspace,
    agent: shop.workspace.agent('boss'),
    question: 'Where do tables come from?',
    model: models.boss,
    modelFor: async ({ name }) => (name === 'boss' ? models.boss : models.helper),
    scope,
    work: new Scope(scope),
  });
  const events = [...(await shop.workspace.openLog()).read(report.session)];
  const results = events.flatMap(({ agent, body }) =>
    body.type === 'tool.finished' ? [{ agent, tool: body.tool, result: JSON.parse(body.content) }] : [],
  );
  return { report, results };
}

describe('subagents', () => {
  it('share the memory of the project, each with its own scratchpad and within its own settings', async () => {
    const shop = await openShop(TEAM);
    const { report, results } = await lead(shop);
    const of = (agent: string, tool: string) =>
      results.filter((one) => one.agent === agent && one.tool === tool).map(({ result }) => result);
    expect(of('main', 'graph_walk')[0]).toMatchObject({
      data: { steps: [{ subject: 'orders', object: 'raw.orders', said_by: 'helper' }] },
    });
    expect(of('main', 'scratchpad').at(-1)).toMatchObject({ data: { todo: [{ item: 'ask' }] } });
    expect(of('c1', 'scratchpad')[0]).toMatchObject({ data: { todo: [{ item: 'own list' }] } });
    expect(of('c1', 'remember')[0]).toMatchObject({ status: 'ok', data: { proposals: 1 } });
    expect(report.notes.written).toMatchObject([{ key: 'orders.source', verdict: 'new' }]);
    expect(shop.memory.store.notes.list()).toMatchObject([{ agent: 'helper' }]);
    const digest = shop.memory.store.triples.digest();
    await shop.memory.catchUp({ fromStart: true });
    expect(shop.memory.store.triples.digest()).toBe(digest);
  });
});

describe('a session that goes on', () => {
  it('has its scratchpad and its background from the log, and does not recall again', async () => {
    const shop = await openShop({
      'agents/scout.yaml': `name: scout\ninstructions: Look.\n${TOOLS}\nmemory: { write: true }\nlimits: { turns: 1 }\n`,
    });
    const first = await shop.run(
      scriptedModel([
        { calls: [{ tool: 'scratchpad', input: { add: ['read the log'], note: 'pool has 16 slots' } }] },
        { text: 'Not done.' },
      ]),
    );
    expect(first.report.status).toBe('budget');
    const log = await shop.workspace.openLog();
    const past = readPastSession(log, first.report.session);
    const scope = new Scope();
    const model = scriptedModel((messages) =>
      messages.some(({ content }) => content.includes('"note 2"'))
        ? { text: 'Done.' }
        : { calls: [{ tool: 'scratchpad', input: { note: 'note 2' } }] },
    );
    const agent = { ...shop.workspace.agent('scout'), limits: { ...shop.workspace.agent('scout').limits, turns: 10 } };
    await runSession({ workspace: shop.workspace, agent, question: past.opened.question, model, scope, work: new Scope(scope), past });
    const pads = [...log.read(first.report.session)].flatMap(({ body }) =>
      body.type === 'tool.finished' ? [JSON.parse(body.content).data] : [],
    );
    expect(pads.at(-1)).toEqual({ todo: [{ item: 'read the log', done: false }], notes: ['pool has 16 slots', 'note 2'] });
    expect([...log.read(first.report.session)].filter(({ body }) => body.type === 'memory.recalled')).toHaveLength(1);
  });
});

describe('a projection', () => {
  it('waits while another process makes everything again, and does nothing half', async () => {
    const shop = await openShop(TEAM);
    await lead(shop);
    const other = await openProjectMemory(shop.workspace);
    const digest = shop.memory.store.notes.digest();
    await Promise.all([
      shop.memory.catchUp({ fromStart: true }),
      other.catchUp(),
      other.catchUp({ fromStart: true }),
      shop.memory.catchUp(),
    ]);
    expect(shop.memory.store.notes.digest()).toBe(digest);
    expect(shop.memory.lag()).toEqual({ events: 0, sessions: 0, verdicts: 0 });
    await other.close();
  });
});
