import { join, resolve } from 'node:path';
import type Database from 'better-sqlite3';
import { makeFolder } from './make-folder.ts';
import { migrate } from './migrate.ts';
import { explaining, explainStoreError } from './store-errors.ts';

/** A run of a suite as it is kept. */
export interface BenchRun {
  readonly run: string;
  readonly suite: string;
  readonly fingerprint: string;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly version: string;
  readonly planned: number;
  /** JSON. */
  readonly warmUps: string;
}

/** A finished cell as it is kept; `result` is JSON. */
export interface BenchCell {
  readonly design: string;
  readonly caseId: string;
  readonly seed: number;
  readonly repeat: number;
  readonly session: string;
  readonly timing: 'simulated' | 'measured';
  readonly passed: boolean;
  readonly finishedAt: number;
  readonly result: string;
}

/** Results of suites, in the log database. Every method throws SoloistError `store_unusable` as the log does. */
export interface BenchStore {
  /** The newest unfinished run with this fingerprint. */
  unfinished(fingerprint: string): BenchRun | undefined;
  begin(run: BenchRun): void;
  setWarmUps(run: string, warmUps: string): void;
  /** Durable once it returns; a cell that is there already stays as it is. */
  record(run: string, cell: BenchCell): void;
  finish(run: string, at: number): void;
  cells(run: string): readonly BenchCell[];
  /** Newest first. */
  runs(limit: number): readonly BenchRun[];
  close(): void;
}

const RUN_COLUMNS = 'run, suite, fingerprint, started_at AS startedAt, finished_at AS finishedAt, version, planned, warm_ups AS warmUps';

/** @throws SoloistError `store_unusable` or `dependency_missing`. */
export async function openBenchStore({ folder, tenant }: { readonly folder: string; readonly tenant: string }): Promise<BenchStore> {
  const file = join(folder, 'soloist.db');
  try {
    const driver = await import('better-sqlite3');
    makeFolder(resolve(folder));
    const database = new driver.default(file, { timeout: 5_000 });
    try {
      database.pragma('journal_mode = WAL');
      migrate(database, file);
      return storeOver(database, file, tenant);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw explainStoreError(error, file);
  }
}

function storeOver(database: Database.Database, file: string, tenant: string): BenchStore {
  const unfinished = database.prepare<[string, string], BenchRun>(
    `SELECT ${RUN_COLUMNS} FROM bench_runs WHERE tenant = ? AND fingerprint = ? AND finished_at IS NULL ORDER BY started_at DESC, run DESC LIMIT 1`,
  );
  const list = database.prepare<[string, number], BenchRun>(
    `SELECT ${RUN_COLUMNS} FROM bench_runs WHERE tenant = ? ORDER BY started_at DESC, run DESC LIMIT ?`,
  );
  const begin = database.prepare('INSERT INTO bench_runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const warm = database.prepare('UPDATE bench_runs SET warm_ups = ? WHERE tenant = ? AND run = ?');
  const finish = database.prepare('UPDATE bench_runs SET finished_at = ? WHERE tenant = ? AND run = ?');
  const record = database.prepare('INSERT OR IGNORE INTO bench_cells VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const cells = database.prepare<[string, string], Omit<BenchCell, 'passed'> & { passed: number }>(
    'SELECT design, case_id AS caseId, seed, repeat, session, timing, passed, finished_at AS finishedAt, result FROM bench_cells WHERE tenant = ? AND run = ? ORDER BY finished_at, design, case_id, seed, repeat',
  );
  return {
    unfinished: (fingerprint) => explaining(file, () => unfinished.get(tenant, fingerprint)),
    begin: (one) =>
      explaining(file, () => {
        const { run, suite, fingerprint, startedAt, finishedAt, version, planned, warmUps } = one;
        begin.run(tenant, run, suite, fingerprint, startedAt, finishedAt, version, planned, warmUps);
      }),
    setWarmUps: (run, warmUps) => explaining(file, () => void warm.run(warmUps, tenant, run)),
    record: (run, cell) =>
      explaining(file, () => {
        const { design, caseId, seed, repeat, session, timing, passed, finishedAt, result } = cell;
        record.run(tenant, run, design, caseId, seed, repeat, session, timing, passed ? 1 : 0, finishedAt, result);
      }),
    finish: (run, at) => explaining(file, () => void finish.run(at, tenant, run)),
    cells: (run) => explaining(file, () => cells.all(tenant, run).map((cell) => ({ ...cell, passed: cell.passed === 1 }))),
    runs: (limit) => explaining(file, () => list.all(tenant, limit)),
    close: () => {
      if (database.open) database.close();
    },
  };
}
