import type Database from 'better-sqlite3';
import { SoloistError } from '../core/errors.ts';
import {
  embeddedText,
  type Generation,
  type GenerationIdentity,
  type GenerationSettings,
  type NumberedNote,
  type VectorStore,
} from '../core/memory-index.ts';
import { createCompact, createEmbeddingQueue, LIVE, type VectorTables } from './embedding-queue.ts';
import type { NoteFollower } from './note-writer.ts';
import { chooseChunkRows, createVectorTable, roomFor, type VectorTable } from './vector-table.ts';

interface GenerationRow extends GenerationIdentity {
  readonly generation: number;
  readonly state: 'building' | 'active';
  readonly settings: string;
}

const COLUMNS = 'generation, provider, model, dimensions, normalisation, prefixes, state, settings';

export interface VectorStoreOptions {
  readonly tenant: string;
  readonly available: boolean;
}

export function createVectorStore(
  database: Database.Database,
  options: VectorStoreOptions,
): { store: VectorStore; follower: NoteFollower } {
  const { tenant, available } = options;
  const tables = createTables(database);
  const rows = database.prepare<[], GenerationRow>(`SELECT ${COLUMNS} FROM embedding_generations ORDER BY generation`);
  const all = (): readonly Generation[] => rows.all().map(generationOf);
  const queue = createEmbeddingQueue(database, tables);
  const statements = {
    begin: database.prepare(
      'INSERT INTO embedding_generations (provider, model, dimensions, normalisation, prefixes, state, settings, created_at) ' +
        "VALUES (@provider, @model, @dimensions, @normalisation, @prefixes, 'building', '', @now) ON CONFLICT DO NOTHING",
    ),
    find: database.prepare<[GenerationIdentity], GenerationRow>(
      `SELECT ${COLUMNS} FROM embedding_generations WHERE provider = @provider AND model = @model AND dimensions = @dimensions ` +
        'AND normalisation = @normalisation AND prefixes = @prefixes',
    ),
    settings: database.prepare('UPDATE embedding_generations SET settings = ? WHERE generation = ?'),
    activate: database.prepare("UPDATE embedding_generations SET state = 'active', activated_at = ? WHERE generation = ?"),
    drop: database.prepare('DELETE FROM embedding_generations WHERE generation = ?'),
    total: database.prepare<[], number>(`SELECT count(*) FROM notes WHERE status IN ${LIVE}`).pluck(),
    done: database
      .prepare<[number], number>(
        `SELECT count(*) FROM embedded_notes e JOIN notes n ON n.number = e.number WHERE e.generation = ? AND n.status IN ${LIVE}`,
      )
      .pluck(),
    mine: database
      .prepare<[number, string], number>(
        'SELECT count(*) FROM notes n JOIN embedded_notes e ON e.number = n.number AND e.generation = ? WHERE n.tenant = ?',
      )
      .pluck(),
    byTenant: database
      .prepare<[number], number>(
        'SELECT count(*) FROM notes n JOIN embedded_notes e ON e.number = n.number WHERE e.generation = ? GROUP BY n.tenant',
      )
      .pluck(),
    spread: database.prepare<[number, string, number, number], { number: number; key: string; text: string }>(
      'SELECT number, key, text FROM (SELECT n.number, n.key, n.text, row_number() OVER (ORDER BY n.number) AS place FROM notes n ' +
        `JOIN embedded_notes e ON e.number = n.number AND e.generation = ? WHERE n.tenant = ? AND n.status IN ${LIVE}) WHERE place % ? = 0 LIMIT ?`,
    ),
  };
  const drop = (generation: number): void => {
    tables.of(generation).drop();
    tables.forget(generation);
    statements.drop.run(generation);
  };
  const begin = database.transaction((identity: GenerationIdentity, now: number) => {
    statements.begin.run({ ...identity, now });
    const found = generationOf(statements.find.get(identity) as GenerationRow);
    tables.of(found.generation);
    return found;
  });
  const activate = database.transaction((generation: number, settings: GenerationSettings, now: number) => {
    for (const other of all()) if (other.generation !== generation) drop(other.generation);
    statements.settings.run(JSON.stringify(settings), generation);
    statements.activate.run(now, generation);
  });
  const compact = createCompact(database, tables);
  const dropOne = database.transaction(drop);
  const fillBits = database.transaction((generation: number) => tables.of(generation).fillBits(2000));
  const count = cached(database, (generation) => statements.mine.get(generation, tenant) ?? 0);
  const store: VectorStore = {
    available,
    active: () => all().find(({ state }) => state === 'active'),
    generations: all,
    begin: (identity, now) => {
      if (available) return begin.immediate(identity, now);
      throw new SoloistError('dependency_missing', 'sqlite-vec has no build for this machine: memory is searched by words alone', {
        where: 'sqlite-vec',
      });
    },
    pending: (generation, limit) => queue.pending(generation, limit),
    put: (generation, vectors) => queue.put(generation, vectors),
    progress: (generation) => ({ done: statements.done.get(generation) ?? 0, total: statements.total.get() ?? 0 }),
    activate: (generation, settings, now) => activate.immediate(generation, settings, now),
    keepSettings: (generation, settings) => {
      statements.settings.run(JSON.stringify(settings), generation);
    },
    drop: (generation) => dropOne.immediate(generation),
    nearest: (generation, query) => whileThere(() => tables.of(generation).nearest(tenant, query)),
    fillBits: (generation) => {
      while (!fillBits.immediate(generation)) if (!tables.of(generation).hasBits) return;
    },
    hasBits: (generation) => tables.of(generation).hasBits,
    count,
    sample: (generation, size) => {
      const step = Math.max(1, Math.floor(count(generation) / size));
      return statements.spread.all(generation, tenant, step, size).flatMap(({ number, ...note }) => {
        const vector = tables.of(generation).vector(number);
        return vector ? [{ number, text: embeddedText(note), vector }] : [];
      });
    },
    deadShare: (generation) => {
      const table = tables.of(generation);
      const room = table.chunks() * table.chunkRows;
      const byTenant = statements.byTenant.all(generation);
      const needed = roomFor(byTenant, Math.min(table.chunkRows, chooseChunkRows(byTenant)));
      return room === 0 ? 0 : Math.max(0, 1 - needed / room);
    },
    compact,
  };
  return { store, follower: available ? followerOf(database, tables) : { changed: () => {}, removed: () => {} } };
}

function generationOf({ settings, ...row }: GenerationRow): Generation {
  return { ...row, settings: settings === '' ? undefined : (JSON.parse(settings) as GenerationSettings) };
}

function createTables(database: Database.Database): VectorTables {
  const dimensions = database.prepare<[number], number>('SELECT dimensions FROM embedding_generations WHERE generation = ?').pluck();
  const open = new Map<number, VectorTable>();
  return {
    of: (generation) => {
      let table = open.get(generation);
      if (!table) {
        table = createVectorTable(database, { generation, dimensions: dimensions.get(generation) ?? 0 });
        open.set(generation, table);
      }
      return table;
    },
    forget: (generation) => {
      open.delete(generation);
    },
  };
}

/** Vectors follow their notes within the note's own transaction. */
function followerOf(database: Database.Database, tables: VectorTables): NoteFollower {
  const holding = database.prepare<[number], number>('SELECT generation FROM embedded_notes WHERE number = ?').pluck();
  const unmark = database.prepare('DELETE FROM embedded_notes WHERE number = ?');
  const removed = (number: number): void => {
    for (const generation of holding.all(number)) tables.of(generation).remove(number);
    unmark.run(number);
  };
  return {
    removed,
    changed: (note: NumberedNote) => {
      if (note.status === 'archived') removed(note.number);
      else for (const generation of holding.all(note.number)) tables.of(generation).follow(note);
    },
  };
}

/** Another process may have switched to another generation and dropped this one. */
function whileThere<Row>(search: () => readonly Row[]): readonly Row[] {
  try {
    return search();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('no such table')) return [];
    throw error;
  }
}

/** A count that is taken again only when somebody wrote in between. */
function cached(database: Database.Database, count: (generation: number) => number): (generation: number) => number {
  const own = database.prepare<[], number>('SELECT total_changes()').pluck();
  let known = { generation: 0, version: '', value: 0 };
  return (generation) => {
    const version = `${database.pragma('data_version', { simple: true })} ${own.get()}`;
    if (known.generation !== generation || known.version !== version) known = { generation, version, value: count(generation) };
    return known.value;
  };
}
