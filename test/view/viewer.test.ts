import { connect } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { withState } from '../../src/app/trace-list.ts';
import type { EventBody } from '../../src/core/event.ts';
import { readSession } from '../../src/trace/read-session.ts';
import { isOwnHost } from '../../src/view/check-host.ts';
import { startViewer } from '../../src/view/start-viewer.ts';
import { cleanUp, eventAt, failureOf, opened, openLog, said } from '../store/log-folder.ts';
import { ask, closeViewers, serve, teamLog } from './view-folder.ts';

afterEach(closeViewers);
afterAll(cleanUp);

async function logOf(questions: readonly string[]) {
  const log = await openLog();
  for (const [place, question] of questions.entries())
    log.append([eventAt(0, opened(question), { session: `s-${place}`, at: 1000 + place })]);
  return log;
}

const concluded = (inputTokens: number, outputTokens: number): EventBody => ({
  type: 'agent.concluded',
  conclusion: {
    ...{ status: 'ok', text: 'Done.', evidence: [], findings: [], model: 'rules' },
    usage: { modelCalls: 1, toolCalls: 0, inputTokens, outputTokens, peakContextTokens: 1, wallMs: 1 },
  },
});

describe('the server of the viewer', () => {
  it('answers to names of this machine alone', async () => {
    const viewer = await serve(await openLog());
    for (const host of [`127.0.0.1:${viewer.port}`, `localhost:${viewer.port}`, `LOCALHOST:${viewer.port}`, `[::1]:${viewer.port}`])
      expect((await ask(viewer, '/api/sessions', { host })).status, host).toBe(200);
    for (const host of [
      'evil.example',
      `evil.example:${viewer.port}`,
      '127.0.0.1',
      'localhost:1',
      `127.0.0.1.evil.example:${viewer.port}`,
    ]) {
      const refused = await ask(viewer, '/api/sessions', { host });
      expect(refused.status, host).toBe(403);
      expect(refused.text).toContain('Host header');
      expect(refused.text).not.toContain('sessions');
    }
    expect([undefined, '', 'localhost:', ':80', 'localhost:80/'].filter((host) => isOwnHost(host, 80))).toEqual([]);
    expect(isOwnHost('localhost', 80)).toBe(true);
  });

  it('is bound to the loopback address', async () => {
    const viewer = await serve(await openLog());
    expect(viewer.url).toBe(`http://127.0.0.1:${viewer.port}/`);
    // Any other address of the loopback network would answer, were it bound to all addresses.
    const reached = await new Promise((resolve) => {
      const socket = connect(viewer.port, '127.0.0.2', () => resolve(true));
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
    });
    expect(reached).toBe(false);
  });

  it('refuses every method that could change something', async () => {
    const viewer = await serve(await openLog());
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const refused = await ask(viewer, '/api/sessions', { method });
      expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
    }
    const head = await ask(viewer, '/api/sessions', { method: 'HEAD' });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '15']);
  });

  it('forbids the page all but itself, and others to read it', async () => {
    const viewer = await serve(await openLog());
    for (const path of ['/', '/page.js', '/page.css', '/api/sessions', '/nothing']) {
      const { headers } = await ask(viewer, path);
      expect(headers['content-security-policy'], path).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:",
      );
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['cache-control']).toBe('no-store');
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('serves the files of the page and no others', async () => {
    const viewer = await serve(await openLog());
    const page = await ask(viewer, '/');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const [, path] of page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) expect((await ask(viewer, path!)).status, path).toBe(200);
    for (const path of [
      '/index.html',
      '/../view-data.ts',
      '/%2e%2e/package.json',
      '/page.js/..',
      '/api',
      '/api/sessions/s/events/x',
      '/api/sessions/',
      '//x',
    ])
      expect((await ask(viewer, path)).status, path).toBe(404);
  });

  it('says which port is in use, and how to have another', async () => {
    const log = await openLog();
    const { port } = await serve(log);
    const failure = await failureOf(() => startViewer({} as never, { port }));
    expect(failure).toMatchObject({ code: 'refused', message: `port ${port} of 127.0.0.1 is in use` });
    expect(failure.fix).toContain('--port');
  });
});

describe('the list of sessions', () => {
  it('goes page by page from the newest, each session once', async () => {
    const viewer = await serve(await logOf(['a', 'b', 'c', 'd', 'e']));
    const first = (await ask(viewer, '/api/sessions?limit=2')).json;
    const second = (await ask(viewer, `/api/sessions?limit=2&after=${first.next}`)).json;
    const third = (await ask(viewer, `/api/sessions?limit=2&after=${second.next}`)).json;
    const ids = [first, second, third].map(({ sessions }) => sessions.map((one: { session: string }) => one.session));
    expect(ids).toEqual([['s-4', 's-3'], ['s-2', 's-1'], ['s-0']]);
    expect(third.next).toBeUndefined();
  });

  it('keeps sessions of the same moment apart', async () => {
    const log = await openLog();
    for (const session of ['s-a', 's-b', 's-c']) log.append([eventAt(0, opened('q'), { session, at: 5 })]);
    const viewer = await serve(log);
    const { sessions, next } = (await ask(viewer, '/api/sessions?limit=2')).json;
    expect([sessions[0].session, sessions[1].session, next]).toEqual(['s-c', 's-b', 's-b']);
    expect((await ask(viewer, `/api/sessions?after=${next}`)).json.sessions).toMatchObject([{ session: 's-a' }]);
  });

  it('is filtered by words in any order and case, taken as they are', async () => {
    const viewer = await serve(await logOf(['Why late?', '100% of rows', 'late again', 'a_b']));
    const found = async (words: string) =>
      (await ask(viewer, `/api/sessions?q=${encodeURIComponent(words)}`)).json.sessions.map((one: { question: string }) => one.question);
    expect(await found('LATE')).toEqual(['late again', 'Why late?']);
    expect(await found('late why')).toEqual(['Why late?']);
    expect(await found('%')).toEqual(['100% of rows']);
    expect(await found('a_b')).toEqual(['a_b']);
    expect(await found('investigator late')).toEqual(['late again', 'Why late?']);
    expect(await found("' OR 1=1 --")).toEqual([]);
  });

  it('adds up the tokens of all questions, each by its last conclusion', async () => {
    const log = await openLog();
    log.append([
      eventAt(0, opened('q')),
      eventAt(1, concluded(100, 10)),
      eventAt(2, concluded(150, 15)),
      // A conclusion counts from the session's beginning: 7 and 1 more.
      eventAt(3, concluded(157, 16), { round: 2 }),
      eventAt(4, concluded(9_999, 9_999), { agent: 'c1' }),
    ]);
    const viewer = await serve(log);
    expect((await ask(viewer, '/api/sessions')).json.sessions[0]).toMatchObject({
      used: { inputTokens: 157, outputTokens: 16 },
      state: 'killed',
    });
  });

  it('names a wrong parameter', async () => {
    const viewer = await serve(await openLog());
    for (const path of ['/api/sessions?limit=0', '/api/sessions?limit=501', '/api/sessions?limit=-1', '/api/sessions?limit=1e3'])
      expect(await ask(viewer, path)).toMatchObject({ status: 400, json: { error: { code: 'usage' } } });
  });
});

describe('a session', () => {
  it('has the answer with the source of each figure, and the audit of its delegations', async () => {
    const { log, session } = await teamLog();
    const viewer = await serve(log);
    const { json } = await ask(viewer, `/api/sessions/${session}`);
    expect(json).toMatchObject({ concluded: true, question: 'Count all tables.', session: { state: 'ok' }, earlier: [] });
    expect(json.report.answer).toContain('4711');
    const figures = json.report.figures.map(
      ({ text, status, sources }: { text: string; status: string; sources: { result: string }[] }) => [text, status, sources[0]?.result],
    );
    expect(figures.filter(([text]: [string]) => /^\d/.test(text))).toEqual([
      ['1001', 'stated', 'r1'],
      ['1002', 'stated', 'c1.r1'],
      ['4711', 'unsupported', undefined],
    ]);
    expect(json.report.delegations).toMatchObject([
      { id: 'r2', agent: 'worker', children: 2, why: 'parallelism', inline: { modelCalls: 2 } },
    ]);
    expect(json.report.usage).toMatchObject({ toolCalls: 4 });
  });

  it('tells of a figure what `trace why` tells', async () => {
    const { log, session } = await teamLog();
    const viewer = await serve(log);
    const { json } = await ask(viewer, `/api/sessions/${session}/figures/1002`);
    expect(json).toMatchObject({ figure: '1002', status: 'stated', answers: ['c1', 'main'] });
    expect(json.sources[0]).toMatchObject({
      result: 'c1.r1',
      path: 'data.rows',
      value: '1002',
      way: ['main', 'r2 worker', 'c1'],
      arguments: { table: 't2' },
    });
    expect((await ask(viewer, `/api/sessions/${session}/figures/4711`)).json).toMatchObject({ status: 'unsupported', sources: [] });
    expect(await ask(viewer, `/api/sessions/${session}/figures/word`)).toMatchObject({
      status: 400,
      json: { error: { message: '"word" is no figure' } },
    });
  });

  it('names the nearest where there is none, and asks for more of an id that several have', async () => {
    const log = await openLog();
    for (const session of ['s-1m8q7ejh3-wkba', 's-1m8q7eha3-743r']) log.append([eventAt(0, opened('q'), { session })]);
    const viewer = await serve(log);
    expect(await ask(viewer, '/api/sessions/s-1m8q7ejh3-wkbb')).toMatchObject({
      status: 404,
      json: { error: { code: 'not_found', fix: 'did you mean s-1m8q7ejh3-wkba?' } },
    });
    expect(await ask(viewer, '/api/sessions/s-1m8q7e')).toMatchObject({ status: 400, json: { error: { code: 'usage' } } });
    expect((await ask(viewer, '/api/sessions/s-1m8q7eh')).json.session.session).toBe('s-1m8q7eha3-743r');
  });

  it('is that of its last question, with those before', async () => {
    const log = await openLog();
    const followUp: EventBody = { type: 'user.said', content: 'And then?', why: 'follow_up' };
    log.append([eventAt(0, opened('First?')), eventAt(1, concluded(1, 1))]);
    const viewer = await serve(log);
    expect((await ask(viewer, '/api/sessions/s1')).json).toMatchObject({ question: 'First?', earlier: [], concluded: true });
    log.append([eventAt(2, followUp, { round: 2 })]);
    expect((await ask(viewer, '/api/sessions/s1')).json).toMatchObject({
      ...{ question: 'And then?', concluded: false, report: { answer: '' } },
      earlier: [{ round: 1, question: 'First?', status: 'ok', answer: 'Done.' }],
    });
    // Counted from the session's beginning: 2 more.
    log.append([eventAt(3, concluded(3, 3), { round: 2 })]);
    expect((await ask(viewer, '/api/sessions/s1')).json).toMatchObject({
      concluded: true,
      report: { answer: 'Done.', usage: { inputTokens: 2 } },
    });
  });

  it('is running until it concludes, also when it is asked further', async () => {
    const log = await openLog();
    const viewer = await serve(log);
    const told = async () => {
      const { session, report, concluded: done } = (await ask(viewer, '/api/sessions/s1')).json;
      return [session.state, report.status, done];
    };
    for (const round of [1, 2]) {
      const release = log.holdSession('s1');
      const at = round * 10;
      log.append([eventAt(at, round === 1 ? opened('First?') : { type: 'user.said', content: 'And then?', why: 'follow_up' }, { round })]);
      expect(await told()).toEqual(['running', 'running', false]);
      log.append([eventAt(at + 1, concluded(round, round), { round })]);
      expect(await told()).toEqual(['running', 'ok', true]);
      log.append([eventAt(at + 2, { type: 'session.closed', status: 'ok' }, { round })]);
      release();
      expect(await told()).toEqual(['ok', 'ok', true]);
    }
    log.append([eventAt(30, { type: 'user.said', content: 'And now?', why: 'follow_up' }, { round: 3 })]);
    expect(await told()).toEqual(['killed', 'aborted', false]);
    expect(readSession('s1', log.read('s1')).status).toBe('open');
  });

  it('is not taken for killed when it ends while it is looked at', async () => {
    const log = await openLog();
    log.append([eventAt(0, opened('q'))]);
    const summary = log.findSession('s1');
    log.append([eventAt(1, concluded(1, 1)), eventAt(2, { type: 'session.closed', status: 'ok' })]);
    expect(withState(log, summary)).toMatchObject({ state: 'ok', events: 3 });
  });

  it('says that the log is damaged, and answers the next request', async () => {
    const log = await openLog();
    log.append([eventAt(0, opened('q')), eventAt(1, said('fine'))]);
    const viewer = await serve(log);
    log.close();
    const failed = await ask(viewer, '/api/sessions');
    expect(failed.status).toBe(500);
    expect(failed.json.error.message).toMatch(/database|log/);
    expect((await ask(viewer, '/')).status).toBe(200);
  });
});

describe('the events of a session', () => {
  it('come page by page in the order of the log, with the children under their own path', async () => {
    const { log, session, events } = await teamLog();
    const viewer = await serve(log);
    const types: string[] = [];
    let after = 0;
    for (let more = true; more; ) {
      const { json } = await ask(viewer, `/api/sessions/${session}/events?limit=7&after=${after}`);
      expect(json.events.length).toBeLessThanOrEqual(7);
      types.push(...json.events.map((event: { agent: string; type: string }) => `${event.agent} ${event.type}`));
      ({ next: after, more } = json);
    }
    expect(types).toEqual(events.map(({ agent, body }) => `${agent} ${body.type}`));
    expect(types).toContain('c2 tool.finished');
  });

  it('are bounded, however long their texts are', async () => {
    const log = await openLog();
    const long = 'x'.repeat(100_000);
    log.append([
      eventAt(0, opened(long)),
      eventAt(1, { type: 'tool.called', callId: 'k', resultId: 'r1', tool: 'read', arguments: { long } }),
      eventAt(2, {
        type: 'tool.finished',
        callId: 'k',
        resultId: 'r1',
        tool: 'read',
        status: 'ok',
        complete: true,
        content: long,
        elapsedMs: 1,
      }),
      eventAt(3, said(long)),
      eventAt(4, {
        type: 'note.proposed',
        id: 'n',
        key: 'k',
        kind: 'decision',
        text: long,
        multiValued: false,
        evidence: [],
        agent: 'main',
      }),
    ]);
    const viewer = await serve(log);
    const { text, json } = await ask(viewer, '/api/sessions/s1/events');
    expect(text.length).toBeLessThan(5_000);
    expect(json.events[2]).toMatchObject({ characters: 100_000, resultId: 'r1', status: 'ok' });
  });

  it('arrive while the session runs, and tell when it has ended', async () => {
    const log = await openLog();
    const release = log.holdSession('s1');
    log.append([eventAt(0, opened('q'))]);
    const viewer = await serve(log);
    const first = (await ask(viewer, '/api/sessions/s1/events')).json;
    expect([first.session.state, first.more]).toEqual(['running', false]);
    expect((await ask(viewer, `/api/sessions/s1/events?after=${first.next}`)).json).toMatchObject({ events: [], next: first.next });
    log.append([eventAt(1, said('new')), eventAt(2, concluded(1, 1)), eventAt(3, { type: 'session.closed', status: 'ok' })]);
    release();
    const second = (await ask(viewer, `/api/sessions/s1/events?after=${first.next}`)).json;
    expect(second.events.map((event: { type: string }) => event.type)).toEqual(['user.said', 'agent.concluded', 'session.closed']);
    expect(second.session.state).toBe('ok');
  });
});

describe('a result', () => {
  const text = `${'0123456789'.repeat(4_499)}${'é'.repeat(9)}😀${'z'.repeat(100)}`;

  async function largeLog() {
    const log = await openLog();
    log.append([
      eventAt(0, opened('q', { sources: [{ name: 'w', kind: 'files', flag: 'w=files:./data' }] })),
      eventAt(1, { type: 'tool.called', callId: 'k', resultId: 'r1', tool: 'read_file', arguments: { path: "it's" } }),
      eventAt(2, {
        ...{ type: 'tool.finished', callId: 'k', resultId: 'r1', tool: 'read_file', status: 'partial', complete: false },
        ...{ content: '{"a":[1,2]}', reference: log.putBlob(text), elapsedMs: 3 },
      } as EventBody),
      eventAt(3, said('aside')),
    ]);
    return log;
  }

  it('comes in pages that add up to all of it', async () => {
    const viewer = await serve(await largeLog());
    let got = '';
    let pages = 0;
    for (let offset: number | undefined = 0; offset !== undefined; pages++) {
      const { json } = await ask(viewer, `/api/sessions/s1/results/r1?part=whole&offset=${offset}`);
      expect(json.text.length).toBeLessThanOrEqual(20_000);
      expect(json.characters).toBe(text.length);
      got += json.text;
      offset = json.next;
    }
    expect(got).toBe(text);
    expect(pages).toBe(3);
  });

  it('cuts no character in two', async () => {
    const log = await openLog();
    const content = `${'x'.repeat(19_999)}😀`;
    log.append([
      eventAt(0, opened('q')),
      eventAt(1, { type: 'tool.finished', callId: 'k', resultId: 'r1', tool: 't', status: 'ok', complete: true, content, elapsedMs: 1 }),
    ]);
    const viewer = await serve(log);
    expect((await ask(viewer, '/api/sessions/s1/results/r1')).json.next).toBe(19_999);
    expect((await ask(viewer, '/api/sessions/s1/results/r1?offset=19999')).json.text).toBe('😀');
  });

  it('has what the model saw, what the call was made with, and how to make it again', async () => {
    const viewer = await serve(await largeLog());
    const { json } = await ask(viewer, '/api/sessions/s1/results/r1');
    expect(json).toMatchObject({
      ...{ kind: 'call', name: 'read_file', status: 'partial', complete: false, part: 'shown', parts: ['shown', 'whole', 'arguments'] },
      text: '{\n  "a": [\n    1,\n    2\n  ]\n}',
      again: `soloist tools call read_file --input '{"path":"it'\\''s"}' --source w=files:./data`,
    });
    expect(JSON.parse((await ask(viewer, '/api/sessions/s1/results/r1?part=arguments')).json.text)).toEqual({ path: "it's" });
  });

  it('keeps every digit of a number that does not survive being read', async () => {
    const log = await openLog();
    const content = '{"id":12345678901234567890,"rate":1.10}';
    log.append([
      eventAt(0, opened('q')),
      eventAt(1, { type: 'tool.finished', callId: 'k', resultId: 'r1', tool: 't', status: 'ok', complete: true, content, elapsedMs: 1 }),
    ]);
    const viewer = await serve(log);
    expect((await ask(viewer, '/api/sessions/s1/results/r1')).json.text).toBe(content);
  });

  it('may be a child’s conclusion, or any event of that session alone', async () => {
    const { log, session } = await teamLog();
    log.append([eventAt(0, opened('other'), { session: 's-other' })]);
    const viewer = await serve(log);
    expect((await ask(viewer, `/api/sessions/${session}/results/c2`)).json).toMatchObject({
      kind: 'conclusion',
      text: 't3 has 1003 rows [c2.r1].',
    });
    const { events } = (await ask(viewer, `/api/sessions/${session}/events?limit=1`)).json;
    expect(JSON.parse((await ask(viewer, `/api/sessions/${session}/results/@${events[0].position}`)).json.text).type).toBe(
      'session.opened',
    );
    const [foreign] = (await ask(viewer, '/api/sessions/s-other/events')).json.events;
    expect((await ask(viewer, `/api/sessions/${session}/results/@${foreign.position}`)).status).toBe(404);
  });

  it('names the nearest where there is none', async () => {
    const viewer = await serve(await largeLog());
    expect(await ask(viewer, '/api/sessions/s1/results/r2')).toMatchObject({ status: 404, json: { error: { fix: 'did you mean "r1"?' } } });
    expect((await ask(viewer, '/api/sessions/s1/results/r1?part=wole')).json.error.fix).toBe('did you mean "whole"?');
  });
});
