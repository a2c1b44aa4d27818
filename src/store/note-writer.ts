import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { SoloistError } from '../core/errors.ts';
import type { NumberedNote } from '../core/memory-index.ts';
import type { LogPlace, Note, NoteStatus, NoteWrite, NoteWritten } from '../core/note.ts';
import type { MemoryOwner } from './memory-owner.ts';
import type { NoteReader } from './note-rows.ts';
import { agentWord, createWordWriter, type IndexedRow, kindWord, rowOfNote } from './word-index.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Told of every change of a note that its vectors have to follow, inside the same transaction. */
export interface NoteFollower {
  changed(note: NumberedNote): void;
  removed(number: number): void;
}

export interface NoteWriterOptions {
  readonly owner: MemoryOwner;
  readonly reader: NoteReader;
  readonly follower: NoteFollower;
}

/** The statements that change notes; every function belongs into an IMMEDIATE transaction of its caller. */
export interface NoteWriter {
  version(key: string): number;
  multiValued(key: string): boolean;
  declare(key: string, multiValued: boolean): void;
  write(write: NoteWrite): NoteWritten;
  setStatus(note: NumberedNote, status: NoteStatus, by?: string): void;
  remove(note: NumberedNote): void;
  restore(note: Note): void;
}

export function createNoteWriter(database: Database.Database, { owner, reader, follower }: NoteWriterOptions): NoteWriter {
  const { tenant, log } = owner;
  const words = createWordWriter(database, tenant);
  const keyRow = database.prepare<[string, string], { version: number; multi_valued: number }>(
    'SELECT version, multi_valued FROM note_keys WHERE tenant = ? AND key = ?',
  );
  const putKey = database.prepare(
    'INSERT INTO note_keys (tenant, key, multi_valued, version) VALUES (@tenant, @key, @multiValued, @version) ' +
      'ON CONFLICT (tenant, key) DO UPDATE SET multi_valued = excluded.multi_valued, version = excluded.version',
  );
  const insert = database.prepare(
    'INSERT INTO notes (tenant, id, key, member, version, kind, text, agent, status, superseded_by, verdict, judged, created_at, confirmed_at, expires_at) ' +
      'VALUES (@tenant, @id, @key, @member, @version, @kind, @text, @agent, @status, @supersededBy, @verdict, @judged, @created, @lastConfirmed, @expires)',
  );
  const addPlace = database.prepare(
    'INSERT INTO note_provenance (number, tenant, session, agent, step, sequence) VALUES (@number, @tenant, @session, @agent, @step, @sequence) ON CONFLICT DO NOTHING',
  );
  const status = database.prepare('UPDATE notes SET status = ?, superseded_by = ? WHERE number = ?');
  const confirm = database.prepare(
    'UPDATE notes SET confirmed_at = max(confirmed_at, ?), expires_at = coalesce(?, expires_at) WHERE number = ?',
  );
  const renewVersion = database.prepare('UPDATE notes SET version = ? WHERE number = ?');
  const orphan = database.prepare('UPDATE notes SET superseded_by = NULL WHERE tenant = ? AND superseded_by = ?');
  const remove = database.prepare('DELETE FROM notes WHERE number = ?');

  const multiValued = (key: string): boolean => keyRow.get(tenant, key)?.multi_valued === 1;
  const index = (number: number): NumberedNote => {
    const note = reader.numbered(number) as NumberedNote;
    if (note.status === 'archived') words.remove(rowOfNote(number));
    else words.put(wordsOf(note));
    follower.changed(note);
    return note;
  };
  const setStatus = (note: NumberedNote, to: NoteStatus, by?: string): void => {
    status.run(to, by ?? note.supersededBy ?? null, note.number);
    index(note.number);
  };
  const addPlaces = (number: number, places: readonly LogPlace[]): void => {
    for (const { session, agent, step, sequence } of places) addPlace.run({ number, tenant, session, agent, step, sequence });
  };
  const create = (note: Omit<Note, 'multiValued' | 'conflictsWith' | 'tenant'>): number => {
    const member = multiValued(note.key) ? memberOf(note.text) : '';
    const { supersededBy = null, expires = null } = note;
    const judged = note.judged ? 1 : 0;
    const number = Number(insert.run({ ...note, tenant, member, supersededBy, expires, judged }).lastInsertRowid);
    addPlaces(number, note.provenance);
    return number;
  };
  const confirmAs = (target: NumberedNote, write: NoteWrite, version: number): NumberedNote => {
    addPlaces(target.number, write.provenance);
    confirm.run(write.at, write.expires ?? null, target.number);
    renewVersion.run(version, target.number);
    return index(target.number);
  };
  const stand = (write: NoteWrite, target: NumberedNote | undefined, version: number): NumberedNote => {
    const { key, kind, text, agent, at, provenance, verdict, judged, expires } = write;
    const id = freeId([log, key, text, at, provenance[0] ?? null], reader);
    if (target) status.run('superseded', id, target.number);
    const body = { id, key, version, kind, text, agent, provenance, verdict, judged, created: at, lastConfirmed: at };
    const number = create({ ...body, status: 'current', ...(expires === undefined ? {} : { expires }) });
    if (target) {
      setStatus({ ...target, supersededBy: id }, verdict === 'conflict' ? 'flagged' : 'superseded', id);
      // An update settles what was contradicted before; another contradiction keeps it open.
      for (const flagged of reader.chain(key))
        if (flagged.status === 'flagged' && flagged.supersededBy === target.id)
          setStatus(flagged, verdict === 'conflict' ? 'flagged' : 'superseded', id);
    }
    return index(number);
  };
  return {
    version: (key) => keyRow.get(tenant, key)?.version ?? 0,
    multiValued,
    declare: (key, multi) => {
      putKey.run({ tenant, key, multiValued: multi ? 1 : 0, version: keyRow.get(tenant, key)?.version ?? 0 });
    },
    write: (write) => {
      const { key, verdict } = write;
      const row = keyRow.get(tenant, key);
      const found = row?.version ?? 0;
      if (found !== write.expectedVersion) return { ok: false, reason: 'version_changed', version: found };
      const current = reader.current(key);
      const twin = verdict === 'new' ? current.find((note) => memberOf(note.text) === memberOf(write.text)) : undefined;
      const target = twin ?? targetOf(write, current, multiValued(key));
      const version = found + 1;
      putKey.run({ tenant, key, multiValued: row?.multi_valued ?? 0, version });
      const same = twin !== undefined || verdict === 'same';
      const note = same && target ? confirmAs(target, write, version) : stand(write, target, version);
      return { ok: true, note, verdict: same ? 'same' : verdict, version };
    },
    setStatus,
    remove: (note) => {
      words.remove(rowOfNote(note.number));
      follower.removed(note.number);
      orphan.run(tenant, note.id);
      remove.run(note.number);
    },
    restore: (note) => {
      const others = reader.current(note.key);
      if (note.status === 'current' && others.length > 0 && !note.multiValued)
        throw new SoloistError('refused', `the key "${note.key}" has another current note (${others[0]?.id})`, {
          fix: 'forget or archive it first',
        });
      const row = keyRow.get(tenant, note.key);
      const version = Math.max(row?.version ?? 0, note.version);
      // A set stays a set: an old note from before it was one must not make one value of it again.
      putKey.run({ tenant, key: note.key, multiValued: note.multiValued || row?.multi_valued === 1 ? 1 : 0, version });
      index(create(note));
    },
  };
}

/** What makes two members of a set one. */
function memberOf(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

function wordsOf({ number, status, key, text, created, kind, agent }: NumberedNote): IndexedRow {
  const group = status === 'current' || status === 'flagged' ? 'notes' : 'old_notes';
  return { row: rowOfNote(number), group, text: `${key} ${text}`, at: created, labels: [kindWord(kind), agentWord(agent)] };
}

/** The current note that the verdict is about; none for `new`. */
function targetOf({ key, verdict, target }: NoteWrite, current: readonly NumberedNote[], multiValued: boolean): NumberedNote | undefined {
  const fix = 'ask for the verdict again';
  if (verdict === 'new') {
    if (current.length === 0 || multiValued) return undefined;
    throw new SoloistError('usage', `the key "${key}" has a current note: a new one is the same, an update or a conflict`, { fix });
  }
  const found = target === undefined && current.length === 1 ? current[0] : current.find(({ id }) => id === target);
  if (found) return found;
  const fact = target === undefined ? `${current.length} notes are current` : `"${target}" is not current`;
  throw new SoloistError('usage', `the verdict "${verdict}" needs a current note under the key "${key}": ${fact}`, { fix });
}

function freeId(content: readonly unknown[], reader: NoteReader): string {
  for (let attempt = 0; ; attempt++) {
    const bytes = createHash('sha256')
      .update(JSON.stringify([...content, attempt]), 'utf8')
      .digest();
    const id = `n-${[...bytes.subarray(0, 10)].map((byte) => ALPHABET[byte % 32]).join('')}`;
    if (!reader.get(id)) return id;
  }
}
