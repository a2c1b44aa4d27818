import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, it } from 'vitest';
import { askInvestigator } from './ask-investigator.ts';
import { airflowFiles, type RunFact } from './pipeline-files.ts';

const place = mkdtempSync(join(tmpdir(), 'soloist-rewritten-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const MINUTE = 60_000;
const DAY = 86_400_000;
const AGAIN = Date.parse('2026-11-13T11:42:00Z');
const DAYS = Array.from({ length: 16 }, (_, at) => Date.parse('2026-10-28') + at * DAY);

/** A time as clocks two hours ahead of UTC show it. */
const local = (time: number): string => `${new Date(time + 120 * MINUTE).toISOString().slice(0, 19)}+02:00`;
const runAt = (at: number, more: Partial<RunFact>): RunFact => ({
  dag: 'figures',
  id: `scheduled__${at}`,
  at: at / 1000,
  tasks: [{ task: 'build', ready: 1, start: 2, end: 500 }],
  ...more,
});

it('names the run that wrote days again, by times with the zone that they are in', async () => {
  const file = join(place, 'figures.sqlite');
  const database = new Database(file);
  database.exec('CREATE TABLE figures_day (day TEXT, shop TEXT, net REAL, built_at TEXT)');
  const insert = database.prepare('INSERT INTO figures_day VALUES (?, ?, ?, ?)');
  for (const [at, day] of DAYS.entries())
    for (let shop = 0; shop < 10; shop++) {
      const again = at >= 4 && at <= 8;
      insert.run(
        new Date(day).toISOString().slice(0, 10),
        `s${shop}`,
        (again ? 550 : 1000) + shop,
        local(again ? AGAIN : day + DAY + 240 * MINUTE),
      );
    }
  database.close();
  const runs = [
    ...DAYS.map((day) => runAt(day + DAY + 232 * MINUTE, {})),
    runAt(AGAIN - 4 * MINUTE, { type: 'backfill', id: 'backfill__1' }),
  ];
  const folder = mkdtempSync(join(place, 'runs-'));
  for (const [name, content] of Object.entries(airflowFiles(runs, []))) writeFileSync(join(folder, name), JSON.stringify(content));
  const { answer } = await askInvestigator({
    question: 'net of 1 to 5 november is too low',
    sources: [`data=sqlite:${file}`, `runs=airflow-export:${folder}`],
  });
  expect(answer).toMatch(/^The rows of 2026-11-01 to 2026-11-05 in `figures_day` were written again later: .*run `backfill__1`/);
});
