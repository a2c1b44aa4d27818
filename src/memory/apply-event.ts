import type { Event } from '../core/event.ts';
import type { LoggedNote } from '../core/memory-event.ts';
import type { LogPlace, Note, NoteStore, NoteVerdict } from '../core/note.ts';
import type { TripleStore } from '../core/triple.ts';
import { memberOf, normaliseFact } from './normalise-fact.ts';
import type { WrittenNote } from './projector.ts';
import { isForgotten, placeOf } from './session-facts.ts';

export interface Projected {
  readonly notes: NoteStore;
  readonly triples: TripleStore;
}

/** Takes one event of memory into notes and triples; a second time it changes nothing. Answers the note that it wrote or confirmed. */
export function applyMemoryEvent(event: Event, { notes, triples }: Projected): WrittenNote | undefined {
  const { body } = event;
  switch (body.type) {
    case 'note.written':
      return isForgotten(body.note.text) ? undefined : applyNote(event, body.note, notes);
    case 'note.imported':
      if (!isForgotten(body.note.text)) importNote(body.note, notes);
      return undefined;
    case 'notes.archived':
      notes.archive(body.ids, body.by);
      return undefined;
    case 'notes.forgotten':
      notes.forget(body.ids);
      for (const { id, by } of body.superseded ?? []) notes.supersede(id, by);
      triples.forget(body.places);
      return undefined;
    case 'triple.added':
      if (!isForgotten(body.subject)) triples.add({ ...body, place: placeOf(event), at: event.at });
      return undefined;
    default:
      return undefined;
  }
}

/** A key that has another current note by now keeps it. What no table holds is passed over: one bad record must not stop all that come behind it. */
function importNote(note: Note, notes: NoteStore): void {
  const { created, lastConfirmed, expires = 0, version, multiValued, text } = note;
  if (![created, lastConfirmed, expires, version].every((value) => Number.isSafeInteger(value) && Math.abs(value) <= LATEST)) return;
  const isOther = (other: Note): boolean => other.id !== note.id && (!multiValued || memberOf(other.text) === memberOf(text));
  if (note.status !== 'current' || !notes.current(note.key).some(isOther)) notes.importRow(note);
}

/** The last millisecond that a date can have. */
const LATEST = 8.64e15;

const ATTEMPTS = 50;

function applyNote(event: Event, note: LoggedNote, notes: NoteStore): WrittenNote | undefined {
  const place = placeOf(event);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // The version is read first: a write of another process after the look at the chain makes ours fail, not double.
    const expectedVersion = notes.version(note.key);
    const there = notes.chain(note.key).find(({ provenance }) => provenance.some((one) => isSame(one, place)));
    if (there) return reported(event, there, note.verdict);
    // What is on record holds a set from then on, also where the key held one fact before: a replay has to make it one too.
    if (note.multiValued && !notes.isMultiValued(note.key)) notes.declare(note.key, { multiValued: true });
    const written = notes.write({
      ...{ key: note.key, kind: note.kind, text: note.text, agent: note.agent, at: event.at, expectedVersion },
      ...(note.expires === undefined ? {} : { expires: note.expires }),
      provenance: [place, ...note.provenance],
      ...standingOf(note, notes),
    });
    if (written.ok) return reported(event, written.note, written.verdict);
  }
  throw new Error(`the key ${note.key} was written by others ${ATTEMPTS} times in a row`);
}

/** The verdict as recorded, where it still fits what is current; else the one that needs no model. */
function standingOf(
  { key, text, verdict, judged, target }: LoggedNote,
  notes: NoteStore,
): { verdict: NoteVerdict; judged: boolean; target?: string } {
  const current = notes.current(key);
  const multiValued = notes.isMultiValued(key);
  if (verdict !== 'new' && current.some(({ id }) => id === target)) return { verdict, judged, ...(target === undefined ? {} : { target }) };
  if (verdict === 'new' && (current.length === 0 || multiValued)) return { verdict, judged };
  const equal = current.find((note) => normaliseFact(note.text) === normaliseFact(text));
  if (equal) return { verdict: 'same', judged: true, target: equal.id };
  const [first] = current;
  if (!first || multiValued) return { verdict: 'new', judged: false };
  return { verdict: 'update', judged: false, target: first.id };
}

function reported({ session }: Event, { id, key, text, judged }: Note, verdict: NoteVerdict): WrittenNote {
  return { session, id, key, text, verdict, judged };
}

function isSame(left: LogPlace, right: LogPlace): boolean {
  return left.session === right.session && left.agent === right.agent && left.step === right.step && left.sequence === right.sequence;
}
