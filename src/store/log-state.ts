import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';

/** How the log stands, for a check-up. */
export interface LogState {
  readonly file: string;
  readonly schema: number;
  readonly sessions: number;
  readonly events: number;
  readonly bytes: number;
}

/** Reads the figures of the log and writes to it in a transaction that is rolled back, so that nothing stays behind. */
export function readLogState(database: Database.Database, file: string): LogState {
  const { sessions, events } = database
    .prepare<[], { sessions: number; events: number }>('SELECT count(*) AS sessions, coalesce(sum(events), 0) AS events FROM sessions')
    .get() ?? { sessions: 0, events: 0 };
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec("INSERT INTO blobs (hash, bytes, encoding, content) VALUES ('a write that is taken back', 0, 'text', x'')");
  } finally {
    if (database.inTransaction) database.exec('ROLLBACK');
  }
  const schema = database.pragma('user_version', { simple: true }) as number;
  return { file, schema, sessions, events, bytes: statSync(file).size };
}
