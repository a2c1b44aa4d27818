import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blameTrace, renderBlame } from '../../src/app/trace-blame.ts';
import { diffTraces, renderTraceDiff } from '../../src/app/trace-diff.ts';
import type { Event, EventBody } from '../../src/core/event.ts';
import { blameSession } from '../../src/trace/blame-session.ts';
import { runCli } from '../support/run-cli.ts';
import { BOSS, call, openTraceProject, type TraceProject, WORKER } from './trace-project.ts';

const COUNTS = '{"orders": 1234, "items": 5678, "users": 42}';
let project: TraceProject;
let good: string;
beforeAll(async () => {
  project = await openTraceProject();
  good = (await project.play(BOSS, WORKER)).session;
});
afterAll(() => project.close());

/** A session of hand-made events; each body is an event of `main` unless it comes with an agent. */
function sessionOf(
  ...bodies: readonly (EventBody | { readonly agent: string; readonly body: EventBody } | Record<string, unknown>)[]
): Event[] {
  return bodies.map((entry, sequence) => {
    const { agent, body } = 'body' in entry ? (entry as { agent: string; body: EventBody }) : { agent: 'main', body: entry as EventBody };
    return { session: 's', round: 1, step: sequence, agent, sequence, at: sequence, body };
  });
}
const replied = (content: string, finish: 'stop' | 'length' = 'stop'): EventBody => ({
  type: 'model.replied',
  message: { role: 'assistant', content },
  finish,
  usage: { totalMs: 1 },
});
const kindsOf = (events: readonly Event[]): string[] => blameSession(events).map(({ kind, weight, agent }) => `${kind} ${weight} ${agent}`);
const closed: EventBody = { type: 'session.closed', status: 'ok' };

describe('blame', () => {
  it('finds nothing in a good run', () => {
    expect(blameTrace(project.log, good, undefined)).toMatchObject({ found: [], status: 'ok' });
  });

  it('names a call that was made again for the same result, once for all of its repetitions', async () => {
    const orders = call('count_rows', { table: 'orders' });
    const { session } = await project.play([orders, call('count_rows', { table: 'users' }), orders, { text: 'I have 1,234 and 42.' }]);
    const { found } = blameTrace(project.log, session, undefined);
    expect(found.filter(({ kind }) => kind === 'repeated_call')).toMatchObject([{ weight: 'note', step: 3, results: ['r1', 'r3'] }]);
  });

  it('names an error that nothing made good, and not one that a later call did', async () => {
    const { session } = await project.play([
      call('count_rows', { table: 'nothing' }),
      call('list_lines', { lines: 'many' }),
      call('list_lines', { lines: 2 }),
      { text: 'I know nothing.' },
    ]);
    const { found, first } = blameTrace(project.log, session, undefined);
    expect(found.filter(({ kind }) => kind === 'ignored_error').map(({ results }) => results)).toEqual([['r1']]);
    expect(first).toMatchObject({ agent: 'main', step: 1, kind: 'ignored_error' });
    expect(first?.text).toContain('there is no table nothing');
  });

  it('blames the child whose conclusion did not hold, not its caller', async () => {
    const lying = { text: 'items has 999999 rows' };
    const { session } = await project.play(BOSS, (_messages, opening, turn) =>
      turn === 0 ? call('count_rows', { table: String(opening.task.inputs?.table) }) : lying,
    );
    const { first, found } = blameTrace(project.log, session, undefined);
    expect(first).toMatchObject({ kind: 'unsupported_figure', weight: 'wrong', agent: 'c1' });
    expect(first?.text).toContain('999999');
    const failed = found.filter(({ kind }) => kind === 'child_failed');
    expect(failed.map(({ agent }) => agent).sort()).toEqual(['c1', 'c2']);
  });

  it('sees empty turns, cut replies, full windows, limits, loops, interruptions and failures of the model', () => {
    const events = sessionOf(
      replied(' '),
      replied('half an ans', 'length'),
      { type: 'context.fitted', beforeTokens: 9, shortened: [{ callId: 'c', content: 'x' }] },
      { type: 'model.failed', failure: { kind: 'stall_timeout', message: 'no token for 60 s' }, usage: { totalMs: 1 } },
      { type: 'loop.blocked', tool: 'count_rows', times: 5 },
      { type: 'limit.reached', limit: 'turns', detail: '4 of 4 turns' },
      { type: 'interrupted' },
      closed,
    );
    expect(kindsOf(events)).toEqual([
      'empty_turn wrong main',
      'cut_reply suspicious main',
      'fitted_window note main',
      'model_failed suspicious main',
      'loop wrong main',
      'limit_reached wrong main',
      'interrupted wrong main',
    ]);
  });

  it('takes unsupported figures and absences of the last check of an answer only', () => {
    const figure = (text: string, status: string) => ({ text, status, sources: [] });
    const events = sessionOf(
      { type: 'answer.grounded', figures: [figure('17', 'unsupported')], absences: [] },
      {
        type: 'answer.grounded',
        figures: [figure('18', 'unsupported'), figure('19', 'stated')],
        absences: [{ text: 'no failures', supported: false, results: ['r1'] }],
      },
      closed,
    );
    expect(blameSession(events).map(({ kind, text }) => [kind, /17|18|19/.exec(text)?.[0]])).toEqual([
      ['unsupported_figure', '18'],
      ['unsupported_absence', undefined],
    ]);
  });

  it('names a result of which the rest was never read, and forgets it once it is', () => {
    const finished = (resultId: string, reference?: string): EventBody => ({
      type: 'tool.finished',
      ...{
        callId: resultId,
        resultId,
        tool: 'query_sql',
        status: 'partial',
        complete: false,
        content: `{"id":"${resultId}","data":{}}`,
        elapsedMs: 1,
      },
      ...(reference ? { reference } : {}),
    });
    const called = (resultId: string, input: Record<string, unknown>): EventBody => ({
      type: 'tool.called',
      callId: resultId,
      resultId,
      tool: 'query_sql',
      arguments: input,
    });
    const unread = [called('r1', { sql: 'a' }), finished('r1', 'abc'), called('r2', { sql: 'b' }), finished('r2', 'def')];
    expect(kindsOf(sessionOf(...unread, closed))).toEqual(['cut_result note main', 'cut_result note main']);
    const read = called('r3', { reference: 'abc' });
    expect(blameSession(sessionOf(...unread, read, closed)).map(({ results }) => results)).toEqual([['r2']]);
  });

  it('names an end that is none, where nothing else tells of it', async () => {
    const { session, status } = await project.play([call('count_rows', { table: 'nothing' }), { text: 'I know nothing.' }]);
    expect(status).toBe('no_evidence');
    expect(blameTrace(project.log, session, undefined).first).toMatchObject({
      kind: 'bad_end',
      text: expect.stringMatching(/^it ended as no_evidence: no tool returned any data/),
    });
  });

  it('does not say of a figure with a place that it is in no result', () => {
    const figure = (reason?: string) => ({ text: '77', status: 'unsupported', sources: [], ...(reason ? { reason } : {}) });
    const textOf = (reason?: string) =>
      blameSession(sessionOf({ type: 'answer.grounded', mode: 'strict', figures: [figure(reason)], absences: [] }, closed))[0]?.text;
    expect(textOf()).toBe('the figure 77 is in no tool result');
    expect(textOf('the number stands in r1 (data.rows), but nothing near it says that this is meant')).toBe(
      'no tool result supports the figure 77: the number stands in r1 (data.rows), but nothing near it says that this is meant',
    );
  });

  it('says where a log ends that was not closed', () => {
    expect(kindsOf(sessionOf(replied('on my way')))).toEqual(['not_closed wrong main']);
  });

  it('finds a good run of the same task by itself, and where this one parts from it', async () => {
    writeFileSync(join(project.folder, 'counts.json'), COUNTS.replace('42', '40'));
    const { session } = await project.play(BOSS, WORKER);
    writeFileSync(join(project.folder, 'counts.json'), COUNTS);
    const report = blameTrace(project.log, session, good);
    expect(report.good).toMatchObject({
      session: good,
      divergence: { agent: 'c2', kind: 'result', tool: 'count_rows', changes: [{ path: 'data.rows', before: '40', after: '42' }] },
    });
    expect(blameTrace(project.log, session, undefined).good?.session).toMatch(/^s-/);
    expect(renderBlame(report)).toContain(`A good run of the same task, ${good}: this one parts from it at c2.r1 of c2`);
  });
});

describe('trace diff', () => {
  it('lines up the calls that both made around those that only one made', async () => {
    const rows = (table: string) => call('count_rows', { table });
    const left = await project.play([rows('orders'), rows('items'), rows('users'), { text: 'Three.' }]);
    const right = await project.play([rows('orders'), call('list_lines', { lines: 1 }), rows('users'), { text: 'Two.' }]);
    const diff = diffTraces(project.log, left.session, right.session);
    expect(diff.agents[0]?.lines.map(({ kind, tool, left: one, right: other }) => [kind, tool, one, other])).toEqual([
      ['same', 'count_rows', 'r1', 'r1'],
      ['left', 'count_rows', 'r2', undefined],
      ['right', 'list_lines', undefined, 'r2'],
      ['same', 'count_rows', 'r3', 'r3'],
    ]);
    expect(diff.first).toMatchObject({ kind: 'left', left: 'r2' });
    expect([diff.sameQuestion, diff.sameAnswer]).toEqual([true, false]);
    expect(renderTraceDiff(diff)).toContain('They part at r2 of main: count_rows {"table":"items"}, which the other did not call');
  });

  it('finds no difference between runs that made the same calls', async () => {
    const diff = diffTraces(project.log, good, (await project.play(BOSS, WORKER)).session);
    expect([diff.first, diff.sameAnswer]).toEqual([undefined, true]);
  });

  it('refuses to compare a session with itself', () => {
    expect(() => diffTraces(project.log, good, good)).toThrow(/both are session/);
  });
});

describe('soloist trace list, show and diff', () => {
  const cli = (...argv: string[]) =>
    runCli(['trace', ...argv, '--project', project.folder], { environment: { SOLOIST_HOME: project.home } });

  it('work whatever state the project is in, name what does not exist, and answer in JSON', async () => {
    writeFileSync(join(project.folder, 'soloist.yaml'), 'name: [broken\n');
    project.log.append(
      project
        .events(good)
        .slice(0, 5)
        .map((event) => ({ ...event, session: 's-0killed' })),
    );
    project.log.append(
      project
        .events(good)
        .slice(0, 5)
        .map((event) => ({ ...event, session: 's-0running' })),
    );
    const release = project.log.holdSession('s-0running');
    const [list, diff, missing] = await Promise.all([
      cli('list', '--json', '--limit', '50'),
      cli('diff', good, 's-0killed'),
      cli('show', 's-none', '--json'),
    ]);
    release();
    const states = new Map((JSON.parse(list.stdout) as { session: string; state: string }[]).map(({ session, state }) => [session, state]));
    expect([states.get(good), states.get('s-0killed'), states.get('s-0running')]).toEqual(['ok', 'killed', 'running']);
    expect([list.code, diff.code, missing.code]).toEqual([0, 1, 2]);
    expect(JSON.parse(missing.stdout)).toMatchObject({ error: { code: 'not_found', fix: expect.stringContaining('the latest is s-') } });
    expect(diff.stdout).not.toContain('\u001b');
  });
});
