import { mkdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type ScriptedTurn, scriptedModel } from '../../../src/models/scripted.ts';
import { BUILT_IN_TOOLS } from '../../../tools/index.ts';
import { closeShops, openShop, type Shop } from '../../memory/memory-project-folder.ts';
import { runCli } from '../../support/run-cli.ts';

afterEach(closeShops);

type Call = NonNullable<ScriptedTurn['calls']>[number];

/** Results of calls, one turn each, as the model saw them. */
async function resultsOf(
  shop: Shop,
  calls: readonly Call[],
  question = 'look',
): Promise<readonly { status: string; data: Record<string, unknown>; warnings: { code: string; message: string }[] }[]> {
  const { events } = await shop.run(scriptedModel([...calls.map((call) => ({ calls: [call] })), { text: 'Done.' }]), question, {
    now: () => new Date('2026-05-04T06:00:00Z'),
  });
  return events.flatMap(({ body }) => (body.type === 'tool.finished' ? [JSON.parse(body.content)] : []));
}

describe('scratchpad', () => {
  it('keeps a list and notes over the session, and begins empty in the next', async () => {
    const shop = await openShop();
    const results = await resultsOf(shop, [
      { tool: 'scratchpad', input: { add: ['read the log', 'count rows'] } },
      { tool: 'scratchpad', input: { done: [1], note: 'pool has 16 slots' } },
      { tool: 'scratchpad', input: { done: [7] } },
      { tool: 'scratchpad', input: {} },
    ]);
    const pad = {
      todo: [
        { item: 'read the log', done: true },
        { item: 'count rows', done: false },
      ],
      notes: ['pool has 16 slots'],
    };
    expect(results[1]?.data).toEqual(pad);
    expect(results[2]).toMatchObject({ status: 'refused', warnings: [{ code: 'no_such_item' }] });
    expect(results[3]?.data).toEqual(pad);
    expect((await resultsOf(shop, [{ tool: 'scratchpad', input: {} }]))[0]?.data).toEqual({ todo: [], notes: [] });
  });

  it('is full at some point, and can be cleared', async () => {
    const twenty = Array.from({ length: 20 }, (_, index) => `item ${index}`);
    const results = await resultsOf(await openShop(), [
      { tool: 'scratchpad', input: { add: twenty } },
      { tool: 'scratchpad', input: { add: twenty } },
      { tool: 'scratchpad', input: { add: ['one more'] } },
      { tool: 'scratchpad', input: { clear: true, add: ['afresh'] } },
    ]);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'refused', 'ok']);
    expect(results[3]?.data).toEqual({ todo: [{ item: 'afresh', done: false }], notes: [] });
  });
});

describe('remember', () => {
  it('proposes with evidence of the run, and the gate writes it after the answer', async () => {
    const shop = await openShop();
    const input = { key: 'ingest.retry_policy', text: 'Retries of ingest must be idempotent.', kind: 'constraint', evidence: ['r1'] };
    const results = await resultsOf(shop, [
      { tool: 'read_note', input: { text: 'x' } },
      { tool: 'remember', input },
      { tool: 'remember', input: { ...input, evidence: ['r9'] } },
      { tool: 'remember', input: { ...input, key: 'No Key' } },
    ]);
    expect(results[1]).toMatchObject({ status: 'ok', data: { proposals: 1 } });
    expect(results[2]).toMatchObject({ status: 'refused', warnings: [{ code: 'unknown_evidence' }] });
    expect(results[3]).toMatchObject({
      status: 'error',
      warnings: [{ message: expect.stringMatching(/must be like "ingest\.retry_policy"/) }],
    });
    expect(shop.memory.store.notes.list()).toMatchObject([
      { key: 'ingest.retry_policy', text: '2026-05-04: Retries of ingest must be idempotent.', kind: 'constraint' },
    ]);
  });
});

describe('recall', () => {
  it('brings notes with their age and reason, as background', async () => {
    const shop = await openShop();
    await resultsOf(shop, [
      { tool: 'read_note', input: { text: 'x' } },
      {
        tool: 'remember',
        input: { key: 'ingest.retry_policy', text: 'Retries of ingest must be idempotent.', kind: 'constraint', evidence: ['r1'] },
      },
    ]);
    const [found, none] = await resultsOf(shop, [
      { tool: 'recall', input: { question: 'must retries of ingest be idempotent?' } },
      { tool: 'recall', input: { question: 'colour of the office walls' } },
    ]);
    expect(found).toMatchObject({
      status: 'ok',
      data: { mode: 'lexical' },
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'background_only' })]),
    });
    expect(((found?.data.hits ?? []) as object[])[0]).toMatchObject({
      source: 'note',
      key: 'ingest.retry_policy',
      date: '2026-05-04',
      age: 'today',
      outdated: false,
      why: expect.stringMatching(/retri/),
    });
    expect(none).toMatchObject({ status: 'no_data', data: { hits: [] } });
  });
});

describe('graph_add and graph_walk', () => {
  const add = (subject: string, relation: string, object: string, more: object = {}): Call => ({
    tool: 'graph_add',
    input: { subject, relation, object, ...more },
  });
  const walk = (input: Record<string, unknown>): Call => ({ tool: 'graph_walk', input });
  const named = (result: { data: Record<string, unknown> } | undefined) =>
    ((result?.data.steps ?? []) as { subject: string; relation: string; object: string; depth: number }[]).map(
      ({ subject, relation, object, depth }) => `${depth} ${subject} ${relation} ${object}`,
    );

  it('follow relations by depth and direction, in the session and after it', async () => {
    const shop = await openShop();
    const chain = [
      add('orders_daily', 'reads_from', 'raw.orders'),
      add('report', 'reads_from', 'orders_daily'),
      add('raw.orders', 'loaded_by', 'ingest'),
    ];
    const results = await resultsOf(shop, [
      ...chain,
      walk({ from: 'Orders_Daily', depth: 1 }),
      walk({ from: 'ingest', depth: 3, direction: 'in' }),
      walk({ from: 'report', depth: 6, direction: 'out', relation: 'reads_from' }),
    ]);
    expect(named(results[3]).sort()).toEqual(['1 orders_daily reads_from raw.orders', '1 report reads_from orders_daily']);
    expect(named(results[4])).toEqual([
      '1 raw.orders loaded_by ingest',
      '2 orders_daily reads_from raw.orders',
      '3 report reads_from orders_daily',
    ]);
    expect(named(results[5])).toEqual(['1 report reads_from orders_daily', '2 orders_daily reads_from raw.orders']);
    const digest = shop.memory.store.triples.digest();
    await shop.memory.catchUp({ fromStart: true });
    expect(shop.memory.store.triples.digest()).toBe(digest);
    const [near, cut] = await resultsOf(shop, [walk({ from: 'orders_dayly' }), walk({ from: 'orders_daily', limit: 1 })]);
    expect(near).toMatchObject({ status: 'no_data', data: { nearest_name: 'orders_daily' } });
    expect(cut).toMatchObject({ status: 'partial', complete: false, returned: 1 });
  });

  it('keep what held before, with its end', async () => {
    const results = await resultsOf(await openShop(), [
      add('ingest', 'owned_by', 'Ann', { valid_from: '2025-01-01' }),
      add('ingest', 'owned_by', 'Bo', { valid_from: '2026-02-01', replaces: true }),
      walk({ from: 'ingest', direction: 'out' }),
      walk({ from: 'ingest', direction: 'out', at: '2025-06-01' }),
      add('ingest', 'owned_by', 'Cy', { valid_from: '2026-02-01', valid_until: '2026-01-01' }),
    ]);
    expect(named(results[2])).toEqual(['1 ingest owned_by Bo']);
    expect(named(results[3])).toEqual(['1 ingest owned_by Ann']);
    expect(results[3]?.data.steps).toMatchObject([{ valid_from: '2025-01-01', valid_until: '2026-02-01' }]);
    expect(results[4]).toMatchObject({ status: 'refused', warnings: [{ code: 'invalid_period' }] });
  });

  it('do not run in circles', async () => {
    const results = await resultsOf(await openShop(), [
      add('a', 'feeds', 'b'),
      add('b', 'feeds', 'a'),
      add('a', 'feeds', 'a'),
      walk({ from: 'a', depth: 6 }),
    ]);
    expect(named(results[3]).sort()).toEqual(['1 a feeds a', '1 a feeds b', '1 b feeds a']);
  });
});

describe('read_skill', () => {
  it('lists skills with their use, and reads one', async () => {
    const [list, one, none] = await resultsOf(await openShop(), [
      { tool: 'read_skill', input: {} },
      { tool: 'read_skill', input: { name: 'late-data' } },
      { tool: 'read_skill', input: { name: 'late-dat' } },
    ]);
    expect(((list?.data.skills ?? []) as { name: string }[]).map(({ name }) => name)).toContain('duplicate-rows');
    expect(one?.data.text).toMatch(/Separate three times/);
    expect(none).toMatchObject({ status: 'refused', warnings: [{ message: expect.stringMatching(/did you mean "late-data"/) }] });
  });
});

describe('an agent that may not', () => {
  it('is told so', async () => {
    const shop = await openShop({ 'soloist.yaml': 'name: shop\nsources: {}\nmemory: { recall: false, write: false }\n' });
    const results = await resultsOf(shop, [
      { tool: 'recall', input: { question: 'retries of ingest' } },
      { tool: 'graph_add', input: { subject: 'a', relation: 'feeds', object: 'b' } },
      { tool: 'graph_walk', input: { from: 'a' } },
    ]);
    expect(results.map(({ status, warnings }) => [status, warnings[0]?.code])).toEqual(
      Array.from({ length: 3 }, () => ['refused', 'not_permitted']),
    );
  });

  it('is told what to do by hand, outside of a session', async () => {
    const shop = await openShop();
    mkdirSync(shop.home, { recursive: true });
    const { stdout, code } = await runCli(['tools', 'call', 'recall', '--input', '{"question": "x y"}', '--project', shop.folder], {
      environment: { SOLOIST_HOME: shop.home },
    });
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { status: 'refused', warnings: [{ code: 'no_session' }] }]);
  });

  it('cannot write by memory tools, which all count as reading', () => {
    expect(
      BUILT_IN_TOOLS.filter(({ name }) => /^(recall|remember|graph_|scratchpad|read_skill)/.test(name)).map(({ effect }) => effect),
    ).toEqual(Array.from({ length: 6 }, () => 'read'));
  });
});
