import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { DamagedStoreError } from './store-errors.ts';

/** Reading every page of a larger file takes longer than a check-up should. */
const READ_THROUGH_BYTES = 256 * 1024 * 1024;

/** How the log stands, for a check-up. */
export interface LogState {
  readonly file: string;
  readonly schema: number;
  readonly sessions: number;
  readonly events: number;
  readonly bytes: number;
}

/** Reads the figures of the log, looks through its pages where they are not too many, and writes to it in a transaction that is rolled back, so that nothing stays behind. */
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
  const bytes = statSync(file).size;
  if (bytes <= READ_THROUGH_BYTES) expectSound(database);
  const schema = database.pragma('user_version', { simple: true }) as number;
  return { file, schema, sessions, events, bytes };
}

function expectSound(database: Database.Database): void {
  const found = database.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw new DamagedStoreError(String(found).split('\n').at(-1) ?? '');
}
