import type Database from 'better-sqlite3';
import type { PositionedEvent } from '../core/log-reader.ts';
import { decodeBody } from './event-body.ts';
import type { EventRow, ReadOptions } from './read-events.ts';
import { explaining } from './store-errors.ts';

interface PositionedRow extends EventRow {
  readonly position: number;
}

/** Parts of a session, for a reader that shows it page by page or follows it while it grows. */
export interface EventPages {
  /** The positions of a session's events behind one (0 for all), in the order of appending; their contents are not read. */
  positions(session: string, after: number): readonly number[];
  /** The events at these positions, in the order of appending; a few hundred at a time. */
  at(positions: readonly number[]): readonly PositionedEvent[];
}

/** No statement stays open between calls. */
export function createEventPages(database: Database.Database, { tenant, blobs, file }: ReadOptions): EventPages {
  const positions = database
    .prepare<[string, string, number], number>(
      'SELECT position FROM events WHERE tenant = ? AND session = ? AND position > ? ORDER BY position',
    )
    .pluck();
  // The plus keeps the tenant's index out of it: by that all events would be read.
  const select = database.prepare<[string, string], PositionedRow>(
    `SELECT position, session, round, step, agent, sequence, at, body FROM events
     WHERE +tenant = ? AND position IN (SELECT value FROM json_each(?)) ORDER BY position`,
  );
  return {
    positions: (session, after) => explaining(file, () => positions.all(tenant, session, after)),
    at: (wanted) =>
      explaining(file, () =>
        select.all(tenant, JSON.stringify(wanted)).map(({ position, body, ...place }) => ({
          position,
          event: { ...place, body: decodeBody(body, blobs) },
        })),
      ),
  };
}
