import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ToolMessage } from '../../src/core/message.ts';
import { Scope } from '../../src/core/scope.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete } from '../../src/core/tool-result.ts';
import { type ScriptedTurn, scriptedModel } from '../../src/models/scripted.ts';
import { runScripted } from '../support/run-scripted.ts';

const add = defineTool({
  name: 'add_numbers',
  description: 'Adds two whole numbers.',
  input: z.object({ left: z.number().int(), right: z.number().int() }),
  output: z.object({ sum: z.number() }),
  effect: 'read',
  run: async ({ left, right }) => complete({ sum: left + right }),
});

const wipe = defineTool({
  name: 'wipe_table',
  description: 'Deletes all rows.',
  input: z.object({}),
  output: z.object({ wiped: z.boolean() }),
  effect: 'write',
  run: async () => complete({ wiped: true }),
});

function slowTool(order: string[]) {
  return defineTool({
    name: 'wait_for',
    description: 'Waits.',
    input: z.object({ label: z.string(), ms: z.number() }),
    output: z.object({ label: z.string() }),
    effect: 'read',
    run: async ({ label, ms }) => {
      order.push(`begin ${label}`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      order.push(`end ${label}`);
      return complete({ label });
    },
  });
}

const call = (tool: string, input: Record<string, unknown>) => ({ tool, input });
const turns = (...list: ScriptedTurn[]) => scriptedModel(list);
const toolMessages = (model: ReturnType<typeof scriptedModel>, request: number): ToolMessage[] =>
  model.requests[request]!.messages.filter((message): message is ToolMessage => message.role === 'tool');

describe('the loop', () => {
  it('answers with what the tool returned and logs every step in order', async () => {
    const model = turns({ calls: [call('add_numbers', { left: 2, right: 3 })] }, { text: 'It is 5.' });
    const { conclusion, events } = await runScripted({ model, tools: [add] });
    expect(conclusion).toMatchObject({ status: 'ok', text: 'It is 5.', usage: { modelCalls: 2, toolCalls: 1 } });
    expect(events.map((event) => event.body.type)).toEqual([
      'agent.started',
      'model.replied',
      'tool.called',
      'tool.finished',
      'model.replied',
      'agent.concluded',
    ]);
    expect(events.map((event) => event.sequence)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(JSON.parse(toolMessages(model, 1)[0]!.content)).toMatchObject({
      id: 'r1',
      tool: 'add_numbers',
      status: 'ok',
      complete: true,
      data: { sum: 5 },
    });
  });

  it('has a call on disk before it runs where it writes; one that only reads shares its commit with its result when it is quick', async () => {
    const commits: string[][] = [];
    const seenByWrite: string[] = [];
    const write = { ...wipe, run: async () => complete({ wiped: seenByWrite.push(...commits.flat()) > 0 }) };
    const model = turns({ calls: [call('add_numbers', { left: 2, right: 3 })] }, { calls: [call('wipe_table', {})] }, { text: 'Done.' });
    const onCommit = (types: readonly string[]): void => {
      commits.push([...types]);
    };
    await runScripted({ model, tools: [add, write], permissions: { allow: ['wipe_table'] }, onCommit });
    expect(commits).toEqual([
      ['agent.started'],
      ['model.replied', 'tool.called', 'tool.finished'],
      ['model.replied', 'tool.called'],
      ['tool.finished'],
      ['model.replied', 'agent.concluded'],
    ]);
    expect(seenByWrite.slice(-2)).toEqual(['model.replied', 'tool.called']);
  });

  it('has a call that only reads on disk while it runs, though it does not wait for that', async () => {
    const commits: string[][] = [];
    const seen: string[][] = [];
    const slow = {
      ...add,
      run: async () => new Promise((resolve) => setTimeout(resolve, 30)).then(() => complete({ sum: seen.push(commits.flat()) })),
    };
    const model = turns({ calls: [call('add_numbers', { left: 2, right: 3 })] }, { text: 'Done.' });
    await runScripted({ model, tools: [slow], onCommit: (types) => void commits.push([...types]) });
    expect(seen).toEqual([['agent.started', 'model.replied', 'tool.called']]);
  });

  it('runs the calls of one turn in parallel and answers them in call order', async () => {
    const order: string[] = [];
    const model = turns(
      { calls: [call('wait_for', { label: 'slow', ms: 60 }), call('wait_for', { label: 'fast', ms: 1 })] },
      { text: 'done' },
    );
    await runScripted({ model, tools: [slowTool(order)] });
    expect(order).toEqual(['begin slow', 'begin fast', 'end fast', 'end slow']);
    expect(toolMessages(model, 1).map((message) => JSON.parse(message.content).data.label)).toEqual(['slow', 'fast']);
  });

  it('never runs more calls at once than the limit', async () => {
    const order: string[] = [];
    const calls = ['a', 'b', 'c', 'd'].map((label) => call('wait_for', { label, ms: 10 }));
    await runScripted({ model: turns({ calls }, { text: 'done' }), tools: [slowTool(order)], limits: { parallelCalls: 2 } });
    let running = 0;
    const most = Math.max(...order.map((entry) => (running += entry.startsWith('begin') ? 1 : -1)));
    expect(most).toBe(2);
  });

  it('gives a validation error back with the expected shape', async () => {
    const model = turns({ calls: [call('add_numbers', { left: 'two', right: 3 })] }, { text: 'sorry' });
    await runScripted({ model, tools: [add] });
    const result = JSON.parse(toolMessages(model, 1)[0]!.content);
    expect(result.status).toBe('error');
    expect(result.data.message).toMatch(/left/);
    expect(result.data.message).toMatch(/"required":\["left","right"\]/);
  });

  it('names the nearest tool when there is none of that name', async () => {
    const model = turns({ calls: [call('add_nubmers', {})] }, { text: 'sorry' });
    await runScripted({ model, tools: [add] });
    expect(toolMessages(model, 1)[0]!.content).toMatch(/did you mean.*add_numbers/);
  });

  it('turns a throwing tool into an error result and goes on', async () => {
    const broken = defineTool({
      name: 'broken_tool',
      description: 'Fails.',
      input: z.object({}),
      output: z.object({}),
      effect: 'read',
      run: () => Promise.reject(new Error('disk on fire')),
    });
    const model = turns({ calls: [call('broken_tool', {})] }, { text: 'it failed' });
    const { conclusion } = await runScripted({ model, tools: [broken] });
    expect(conclusion).toMatchObject({ status: 'no_evidence', text: 'it failed' });
    expect(toolMessages(model, 1)[0]!.content).toMatch(/disk on fire/);
  });

  it('stops a tool at its own time and says so', async () => {
    const endless = defineTool({
      name: 'endless_tool',
      description: 'Hangs.',
      input: z.object({}),
      output: z.object({}),
      effect: 'read',
      timeoutSeconds: 0.05,
      run: () => new Promise(() => {}),
    });
    const model = turns({ calls: [call('endless_tool', {})] }, { text: 'too slow' });
    await runScripted({ model, tools: [endless] });
    expect(toolMessages(model, 1)[0]!.content).toMatch(/did not finish within 0.05 s/);
  });
});

describe('repetition', () => {
  const same = { calls: [call('add_numbers', { left: 1, right: 1 })] };

  it('blocks the same call with the same result at the third time', async () => {
    const model = turns(same, same, same, { text: 'ok' });
    await runScripted({ model, tools: [add] });
    const results = toolMessages(model, 3).map((message) => JSON.parse(message.content));
    expect(results.map((result) => result.status)).toEqual(['ok', 'ok', 'error']);
    expect(results[2].warnings[0].code).toBe('repeated_call_blocked');
  });

  it('ends the run at the fifth time', async () => {
    const { conclusion, events } = await runScripted({ model: turns(same, same, same, same, same, { text: 'never' }), tools: [add] });
    expect(conclusion.status).toBe('failed');
    expect(conclusion.reason).toMatch(/5 times/);
    expect(events.some((event) => event.body.type === 'loop.blocked')).toBe(true);
  });

  it('does not count the same call when its result changes', async () => {
    let count = 0;
    const poll = defineTool({
      name: 'poll_state',
      description: 'Polls.',
      input: z.object({}),
      output: z.object({ count: z.number() }),
      effect: 'read',
      run: async () => complete({ count: count++ }),
    });
    const again = { calls: [call('poll_state', {})] };
    const { conclusion } = await runScripted({ model: turns(again, again, again, again, again, again, { text: 'seen' }), tools: [poll] });
    expect(conclusion.status).toBe('ok');
  });
});

describe('limits', () => {
  const more = (left: number) => ({ calls: [call('add_numbers', { left, right: 1 })] });

  it.each([
    ['turns', { turns: 2 }, 'budget'],
    ['toolCalls', { toolCalls: 2 }, 'budget'],
    ['tokens', { tokens: 40 }, 'budget'],
  ] as const)('gives one last turn without tools when %s is reached', async (limit, limits, status) => {
    const model = scriptedModel((_messages, _opening, turn) =>
      model.requests.at(-1)!.withTools ? more(turn) : { text: 'what I know so far' },
    );
    const { conclusion } = await runScripted({ model, tools: [add], limits });
    expect(conclusion).toMatchObject({ status, limit, text: 'what I know so far' });
    expect(model.requests.at(-1)!.withTools).toBe(false);
    expect(model.requests.filter((request) => !request.withTools)).toHaveLength(1);
  });

  it('concludes with what it has when the seconds are over', async () => {
    const model = scriptedModel(() => (model.requests.at(-1)!.withTools ? { text: 'late', delayMs: 60_000 } : { text: 'so far' }));
    const { conclusion } = await runScripted({ model, tools: [add], limits: { seconds: 0.05 } });
    expect(conclusion).toMatchObject({ status: 'timeout', limit: 'seconds', text: 'so far' });
  });
});

describe('interruption', () => {
  it('lets the agent conclude at the first press', async () => {
    const scope = new Scope();
    const work = new Scope(scope);
    const model = scriptedModel(() => {
      if (!model.requests.at(-1)!.withTools) return { text: 'concluded early' };
      setTimeout(() => work.stop({ kind: 'interrupted' }), 10);
      return { text: 'never', delayMs: 60_000 };
    });
    const { conclusion, events } = await runScripted({ model, tools: [add], scope, work });
    expect(conclusion).toMatchObject({ status: 'aborted', text: 'concluded early' });
    expect(events.some((event) => event.body.type === 'interrupted')).toBe(true);
  });

  it('stops at once at the second press with all acknowledged events in the log', async () => {
    const scope = new Scope();
    const work = new Scope(scope);
    const model = scriptedModel(() => {
      setTimeout(() => scope.stop({ kind: 'interrupted' }), 10);
      return { text: 'never', delayMs: 60_000 };
    });
    const { conclusion, events } = await runScripted({ model, tools: [add], scope, work });
    expect(conclusion.status).toBe('aborted');
    expect(events.at(-1)!.body.type).toBe('agent.concluded');
  });
});

describe('permissions', () => {
  const wiping = () => turns({ calls: [call('wipe_table', {})] }, { text: 'tried' });

  it('denies a tool with effects where nobody can be asked', async () => {
    const model = wiping();
    await runScripted({ model, tools: [wipe] });
    expect(toolMessages(model, 1)[0]!.content).toMatch(/needs approval/);
  });

  it('looks at deny before allow', async () => {
    const model = wiping();
    await runScripted({ model, tools: [wipe], permissions: { allow: ['wipe_table'], deny: ['wipe_*'] } });
    expect(toolMessages(model, 1)[0]!.content).toMatch(/denied/);
  });

  it('runs it when the person says yes', async () => {
    const model = wiping();
    await runScripted({ model, tools: [wipe], approve: async () => true });
    expect(JSON.parse(toolMessages(model, 1)[0]!.content).data).toEqual({ wiped: true });
  });
});

describe('a large result', () => {
  it('becomes fewer whole items with totals and a reference', async () => {
    const rows = Array.from({ length: 2000 }, (_, index) => ({ index, text: `row number ${index} of the list` }));
    const list = defineTool({
      name: 'list_rows',
      description: 'Lists.',
      input: z.object({}),
      output: z.object({ rows: z.array(z.unknown()) }),
      effect: 'read',
      run: async () => complete({ rows }, { total: 2000, returned: 2000 }),
    });
    const model = turns({ calls: [call('list_rows', {})] }, { text: 'many' });
    const { events } = await runScripted({ model, tools: [list] });
    const content = toolMessages(model, 1)[0]!.content;
    expect(content.length).toBeLessThanOrEqual(10_000);
    const result = JSON.parse(content);
    expect(result).toMatchObject({ status: 'partial', complete: false, omitted: [{ path: 'data.rows', total: 2000 }] });
    expect(result.data.rows).toEqual(rows.slice(0, result.omitted[0].returned));
    expect(result.data.rows.length).toBeGreaterThan(50);
    const finished = events.find((event) => event.body.type === 'tool.finished')!.body as { reference?: string };
    expect(finished.reference).toBe(result.reference);
  });
});
