import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, eventsOf, newProject, playInProcess, resultsIn, runsOf } from './resume-project.ts';

afterAll(cleanUp);

describe('kill -9 of a run with children at each of its event boundaries', () => {
  it('is followed by the same answer, and no call with a result in the log runs again', { timeout: 1_200_000 }, async () => {
    const folder = newProject();
    const whole = await playInProcess({ folder });
    const events = (await eventsOf(folder)).length;
    const problems: unknown[] = [];
    let kills = 0;
    for (let killAt = 1; killAt <= events; killAt++) {
      const own = newProject();
      if ((await playInProcess({ folder: own, killAt })) !== undefined) continue;
      kills++;
      const past = await eventsOf(own);
      if (past.at(-1)?.body.type === 'session.closed') continue;
      const had = resultsIn(past);
      const noting = past.some(({ body }) => body.type === 'tool.called' && body.tool === 'note_down') && !had.includes('r4');
      const ran = runsOf(own).length;
      const report = await playInProcess({ folder: own, resume: '-1' });
      const wanted = noting ? whole?.answer.replace('noted: ok', 'noted: refused') : whole?.answer;
      const again = runsOf(own)
        .slice(ran)
        .filter((id) => had.includes(id));
      if (report?.answer !== wanted || again.length > 0) problems.push({ killAt, answer: report?.answer, again });
    }
    expect(problems).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(events - 1);
  });
});
