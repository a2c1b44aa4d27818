import { afterAll, describe, expect, it } from 'vitest';
import { expectWhole, killAfter, startWriter } from './killed-writer.ts';
import { cleanUp, eventAt, newFolder, openLog, said } from './log-folder.ts';

afterAll(cleanUp);

describe('a process killed with SIGKILL while it appends', () => {
  it('leaves a log that opens with every acknowledged event and no half batch', async () => {
    const folder = newFolder();
    for (const [session, milliseconds] of [
      ['s-first', 40],
      ['s-second', 7],
      ['s-third', 90],
    ] as const) {
      const acknowledged = await killAfter(startWriter(folder, session, 20_000), milliseconds);
      expect(acknowledged).toBeGreaterThan(0);
      const events = await expectWhole(folder, session, acknowledged);
      const log = await openLog({ folder });
      log.append([eventAt(events, said('goes on'), { session })]);
      expect([...log.read(session)].length).toBe(events + 1);
    }
  });
});

describe('several processes', () => {
  it('make one new database and append to it at once without a failure', async () => {
    const folder = newFolder();
    const sessions = ['s-1', 's-2', 's-3', 's-4'];
    const writers = sessions.map((session) => startWriter(folder, session, 1500));
    await Promise.all(writers.map(({ ended }) => ended));
    expect(writers.map(({ child }) => child.exitCode)).toEqual([0, 0, 0, 0]);
    for (const [place, session] of sessions.entries()) {
      const acknowledged = writers[place]?.acknowledged() ?? -1;
      expect(acknowledged).toBeGreaterThan(0);
      expect(await expectWhole(folder, session, acknowledged)).toBe(acknowledged + 1);
    }
  });
});
