import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SoloistError } from '../core/errors.ts';
import type { ChatModel } from '../core/model.ts';
import { NOTE_KINDS, type Note, type NoteKind } from '../core/note.ts';
import { Scope } from '../core/scope.ts';
import { judgeVerdict } from '../memory/judge-verdict.ts';
import { datedFact } from '../memory/normalise-fact.ts';
import { isNoteKey } from '../memory/note-key.ts';
import { PROFILE_FILE } from './memory-background.ts';
import { findNote } from './memory-find.ts';
import type { ProjectMemory } from './memory-project.ts';
import { PERSON, recordNote } from './memory-record.ts';
import type { Workspace } from './workspace.ts';

const DAY_MS = 86_400_000;

export interface NewNote {
  readonly key: string;
  readonly text: string;
  readonly kind: string;
  readonly several: boolean;
  readonly expiresInDays?: number | undefined;
}

/**
 * Writes a note in a person's name. What is current under the key is superseded, unless the key collects a set or the text is the same.
 *
 * @throws SoloistError `usage` for a key, a kind or a text that cannot be one.
 */
export async function addNote(
  memory: ProjectMemory,
  note: NewNote,
  { now, critic }: { readonly now: Date; readonly critic?: ChatModel | undefined },
): Promise<Note> {
  checkKey(note.key);
  const kind = checkKind(note.kind);
  const text = datedFact(checkText(note.text), now.getTime());
  const { notes } = memory.store;
  const multiValued = note.several || notes.isMultiValued(note.key);
  const judged = await judgeVerdict(text, notes.current(note.key), { critic, scope: new Scope(), multiValued });
  return recorded(memory, { ...note, kind, text, multiValued }, { now, judged });
}

interface Standing {
  readonly now: Date;
  readonly judged: Awaited<ReturnType<typeof judgeVerdict>>;
}

async function recorded(
  memory: ProjectMemory,
  note: Omit<NewNote, 'several' | 'kind'> & { readonly kind: NoteKind; readonly multiValued: boolean },
  { now, judged }: Standing,
): Promise<Note> {
  const { key, kind, text, multiValued, expiresInDays } = note;
  const expires = expiresInDays === undefined ? {} : { expires: now.getTime() + expiresInDays * DAY_MS };
  return recordNote(memory, { key, kind, text, multiValued, agent: PERSON, ...expires, provenance: [], ...judged }, now);
}

export interface NoteEdit {
  readonly text?: string | undefined;
  readonly kind?: string | undefined;
  readonly expiresInDays?: number | undefined;
}

/** Puts a person's wording in the place of a note: the old one stays in the chain. @throws SoloistError as {@link addNote}. */
export async function editNote(memory: ProjectMemory, reference: string, edit: NoteEdit, now: Date): Promise<Note> {
  const note = findNote(memory, reference);
  if (note.status !== 'current')
    throw new SoloistError('refused', `${note.id} is ${note.status}: only what is current can be edited`, {
      fix: `edit the current one: soloist memory show ${note.key}`,
    });
  const text = edit.text === undefined ? note.text : datedFact(checkText(edit.text), now.getTime());
  const kind = edit.kind === undefined ? note.kind : checkKind(edit.kind);
  const same = text === note.text && kind === note.kind;
  if (same && edit.expiresInDays === undefined)
    throw new SoloistError('usage', 'the edit changes nothing', { fix: 'give another --text, --kind or --expires' });
  const judged = { verdict: same ? ('same' as const) : ('update' as const), target: note.id, judged: true, by: PERSON };
  return recorded(memory, { key: note.key, kind, text, multiValued: note.multiValued, expiresInDays: edit.expiresInDays }, { now, judged });
}

/** The profile notes of the project, as they stand. @throws SoloistError `refused` for a folder that is no project. */
export function readProfileNotes({ project }: Workspace): { readonly file: string; readonly text: string } {
  if (project.file === undefined)
    throw new SoloistError('refused', `${PROFILE_FILE} belongs to a project, and this folder has no soloist.yaml`, {
      fix: 'make one with `soloist init`',
    });
  const file = join(project.folder, PROFILE_FILE);
  return { file, text: existsSync(file) ? readFileSync(file, 'utf8') : '' };
}

export function writeProfileNotes(workspace: Workspace, text: string): { readonly file: string; readonly characters: number } {
  const { file } = readProfileNotes(workspace);
  const whole = `${text.trimEnd()}\n`;
  try {
    writeFileSync(file, whole);
  } catch (error) {
    throw new SoloistError('refused', `${PROFILE_FILE} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`, {
      where: file,
      fix: 'check its permissions',
    });
  }
  return { file, characters: whole.length };
}

function checkKey(key: string): void {
  if (!isNoteKey(key))
    throw new SoloistError('usage', `"${key}" is no key`, { fix: 'write it as subject.topic in snake_case, e.g. ingest.retry_policy' });
}

function checkKind(kind: string): NoteKind {
  const known = NOTE_KINDS.find((one) => one === kind);
  if (!known) throw new SoloistError('usage', `there is no kind "${kind}"`, { fix: `choose one of: ${NOTE_KINDS.join(', ')}` });
  return known;
}

function checkText(text: string): string {
  if (text.trim().length < 3) throw new SoloistError('usage', 'the note says nothing', { fix: 'write one sentence that stands alone' });
  if (text.length > 2000)
    throw new SoloistError('usage', `the note has ${text.length} characters; at most 2000 are taken`, { fix: 'one fact a note: split it' });
  return text;
}
