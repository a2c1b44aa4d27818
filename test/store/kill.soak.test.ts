import { afterAll, describe, expect, it } from 'vitest';
import { expectWhole, killAfter, startWriter } from './killed-writer.ts';
import { cleanUp, newFolder } from './log-folder.ts';

const KILLS = 30;
const BOUND_MS = 55_000;

afterAll(cleanUp);

describe('thirty kills at random moments', () => {
  it('never lose an acknowledged event', async () => {
    const folder = newFolder();
    const until = Date.now() + BOUND_MS;
    let kills = 0;
    for (; kills < KILLS && Date.now() < until; kills++) {
      const session = `s-${kills}`;
      const acknowledged = await killAfter(startWriter(folder, session, 30_000), Math.random() * 400);
      await expectWhole(folder, session, acknowledged);
    }
    expect(kills).toBeGreaterThan(10);
  });
});
