import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderTrace, traceSession } from '../../src/app/trace-show.ts';
import { traceWindow } from '../../src/app/trace-window.ts';
import type { Message } from '../../src/core/message.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import type { WindowReport } from '../../src/trace/window-report.ts';
import { BOSS, call, openTraceProject, type TraceProject, WORKER } from './trace-project.ts';

let project: TraceProject;
let session: string;
beforeAll(async () => {
  project = await openTraceProject();
  session = (await project.play(BOSS, WORKER)).session;
});
afterAll(() => project.close());

describe('trace show', () => {
  it('nests children below the call that delegated to them', () => {
    const { main, status, question } = traceSession(project.log, session);
    expect({ status, question, agent: main.agent, steps: main.steps.map(({ step }) => step) }).toEqual({
      status: 'ok',
      question: 'How many rows?',
      agent: 'boss',
      steps: [1, 2, 3],
    });
    const delegation = main.steps[1]?.calls[0];
    expect(delegation?.because).toBe('parallelism: the tables are independent');
    expect(delegation?.children.map(({ id, agent, status: how, text }) => ({ id, agent, how, text }))).toEqual([
      { id: 'c1', agent: 'worker', how: 'ok', text: 'items has 5678 rows [c1.r1]' },
      { id: 'c2', agent: 'worker', how: 'ok', text: 'users has 42 rows [c2.r1]' },
    ]);
    expect(delegation?.children[0]?.steps[0]?.calls[0]).toMatchObject({
      resultId: 'c1.r1',
      tool: 'count_rows',
      arguments: { table: 'items' },
      status: 'ok',
      complete: true,
      head: '{"table":"items","rows":5678}',
    });
  });

  it('draws the tree without colours', () => {
    const lines = renderTrace(traceSession(project.log, session), {}).split('\n');
    expect(lines.filter((line) => line.includes('count_rows')).map((line) => line.replace(/, \d+ ms/, ''))).toEqual([
      '│  └─ r1 count_rows {"table":"orders"} → ok: {"table":"orders","rows":1234}',
      '│     │  └─ c1.r1 count_rows {"table":"items"} → ok: {"table":"items","rows":5678}'.replace('│     │  └─', '│     │  │  └─'),
      '│        │  └─ c2.r1 count_rows {"table":"users"} → ok: {"table":"users","rows":42}',
    ]);
    expect(lines.at(-2)).toBe('└─ concluded ok: There are 1,234 orders [r1], 5,678 items and 42 users.');
    expect(lines.join('')).not.toContain('\u001b');
  });

  it('says of a session that was cut off that it is open and what is unfinished', () => {
    const events = project.events(session);
    const cut = events.findIndex(({ body }) => body.type === 'tool.called' && body.resultId === 'c1.r1') + 1;
    project.log.append(events.slice(0, cut).map((event) => ({ ...event, session: 's-cut' })));
    const text = renderTrace(traceSession(project.log, 's-cut'), {});
    expect(text).toContain('Session s-cut · boss on scripted · open');
    expect(text).toContain('count_rows {"table":"items"} → unfinished');
    expect(text.match(/not concluded/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it('shows texts and results in full when asked to', async () => {
    const long = await project.play([call('list_lines', { lines: 40 }), { text: 'Forty lines. '.repeat(40) }]);
    const short = renderTrace(traceSession(project.log, long.session), {});
    const whole = renderTrace(traceSession(project.log, long.session, true), { whole: true });
    expect(short).not.toContain('line 39 of a long list');
    expect(whole).toContain('line 39 of a long list');
    expect(whole).toContain('Forty lines. '.repeat(40).trim());
  });
});

describe('trace show --step', () => {
  /** The contents of the categories that make up the history, in no particular order. */
  const historyOf = (report: WindowReport): string[] =>
    report.categories
      .filter(({ category }) => ['task', 'conversation', 'tool results'].includes(category))
      .flatMap(({ items }) => items.map(({ content }) => content))
      .sort();
  const textOf = (message: Message): string =>
    message.role === 'assistant'
      ? [message.content, ...(message.toolCalls ?? []).map(({ name, arguments: input }) => `${name} ${JSON.stringify(input)}`)]
          .filter((text) => text !== '')
          .join('\n')
      : message.content;

  it('is what the model got at every step, also where the window was fitted and at the last turn', async () => {
    const model = scriptedModel((_messages, _opening, turn) =>
      turn < 8 ? call('list_lines', { lines: 150 + turn }) : { text: `done after ${turn}` },
    );
    const openings: { system: string; tools: string[] }[] = [];
    const watched = {
      ...model,
      startConversation: (opening: Parameters<typeof model.startConversation>[0]) => {
        openings.push({ system: opening.system, tools: opening.tools.map(({ name }) => name) });
        return model.startConversation(opening);
      },
    };
    const small = (turns: number) => (agent: Parameters<NonNullable<Parameters<TraceProject['play']>[2]>>[0]) => ({
      ...agent,
      limits: { ...agent.limits, contextTokens: 4_000, outputTokens: 500, turns },
    });
    const report = await project.play(watched, [], small(7));
    expect(report.status).toBe('budget');
    expect(project.events(report.session).some(({ body }) => body.type === 'context.fitted')).toBe(true);
    expect(model.requests).toHaveLength(8);
    for (const [index, { messages, withTools }] of model.requests.entries()) {
      const window = traceWindow(project.log, report.session, { step: index + 1 });
      expect(historyOf(window)).toEqual(messages.map(textOf).sort());
      const byName = new Map(window.categories.map(({ category, items }) => [category, items]));
      expect(byName.get('instructions')?.map(({ content }) => content)).toEqual([openings[0]?.system]);
      expect(byName.get('tool schemas')?.map(({ what }) => what)).toEqual(withTools ? openings[0]?.tools : []);
      expect(window.gaps).toEqual([]);
    }
  });

  it('says which steps and agents there are when asked for others', () => {
    expect(() => traceWindow(project.log, session, { step: 9 })).toThrow(/asked no model at step 9/);
    expect(() => traceWindow(project.log, session, { step: 1, path: 'c7' })).toThrow(/has no agent "c7"/);
  });

  it('shares out the count of the model, and says that the shares are estimates', () => {
    const events = project.events(session).map((event) => ({ ...event, session: 's-counted' }));
    const counted = events.map((event) =>
      event.body.type === 'model.replied'
        ? { ...event, body: { ...event.body, usage: { inputTokens: 1000, outputTokens: 5, totalMs: 1 } } }
        : event,
    );
    project.log.append(counted);
    const report = traceWindow(project.log, 's-counted', { step: 2 });
    expect(report.countedTokens).toBe(1000);
    const sum = report.categories.reduce((all, { tokens }) => all + tokens, 0);
    expect(Math.abs(sum - 1000)).toBeLessThanOrEqual(7);
    expect(traceWindow(project.log, session, { step: 2 }).countedTokens).toBeUndefined();
  });
});

describe('a log that may only be read', () => {
  /** As a user who may write nothing there; root may write everywhere. */
  const read = (home: string, ...argv: string[]) => {
    const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
    const isRoot = process.getuid?.() === 0;
    return spawnSync(process.execPath, [main, 'trace', ...argv], {
      cwd: tmpdir(),
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', HOME: tmpdir(), SOLOIST_HOME: home },
      ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
    });
  };

  it('is read all the same, and left as it is', () => {
    const home = mkdtempSync(join(tmpdir(), 'soloist-read-only-'));
    cpSync(project.home, home, { recursive: true });
    for (const name of readdirSync(home)) chmodSync(join(home, name), name === 'running' ? 0o555 : 0o444);
    chmodSync(home, 0o555);
    const before = readdirSync(home);
    try {
      const shown = read(home, 'show', session);
      expect([shown.status, shown.stderr]).toEqual([0, '']);
      expect(shown.stdout).toContain('r1 count_rows {"table":"orders"} → ok');
      expect((JSON.parse(read(home, 'list', '--json').stdout) as { session: string }[]).map((one) => one.session)).toContain(session);
      expect(readdirSync(home)).toEqual(before);
    } finally {
      chmodSync(home, 0o755);
      rmSync(home, { recursive: true, force: true });
    }
  });
});
