import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Buys } from '../../src/core/agent-spec.ts';
import { DEFAULT_THRESHOLDS } from '../../src/core/audit-thresholds.ts';
import type { Message } from '../../src/core/message.ts';
import { auditEvents } from '../../src/delegation/audit.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { runTeam } from '../support/run-team.ts';
import { sessionOf, workedExample } from './audit-events.ts';

const docs = readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8');

describe('the example worked by hand', () => {
  it('gives the figures that the docs derive', () => {
    const [one, ...others] = auditEvents(workedExample());
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      ...{ id: 'r1', agent: 'worker', why: 'parallelism', status: 'ok', verdict: 'paid', children: 2, modelCalls: 5, toolCalls: 3 },
      ...{ inputTokens: 4700, outputTokens: 180, peakContextTokens: 1560, returnedTokens: 100, callerPeakTokens: 1250, wallMs: 1010 },
      inline: { modelCalls: 3, inputTokens: 6400, peakContextTokens: 2950 },
      claims: [
        { claim: 'parallelism', cameTrue: true, measured: expect.stringContaining('1.80 s of work in 1.01 s: 1.78 times') },
        { claim: 'context_isolation', cameTrue: true, measured: expect.stringMatching(/4880 .* 100 returned: 49 times/) },
      ],
    });
  });

  it('stands in the docs with the same figures', () => {
    for (const figure of ['4,700', '4,880', '6,400', '2,950', '1,250', '1.78', '48.8']) expect(docs, figure).toContain(figure);
  });

  it('follows the thresholds', () => {
    const strict = { ...DEFAULT_THRESHOLDS, parallelSpeedup: 1.8, isolationRatio: 48.9 };
    expect(auditEvents(workedExample(), strict)[0]).toMatchObject({
      verdict: 'did not pay',
      claims: [{ cameTrue: false }, { cameTrue: false }],
    });
  });
});

/** One delegation of children that each work from `from` to `to`. */
function childrenAt(spans: readonly { from: number; to: number; queueMs?: number }[], status: 'ok' | 'failed' = 'ok') {
  const log = sessionOf();
  log.open();
  log.start('main', 0, ['worker']);
  log.reply('main', 0, 100, 10, [{}]);
  log.delegate(
    0,
    spans.map((_, index) => ({ id: `c${index + 1}` })),
  );
  for (const [index, { from, to, queueMs }] of spans.entries()) {
    log.start(`c${index + 1}`, from, ['count_rows']);
    log.reply(`c${index + 1}`, to, 100, 10, [], queueMs);
    log.conclude(`c${index + 1}`, to, { status });
  }
  return auditEvents(log.events)[0]!;
}

describe('parallelism', () => {
  it.each([
    [
      'comes true for children at once',
      [
        { from: 0, to: 1000 },
        { from: 0, to: 1000 },
      ],
      true,
    ],
    [
      'does not for one after the other',
      [
        { from: 0, to: 1000 },
        { from: 1000, to: 2000 },
      ],
      false,
    ],
    [
      'does not below 1.5 times',
      [
        { from: 0, to: 1000 },
        { from: 0, to: 490 },
      ],
      false,
    ],
    [
      'comes true at 1.5 times',
      [
        { from: 0, to: 1000 },
        { from: 500, to: 1000 },
      ],
      true,
    ],
    [
      'does not when calls wait for one another at the server',
      [
        { from: 0, to: 1000 },
        { from: 0, to: 1000, queueMs: 900 },
      ],
      false,
    ],
  ] as const)('%s', (_name, spans, cameTrue) => {
    const audit = childrenAt(spans);
    expect(audit.claims[0]).toMatchObject({ claim: 'parallelism', cameTrue });
    expect(audit.verdict).toBe(cameTrue ? 'paid' : 'did not pay');
  });

  it('does not count a child that begins as another ends as at once', () => {
    const spans = [
      { from: 0, to: 1000 },
      { from: 1000, to: 2000 },
    ];
    expect(childrenAt(spans).claims[0]!.measured).toMatch(/^1 of 2 children at once/);
  });

  it('pays nothing when no child concluded well, though it came true', () => {
    const audit = childrenAt(
      [
        { from: 0, to: 1000 },
        { from: 0, to: 1000 },
      ],
      'failed',
    );
    expect(audit).toMatchObject({ status: 'failed', verdict: 'did not pay', claims: [{ cameTrue: true }, {}] });
  });
});

describe('context isolation', () => {
  it('does not come true where the window would have been smaller inline, however much was consumed', () => {
    const log = sessionOf();
    log.open();
    log.start('main', 0, ['worker']);
    log.reply('main', 0, 100, 10, [{}]);
    log.delegate(0, [{ id: 'c1' }], { why: 'context_isolation', buys: ['context_isolation'] });
    log.start('c1', 0, ['count_rows']);
    log.reply('c1', 10, 5000, 10, [{ table: 'a' }]);
    log.result('c1', 20, 'count_rows', { rows: 1 });
    log.reply('c1', 30, 5050, 40);
    log.conclude('c1', 40);
    log.back('main', 40, 'r1', 404);
    log.reply('main', 50, 211, 10);
    // 10,100 consumed ÷ 101 returned = 100; the caller's peak is 221, inline 221 + 50 - 101 = 170.
    expect(auditEvents(log.events)[0]!.claims).toEqual([
      {
        claim: 'context_isolation',
        cameTrue: false,
        measured: "10100 tokens consumed, 101 returned: 100 times (5 needed); the caller's peak 221, inline 170",
      },
    ]);
  });

  it('does not come true when as much comes up as was read', () => {
    const log = sessionOf();
    log.open();
    log.start('main', 0, ['worker']);
    log.reply('main', 0, 100, 10, [{}]);
    log.delegate(0, [{ id: 'c1' }], { why: 'context_isolation', buys: ['context_isolation'] });
    log.start('c1', 0, ['count_rows']);
    log.reply('c1', 10, 200, 10, [{ table: 'a' }]);
    log.result('c1', 20, 'count_rows', { rows: 1 });
    log.reply('c1', 30, 250, 40);
    log.conclude('c1', 40);
    log.back('main', 40, 'r1', 404);
    log.reply('main', 50, 211, 10);
    // 500 consumed ÷ 101 returned = 4.95; inline the window holds 50 instead of 101.
    expect(auditEvents(log.events)[0]).toMatchObject({
      verdict: 'did not pay',
      inline: { modelCalls: 1, inputTokens: 110 + (50 - 101), peakContextTokens: 221 + 50 - 101 },
      claims: [{ cameTrue: false, measured: expect.stringContaining('4.95 times') }],
    });
  });
});

describe('scoped tools', () => {
  const using = (tool: string, status: 'ok' | 'error', offered: readonly string[]) => {
    const log = sessionOf();
    log.open();
    log.start('main', 0, ['list_tables', 'worker']);
    log.reply('main', 0, 100, 10, [{}]);
    log.delegate(0, [{ id: 'c1' }], { why: 'scoped_tools', buys: ['scoped_tools'] });
    log.start('c1', 0, offered);
    log.reply('c1', 10, 200, 10, [{}]);
    log.result('c1', 20, tool, {}, status);
    log.conclude('c1', 40);
    return auditEvents(log.events)[0]!.claims[0]!.cameTrue;
  };
  it('come true only by a tool of the child that worked and that the caller lacks', () => {
    expect(using('count_rows', 'ok', ['count_rows', 'list_tables'])).toBe(true);
    expect(using('list_tables', 'ok', ['count_rows', 'list_tables'])).toBe(false);
    expect(using('count_rows', 'error', ['count_rows'])).toBe(false);
    expect(using('made_up', 'ok', ['count_rows'])).toBe(false);
  });
});

/** A child that calls with each arguments in turn and gets each data in turn. */
function reasoning(turns: readonly { given: object | readonly object[]; got: unknown }[], inputs: Record<string, unknown> = {}) {
  const log = sessionOf();
  const buys: readonly Buys[] = ['multi_step_reasoning'];
  log.open();
  log.start('main', 0, ['worker']);
  log.reply('main', 0, 100, 10, [{}]);
  log.delegate(0, [{ id: 'c1', inputs }], { why: 'multi_step_reasoning', buys });
  log.start('c1', 0, ['get_run']);
  for (const [index, { given, got }] of turns.entries()) {
    log.reply('c1', index, 200, 10, Array.isArray(given) ? given : [given as object]);
    log.result('c1', index, 'get_run', got);
  }
  log.conclude('c1', 40);
  return auditEvents(log.events)[0]!.claims[0]!;
}

describe('multi-step reasoning', () => {
  it('comes true by two steps that use what earlier results gave', () => {
    const claim = reasoning([
      { given: { table: 'orders' }, got: { run: 'load_77' } },
      { given: { run: 'load_77' }, got: { error: 'pool "warehouse" was full since 03:12:44' } },
      { given: { sql: "select * from slots where pool = 'x' and at > '03:12:44'" }, got: {} },
    ]);
    expect(claim).toMatchObject({ cameTrue: true, measured: expect.stringContaining('at most 2 steps') });
  });

  it.each([
    [
      'one such step',
      [
        { given: { table: 'orders' }, got: { run: 'load_77' } },
        { given: { run: 'load_77' }, got: {} },
      ],
      {},
    ],
    ['values that the task gave', [1, 2, 3].map(() => ({ given: { run: 'load_77' }, got: { run: 'load_77' } })), { run: 'load_77' }],
    ['values that the child itself brought up', [1, 2, 3].map(() => ({ given: { run: 'load_77' }, got: { run: 'load_77' } })), {}],
    ['small and round numbers', [1, 2, 3].map(() => ({ given: { limit: 50, rows: 200 }, got: { n: 50, m: 200 } })), {}],
    ['ids of results', [1, 2, 3].map(() => ({ given: { evidence: ['r1'] }, got: {} })), {}],
  ] as const)('does not come true by %s', (_name, turns, inputs) => {
    expect(reasoning(turns, inputs).cameTrue).toBe(false);
  });

  it('takes the calls of one turn as written before its results', () => {
    const same = [{ run: 'a-first' }, { run: 'load_77' }];
    const claim = reasoning([
      { given: same, got: { run: 'load_77' } },
      { given: same, got: { run: 'load_77' } },
      { given: same, got: {} },
    ]);
    expect(claim.measured).toContain('at most 0 steps');
  });
});

describe('what a log may hold besides', () => {
  it('counts a child that goes on only for what it did since, and its children as its own', () => {
    const log = sessionOf();
    log.open();
    log.start('main', 0, ['worker']);
    log.reply('main', 0, 100, 10, [{}]);
    log.delegate(0, [{ id: 'c1' }]);
    log.start('c1', 0, ['worker']);
    log.reply('c1', 10, 200, 10, [{}]);
    log.delegate(10, [{ id: 'c1.c1' }], { caller: 'c1', resultId: 'c1.r1' });
    log.start('c1.c1', 10, ['count_rows']);
    log.reply('c1.c1', 20, 300, 30);
    log.conclude('c1.c1', 20, { caller: 'c1' });
    log.back('c1', 20, 'c1.r1', 40);
    log.reply('c1', 30, 250, 20);
    log.conclude('c1', 30);
    log.back('main', 30, 'r1', 40);
    log.reply('main', 40, 150, 10, [{}]);
    log.delegate(40, [{ id: 'c2', path: 'c1' }], { resultId: 'r2' });
    log.reply('c1', 50, 400, 40);
    log.conclude('c2', 50, { path: 'c1' });
    const audits = auditEvents(log.events);
    expect(audits.map(({ id, caller, inputTokens, modelCalls, status }) => [id, caller, inputTokens, modelCalls, status])).toEqual([
      ['r1', 'main', 750, 3, 'ok'],
      ['c1.r1', 'c1', 300, 1, 'ok'],
      ['r2', 'main', 400, 1, 'ok'],
    ]);
  });

  it('calls a delegation open where the log ends within it', () => {
    const events = workedExample().slice(0, 8);
    expect(auditEvents(events)[0]).toMatchObject({ status: 'open', verdict: 'did not pay', modelCalls: 1 });
  });

  it('has nothing to say of a session that delegated nothing', () => {
    const log = sessionOf();
    log.open();
    log.close(1);
    expect(auditEvents(log.events)).toEqual([]);
  });
});

describe('a run that delegated', () => {
  it('carries the audit of its own log, and shows it', async () => {
    const { renderReport } = await import('../../src/app/render-report.ts');
    const tasks = ['t1', 't2', 't3'].map((table) => ({ goal: `Count the rows of table ${table}.`, inputs: { table } }));
    const isFirst = (messages: readonly Message[]) => !messages.some((message) => message.role === 'tool');
    const tableOf = (messages: readonly Message[]) => /"table":"(\w+)"/.exec(messages[0]!.content)?.[1] ?? 'none';
    const worker = scriptedModel((messages) =>
      isFirst(messages)
        ? { calls: [{ tool: 'count_rows', input: { table: tableOf(messages) } }], delayMs: 60 }
        : { text: `${tableOf(messages)} has ${1000 + Number(tableOf(messages).slice(1))} rows.`, delayMs: 60 },
    );
    const boss = scriptedModel([
      { calls: [{ tool: 'worker', input: { tasks, why: 'parallelism', because: 'independent tables' } }] },
      { text: 'Done.' },
    ]);
    const { report, events } = await runTeam({ boss, worker });
    expect(report.delegations).toEqual(auditEvents(events));
    expect(report.delegations).toHaveLength(1);
    expect(report.delegations[0]).toMatchObject({
      ...{ agent: 'worker', why: 'parallelism', status: 'ok', verdict: 'paid', children: 3, modelCalls: 6, toolCalls: 3 },
      inline: { modelCalls: 3 },
    });
    const own = events.filter((event) => event.agent !== 'main').flatMap(({ body }) => (body.type === 'model.replied' ? [body.usage] : []));
    expect(report.delegations[0]!.inputTokens).toBe(own.reduce((sum, usage) => sum + (usage.inputTokens ?? 0), 0));
    expect(renderReport(report)).toMatch(/## Delegations\n\n- worker, 3 tasks, for parallelism: \*\*paid\*\*/);
  });

  it('has an empty list when nothing was delegated', async () => {
    const { report } = await runTeam({ boss: scriptedModel([{ text: 'Done.' }]), worker: scriptedModel([]) });
    expect(report.delegations).toEqual([]);
  });
});
