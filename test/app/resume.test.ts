import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModelPool } from '../../src/app/model-pool.ts';
import { readPastSession } from '../../src/app/past-session.ts';
import type { RunReport } from '../../src/app/run-report.ts';
import { runSession } from '../../src/app/run-session.ts';
import { openWorkspace, type Workspace } from '../../src/app/workspace.ts';
import type { ApprovalRequest, Approve } from '../../src/core/approval.ts';
import type { Event } from '../../src/core/event.ts';
import { Scope } from '../../src/core/scope.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import type { StoredEventLog } from '../../src/store/open-event-log.ts';
import { runCli } from '../support/run-cli.ts';
import { cleanUp, eventsOf, newProject, playInProcess, resultsIn, runsOf } from './resume-project.ts';

/** 1001 + 1002, and for each child two counts: 1003 + 1030, 1004 + 1040 + 1009 of the check, 1005 + 1050. */
const ANSWER = `In all ${1001 + 1002 + 1003 + 1030 + 1004 + 1040 + 1009 + 1005 + 1050} rows; noted: ok`;
const RESULTS = ['c1.r1', 'c1.r2', 'c2.c1.r1', 'c2.r1', 'c2.r2', 'c3.r1', 'c3.r2', 'r1', 'r2', 'r4'];

let folder: string;
let workspace: Workspace;
let log: StoredEventLog;
let whole: readonly Event[];
let uninterrupted: RunReport;

const play = async (reference: string | undefined, approve?: Approve): Promise<RunReport> => {
  const scope = new Scope();
  const agent = workspace.agent('boss');
  const models = createModelPool(workspace, undefined);
  return runSession({
    workspace,
    agent,
    question: 'How many rows in all?',
    model: (await models.choose(agent)).model,
    modelFor: async (child) => (await models.choose(child)).model,
    scope,
    work: new Scope(scope),
    withoutMemory: true,
    ...(approve ? { approve } : {}),
    ...(reference === undefined ? {} : { past: readPastSession(log, reference) }),
  });
};

/** A session whose log stops after so many events of the whole run. */
function cutAfter(events: number, name = 'cut'): string {
  const session = `s-${name}-${events}`;
  log.append(whole.slice(0, events).map((event) => ({ ...event, session })));
  return session;
}

beforeAll(async () => {
  folder = newProject();
  workspace = await openWorkspace({ folder, sourceFlags: [], environment: { SOLOIST_HOME: join(folder, 'home') } });
  log = await workspace.openLog();
  uninterrupted = await play(undefined);
  whole = [...log.read(uninterrupted.session)];
});

afterAll(async () => {
  await workspace.close();
  cleanUp();
});

describe('a session whose log stops after any of its events', () => {
  it('has the answer that the counts add up to when nothing stops it', () => {
    expect(uninterrupted.answer).toBe(ANSWER);
    expect([...runsOf(folder)].sort()).toEqual(RESULTS);
  });

  it('comes to the same answer and cost, and runs no call again whose result it has', { timeout: 120_000 }, async () => {
    const { modelCalls, toolCalls, inputTokens } = uninterrupted.usage;
    const problems: unknown[] = [];
    for (let events = 1; events < whole.length; events++) {
      const session = cutAfter(events);
      const had = resultsIn(whole.slice(0, events));
      const before = runsOf(folder).length;
      const report = await play(session);
      const ran = runsOf(folder).slice(before);
      const noteBegun = whole.slice(0, events).some(({ body }) => body.type === 'tool.called' && body.tool === 'note_down');
      const refused = noteBegun && !had.includes('r4');
      const answer = refused ? ANSWER.replace('noted: ok', 'noted: refused') : ANSWER;
      const wanted = RESULTS.filter((id) => !had.includes(id) && !(refused && id === 'r4'));
      if (report.answer !== answer || [...ran].sort().join() !== wanted.join())
        problems.push({ events, answer: report.answer, ran, wanted });
      if (report.usage.modelCalls !== modelCalls || report.usage.toolCalls !== toolCalls) problems.push({ events, usage: report.usage });
      // The estimate of tokens counts the digits of each child's wall time, which differ.
      if (!refused && Math.abs(report.usage.inputTokens - inputTokens) > 20)
        problems.push({ events, inputTokens: report.usage.inputTokens });
    }
    expect(problems).toEqual([]);
  });

  it('comes to the same answer when it stops again and again', async () => {
    let session = cutAfter(2, 'often');
    for (let round = 0; round < 3; round++) {
      await play(session);
      const events = [...log.read(session)];
      const next = `${session}-${round}`;
      log.append(events.slice(0, Math.floor((events.length * (round + 1)) / 4)).map((event) => ({ ...event, session: next })));
      session = next;
    }
    expect((await play(session)).answer).toBe(ANSWER);
  });

  it('keeps the time that the first process took', async () => {
    const at = Date.now() - 3_600_000;
    const first = whole[0]?.at ?? 0;
    log.append(whole.slice(0, 20).map((event) => ({ ...event, session: 's-slow', at: at + (event.at - first) + event.sequence * 1000 })));
    const { usage } = await play('s-slow');
    expect(usage.wallMs).toBeGreaterThanOrEqual(9000);
    expect(usage.wallMs).toBeLessThan(600_000);
  });
});

describe('a session that stopped at a limit', () => {
  /** Counts two tables, one a turn, and answers how many results it has; told to conclude, it says so. */
  const model = scriptedModel((messages, _opening, turn) => {
    const results = messages.filter(({ role }) => role === 'tool').length;
    const last = messages.at(-1);
    if (last?.role === 'user' && last.content.includes('The limit is reached')) return { text: `stopped after ${results}` };
    if (results < 2) return { calls: [{ tool: 'count_rows', input: { table: `t${results}` }, id: `call_${turn}` }] };
    return { text: `done after ${results}` };
  });
  const playLimited = async (reference: string | undefined, turns = 1): Promise<RunReport> => {
    const scope = new Scope();
    const agent = workspace.agent('boss');
    const spec = { ...agent, limits: { ...agent.limits, turns } };
    const past = reference === undefined ? {} : { past: readPastSession(log, reference) };
    return runSession({
      workspace,
      agent: spec,
      question: 'Count two.',
      model,
      scope,
      work: new Scope(scope),
      withoutMemory: true,
      ...past,
    });
  };

  it('goes on with its limits anew, and adds up what it used in all', async () => {
    const first = await playLimited(undefined);
    expect([first.status, first.answer, first.usage.modelCalls]).toEqual(['budget', 'stopped after 1', 2]);
    const second = await playLimited(first.session);
    expect([second.status, second.answer, second.usage.modelCalls]).toEqual(['budget', 'stopped after 2', 4]);
    expect(log.findSession(first.session).status).toBe('budget');
    const third = await playLimited(first.session);
    expect([third.status, third.answer, third.usage.modelCalls, third.usage.toolCalls]).toEqual(['ok', 'done after 2', 5, 2]);
    expect([...log.read(first.session)].filter(({ body }) => body.type === 'agent.resumed')).toHaveLength(2);
    await expect(playLimited(first.session)).rejects.toMatchObject({ code: 'refused' });
  });

  it('concludes as it would have when its log stops after any event', async () => {
    const first = await playLimited(undefined);
    await playLimited(first.session);
    const events = [...log.read(first.session)];
    const closed = events.findIndex(({ body }) => body.type === 'session.closed');
    const resumed = events.findIndex(({ body }) => body.type === 'agent.resumed');
    const answers: string[] = [];
    for (let cut = 1; cut < events.length; cut++) {
      if (cut === closed + 1) continue;
      const session = `s-limit-${cut}`;
      log.append(events.slice(0, cut).map((event) => ({ ...event, session })));
      const { answer, status } = await playLimited(session);
      const wanted = cut <= resumed ? 'budget: stopped after 1' : 'budget: stopped after 2';
      if (`${status}: ${answer}` !== wanted) answers.push(`${cut}: ${status}: ${answer}`);
    }
    expect(answers).toEqual([]);
  });
});

describe('a call that writes and was under way', () => {
  const cutInNote = (name: string): string => {
    const at = whole.findIndex(({ body }) => body.type === 'tool.called' && body.tool === 'note_down') + 1;
    const session = `s-note-${name}`;
    log.append(whole.slice(0, at).map((event) => ({ ...event, session })));
    return session;
  };

  it('runs again when the person says so, though the permissions allow it without asking', async () => {
    const asked: ApprovalRequest[] = [];
    const report = await play(cutInNote('yes'), async (request) => asked.push(request) > 0);
    expect(asked).toEqual([{ agent: 'boss', tool: 'note_down', arguments: { sum: 9144 }, interrupted: true }]);
    expect(report.answer).toBe(ANSWER);
  });

  it('is answered as refused, with the reason, when the person says no', async () => {
    const before = runsOf(folder).length;
    const session = cutInNote('no');
    expect((await play(session, async () => false)).answer).toContain('noted: refused');
    expect(runsOf(folder)).toHaveLength(before);
    const content = [...log.read(session)].flatMap(({ body }) =>
      body.type === 'tool.finished' && body.resultId === 'r4' ? [body.content] : [],
    );
    expect(content.join()).toContain('was not approved');
  });
});

describe('kill -9 of a run with children', { timeout: 120_000 }, () => {
  it('at any event is followed by the same answer (one of them here)', async () => {
    const own = newProject();
    expect(await playInProcess({ folder: own, killAt: 17 })).toBeUndefined();
    const had = resultsIn(await eventsOf(own));
    const ran = runsOf(own).length;
    const { code, stdout } = await runCli(['run', '--resume', '-1', '--json', '--quiet', '--project', own], {
      environment: { SOLOIST_HOME: join(own, 'home') },
    });
    expect({ code, answer: (JSON.parse(stdout) as RunReport).answer }).toEqual({ code: 0, answer: ANSWER });
    expect(
      runsOf(own)
        .slice(ran)
        .filter((id) => had.includes(id)),
    ).toEqual([]);
  });
});

describe('what cannot be resumed', { timeout: 120_000 }, () => {
  const cli = (...argv: string[]) => runCli([...argv, '--project', folder], { environment: { SOLOIST_HOME: join(folder, 'home') } });

  it('is a finished session', async () => {
    const { code, stderr } = await cli('run', '--resume', uninterrupted.session);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`session ${uninterrupted.session} is finished (ok)`) });
  });

  it('is a session that does not exist', async () => {
    const { code, stderr } = await cli('run', '--resume', 's-nothing');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('no session begins with "s-nothing"') });
  });

  it('is a session together with an agent', async () => {
    const { code, stderr } = await cli('run', 'boss', 'what?', '--resume', '-1');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('--resume takes its agent and question from the session'),
    });
  });

  it('is a session that another process runs', async () => {
    const session = cutAfter(whole.length - 3, 'held');
    const release = log.holdSession(session);
    try {
      const { code, stderr } = await cli('run', '--resume', session);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('is being run by another process') });
    } finally {
      release();
    }
  });
});
