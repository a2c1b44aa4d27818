import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { BenchReport } from '../../src/bench/bench-report.ts';
import { renderMarkdown } from '../../src/bench/report/render-markdown.ts';
import { runCli } from '../support/run-cli.ts';
import { bench, PROJECT, writeProject } from './suite-project.ts';

const KILLS = 5;
const AT_ONCE = 2;
/** What is said of each cell that has ended. */
const CELL = /^ *\d+\/100 /gm;
const SUITE = PROJECT['counting.yaml']!.replace('[1, 2, 3]', `[${Array.from({ length: 25 }, (_, at) => at + 1).join(', ')}]`);

it(`survives ${KILLS} times kill -9 at any moment, without running a finished cell again`, async () => {
  const { folder, remove } = writeProject({ 'counting.yaml': SUITE });
  const home = join(folder, 'home');
  const read = (file: string, sql: string): unknown[] => {
    if (!existsSync(file)) return [];
    const database = new Database(file, { readonly: true });
    try {
      return database.prepare(sql).raw().all();
    } finally {
      database.close();
    }
  };
  const finished = () =>
    read(join(home, 'soloist.db'), 'SELECT design, case_id, seed, repeat, session, finished_at, result FROM bench_cells');
  const argv = ['bench', 'counting.yaml', '--concurrency', String(AT_ONCE), '--json'];
  const call = { cwd: folder, environment: { SOLOIST_HOME: home } };
  try {
    let kept: unknown[] = [];
    const seen: number[] = [];
    while (seen.length < KILLS) {
      // So many cells after its start, and within one; with none before the first.
      const cells = Math.floor(Math.random() * 16);
      const after = Math.floor(Math.random() * (cells === 0 ? 200 : 20));
      let armed = false;
      const { code } = await runCli(argv, {
        ...call,
        onStderr: (text, kill) => {
          if (armed || (text.match(CELL)?.length ?? 0) < cells) return;
          armed = true;
          setTimeout(() => kill('SIGKILL'), after);
        },
      });
      expect(code, `killed ${after} ms after ${cells} cells`).toBeNull();
      const now = finished();
      // What was finished before stands as it was, down to its session and time.
      expect(now).toEqual(expect.arrayContaining(kept));
      kept = now;
      seen.push(now.length);
    }
    expect(seen.at(-1)).toBeLessThan(100);
    const last = await runCli(argv, call);
    expect([last.code, Number(/going on: (\d+) of 100 runs/.exec(last.stderr)?.[1] ?? 0)]).toEqual([0, kept.length]);
    const report = JSON.parse(last.stdout) as BenchReport;
    expect(report.cells).toHaveLength(100);
    expect(finished()).toEqual(expect.arrayContaining(kept));
    // Each kill costs at most the cells that were under way.
    const sessions = read(join(home, 'bench', 'soloist.db'), "SELECT DISTINCT session FROM events WHERE agent = 'main'");
    expect(sessions.length).toBeGreaterThanOrEqual(100);
    expect(sessions.length).toBeLessThanOrEqual(100 + KILLS * AT_ONCE);
    const whole = await bench(folder, { environment: { SOLOIST_HOME: join(folder, 'other') } });
    expect(renderMarkdown(report).replace(/.*cells ran at once.*\n/, '')).toBe(renderMarkdown(whole.report));
  } finally {
    remove();
  }
}, 300_000);
