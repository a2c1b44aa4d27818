import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { WordGroup } from '../core/memory-index.ts';
import { indexWords } from '../core/search-words.ts';

const LETTERS: Readonly<Record<WordGroup, string>> = { notes: 'n', old_notes: 'o', log: 'g', results: 'r' };

/** What a tenant's group is called in the index: a word of its own, so that the filter is part of the search. */
export function groupWord(tenant: string, group: WordGroup): string {
  return `t${shortHash(tenant)}${LETTERS[group]}`;
}

/** A filter on who wrote it, as a word. */
export function agentWord(agent: string): string {
  return `a${shortHash(agent)}`;
}

export function kindWord(kind: string): string {
  return `k${kind.replaceAll(/[^a-z]/g, '')}`;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 12);
}

export interface IndexedRow {
  readonly row: number;
  readonly groups: string;
  readonly text: string;
  readonly at: number;
}

/** Writes to the word index; each call belongs into the transaction of what it indexes. */
export interface WordWriter {
  put(row: IndexedRow): void;
  remove(row: number): void;
}

export function createWordWriter(database: Database.Database): WordWriter {
  const remove = database.prepare('DELETE FROM memory_words WHERE rowid = ?');
  const insert = database.prepare('INSERT INTO memory_words (rowid, groups, words) VALUES (?, ?, ?)');
  return {
    put: ({ row, groups, text, at }) => {
      remove.run(row);
      insert.run(row, groups, indexWords(text, at));
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
