import type { LogReader } from '../core/log-reader.ts';
import type { LogIndexer, WordIndex } from '../core/memory-index.ts';
import type { LogCorrections, LogCursor, NoteStore } from '../core/note.ts';
import type { TripleStore } from '../core/triple.ts';
import { createBlobStore } from './blob-store.ts';
import { createLogCorrections } from './correct-log.ts';
import { createLogIndexer } from './index-log.ts';
import { createLogCursor } from './log-cursor.ts';
import { createLogReader } from './log-reader.ts';
import { createNoteStore } from './note-store.ts';
import { type DatabaseOptions, openDatabase } from './open-database.ts';
import { createWordIndex } from './search-memory.ts';
import { explaining } from './store-errors.ts';
import { createTripleStore } from './triple-store.ts';

export interface MemoryStoreOptions extends DatabaseOptions {
  readonly tenant: string;
}

/** The memory of one tenant: a connection of its own to the database of the log. */
export interface MemoryStore {
  readonly file: string;
  readonly notes: NoteStore;
  readonly words: WordIndex;
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
  const { tenant } = options;
  const follower = { changed: () => {}, removed: () => {} };
  return {
    file,
    notes: explained(createNoteStore(database, { tenant, follower }), file),
    triples: explained(createTripleStore(database, tenant), file),
    reader: explained(createLogReader(database, tenant), file),
    corrections: explained(createLogCorrections(database, tenant), file),
    words: explained(createWordIndex(database, tenant), file),
    indexer: explained(createLogIndexer(database, { tenant, blobs: createBlobStore(database) }), file),
    cursor: (name) => explained(createLogCursor(database, tenant, name), file),
    close: () => {
      if (database.open) database.close();
    },
  };
}

/** The same functions, their errors explained. */
function explained<Functions extends object>(functions: Functions, file: string): Functions {
  const wrapped = Object.entries(functions).map(([name, work]) => [
    name,
    (...given: unknown[]) => explaining(file, () => (work as (...given: unknown[]) => unknown)(...given)),
  ]);
  return Object.fromEntries(wrapped) as Functions;
}
