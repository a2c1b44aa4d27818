import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { makeFolder } from './make-folder.ts';
import { migrate } from './migrate.ts';
import { explainStoreError } from './store-errors.ts';

const RETRY_AFTER_MS = 25;

export interface DatabaseOptions {
  /** The folder of `soloist.db`; made when it is missing. */
  readonly folder: string;
  /** `FULL` for those who fear a loss of power; `NORMAL` survives a killed process. */
  readonly synchronous?: 'NORMAL' | 'FULL';
  /** How long to wait for another process's lock, in milliseconds. */
  readonly busyTimeoutMs?: number;
  /** Loads the binding; set by tests. */
  readonly loadDriver?: () => Promise<{ default: new (file: string, options: { timeout: number }) => Database.Database }>;
}

export interface OpenedDatabase {
  readonly database: Database.Database;
  readonly file: string;
  /** Opens another file with the same driver, without waiting for a lock. */
  openBeside(path: string): Database.Database;
}

/** A connection to the database: WAL, memory-mapped, of the current schema. @throws SoloistError `store_unusable` or `dependency_missing`. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenedDatabase> {
  const file = join(options.folder, 'soloist.db');
  const timeout = options.busyTimeoutMs ?? 5000;
  try {
    const driver = await (options.loadDriver ?? (() => import('better-sqlite3')))();
    makeFolder(resolve(options.folder));
    const database = new driver.default(file, { timeout });
    try {
      await whileBusy(timeout, () => prepareDatabase(database, options, file));
      return { database, file, openBeside: (path) => new driver.default(path, { timeout: 0 }) };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw explainStoreError(error, file);
  }
}

/** The change to WAL does not wait for a lock as other statements do: several processes may make one database at once. */
async function whileBusy(timeout: number, work: () => void): Promise<void> {
  for (const until = Date.now() + timeout; ; await pause(RETRY_AFTER_MS)) {
    try {
      work();
      return;
    } catch (error) {
      if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY') || Date.now() >= until) throw error;
    }
  }
}

function prepareDatabase(database: Database.Database, { synchronous = 'NORMAL' }: DatabaseOptions, file: string): void {
  const mode = database.pragma('journal_mode = WAL', { simple: true });
  // A file system without shared memory keeps the old journal, which is safe with FULL alone.
  database.pragma(`synchronous = ${mode === 'wal' ? synchronous : 'FULL'}`);
  database.pragma('mmap_size = 268435456');
  migrate(database, file);
}
