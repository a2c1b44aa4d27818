import { describe, expect, it } from 'vitest';
import type { ChildConclusion } from '../../src/core/conclusion.ts';
import type { Message } from '../../src/core/message.ts';
import { Scope } from '../../src/core/scope.ts';
import { type ScriptedTurn, scriptedModel } from '../../src/models/scripted.ts';
import { runTeam } from '../support/run-team.ts';

const tasks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ goal: `Count the rows of table t${index + 1}.`, inputs: { table: `t${index + 1}` } }));
const delegating = (input: Record<string, unknown>): ScriptedTurn => ({
  calls: [{ tool: 'worker', input: { why: 'parallelism', because: 'independent tables', ...input } }],
});
const boss = (...turns: ScriptedTurn[]) => scriptedModel([...turns, { text: 'Done.' }]);
/** A worker that counts its table with the tool and reports what it got. */
const honest = () =>
  scriptedModel((messages) =>
    isFirst(messages)
      ? { calls: [{ tool: 'count_rows', input: { table: tableOf(messages) } }] }
      : { text: `${tableOf(messages)} has ${rowsIn(messages)} rows [${idIn(messages)}].` },
  );

const isFirst = (messages: readonly Message[]) => !messages.some((message) => message.role === 'tool');
const tableOf = (messages: readonly Message[]) => /"table":"(\w+)"/.exec(messages[0]!.content)?.[1] ?? 'none';
const lastResult = (messages: readonly Message[]) => JSON.parse(messages.findLast((message) => message.role === 'tool')!.content);
const rowsIn = (messages: readonly Message[]) => lastResult(messages).data.rows;
const idIn = (messages: readonly Message[]) => lastResult(messages).id;
const conclusionsOf = (events: readonly { body: { type: string } }[]) =>
  events.flatMap((event) =>
    event.body.type === 'child.concluded' ? [(event.body as unknown as { conclusion: ChildConclusion }).conclusion] : [],
  );
const seenBy = (model: ReturnType<typeof scriptedModel>, request: number) =>
  JSON.parse(model.requests[request]!.messages.findLast((message) => message.role === 'tool')!.content);

describe('a delegation', () => {
  it('gives each child its task and nothing else, and answers the conclusions in task order', async () => {
    const leader = boss(delegating({ tasks: tasks(3) }));
    const worker = honest();
    const { report, events } = await runTeam({ boss: leader, worker });
    expect(report.status).toBe('ok');
    const result = seenBy(leader, 1);
    expect(result).toMatchObject({ status: 'ok', total: 3, returned: 3 });
    expect(result.data.conclusions.map((one: { id: string; text: string }) => [one.id, one.text])).toEqual([
      ['c1', 't1 has 1001 rows [c1.r1].'],
      ['c2', 't2 has 1002 rows [c2.r1].'],
      ['c3', 't3 has 1003 rows [c3.r1].'],
    ]);
    expect(result.data.conclusions[0]).toMatchObject({ evidence: ['c1.r1'], tool_calls: 1, model: 'scripted' });
    for (const request of worker.requests) expect(request.messages[0]!.content).not.toMatch(/Count all tables/);
    expect(events.filter((event) => event.body.type === 'agent.started').map((event) => event.agent)).toEqual(['main', 'c1', 'c2', 'c3']);
    expect(report.usage).toMatchObject({ toolCalls: 4, modelCalls: 8 });
  });

  it('keeps the good conclusions and names the gap when one child fails', async () => {
    const leader = boss(delegating({ tasks: tasks(5) }));
    const worker = scriptedModel((messages, opening, turn) => {
      if (tableOf(messages) === 't3') throw new Error('the model fell over');
      return honestTurn(messages, opening, turn);
    });
    const { report } = await runTeam({ boss: leader, worker });
    const result = seenBy(leader, 1);
    expect(result).toMatchObject({ status: 'partial', complete: false, total: 5, returned: 4 });
    expect(result.data.conclusions.map((one: { status: string }) => one.status)).toEqual(['ok', 'ok', 'failed', 'ok', 'ok']);
    expect(result.warnings[0]).toMatchObject({ code: 'child_failed', message: expect.stringMatching(/c3 .*t3.*the model fell over/) });
    expect(report.status).toBe('ok');
  });

  it('passes a conclusion to the user word for word', async () => {
    const { report } = await runTeam({
      boss: scriptedModel([delegating({ tasks: tasks(2) }), { text: 'First: [[c1]] Second: [[c2]] Unknown: [[c9]]' }]),
      worker: honest(),
    });
    expect(report.answer).toBe('First: t1 has 1001 rows [c1.r1]. Second: t2 has 1002 rows [c2.r1]. Unknown: [[c9]]');
  });

  it('goes on with the same child, which keeps what it read', async () => {
    const leader = scriptedModel([
      delegating({ tasks: tasks(2) }),
      delegating({ why: 'context_isolation', tasks: [{ goal: 'Say again how many rows you counted.', continue: 'c2' }] }),
      { text: 'Done.' },
    ]);
    const worker = scriptedModel((messages) =>
      isFirst(messages)
        ? { calls: [{ tool: 'count_rows', input: { table: tableOf(messages) } }] }
        : { text: `It has ${rowsIn(messages)} rows [${idIn(messages)}].` },
    );
    const { events } = await runTeam({ boss: leader, worker });
    expect(seenBy(leader, 2).data.conclusions[0]).toMatchObject({ id: 'c3', text: 'It has 1002 rows [c2.r1].', status: 'ok' });
    expect(events.filter((event) => event.agent === 'c2' && event.body.type === 'tool.finished')).toHaveLength(1);
    expect(conclusionsOf(events).map((one) => [one.id, one.usage.modelCalls, one.usage.toolCalls])).toEqual([
      ['c1', 2, 1],
      ['c2', 2, 1],
      ['c3', 1, 0],
    ]);
  });
});

const honestTurn = (messages: readonly Message[], _opening: unknown, _turn: number): ScriptedTurn =>
  isFirst(messages)
    ? { calls: [{ tool: 'count_rows', input: { table: tableOf(messages) } }] }
    : { text: `${tableOf(messages)} has ${rowsIn(messages)} rows [${idIn(messages)}].` };

describe('a call that is refused', () => {
  it.each([
    ['one task as parallelism', { tasks: tasks(1) }, /one task is not parallel work; call count_rows yourself/],
    [
      'a goal that leans on the conversation',
      { tasks: [...tasks(1), { goal: 'Count the table mentioned above.' }] },
      /task 2: "mentioned above" means nothing to worker/,
    ],
    [
      'a task that one tool answers',
      { why: 'context_isolation', tasks: [{ goal: 'Call count_rows with table t1' }] },
      /one call of count_rows answers this/,
    ],
    ['a reason that the file does not declare', { why: 'scoped_tools', tasks: tasks(2) }, /why/],
    [
      'a conclusion that does not exist',
      { why: 'context_isolation', tasks: [{ goal: 'Go on with your work.', continue: 'c7' }] },
      /there is no conclusion "c7"/,
    ],
  ])('says what to do instead of %s', async (_name, input, message) => {
    const leader = boss(delegating(input));
    const worker = honest();
    await runTeam({ boss: leader, worker });
    expect(seenBy(leader, 1).data.message).toMatch(message);
    expect(worker.requests).toHaveLength(0);
  });
});

describe('a fabricated conclusion', () => {
  const counted: ScriptedTurn = { calls: [{ tool: 'count_rows', input: { table: 't1' } }] };
  it.each([
    ['without any tool call', [{ text: 't1 has 1001 rows.' }]],
    ['with a figure that no result holds', [counted, { text: 't1 has 4242 rows.' }]],
    ['with evidence that does not exist', [counted, { text: 't1 has 1001 rows [c1.r9].' }]],
    ["with another child's evidence", [counted, { text: 't1 has 1001 rows [c9.r1].' }]],
  ] as const)('%s does not come up as ok', async (_name, turns) => {
    const leader = boss(delegating({ tasks: [...tasks(1), ...tasks(1)] }));
    const { events } = await runTeam({ boss: leader, worker: scriptedModel([...turns]) });
    expect(conclusionsOf(events).map((one) => one.status)).toEqual(['no_evidence', 'no_evidence']);
    expect(seenBy(leader, 1).status).toBe('partial');
  });

  it('that is empty is called empty', async () => {
    const { events } = await runTeam({ boss: boss(delegating({ tasks: tasks(2) })), worker: scriptedModel([counted, { text: '  ' }]) });
    expect(conclusionsOf(events).map((one) => one.status)).toEqual(['empty', 'empty']);
  });
});

describe('what comes up', () => {
  it('is shortened by one more turn of the child', async () => {
    const long = `${'word '.repeat(8000)}`;
    const worker = scriptedModel((messages) => {
      if (isFirst(messages)) return { calls: [{ tool: 'count_rows', input: { table: 't1' } }] };
      return messages.at(-1)!.role === 'user' && /at most 400/.test(messages.at(-1)!.content)
        ? { text: 'Short: 1001 rows.' }
        : { text: long };
    });
    const leader = boss(delegating({ tasks: tasks(2) }));
    await runTeam({ boss: leader, worker });
    expect(seenBy(leader, 1).data.conclusions[0]).toMatchObject({ status: 'ok', text: 'Short: 1001 rows.' });
  });

  it('is a reference to the whole text when it stays too long', async () => {
    const worker = scriptedModel((messages) =>
      isFirst(messages) ? { calls: [{ tool: 'count_rows', input: { table: 't1' } }] } : { text: 'word '.repeat(8000) },
    );
    const leader = boss(delegating({ tasks: tasks(2) }));
    await runTeam({ boss: leader, worker });
    const result = leader.requests[1]!.messages.findLast((message) => message.role === 'tool')!.content;
    expect(result.length).toBeLessThan(2 * 400 * 4);
    expect(JSON.parse(result).data.conclusions[0].full_text).toMatch(/^[0-9a-f]{64}$/);
  });

  it('has the declared shape, after one repair turn at the most', async () => {
    const shaped = {
      'agents/worker.yaml':
        'name: worker\ndescription: Counts. Use it for tables.\ninstructions: Count.\ntools: [count_rows]\nreturns:\n  type: object\n  properties: { rows: { type: integer } }\n  required: [rows]\n',
    };
    const answers = (second: string) =>
      scriptedModel((messages) => {
        if (isFirst(messages)) return { calls: [{ tool: 'count_rows', input: { table: 't1' } }] };
        return { text: messages.at(-1)!.role === 'user' ? second : 'It has 1001 rows.' };
      });
    const repaired = await runTeam({ boss: boss(delegating({ tasks: tasks(2) })), worker: answers('{"rows": 1001}'), files: shaped });
    expect(conclusionsOf(repaired.events)[0]).toMatchObject({ status: 'ok', text: '{"rows": 1001}' });
    const stubborn = await runTeam({ boss: boss(delegating({ tasks: tasks(2) })), worker: answers('1001 rows, I said'), files: shaped });
    expect(conclusionsOf(stubborn.events)[0]).toMatchObject({ status: 'schema_invalid', reason: 'it is not JSON' });
  });
});

describe('limits down the tree', () => {
  it('never lets children use more tool calls than the caller has', async () => {
    const endless = scriptedModel((messages, _opening, turn) => ({
      calls: [{ tool: 'count_rows', input: { table: `t${messages.length * 100 + turn}` } }],
    }));
    const small = {
      'agents/boss.yaml':
        'name: boss\ndescription: Leads. Use it in tests.\ninstructions: Lead.\ntools: []\nsubagents:\n  - agent: worker\n    justification: { buys: [parallelism], because: Tables are independent. }\n    concurrency: 8\nlimits: { tool_calls: 20 }\n',
    };
    const { report, events } = await runTeam({ boss: boss(delegating({ tasks: tasks(5) })), worker: endless, files: small });
    const calls = events.filter((event) => event.agent !== 'main' && event.body.type === 'tool.finished').length;
    expect(calls).toBe(20);
    expect(conclusionsOf(events).every((one) => one.status === 'budget')).toBe(true);
    expect(report.usage.toolCalls).toBe(21);
  });

  it('offers no subagents to a child at depth 1', async () => {
    const nested = {
      'agents/worker.yaml':
        'name: worker\ndescription: Counts. Use it for tables.\ninstructions: Count.\ntools: [count_rows]\nsubagents:\n  - agent: helper\n    justification: { buys: [scoped_tools], because: Others. }\n',
      'agents/helper.yaml': 'name: helper\ndescription: Helps. Use it.\ninstructions: Help.\ntools: [count_rows]\n',
    };
    const offered: string[][] = [];
    const worker = scriptedModel((messages, opening, turn) => {
      offered.push(opening.tools.map((tool) => tool.name));
      return honestTurn(messages, opening, turn);
    });
    await runTeam({ boss: boss(delegating({ tasks: tasks(2) })), worker, files: nested });
    expect(offered[0]).toEqual(['count_rows']);
  });

  it('reaches every child at once when the run is interrupted', async () => {
    const scope = new Scope();
    const work = new Scope(scope);
    const worker = scriptedModel(() => {
      setTimeout(() => work.stop({ kind: 'interrupted' }), 30);
      return { text: 'never', delayMs: 60_000 };
    });
    const { report, events } = await runTeam({ boss: boss(delegating({ tasks: tasks(6) })), worker, scope, work });
    expect(conclusionsOf(events).map((one) => one.status)).toEqual(Array(6).fill('aborted'));
    expect(report.status).toBe('aborted');
  });

  it('lets a child do nothing that its caller is denied', async () => {
    const denied = {
      'soloist.yaml': 'name: team\n',
      'agents/boss.yaml':
        'name: boss\ndescription: Leads. Use it in tests.\ninstructions: Lead.\ntools: []\npermissions: { deny: [count_rows] }\nsubagents:\n  - agent: worker\n    justification: { buys: [parallelism], because: Tables are independent. }\n',
    };
    const { events } = await runTeam({ boss: boss(delegating({ tasks: tasks(2) })), worker: honest2(), files: denied });
    const results = events.flatMap((event) => (event.body.type === 'tool.finished' && event.agent === 'c1' ? [event.body.content] : []));
    expect(results[0]).toMatch(/count_rows is denied/);
  });
});

const honest2 = () =>
  scriptedModel((messages) =>
    isFirst(messages) ? { calls: [{ tool: 'count_rows', input: { table: 't1' } }] } : { text: 'It was denied.' },
  );
