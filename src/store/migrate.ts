import type Database from 'better-sqlite3';
import { SoloistError } from '../core/errors.ts';
import { CREATE_LOG } from './migrations/001-log.ts';
import { CREATE_MEMORY } from './migrations/002-memory.ts';
import { CREATE_TRIPLES } from './migrations/003-triples.ts';
import { CREATE_BENCH } from './migrations/005-bench.ts';
import { CREATE_SESSION_MEMORIES } from './migrations/006-session-memories.ts';

/** In order; the database's `user_version` is how many it has had. Never edit one that has shipped: add another. */
const MIGRATIONS: readonly string[] = [CREATE_LOG, CREATE_MEMORY, CREATE_TRIPLES, CREATE_BENCH, CREATE_SESSION_MEMORIES];

/** What a current database holds; a missing one means damage. */
const TABLES = [
  'bench_cells',
  'bench_runs',
  'blobs',
  'corrections',
  'embedding_generations',
  'events',
  'log_pieces',
  'memory_words',
  'note_keys',
  'notes',
  'session_memories',
  'sessions',
  'triples',
] as const;

/**
 * Brings the database to the current schema.
 *
 * @throws SoloistError `store_unusable` when it was written by a newer version, is another program's, or lacks a table.
 */
export function migrate(database: Database.Database, file: string): void {
  const version = (): number => database.pragma('user_version', { simple: true }) as number;
  if (version() > MIGRATIONS.length) throw tooNew(file, version());
  if (version() < MIGRATIONS.length) {
    const upgrade = database.transaction(() => {
      if (version() === 0 && tablesOf(database).length > 0) throw foreign(file);
      for (const [index, statements] of MIGRATIONS.entries())
        if (index >= version()) database.exec(`${statements}\nPRAGMA user_version = ${index + 1};`);
    });
    upgrade.immediate();
  }
  const there = tablesOf(database);
  const missing = TABLES.filter((name) => !there.includes(name));
  if (missing.length > 0) throw incomplete(file, missing);
}

function tablesOf(database: Database.Database): readonly string[] {
  return database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
}

function tooNew(file: string, version: number): SoloistError {
  return new SoloistError(
    'store_unusable',
    `the log database has schema ${version}, this version of soloist knows schemas up to ${MIGRATIONS.length}`,
    { where: file, fix: 'use the newer soloist, or set SOLOIST_HOME to another folder' },
  );
}

function foreign(file: string): SoloistError {
  return new SoloistError('store_unusable', 'the file is a SQLite database of another program', {
    where: file,
    fix: 'move it away, or set SOLOIST_HOME to another folder',
  });
}

function incomplete(file: string, missing: readonly string[]): SoloistError {
  return new SoloistError('store_unusable', `the log database is damaged: it has no table ${missing.join(', ')}`, {
    where: file,
    fix: 'move the file away (a new one is made), or restore a copy',
  });
}
