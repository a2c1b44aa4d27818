import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Event, EventLog, SessionSummary } from '../core/event.ts';
import { createBlobStore } from './blob-store.ts';
import { decodeBody, encodeBody } from './event-body.ts';
import { migrate } from './migrate.ts';
import { redactSecrets } from './redact-secrets.ts';
import { explaining, explainStoreError } from './store-errors.ts';

export interface EventLogOptions {
  /** The folder of `soloist.db`; made when it is missing. */
  readonly folder: string;
  readonly tenant: string;
  /** `FULL` for those who fear a loss of power; `NORMAL` survives a killed process. */
  readonly synchronous?: 'NORMAL' | 'FULL';
  /** How long to wait for another process's lock, in milliseconds. */
  readonly busyTimeoutMs?: number;
  /** Run over every event before it is written; the shipped secret patterns unless set. */
  readonly redact?: (text: string) => string;
  /** Loads the binding; set by tests. */
  readonly loadDriver?: () => Promise<{ default: new (file: string, options: { timeout: number }) => Database.Database }>;
}

/**
 * The log in SQLite: WAL, every write in one IMMEDIATE transaction, append-only by trigger.
 *
 * @throws SoloistError `store_unusable` (place, fact, what to do) or `dependency_missing`.
 */
export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  const file = join(options.folder, 'soloist.db');
  try {
    const driver = await (options.loadDriver ?? (() => import('better-sqlite3')))();
    mkdirSync(options.folder, { recursive: true });
    const database = new driver.default(file, { timeout: options.busyTimeoutMs ?? 5000 });
    try {
      prepareDatabase(database, options);
      migrate(database, file);
      return eventLogOver(database, file, options);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw explainStoreError(error, file);
  }
}

function prepareDatabase(database: Database.Database, options: EventLogOptions): void {
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${options.synchronous ?? 'NORMAL'}`);
  database.pragma('mmap_size = 268435456');
  database.pragma('foreign_keys = ON');
}

function eventLogOver(database: Database.Database, file: string, options: EventLogOptions): EventLog {
  const { tenant, redact = redactSecrets } = options;
  const blobs = createBlobStore(database);
  const append = appender(database, { tenant, redact, encode: (event) => encodeBody(event.body, blobs, redact) });
  const select = database.prepare<[string, string], EventRow>(
    'SELECT session, round, step, agent, sequence, at, body FROM events WHERE tenant = ? AND session = ? ORDER BY position',
  );
  const list = database.prepare<[string, number], SessionSummary>(
    'SELECT session, opened_at AS openedAt, agent, question, model, status, events FROM sessions WHERE tenant = ? ORDER BY opened_at DESC, session DESC LIMIT ?',
  );
  return {
    append: (events) => explaining(file, () => append(events)),
    putBlob: (text) => explaining(file, () => blobs.put(redact(text))),
    getBlob: (hash) => explaining(file, () => blobs.get(hash)),
    read: (session) =>
      readEvents(
        () => explaining(file, () => select.all(tenant, session)),
        (json) => decodeBody(json, blobs),
      ),
    listSessions: (limit) => explaining(file, () => list.all(tenant, limit)),
    close: () => {
      if (database.open) database.close();
    },
  };
}

interface EventRow {
  readonly session: string;
  readonly round: number;
  readonly step: number;
  readonly agent: string;
  readonly sequence: number;
  readonly at: number;
  readonly body: string;
}

function* readEvents(rows: () => EventRow[], decode: (json: string) => Event['body']): Iterable<Event> {
  for (const { body, ...place } of rows()) yield { ...place, body: decode(body) };
}

interface Writing {
  readonly tenant: string;
  readonly redact: (text: string) => string;
  readonly encode: (event: Event) => string;
}

function appender(database: Database.Database, { tenant, redact, encode }: Writing): (events: readonly Event[]) => void {
  const insert = database.prepare(
    'INSERT INTO events (tenant, session, round, step, agent, sequence, at, type, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const open = database.prepare(
    'INSERT INTO sessions (tenant, session, opened_at, last_event_at, project, agent, question, model, status, events) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)',
  );
  const count = database.prepare(
    'UPDATE sessions SET events = events + ?, last_event_at = max(last_event_at, ?), status = coalesce(?, status) WHERE tenant = ? AND session = ?',
  );
  const write = database.transaction((events: readonly Event[]) => {
    let closed: string | null = null;
    for (const event of events) {
      const { session, round, step, agent, sequence, at, body } = event;
      if (body.type === 'session.opened')
        open.run(tenant, session, at, at, body.project, body.agent, redact(body.question).slice(0, 500), body.model, 'open');
      if (body.type === 'session.closed') closed = body.status;
      insert.run(tenant, session, round, step, agent, sequence, at, body.type, encode(event));
    }
    const last = events.at(-1);
    if (last) count.run(events.length, last.at, closed, tenant, last.session);
  });
  return (events) => write.immediate(events);
}
