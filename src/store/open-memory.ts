import type Database from 'better-sqlite3';
import type { LogReader } from '../core/log-reader.ts';
import type { LogIndexer, VectorStore, WordIndex } from '../core/memory-index.ts';
import type { LogCorrections, LogCursor, NoteStore } from '../core/note.ts';
import type { TripleStore } from '../core/triple.ts';
import { createBlobStore } from './blob-store.ts';
import { createLogCorrections } from './correct-log.ts';
import { createLogIndexer } from './index-log.ts';
import { createLogCursor } from './log-cursor.ts';
import { createLogReader } from './log-reader.ts';
import { memoryOwner } from './memory-owner.ts';
import { createNoteStore } from './note-store.ts';
import { type DatabaseOptions, openDatabase } from './open-database.ts';
import { createWordIndex } from './search-memory.ts';
import { explaining } from './store-errors.ts';
import { createTripleStore } from './triple-store.ts';
import { createVectorStore } from './vector-store.ts';

export interface MemoryStoreOptions extends DatabaseOptions {
  readonly tenant: string;
  /** As in the options of the log: the memory of those sessions alone. */
  readonly memory?: string | undefined;
}

/** The memory of one tenant: a connection of its own to the database of the log. */
export interface MemoryStore {
  readonly file: string;
  readonly notes: NoteStore;
  readonly words: WordIndex;
  readonly vectors: VectorStore;
  readonly indexer: LogIndexer;
  readonly triples: TripleStore;
  readonly reader: LogReader;
  readonly corrections: LogCorrections;
  /** How far a projection of that name has read the log. */
  cursor(name: string): LogCursor;
  close(): void;
}

/** @throws SoloistError `store_unusable` or `dependency_missing`, as does every function of what is answered. */
export async function openMemory(options: MemoryStoreOptions): Promise<MemoryStore> {
  const { database, file } = await openDatabase(options);
  const owner = memoryOwner(options.tenant, options.memory);
  const available = await loadVectors(database);
  const cursors = new Map<string, LogCursor>();
  const { store: vectors, follower } = createVectorStore(database, { tenant: owner.tenant, available });
  return {
    file,
    notes: explained(createNoteStore(database, { owner, follower }), file),
    triples: explained(createTripleStore(database, owner), file),
    reader: explained(createLogReader(database, owner), file),
    corrections: explained(createLogCorrections(database, owner), file),
    words: explained(createWordIndex(database, owner), file),
    indexer: explained(createLogIndexer(database, { owner, blobs: createBlobStore(database) }), file),
    vectors: explained(vectors, file),
    cursor: (name) => {
      const known = cursors.get(name) ?? explained(createLogCursor(database, owner, name), file);
      cursors.set(name, known);
      return known;
    },
    close: () => {
      if (database.open) database.close();
    },
  };
}

/** False where the extension has no build for this machine: recall is lexical then. */
async function loadVectors(database: Database.Database): Promise<boolean> {
  try {
    const { load } = await import('sqlite-vec');
    load(database);
    return true;
  } catch {
    return false;
  }
}

/** The same functions, their errors explained. */
function explained<Functions extends object>(functions: Functions, file: string): Functions {
  const wrapped = Object.entries(functions).map(([name, work]) => [
    name,
    typeof work === 'function' ? (...given: unknown[]) => explaining(file, () => work(...given)) : work,
  ]);
  return Object.fromEntries(wrapped) as Functions;
}
