import { afterEach, describe, expect, it } from 'vitest';
import { BEGIN, cause, closeDesks, closedSession, DAY, type Desk, openDesk } from './closed-session.ts';
import { critic } from './critic.ts';

afterEach(closeDesks);

const RETRY = 'Flat retries of `ingest` loaded 412 rows of 3 May a second time.';

async function deskWith(...sessions: Parameters<typeof closedSession>[0][]): Promise<Desk> {
  const desk = await openDesk();
  for (const session of sessions) desk.log.append(closedSession(session));
  return desk;
}

describe('the projector', () => {
  it('makes a dated note with its place in the log out of a cause', async () => {
    const desk = await deskWith({ session: 's1', findings: [cause(`${RETRY} [r1]`)] });
    const { written, lag } = await desk.project();
    expect(written).toEqual([
      {
        session: 's1',
        id: expect.stringMatching(/^n-/),
        key: 'ingest.retry_policy',
        text: `2026-05-04: ${RETRY}`,
        verdict: 'new',
        judged: true,
      },
    ]);
    const [note] = desk.memory.notes.list();
    expect(note).toMatchObject({ kind: 'bug', agent: 'investigator', multiValued: true, status: 'current' });
    const places = [...desk.log.read('s1')].filter(
      ({ body }) =>
        body.type === 'note.written' || body.type === 'agent.concluded' || (body.type === 'tool.finished' && body.resultId === 'r11'),
    );
    expect(note?.provenance).toHaveLength(3);
    for (const { session, agent, step, sequence } of places) expect(note?.provenance).toContainEqual({ session, agent, step, sequence });
    expect(lag).toEqual({ events: 0, sessions: 0, verdicts: 0 });
  });

  it('does nothing the second time, and confirms what a later session finds again', async () => {
    const desk = await deskWith({ session: 's1', findings: [cause(RETRY)] });
    await desk.project();
    const before = desk.memory.notes.digest();
    expect((await desk.project()).events).toBe(0);
    desk.memory.cursor('projector').reset();
    await desk.project();
    expect(desk.memory.notes.digest()).toBe(before);
    desk.log.append(closedSession({ session: 's2', at: BEGIN + 2 * DAY, findings: [cause(`${RETRY.slice(0, -1)}  `)] }));
    expect((await desk.project()).written).toMatchObject([{ verdict: 'same', judged: true }]);
    expect(desk.memory.notes.list()).toMatchObject([{ status: 'current', created: expect.any(Number), provenance: { length: 6 } }]);
  });

  it('has read the whole log afterwards, also where no session left anything, so that the next one begins there', async () => {
    const desk = await deskWith({ session: 's1', findings: [] }, { session: 's2', findings: [] });
    await desk.project();
    const end = desk.memory.reader.end();
    expect(end).toBe([...desk.log.read('s1'), ...desk.log.read('s2')].length);
    for (const name of ['projector', 'sessions', 'verdicts']) expect(desk.memory.cursor(name).position()).toBe(end);
  });

  it('supersedes under one key without a model, and says that nobody judged', async () => {
    const decided = (session: string, text: string, at: number) => ({ session, at, proposals: [{ text }] });
    const desk = await deskWith(
      decided('s1', 'Retries of ingest stop after 3 tries.', BEGIN),
      decided('s2', 'Retries of ingest stop after 5 tries.', BEGIN + DAY),
    );
    await desk.project();
    const [newer, older] = desk.memory.notes.chain('ingest.retry_policy').toReversed();
    expect(newer).toMatchObject({
      text: '2026-05-05: Retries of ingest stop after 5 tries.',
      status: 'current',
      verdict: 'update',
      judged: false,
    });
    expect(older).toMatchObject({ status: 'superseded', supersededBy: newer?.id });
  });

  it('collects a set under a key that is declared to hold several', async () => {
    const goal = (session: string, text: string) => ({ session, proposals: [{ key: 'team.goals', text, multiValued: true }] });
    const desk = await deskWith(goal('s1', 'Freshness below one hour is a goal.'), goal('s2', 'Costs below 400 a month are a goal.'));
    await desk.project();
    expect(desk.memory.notes.current('team.goals').map(({ text }) => text.slice(12))).toEqual([
      'Freshness below one hour is a goal.',
      'Costs below 400 a month are a goal.',
    ]);
  });

  it('makes the same again from the log, whatever the model would say then', async () => {
    const desk = await openDesk({ critic: critic(['UPDATE', 'UPDATE', 'SAME']) });
    for (const [index, tries] of [3, 5, 7, 8].entries())
      desk.log.append(
        closedSession({
          session: `s${index}`,
          at: BEGIN + index * DAY,
          proposals: [{ text: `Retries of ingest stop after ${tries} tries.` }],
        }),
      );
    await desk.project();
    const before = desk.memory.notes.digest();
    expect(desk.memory.notes.chain('ingest.retry_policy').map(({ status, judged }) => [status, judged])).toEqual([
      ['superseded', true],
      ['superseded', true],
      ['current', true],
    ]);
    for (const round of [1, 2]) {
      desk.memory.notes.clear();
      desk.memory.cursor('projector').reset();
      await desk.project({ critic: critic([]) });
      expect(desk.memory.notes.digest(), `rebuild ${round}`).toBe(before);
    }
  });

  it('flags what a model calls a contradiction, and keeps both', async () => {
    const desk = await openDesk({ critic: critic(['CONFLICT']) });
    for (const [index, text] of ['The orders table is partitioned by day.', 'The orders table is not partitioned at all.'].entries())
      desk.log.append(closedSession({ session: `s${index}`, proposals: [{ key: 'orders.partitions', kind: 'constraint', text }] }));
    await desk.project();
    const [flagged, current] = desk.memory.notes.chain('orders.partitions');
    expect([flagged?.status, current?.status, current?.conflictsWith]).toEqual(['flagged', 'current', [flagged?.id]]);
  });

  it('goes on from wherever it was stopped, and writes nothing twice', async () => {
    const whole = await deskWith(...sessions(6));
    await whole.project();
    const expected = textsOf(whole);
    for (let stopAfter = 1; stopAfter <= 12; stopAfter++) {
      const desk = await deskWith(...sessions(6));
      for (let call = 0; call < 60; call++) {
        let left = call === 0 ? stopAfter : 2;
        await desk.project({ enough: () => left-- <= 0 }).catch(() => undefined);
      }
      expect(textsOf(desk), `stopped after ${stopAfter}`).toEqual(expected);
      expect(desk.memory.cursor('projector').lag()).toBe(0);
    }
  });

  it('may run in several at once', async () => {
    const desk = await deskWith(...sessions(12));
    const others = await Promise.all([1, 2, 3].map(() => openDesk({ folder: desk.folder })));
    await Promise.all([desk, ...others].map((one) => one.project()));
    await desk.project();
    const alone = await deskWith(...sessions(12));
    await alone.project();
    expect(textsOf(desk)).toEqual(textsOf(alone));
    const places = desk.memory.reader
      .after(0, ['note.written', 'memory.distilled'], 1000)
      .map(({ event }) => `${event.session} ${event.step} ${event.sequence}`);
    expect(new Set(places).size).toBe(places.length);
    const before = desk.memory.notes.digest();
    desk.memory.notes.clear();
    desk.memory.cursor('projector').reset();
    await desk.project();
    expect(desk.memory.notes.digest()).toBe(before);
  });

  it('sets an expiry by kind, and leaves sessions alone whose agent may not write', async () => {
    const desk = await deskWith(
      { session: 's1', findings: [cause(RETRY)] },
      { session: 's2', agent: 'silent', findings: [cause(`${RETRY} Twice.`)] },
    );
    await desk.project({ retention: { bug: 10 }, mayWrite: (agent) => agent !== 'silent', now: () => new Date(BEGIN + DAY) });
    expect(desk.memory.notes.list().map(({ expires }) => expires)).toEqual([BEGIN + 11 * DAY]);
    expect([...desk.log.read('s2')].some(({ agent }) => agent === 'memory')).toBe(false);
  });
});

function sessions(count: number): Parameters<typeof closedSession>[0][] {
  return Array.from({ length: count }, (_, index) => ({
    session: `s${index}`,
    at: BEGIN + index * DAY,
    findings: [
      cause(`Flat retries of \`ingest\` loaded ${400 + index} rows a second time.`),
      cause(`The pool \`etl\` had ${index} slots left, tasks queued.`),
    ],
    proposals: [{ text: `Retries of ingest stop after ${index} tries.`, key: 'ingest.tries' }],
  }));
}

function textsOf({ memory }: Desk): string[] {
  return memory.notes
    .list()
    .map(({ key, text, status, version }) => `${key} ${version} ${status} ${text}`)
    .sort();
}
