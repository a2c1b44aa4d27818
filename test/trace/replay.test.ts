import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChat } from '../../src/app/chat.ts';
import { replaySession } from '../../src/app/replay-session.ts';
import { Scope } from '../../src/core/scope.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { recordedSession } from '../../src/testing.ts';
import { compareResults } from '../../src/trace/compare-results.ts';
import { runCli } from '../support/run-cli.ts';
import { BOSS, call, openTraceProject, type TraceProject, WORKER } from './trace-project.ts';

const COUNTS = '{"orders": 1234, "items": 5678, "users": 42}';
let project: TraceProject;
let session: string;
beforeAll(async () => {
  project = await openTraceProject();
  session = (await project.play(BOSS, WORKER)).session;
});
afterAll(() => project.close());

const replay = (which: string, tools: 'live' | 'recorded') =>
  replaySession({
    workspace: project.workspace,
    session: which,
    events: project.events(which),
    tools,
    getBlob: (hash) => project.log.getBlob(hash),
  });

describe('a replay', () => {
  it('finds nothing changed when nothing has changed', async () => {
    expect(await replay(session, 'live')).toMatchObject({
      same: true,
      answer: { same: true, after: 'There are 1,234 orders [r1], 5,678 items and 42 users.' },
      results: { total: 4, same: 4, different: 0, notReached: 0 },
    });
  });

  it('names the result that is another by now, and nothing else', async () => {
    writeFileSync(join(project.folder, 'counts.json'), COUNTS.replace('42', '43'));
    try {
      const { same, differences } = await replay(session, 'live');
      expect(same).toBe(false);
      expect(differences[0]).toMatchObject({
        result: 'c2.r1',
        tool: 'count_rows',
        arguments: { table: 'users' },
        changes: [{ path: 'data.rows', before: '42', after: '43' }],
        again: `soloist tools call count_rows --input '{"table":"users"}' --source data=files:${project.folder}`,
      });
      // The child's answer says 42 still, which its result no longer holds.
      expect(differences.map(({ result }) => result)).toEqual(['c2.r1', 'r2']);
      expect(await replay(session, 'recorded')).toMatchObject({ same: true, results: { same: 4 } });
    } finally {
      writeFileSync(join(project.folder, 'counts.json'), COUNTS);
    }
  });

  it('needs no data with recorded tools', async () => {
    rmSync(join(project.folder, 'counts.json'));
    try {
      expect(await replay(session, 'recorded')).toMatchObject({ same: true });
    } finally {
      writeFileSync(join(project.folder, 'counts.json'), COUNTS);
    }
  });

  it('writes nothing, whichever tools run, and keeps no session', async () => {
    const { session: writing } = await project.play([call('note_down', { text: 'once' }), { text: 'noted' }]);
    const sessions = project.log.listSessions(1000).length;
    for (const tools of ['live', 'recorded'] as const)
      expect(await replay(writing, tools)).toMatchObject({ same: true, results: { total: 1 } });
    expect(readFileSync(join(project.folder, 'notes.txt'), 'utf8')).toBe('once\n');
    expect(project.log.listSessions(1000)).toHaveLength(sessions);
  });

  it('goes through a result too large for the window and a call that was blocked as a loop', async () => {
    const again = call('list_lines', { lines: 900 });
    const { session: looping, status } = await project.play([again, again, again, again, { text: 'I have 900 lines.' }]);
    expect(status).toBe('ok');
    expect(
      project.events(looping).filter(({ body }) => body.type === 'tool.finished' && body.content.includes('repeated_call_blocked')),
    ).toHaveLength(2);
    for (const tools of ['live', 'recorded'] as const)
      expect(await replay(looping, tools)).toMatchObject({ same: true, results: { total: 4 } });
  });

  it('goes on where the session went on beyond a limit', async () => {
    const { session: limited } = await project.play([call('count_rows', { table: 'orders' }), { text: 'stopped' }], [], (agent) => ({
      ...agent,
      limits: { ...agent.limits, turns: 1 },
    }));
    expect(await replay(limited, 'recorded')).toMatchObject({ answer: { same: true, after: 'stopped' } });
  });
});

describe('a conversation', () => {
  it('is replayed with all of its questions', async () => {
    const model = scriptedModel([
      call('count_rows', { table: 'orders' }),
      { text: 'There are 1234 orders [r1].' },
      call('count_rows', { table: 'items' }),
      { text: 'And 5678 items [r2].' },
    ]);
    const { workspace } = project;
    const chat = createChat({ workspace, agent: workspace.agent('boss'), model, modelFor: async () => model });
    for (const question of ['How many orders?', 'And items?']) {
      const scope = new Scope();
      await chat.ask(question, { scope, work: new Scope(scope) });
    }
    const spoken = chat.session ?? '';
    for (const tools of ['live', 'recorded'] as const)
      expect(await replay(spoken, tools)).toMatchObject({
        same: true,
        answer: { after: 'And 5678 items [r2].' },
        results: { total: 2, same: 2, notReached: 0 },
      });
  });
});

describe('results compared', () => {
  it('leaves times, ids of payloads and costs aside', () => {
    const left =
      '{"id":"r1","as_of":"2026-01-01T00:00:00Z","data":{"rows":1,"elapsed_ms":5,"nested":[{"wall_ms":7,"name":"a"}]},"reference":"abc"}';
    const right =
      '{"id":"r1","as_of":"2026-01-02T00:00:00Z","data":{"rows":1,"elapsed_ms":9,"nested":[{"wall_ms":8,"name":"a"}]},"reference":"def"}';
    expect(compareResults(left, right)).toEqual([]);
    expect(compareResults(left, right.replace('"name":"a"', '"name":"b"'))).toEqual([
      { path: 'data.nested[0].name', before: 'a', after: 'b' },
    ]);
    expect(compareResults(left, right.replace('"rows":1', '"count":1'))).toEqual([
      { path: 'data.rows', before: '1', after: undefined },
      { path: 'data.count', before: undefined, after: '1' },
    ]);
  });
});

describe('soloist trace replay and export', () => {
  const cli = (...argv: string[]) =>
    runCli(['trace', ...argv, '--project', project.folder], { environment: { SOLOIST_HOME: project.home } });

  it('exports what a test replays as a fixture', async () => {
    const { code, stdout } = await cli('export', session);
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(project.events(session));
    const recorded = recordedSession(stdout);
    expect([recorded.agent, recorded.question, recorded.answer]).toEqual([
      'boss',
      'How many rows?',
      'There are 1,234 orders [r1], 5,678 items and 42 users.',
    ]);
    const report = await recorded.replay({ folder: project.folder });
    expect(report).toMatchObject({ same: true, tools: 'recorded', results: { total: 4 } });
    expect(existsSync(join(project.folder, '.soloist'))).toBe(false);
  });

  it('refuses a text that is no recording, with the line', () => {
    expect(() => recordedSession('{"a":1}\n')).toThrow(/line 1 is no event/);
    expect(() => recordedSession('')).toThrow(/no session.opened event/);
  });

  it('answers 1 when something differs, and 2 for tools of another kind', async () => {
    writeFileSync(join(project.folder, 'counts.json'), COUNTS.replace('1234', '1235'));
    const [changed, wrong] = await Promise.all([cli('replay', session), cli('replay', session, '--tools', 'some')]);
    writeFileSync(join(project.folder, 'counts.json'), COUNTS);
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain('data.rows: 1234 → 1235');
    expect(wrong.code).toBe(2);
  });
});
