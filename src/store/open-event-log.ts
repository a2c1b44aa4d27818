import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { EventLog, SessionSummary } from '../core/event.ts';
import type { RedactionPattern } from '../core/project.ts';
import { createAppend } from './append-events.ts';
import { createBlobStore } from './blob-store.ts';
import { holdSession, isHeld } from './hold-session.ts';
import { createSessionListing } from './list-sessions.ts';
import { type LogState, readLogState } from './log-state.ts';
import { makeFolder } from './make-folder.ts';
import { migrate } from './migrate.ts';
import { createRead } from './read-events.ts';
import { redactionOf } from './redact-secrets.ts';
import { explaining, explainStoreError } from './store-errors.ts';

const RETRY_AFTER_MS = 25;

export interface EventLogOptions {
  /** The folder of `soloist.db`; made when it is missing. */
  readonly folder: string;
  readonly tenant: string;
  /** `FULL` for those who fear a loss of power; `NORMAL` survives a killed process. */
  readonly synchronous?: 'NORMAL' | 'FULL';
  /** How long to wait for another process's lock, in milliseconds. */
  readonly busyTimeoutMs?: number;
  /** Run over every string of an event and every payload before it is written; the shipped secret patterns unless set. */
  readonly redact?: (text: string) => string;
  /** A project's patterns on top of the shipped ones. */
  readonly patterns?: readonly RedactionPattern[];
  /** Loads the binding; set by tests. */
  readonly loadDriver?: () => Promise<{ default: new (file: string, options: { timeout: number }) => Database.Database }>;
}

/** The log of this machine, with what only a log that keeps many sessions can answer. */
export interface StoredEventLog extends EventLog {
  /**
   * The session of an id, of the beginning of an id that only one has, or the latest (`-1`), the one before (`-2`), ...
   *
   * @throws SoloistError `not_found`, or `usage` when several begin so.
   */
  findSession(reference: string): SessionSummary;
  /** Marks a session as run by this process until the answered function is called; throws as {@link holdSession}. */
  holdSession(session: string): () => void;
  /** Whether some process runs the session. */
  isHeld(session: string): boolean;
  /** Figures of the log, after a write that is taken back; throws as `append` does. */
  state(): LogState;
}

/**
 * The log in SQLite: WAL, every write in one IMMEDIATE transaction, append-only by trigger.
 *
 * @throws SoloistError `store_unusable` (place, fact, what to do) or `dependency_missing`.
 */
export async function openEventLog(options: EventLogOptions): Promise<StoredEventLog> {
  const file = join(options.folder, 'soloist.db');
  const timeout = options.busyTimeoutMs ?? 5000;
  try {
    const driver = await (options.loadDriver ?? (() => import('better-sqlite3')))();
    makeFolder(resolve(options.folder));
    const database = new driver.default(file, { timeout });
    try {
      await whileBusy(timeout, () => prepareDatabase(database, options, file));
      const open = (path: string) => new driver.default(path, { timeout: 0 });
      return {
        ...eventLogOver(database, file, options),
        holdSession: (session) => holdSession(options.folder, session, open),
        isHeld: (session) => isHeld(options.folder, session, open),
      };
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

function prepareDatabase(database: Database.Database, { synchronous = 'NORMAL' }: EventLogOptions, file: string): void {
  const mode = database.pragma('journal_mode = WAL', { simple: true });
  // A file system without shared memory keeps the old journal, which is safe with FULL alone.
  database.pragma(`synchronous = ${mode === 'wal' ? synchronous : 'FULL'}`);
  database.pragma('mmap_size = 268435456');
  migrate(database, file);
}

function eventLogOver(
  database: Database.Database,
  file: string,
  { tenant, redact, patterns }: EventLogOptions,
): Omit<StoredEventLog, 'holdSession' | 'isHeld'> {
  const redaction = redactionOf({ redact, patterns });
  const blobs = createBlobStore(database);
  const append = createAppend(database, { tenant, blobs, redaction });
  const sessions = createSessionListing(database, tenant);
  return {
    append: (events) => explaining(file, () => append(events)),
    putBlob: (text) =>
      explaining(file, () => {
        const packed = blobs.pack(redaction.clean(text, ''));
        if (typeof packed === 'string') return packed;
        blobs.write(packed);
        return packed.hash;
      }),
    getBlob: (hash) => explaining(file, () => blobs.get(hash)),
    read: createRead(database, { tenant, blobs, file }),
    listSessions: (limit) => explaining(file, () => sessions.list(limit)),
    findSession: (reference) => explaining(file, () => sessions.find(reference)),
    state: () => explaining(file, () => readLogState(database, file)),
    close: () => {
      if (database.open) database.close();
    },
  };
}
