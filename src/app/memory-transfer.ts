import { z } from 'zod';
import { SoloistError } from '../core/errors.ts';
import { NOTE_KINDS, NOTE_STATUSES, type Note } from '../core/note.ts';
import type { ProjectMemory } from './memory-project.ts';
import { recordMemory } from './memory-record.ts';

/** The notes as JSON lines, in the order in which they were written; vectors are made anew from them. */
export function* exportNotes({ store: { notes } }: ProjectMemory): Generator<string> {
  for (const note of notes.exportRows()) yield JSON.stringify(note);
}

const place = z.strictObject({ session: z.string(), agent: z.string(), step: z.int(), sequence: z.int() });
const noteSchema = z.strictObject({
  id: z.string().regex(/^n-[0-9a-z]{4,20}$/),
  tenant: z.string(),
  key: z.string().min(1),
  version: z.int().min(1),
  multiValued: z.boolean(),
  kind: z.enum(NOTE_KINDS),
  text: z.string().min(1),
  agent: z.string(),
  created: z.number(),
  lastConfirmed: z.number(),
  expires: z.number().optional(),
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
  for (const note of rows) {
    const alone = note.status === 'current' && !note.multiValued;
    const other = alone ? (notes.current(note.key)[0]?.id ?? taken.get(note.key)) : undefined;
    if (notes.get(note.id)) continue;
    if (other) refused.push({ id: note.id, key: note.key, why: `the key has another current note (${other})` });
    else {
      if (alone) taken.set(note.key, note.id);
      accepted.push(note);
    }
  }
  // Only what has passed the log, and with it the redaction, becomes a note.
  for (const note of accepted) recordMemory(memory, { type: 'note.imported', note }, now);
  await memory.catchUp({ now: () => now });
  return { imported: accepted.length, known: rows.length - accepted.length - refused.length, refused };
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
