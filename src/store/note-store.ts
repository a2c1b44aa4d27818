import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { SoloistError } from '../core/errors.ts';
import type { NumberedNote } from '../core/memory-index.ts';
import type { Note, NoteStore, NoteWrite } from '../core/note.ts';
import type { MemoryOwner } from './memory-owner.ts';
import { createNoteReader } from './note-rows.ts';
import { createNoteWriter, type NoteFollower } from './note-writer.ts';
import { rowOfNote } from './word-index.ts';

export interface NoteStoreOptions {
  readonly owner: MemoryOwner;
  readonly follower: NoteFollower;
}

/** The notes of a memory over an open database; errors come as SQLite gives them. */
export function createNoteStore(database: Database.Database, { owner, follower }: NoteStoreOptions): NoteStore {
  const { tenant } = owner;
  const reader = createNoteReader(database, tenant);
  const writer = createNoteWriter(database, { owner, reader, follower });
  const write = database.transaction((note: NoteWrite) => writer.write(note));
  const declare = database.transaction((key: string, multiValued: boolean) => {
    if (!multiValued && reader.current(key).length > 1)
      throw new SoloistError('usage', `the key "${key}" has several current notes and cannot hold one alone`, {
        fix: 'archive or forget the others',
      });
    writer.declare(key, multiValued);
  });
  const archive = database.transaction((ids: readonly string[], by: string | undefined) => {
    const notes = found(ids, reader.get).filter(({ status }) => status !== 'archived');
    for (const note of notes) writer.setStatus(note, 'archived', by);
    return notes.length;
  });
  const supersede = database.transaction((id: string, by: string) => {
    for (const note of found([id], reader.get)) if (note.status === 'current') writer.setStatus(note, 'superseded', by);
  });
  const forget = database.transaction((ids: readonly string[]) => {
    const notes = found(ids, reader.get);
    for (const note of notes) writer.remove(note);
    return notes.map(plain);
  });
  const removeWords = database.prepare('DELETE FROM memory_words WHERE rowid = ?');
  const clear = database.transaction(() => {
    for (const { number } of reader.all()) removeWords.run(rowOfNote(number));
    database.prepare('DELETE FROM notes WHERE tenant = ?').run(tenant);
    database.prepare('DELETE FROM note_keys WHERE tenant = ?').run(tenant);
  });
  const restore = database.transaction((note: Note) => {
    if (reader.get(note.id)) return false;
    writer.restore(note);
    return true;
  });
  return {
    current: (key) => reader.current(key).map(plain),
    chain: (key) => reader.chain(key).map(plain),
    get: (id) => mapped(reader.get(id)),
    version: writer.version,
    declare: (key, { multiValued }) => declare.immediate(key, multiValued),
    isMultiValued: writer.multiValued,
    write: (note) => {
      const written = write.immediate(note);
      return written.ok ? { ...written, note: plain(written.note as NumberedNote) } : written;
    },
    list: (filter = {}) => reader.list(filter).map(plain),
    archive: (ids, by) => archive.immediate(ids, by),
    supersede: (id, by) => supersede.immediate(id, by),
    forget: (ids) => forget.immediate(ids),
    clear: () => clear.immediate(),
    exportRows: () => reader.all().map(plain),
    importRow: (note) => restore.immediate(note),
    digest: () => digestOf(reader.all().map(plain)),
  };
}

function found(ids: readonly string[], get: (id: string) => NumberedNote | undefined): readonly NumberedNote[] {
  return ids.flatMap((id) => get(id) ?? []);
}

function plain({ number: _, ...note }: NumberedNote): Note {
  return note;
}

function mapped(note: NumberedNote | undefined): Note | undefined {
  return note && plain(note);
}

function digestOf(notes: readonly Note[]): string {
  const hash = createHash('sha256');
  for (const { id, ...rest } of notes.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    hash.update(JSON.stringify([id, Object.entries(rest).sort()]));
  return hash.digest('hex');
}
