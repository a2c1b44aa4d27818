import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { embeddedText, type VectorStore } from '../core/memory-index.ts';
import type { VectorTable } from './vector-table.ts';

/** Statuses of notes that are worth a vector. */
export const LIVE = "('current', 'flagged')";

/** The tables of vectors, opened when first used. */
export interface VectorTables {
  of(generation: number): VectorTable;
  forget(generation: number): void;
}

interface PendingRow {
  readonly number: number;
  readonly tenant: string;
  readonly key: string;
  readonly text: string;
  readonly status: string;
  readonly kind: string;
}

/** Which notes wait for a vector, and their vectors as they come. */
export function createEmbeddingQueue(database: Database.Database, tables: VectorTables): Pick<VectorStore, 'pending' | 'put'> {
  const waiting = database.prepare<[number, number], PendingRow>(
    `SELECT number, tenant, key, text, status, kind FROM notes WHERE status IN ${LIVE} ` +
      'AND number NOT IN (SELECT number FROM embedded_notes WHERE generation = ?) ORDER BY number LIMIT ?',
  );
  const live = database.prepare<[number], PendingRow>(
    `SELECT number, tenant, key, text, status, kind FROM notes WHERE number = ? AND status IN ${LIVE}`,
  );
  const orphans = database.prepare<[number], { number: number; hash: string }>(
    'SELECT number, hash FROM embedded_notes WHERE generation = ? AND number NOT IN (SELECT number FROM notes)',
  );
  const mark = database.prepare('INSERT INTO embedded_notes (generation, number, hash) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const unmark = database.prepare('DELETE FROM embedded_notes WHERE generation = ? AND number = ?');
  /** Notes that a rebuild made anew take the vectors of what they were before. */
  const adopt = database.transaction((generation: number) => {
    const left = new Map(orphans.all(generation).map(({ number, hash }) => [hash, number]));
    if (left.size === 0) return;
    for (const note of waiting.all(generation, 1_000_000_000)) {
      const hash = hashOf(note);
      const from = left.get(hash);
      const vector = from === undefined ? undefined : tables.of(generation).vector(from);
      if (from === undefined || !vector) continue;
      left.delete(hash);
      tables.of(generation).move(from, { ...note, vector });
      unmark.run(generation, from);
      mark.run(generation, note.number, hash);
    }
    for (const { number } of orphans.all(generation)) {
      tables.of(generation).remove(number);
      unmark.run(generation, number);
    }
  });
  const put = database.transaction((generation: number, rows: Parameters<VectorStore['put']>[1]) => {
    for (const { number, text, vector } of rows) {
      const note = live.get(number);
      if (!note || embeddedText(note) !== text || mark.run(generation, number, hashOf(note)).changes === 0) continue;
      // An empty one says that the model has none for this text.
      if (vector.length > 0) tables.of(generation).put({ ...note, vector });
    }
  });
  return {
    pending: (generation, limit) => {
      if (orphans.get(generation)) adopt.immediate(generation);
      return waiting.all(generation, limit).map((note) => ({ number: note.number, text: embeddedText(note) }));
    },
    put: (generation, rows) => put.immediate(generation, rows),
  };
}

function hashOf(note: { readonly key: string; readonly text: string }): string {
  return createHash('sha256').update(embeddedText(note), 'utf8').digest('base64url').slice(0, 22);
}

/** Writes a table anew: what was removed leaves no room behind. */
export function createCompact(database: Database.Database, tables: VectorTables): (generation: number) => void {
  const embedded = database.prepare<[number], PendingRow>(
    'SELECT n.number, n.tenant, n.key, n.text, n.status, n.kind FROM notes n JOIN embedded_notes e ON e.number = n.number WHERE e.generation = ? ORDER BY n.tenant, n.number',
  );
  const rewrite = database.transaction((generation: number) => {
    const old = tables.of(generation);
    const bits = old.hasBits;
    const kept = embedded.all(generation).flatMap((note) => {
      const vector = old.vector(note.number);
      return vector ? [{ ...note, vector }] : [];
    });
    old.drop();
    tables.forget(generation);
    const table = tables.of(generation);
    for (const row of kept) table.put(row);
    if (bits) while (!table.fillBits(10_000)) if (!table.hasBits) break;
  });
  return (generation) => rewrite.immediate(generation);
}
