import type Database from 'better-sqlite3';
import type { LogReader } from '../core/log-reader.ts';
import { createBlobStore } from './blob-store.ts';
import { decodeBody } from './event-body.ts';
import type { MemoryOwner } from './memory-owner.ts';
import type { EventRow } from './read-events.ts';

interface PositionedRow extends EventRow {
  readonly position: number;
}

/** Reads a memory's events by position; no statement stays open between calls. */
export function createLogReader(database: Database.Database, { log: tenant, own }: MemoryOwner): LogReader {
  const blobs = createBlobStore(database);
  const select = database.prepare<[string, number, string, number], PositionedRow>(
    `SELECT position, session, round, step, agent, sequence, at, body FROM events WHERE tenant = ? AND position > ? AND type IN (SELECT value FROM json_each(?)) AND ${own} ORDER BY position LIMIT ?`,
  );
  const count = database
    .prepare<[string, number, string, number], number>(
      `SELECT count(*) FROM (SELECT 1 FROM events WHERE tenant = ? AND position > ? AND type IN (SELECT value FROM json_each(?)) AND ${own} LIMIT ?)`,
    )
    .pluck();
  // From the end backwards: `max(position)` would read every row of the log.
  const end = database.prepare<[string], number>('SELECT position FROM events WHERE tenant = ? ORDER BY position DESC LIMIT 1').pluck();
  return {
    after: (position, types, limit) =>
      select.all(tenant, position, JSON.stringify(types), limit).map(({ position: at, body, ...place }) => ({
        position: at,
        event: { ...place, body: decodeBody(body, blobs) },
      })),
    count: (position, types, most) => count.get(tenant, position, JSON.stringify(types), most) ?? 0,
    end: () => end.get(tenant) ?? 0,
  };
}
