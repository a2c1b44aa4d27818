import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { WordGroup } from '../core/memory-index.ts';
import { indexWords } from '../core/search-words.ts';

/**
 * Every word of a tenant begins with the tenant's code: nobody else's rows are read, count as frequent, or take a place. Who may see a row within
 * the tenant is told by the column that its words stand in.
 */
export function tenantCode(tenant: string): string {
  return shortHash(tenant).slice(0, 8);
}

/** A filter on who wrote it, as a word. */
export function agentWord(agent: string): string {
  return `a${shortHash(agent)}`;
}

/** A filter on the kind, as a word. */
export function kindWord(kind: string): string {
  return `k${kind.replaceAll(/[^a-z]/g, '')}`;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 12);
}

export interface IndexedRow {
  readonly row: number;
  readonly group: WordGroup;
  readonly text: string;
  readonly at: number;
  /** Words to filter by. */
  readonly labels?: readonly string[];
}

/** Writes to the word index; each call belongs into the transaction of what it indexes. */
export interface WordWriter {
  put(row: IndexedRow): void;
  remove(row: number): void;
}

export function createWordWriter(database: Database.Database, tenant: string): WordWriter {
  const code = tenantCode(tenant);
  const remove = database.prepare('DELETE FROM memory_words WHERE rowid = ?');
  const insert = database.prepare(
    'INSERT INTO memory_words (rowid, labels, notes, old_notes, log, results) VALUES (@row, @labels, @notes, @old_notes, @log, @results)',
  );
  const coded = (words: readonly string[]): string => words.map((word) => code + word).join(' ');
  return {
    put: ({ row, group, text, at, labels = [] }) => {
      remove.run(row);
      const empty = { notes: '', old_notes: '', log: '', results: '' };
      insert.run({ row, labels: coded(labels), ...empty, [group]: coded(indexWords(text, at)) });
    },
    remove: (row) => {
      remove.run(row);
    },
  };
}

export function rowOfNote(number: number): number {
  return number * 2;
}

export function rowOfPiece(piece: number): number {
  return piece * 2 + 1;
}
