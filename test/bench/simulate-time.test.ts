import { describe, expect, it } from 'vitest';
import { totalsOf } from '../../src/bench/session-usage.ts';
import { simulateTime } from '../../src/bench/simulate-time.ts';
import type { SimulatedSpeed } from '../../src/bench/suite-spec.ts';
import type { ChildConclusion } from '../../src/core/conclusion.ts';
import type { Event, EventBody } from '../../src/core/event.ts';

/** 1,000 prompt tokens and 100 output tokens a second; a tool takes 50 ms. */
const SPEED: SimulatedSpeed = {
  promptTokensPerSecond: 1_000,
  outputTokensPerSecond: 100,
  slots: 2,
  toolMs: 50,
  toolsAtOnce: 8,
  cache: 'prefix',
};

type Part = EventBody;

function events(parts: readonly (readonly [agent: string, body: Part])[]): Event[] {
  return parts.map(([agent, body], place) => ({ session: 's', round: 1, step: 0, agent, sequence: place, at: 0, body }));
}

function reply(inputTokens: number, outputTokens: number, calls: readonly string[] = []): Part {
  const toolCalls = calls.map((id) => ({ id, name: 'look', arguments: {} }));
  return {
    type: 'model.replied',
    message: { role: 'assistant', content: '', ...(calls.length > 0 ? { toolCalls } : {}) },
    finish: 'stop',
    usage: { inputTokens, outputTokens, totalMs: 1 },
  };
}

function called(resultId: string): Part {
  return { type: 'tool.called', callId: resultId, resultId, tool: 'look', arguments: {} };
}

function finished(resultId: string, content = '{}'): Part {
  return { type: 'tool.finished', callId: resultId, resultId, tool: 'look', status: 'ok', complete: true, content, elapsedMs: 7 };
}

function conclusion(id: string): ChildConclusion {
  const usage = { modelCalls: 1, toolCalls: 0, inputTokens: 0, outputTokens: 0, peakContextTokens: 0, wallMs: 3 };
  return { id, path: id, agent: 'child', goal: 'g', status: 'ok', text: 't', evidence: [], findings: [], usage, model: 'rules' };
}

function delegation(resultId: string, ids: readonly string[], concurrency: number): Part {
  const children = ids.map((id) => ({ id, path: id, task: { goal: 'g' } }));
  const claim = { buys: ['parallelism'], why: 'parallelism', because: 'b' } as const;
  return { type: 'delegation.started', resultId, agent: 'child', ...claim, concurrency, children };
}

const concluded = (id: string): Part => ({ type: 'agent.concluded', conclusion: conclusion(id) });

/** A parent that asks `count` children of one call each: 300 tokens in, 20 out, so 300 + 200 ms. */
function fanOut(count: number, concurrency: number): Event[] {
  const ids = Array.from({ length: count }, (_, place) => `c${place + 1}`);
  return events([
    ['main', reply(1_000, 10, ['r1'])],
    ['main', called('r1')],
    ['main', delegation('r1', ids, concurrency)],
    ...ids.flatMap((id) => [[id, reply(300, 20)] as const, [id, concluded(id)] as const]),
    ...ids.map((id) => ['main', { type: 'child.concluded', conclusion: conclusion(id) }] as const),
    ['main', finished('r1')],
    ['main', reply(1_200, 10)],
    ['main', concluded('main')],
  ]);
}

describe('simulated time', () => {
  it('adds up calls and tools of one agent: what was said before is not read again', () => {
    // 1000/1000 s + 20/100 s = 1200 ms; three tools side by side 50 ms; (1520 − 1020)/1000 s + 30/100 s = 800 ms.
    const log = events([
      ['main', reply(1_000, 20, ['r1', 'r2', 'r3'])],
      ['main', called('r1')],
      ['main', called('r2')],
      ['main', called('r3')],
      ['main', finished('r1')],
      ['main', finished('r2')],
      ['main', finished('r3')],
      ['main', reply(1_520, 30)],
    ]);
    expect(simulateTime(log, SPEED).wallMs).toBe(2_050);
    // Without the cache the second prompt is read whole: 1020 ms more.
    expect(simulateTime(log, { ...SPEED, cache: 'none' }).wallMs).toBe(3_070);
    // One tool at a time: 100 ms more.
    expect(simulateTime(log, { ...SPEED, toolsAtOnce: 1 }).wallMs).toBe(2_150);
  });

  it('reads a shortened history again whole', () => {
    const log = events([
      ['main', reply(1_000, 0)],
      ['main', reply(400, 0)],
    ]);
    const { wallMs, events: told } = simulateTime(log, SPEED);
    expect(wallMs).toBe(1_400);
    expect(totalsOf(told, 'simulated', () => undefined).usage.cachedTokens).toBe(0);
  });

  it('lets children run side by side up to the slots of the server', () => {
    // Parent 1100 ms; four children of 500 ms in two slots 1000 ms; parent (1200 − 1010)/1000 s + 100 ms = 290 ms.
    expect(simulateTime(fanOut(4, 4), SPEED).wallMs).toBe(1_100 + 1_000 + 290);
    expect(simulateTime(fanOut(4, 4), { ...SPEED, slots: 4 }).wallMs).toBe(1_100 + 500 + 290);
  });

  it('lets no more children run than the agent’s file allows', () => {
    expect(simulateTime(fanOut(4, 1), { ...SPEED, slots: 4 }).wallMs).toBe(1_100 + 4 * 500 + 290);
    expect(simulateTime(fanOut(5, 2), { ...SPEED, slots: 8 }).wallMs).toBe(1_100 + 3 * 500 + 290);
  });

  it('counts the wait for a slot as waiting, not as work', () => {
    const { events: told } = simulateTime(fanOut(3, 3), { ...SPEED, slots: 1 });
    const waits = told.flatMap(({ agent, body }) => (agent !== 'main' && body.type === 'model.replied' ? [body.usage.queueMs] : []));
    expect(waits).toEqual([0, 500, 1_000]);
  });

  it('goes on where a child began of which the log holds nothing', () => {
    const log = fanOut(2, 2).filter(({ agent }) => agent !== 'c2');
    expect(simulateTime(log, SPEED).wallMs).toBe(1_100 + 500 + 290);
  });

  it('plays a child that is asked again after its first conclusion', () => {
    const again = delegation('r2', ['c2'], 1) as Extract<Part, { type: 'delegation.started' }>;
    const goingOn = { ...again, children: [{ id: 'c2', path: 'c1', task: { goal: 'more' } }] };
    const log = events([
      ['main', reply(0, 0, ['r1'])],
      ['main', called('r1')],
      ['main', delegation('r1', ['c1'], 1)],
      ['c1', reply(100, 10)],
      ['c1', concluded('c1')],
      ['main', finished('r1')],
      ['main', reply(0, 0, ['r2'])],
      ['main', called('r2')],
      ['main', goingOn],
      ['c1', reply(150, 20)],
      ['c1', concluded('c2')],
      ['main', finished('r2')],
    ]);
    // 100 + 100 ms, then (150 − 110)/1000 s + 200 ms.
    expect(simulateTime(log, SPEED).wallMs).toBe(200 + 240);
  });

  it('gives the same events in the same order whatever order parallel children were logged in', () => {
    const log = fanOut(6, 3);
    const children = log.filter(({ agent }) => agent !== 'main');
    const other = [...children].reverse().sort((left, right) => (left.agent === right.agent ? left.sequence - right.sequence : 0));
    const mixed = [...log.slice(0, 3), ...other, ...log.filter(({ agent }, place) => agent === 'main' && place > 2)];
    expect(simulateTime(mixed, SPEED)).toEqual(simulateTime(log, SPEED));
  });
});

describe('the totals of a session', () => {
  it('hold children and calls that failed, and the peaks of the one asked and of any', () => {
    const failure: Part = { type: 'model.failed', failure: { kind: 'stopped', message: 'x' }, usage: { totalMs: 9 } };
    const log = [...fanOut(2, 2), ...events([['c2', failure]])];
    const { usage, looped } = totalsOf(log, 'measured', () => undefined);
    expect(usage).toEqual({
      inputTokens: 1_000 + 1_200 + 2 * 300,
      outputTokens: 10 + 10 + 2 * 20,
      modelCalls: 5,
      failedCalls: 1,
      toolCalls: 1,
      badCalls: 0,
      peakOrchestrator: 1_210,
      peakAny: 1_210,
      children: 2,
    });
    expect(looped).toBe(false);
  });

  it('price fresh and cached tokens, and no run of which a model has no price', () => {
    const started = (agent: string, model: string) =>
      [agent, { type: 'agent.started', agent, model, task: { goal: 'g' }, tools: [] }] as const;
    const log = events([started('main', 'a'), ['main', reply(1_000_000, 500_000)], started('c1', 'b'), ['c1', reply(10, 10)]]);
    const both = totalsOf(log, 'measured', () => ({ input: 2, output: 8 })).usage.cost;
    expect(both).toBeCloseTo(2 + 4 + (10 * 2 + 10 * 8) / 1e6, 12);
    expect(totalsOf(log, 'measured', (model) => (model === 'a' ? { input: 2, output: 8 } : undefined)).usage.cost).toBeUndefined();
    const cached = events([started('main', 'a'), ['main', reply(600_000, 0)], ['main', reply(1_000_000, 0)]]);
    const told = simulateTime(cached, SPEED).events;
    expect(totalsOf(told, 'simulated', () => ({ input: 2, output: 8, cached: 0.5 })).usage.cost).toBeCloseTo(1.2 + 0.3 + 0.8, 12);
  });

  it('hold what plans, critics, summaries and recall took, each at the price of the model that was asked', () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0, totalMs: 1 };
    const recalled = { hits: [], skills: [], notices: [], tokens: 0, milliseconds: 1, embeddingTokens: 5, embeddingCalls: 1, cost: 64 };
    const recall = '{"data":{"cost":{"embedding_calls":1,"embedding_tokens":3,"money":128}}}';
    const log = events([
      ['main', { type: 'agent.started', agent: 'main', model: 'own', task: { goal: 'g' }, tools: [] }],
      ['main', { type: 'memory.recalled', mode: 'vectors', ...recalled }],
      ['main', { type: 'plan.made', steps: [], by: 'planner', usage }],
      ['main', { ...reply(1_000_000, 0), usage: { ...usage, inputTokens: 2_000_000, cost: 3 } } as Part],
      [
        'main',
        { type: 'context.fitted', beforeTokens: 9, shortened: [], compacted: { from: 0, messages: 2, summary: '', by: 'own', usage } },
      ],
      ['main', { type: 'answer.reflected', round: 1, done: true, readable: true, by: 'critic', usage }],
      ['main', { ...(finished('r1', recall) as Extract<Part, { type: 'tool.finished' }>), tool: 'recall' }],
    ]);
    const prices = new Map([
      ['planner', 4],
      ['own', 8],
      ['critic', 16],
    ]);
    const priceOf = (model: string) => ({ input: prices.get(model) ?? Number.NaN, output: 1 });
    expect(totalsOf(log, 'measured', priceOf).usage).toMatchObject({
      ...{ cost: 3 + 4 + 8 + 16 + 64 + 128, modelCalls: 4, failedCalls: 0, inputTokens: 5_000_000 },
      // A plan and a critic have a window of their own.
      peakOrchestrator: 2_000_000,
    });
    expect(totalsOf(log, 'measured', (model) => (model === 'critic' ? undefined : priceOf(model))).usage.cost).toBeUndefined();
  });

  it('count calls that could not be run as written', () => {
    const bad = '{"status":"error","warnings":[{"code":"invalid_arguments","message":"x"}]}';
    const { usage } = totalsOf(
      events([
        ['main', finished('r1', bad)],
        ['main', finished('r2')],
      ]),
      'measured',
      () => undefined,
    );
    expect(usage.badCalls).toBe(1);
  });
});
