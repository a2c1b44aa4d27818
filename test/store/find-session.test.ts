import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, eventAt, failureOf, opened, openLog } from './log-folder.ts';

afterAll(cleanUp);

async function logOf(sessions: readonly string[]): Promise<Awaited<ReturnType<typeof openLog>>> {
  const log = await openLog();
  for (const [place, session] of sessions.entries()) log.append([eventAt(0, opened(`q of ${session}`), { session, at: 1000 + place })]);
  return log;
}

describe('finding a session', () => {
  it('takes its id, though others begin with it', async () => {
    const log = await logOf(['s-1', 's-12', 's-123']);
    expect(log.findSession('s-1').question).toBe('q of s-1');
  });

  it('takes a beginning that only one has', async () => {
    const log = await logOf(['s-0abc-x', 's-0abd-y', 's-0b-z']);
    expect(log.findSession('s-0b').session).toBe('s-0b-z');
    expect(log.findSession('s-0abd').session).toBe('s-0abd-y');
  });

  it('counts back from the latest with -1, -2', async () => {
    const log = await logOf(['s-old', 's-middle', 's-new']);
    expect(['-1', '-2', '-3'].map((reference) => log.findSession(reference).session)).toEqual(['s-new', 's-middle', 's-old']);
    expect(await failureOf(() => log.findSession('-4'))).toMatchObject({ code: 'not_found', fix: 'the oldest is -3' });
  });

  it('names the candidates of a beginning that several have', async () => {
    const log = await logOf(['s-a1', 's-a2', 's-b']);
    const failure = await failureOf(() => log.findSession('s-a'));
    expect(failure.code).toBe('usage');
    expect(failure.message).toBe('several sessions begin with "s-a": s-a1, s-a2');
  });

  it('takes no wildcard', async () => {
    const log = await logOf(['s-a']);
    for (const reference of ['%', 's_a', '*', '', '-0', '-x'])
      expect((await failureOf(() => log.findSession(reference))).code).toBe('not_found');
  });

  it('names the nearest of a mistyped id', async () => {
    const log = await logOf(['s-1m8q7ejh3-wkba', 's-1m8q7eha3-743r', 's-newest']);
    expect((await failureOf(() => log.findSession('s-1m8q7ejh3-wkbb'))).fix).toBe('did you mean s-1m8q7ejh3-wkba?');
    expect((await failureOf(() => log.findSession('s-zzzzzzzzzzzzzz'))).fix).toBe('the latest is s-newest (also -1)');
  });

  it('says what there is when nothing fits', async () => {
    expect((await failureOf(async () => (await logOf(['s-a'])).findSession('s-q'))).fix).toContain('s-a');
    expect((await failureOf(async () => (await logOf([])).findSession('-1'))).message).toBe('the log has no session yet');
  });
});
