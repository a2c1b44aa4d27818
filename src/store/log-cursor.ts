import type Database from 'better-sqlite3';
import { MOST_COUNTED } from '../core/log-reader.ts';
import type { LogCursor } from '../core/note.ts';
import type { MemoryOwner } from './memory-owner.ts';

/** Where a reader of a memory's events stands. */
export function createLogCursor(database: Database.Database, { tenant, log, own }: MemoryOwner, name: string): LogCursor {
  const select = database.prepare<[string, string], number>('SELECT position FROM cursors WHERE tenant = ? AND name = ?').pluck();
  const put = database.prepare(
    'INSERT INTO cursors (tenant, name, position) VALUES (?, ?, ?) ON CONFLICT (tenant, name) DO UPDATE SET position = excluded.position',
  );
  const behind = database
    .prepare<[string, number, number], number>(
      `SELECT count(*) FROM (SELECT 1 FROM events WHERE tenant = ? AND position > ? AND ${own} LIMIT ?)`,
    )
    .pluck();
  const position = (): number => select.get(tenant, name) ?? 0;
  const advance = database.transaction((from: number, to: number) => {
    if (position() !== from) return false;
    put.run(tenant, name, to);
    return true;
  });
  return {
    position,
    advance: (from, to) => advance.immediate(from, to),
    reset: () => {
      put.run(tenant, name, 0);
    },
    lag: () => behind.get(log, position(), MOST_COUNTED) ?? 0,
  };
}
