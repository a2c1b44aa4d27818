import { z } from 'zod';
import { SoloistError } from '../core/errors.ts';
import { NOTE_KINDS, NOTE_STATUSES, type Note } from '../core/note.ts';
import { memberOf } from '../memory/normalise-fact.ts';
import { isNoteKey } from '../memory/note-key.ts';
import type { ProjectMemory } from './memory-project.ts';
import { recordAll } from './memory-record.ts';

/** The notes as JSON lines, in the order in which they were written; vectors are made anew from them. */
export function* exportNotes({ store: { notes } }: ProjectMemory): Generator<string> {
  // Whose they are is told where they are imported: not which folder's they were.
  for (const note of notes.exportRows()) yield JSON.stringify({ ...note, tenant: note.tenant.split('/', 1)[0] });
}

/** The last millisecond that a date can have. */
const LATEST = 8.64e15;
const time = z.int().min(0).max(LATEST);
const LONGEST_TEXT = 4000;
/** Notes that are recorded in one transaction. */
const RECORDED_AT_ONCE = 500;
const place = z.strictObject({ session: z.string(), agent: z.string(), step: z.int(), sequence: z.int() });
const noteSchema = z.strictObject({
  id: z.string().regex(/^n-[0-9a-z]{4,20}$/),
  tenant: z.string(),
  key: z.string().refine(isNoteKey, 'no key: subject.topic in snake_case'),
  version: z.int().min(1),
  multiValued: z.boolean(),
  kind: z.enum(NOTE_KINDS),
  text: z.string().min(1).max(LONGEST_TEXT).transform(plainFactOf),
  agent: z.string().max(200),
  created: time,
  lastConfirmed: time,
  expires: time.optional(),
  provenance: z.array(place),
  status: z.enum(NOTE_STATUSES),
  supersededBy: z.string().optional(),
  conflictsWith: z.array(z.string()),
  verdict: z.enum(['new', 'same', 'update', 'conflict']),
  judged: z.boolean(),
});

export interface Imported {
  readonly imported: number;
  /** Notes that were there already. */
  readonly known: number;
  /** Notes whose key has another current note here. */
  readonly refused: readonly { readonly id: string; readonly key: string; readonly why: string }[];
}

/**
 * Takes exported notes in: all lines are checked before the first is written, each note is put on record in the log.
 *
 * @throws SoloistError `usage` with the line that is no note.
 */
export async function importNotes(memory: ProjectMemory, text: string, now: Date): Promise<Imported> {
  const rows = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, index + 1)]));
  const { notes } = memory.store;
  const refused: { id: string; key: string; why: string }[] = [];
  const taken = new Map<string, string>();
  const accepted: Note[] = [];
  const seen = new Set<string>();
  for (const note of rows) {
    if (notes.get(note.id) || seen.has(note.id)) continue;
    seen.add(note.id);
    const slot = slotOf(note);
    const other = slot === undefined ? undefined : (currentIn(notes.current(note.key), note) ?? taken.get(slot));
    if (other) refused.push({ id: note.id, key: note.key, why: `the key has another current note (${other})` });
    else {
      if (slot !== undefined) taken.set(slot, note.id);
      accepted.push(note);
    }
  }
  // Only what has passed the log, and with it the redaction, becomes a note.
  const bodies = accepted.map((note) => ({ type: 'note.imported' as const, note }));
  recordAll(memory, bodies, { now, atOnce: RECORDED_AT_ONCE });
  await memory.catchUp({ now: () => now });
  return { imported: accepted.length, known: rows.length - accepted.length - refused.length, refused };
}

/** A key holds one current note, a set one of each wording. */
function slotOf({ key, status, multiValued, text }: Note): string | undefined {
  if (status !== 'current') return undefined;
  return multiValued ? `${key} ${memberOf(text)}` : key;
}

function currentIn(current: readonly Note[], note: Note): string | undefined {
  return current.find(({ text }) => !note.multiValued || memberOf(text) === memberOf(note.text))?.id;
}

function plainFactOf(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

function readLine(line: string, number: number): Note {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new SoloistError('usage', `line ${number} is no JSON: ${error instanceof Error ? error.message : ''}`, {
      fix: 'give what `soloist memory export` printed',
    });
  }
  const parsed = noteSchema.safeParse(value);
  if (parsed.success) return parsed.data as Note;
  const [issue] = parsed.error.issues;
  throw new SoloistError('usage', `line ${number} is no note: ${issue?.path.join('.') || 'the line'}: ${issue?.message ?? ''}`, {
    fix: 'give what `soloist memory export` printed',
  });
}
