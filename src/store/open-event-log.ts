import type Database from 'better-sqlite3';
import type { EventLog, SessionSummary } from '../core/event.ts';
import type { RedactionPattern } from '../core/project.ts';
import { createAppend } from './append-events.ts';
import { createBlobStore } from './blob-store.ts';
import { holdSession, isHeld } from './hold-session.ts';
import { createSessionListing } from './list-sessions.ts';
import { type LogState, readLogState } from './log-state.ts';
import { type DatabaseOptions, openDatabase } from './open-database.ts';
import { createEventPages, type EventPages } from './page-events.ts';
import { createSessionPages, type SessionPages } from './page-sessions.ts';
import { createRead } from './read-events.ts';
import { redactionOf } from './redact-secrets.ts';
import { explaining, explainStoreError } from './store-errors.ts';

export interface EventLogOptions extends DatabaseOptions {
  readonly tenant: string;
  /** The memory that sessions belong to whose first event is appended here; the one that all share unless named. */
  readonly memory?: string | undefined;
  /** Run over every string of an event and every payload before it is written; the shipped secret patterns unless set. */
  readonly redact?: (text: string) => string;
  /** A project's patterns on top of the shipped ones. */
  readonly patterns?: readonly RedactionPattern[];
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
  /** Parts of the log, for a reader that shows it page by page; throws as `read` does. */
  readonly pages: EventPages & SessionPages;
  /** Figures of the log, after a write that is taken back; throws as `append` does. */
  state(): LogState;
}

/**
 * The log in SQLite: WAL, every write in one IMMEDIATE transaction, append-only by trigger.
 *
 * @throws SoloistError `store_unusable` (place, fact, what to do) or `dependency_missing`.
 */
export async function openEventLog(options: EventLogOptions): Promise<StoredEventLog> {
  const { database, file, openBeside } = await openDatabase(options);
  try {
    return {
      ...eventLogOver(database, file, options),
      holdSession: (session) => holdSession(options.folder, session, openBeside),
      isHeld: (session) => isHeld(options.folder, session, openBeside),
    };
  } catch (error) {
    database.close();
    throw explainStoreError(error, file);
  }
}

function eventLogOver(
  database: Database.Database,
  file: string,
  { tenant, memory, redact, patterns }: EventLogOptions,
): Omit<StoredEventLog, 'holdSession' | 'isHeld'> {
  const redaction = redactionOf({ redact, patterns });
  const blobs = createBlobStore(database);
  const append = createAppend(database, { tenant, memory, blobs, redaction });
  const sessions = createSessionListing(database, tenant);
  const sessionPages = createSessionPages(database, tenant);
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
    pages: {
      ...createEventPages(database, { tenant, blobs, file }),
      page: (query) => explaining(file, () => sessionPages.page(query)),
      used: (session) => explaining(file, () => sessionPages.used(session)),
    },
    state: () => explaining(file, () => readLogState(database, file)),
    close: () => {
      if (database.open) database.close();
    },
  };
}
