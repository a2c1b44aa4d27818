import type Database from 'better-sqlite3';
import type { Event } from '../core/event.ts';
import type { BlobStore } from './blob-store.ts';
import { decodeBody } from './event-body.ts';
import { explaining } from './store-errors.ts';

interface EventRow {
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

/**
 * A function that reads a session's events in the order they were appended, those there when reading began. Events come
 * one by one, never all in memory, and no statement stays open between them, which would block appending.
 */
export function createRead(database: Database.Database, { tenant, blobs, file }: ReadOptions): (session: string) => Iterable<Event> {
  const positions = database
    .prepare<[string, string], number>('SELECT position FROM events WHERE tenant = ? AND session = ? ORDER BY position')
    .pluck();
  const select = database.prepare<[number], EventRow>(
    'SELECT session, round, step, agent, sequence, at, body FROM events WHERE position = ?',
  );
  const readOne = (position: number): Event | undefined => {
    const row = select.get(position);
    if (!row) return undefined;
    const { body, ...place } = row;
    return { ...place, body: decodeBody(body, blobs) };
  };
  return function* readSession(session) {
    for (const position of explaining(file, () => positions.all(tenant, session))) {
      const event = explaining(file, () => readOne(position));
      if (event) yield event;
    }
  };
}
