import type Database from 'better-sqlite3';
import type { Event } from '../core/event.ts';
import type { BlobStore } from './blob-store.ts';
import { decodeBody } from './event-body.ts';
import { explaining } from './store-errors.ts';

/** An event as its table holds it. */
export interface EventRow {
  readonly session: string;
  readonly round: number;
  readonly step: number;
  readonly agent: string;
  readonly sequence: number;
  readonly at: number;
  readonly body: string;
}

export interface ReadOptions {
  readonly tenant: string;
  readonly blobs: BlobStore;
  readonly file: string;
}

/** Events are small (large payloads are blobs), so that this many at once weigh little. */
const BATCH = 128;

/**
 * A function that reads a session's events in the order they were appended, those there when reading began. Events come
 * in batches, never all in memory, and no statement stays open between them, which would block appending.
 */
export function createRead(database: Database.Database, { tenant, blobs, file }: ReadOptions): (session: string) => Iterable<Event> {
  const positions = database
    .prepare<[string, string], number>('SELECT position FROM events WHERE tenant = ? AND session = ? ORDER BY position')
    .pluck();
  const select = database.prepare<[string], EventRow>(
    `SELECT session, round, step, agent, sequence, at, body FROM events
     WHERE position IN (SELECT value FROM json_each(?)) ORDER BY position`,
  );
  return function* readSession(session) {
    const wanted = explaining(file, () => positions.all(tenant, session));
    for (let from = 0; from < wanted.length; from += BATCH) {
      const rows = explaining(file, () => select.all(JSON.stringify(wanted.slice(from, from + BATCH))));
      for (const { body, ...place } of rows) yield { ...place, body: explaining(file, () => decodeBody(body, blobs)) };
    }
  };
}
