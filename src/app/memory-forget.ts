import { statSync } from 'node:fs';
import type { Event } from '../core/event.ts';
import type { LogPlace, Note } from '../core/note.ts';
import { normaliseFact, plainFact } from '../memory/normalise-fact.ts';
import { placeOf } from '../memory/session-facts.ts';
import { cleanerOf } from './memory-clean.ts';
import { findNote } from './memory-find.ts';
import type { ProjectMemory } from './memory-project.ts';
import { recordMemory } from './memory-record.ts';

const DAY_MS = 86_400_000;
const SHORTEST = 12;

export interface ForgetChoice {
  /** Ids, beginnings of ids, or keys. */
  readonly references: readonly string[];
  readonly containing?: string | undefined;
  readonly session?: string | undefined;
  readonly kind?: string | undefined;
  readonly olderThanDays?: number | undefined;
  /** Also the other versions under the keys. */
  readonly allVersions: boolean;
  /** Also all that was said in the sessions that the notes come from. */
  readonly withSessions: boolean;
}

export interface ForgetPlan {
  readonly notes: readonly Note[];
  /** Places in the log whose bodies will be blanked. */
  readonly places: readonly LogPlace[];
  readonly sessions: readonly string[];
}

/** What would go; nothing is changed. @throws SoloistError `not_found` or `usage` for references that name no note. */
export function planForget(memory: ProjectMemory, choice: ForgetChoice, now: Date): ForgetPlan {
  const { notes } = memory.store;
  const named = choice.references.map((reference) => findNote(memory, reference));
  const found = new Map([...named, ...matching(memory, choice, now)].map((note) => [note.id, note]));
  if (choice.allVersions) for (const { key } of [...found.values()]) for (const note of notes.chain(key)) found.set(note.id, note);
  const chosen = [...found.values()];
  const sessions = [...new Set(chosen.flatMap(({ provenance }) => provenance.map(({ session }) => session)))];
  const whole = choice.withSessions ? sessions.flatMap((session) => [...memory.log.read(session)].map((event) => placeOf(event))) : [];
  const own = chosen.flatMap(({ provenance }) => provenance).filter((place) => !saysMore(memory, place, found));
  const places = new Map([...own, ...whole].map((place) => [JSON.stringify(placeOf(place)), placeOf(place)]));
  return { notes: chosen, places: [...places.values()], sessions };
}

/**
 * A conclusion says more than the note: its text is taken out of it, the rest stays. A summary has the places of the notes that it was made from:
 * what wrote one of those is not blanked with it.
 */
function saysMore({ log, store }: ProjectMemory, place: LogPlace, chosen: ReadonlyMap<string, Note>): boolean {
  const body = [...log.read(place.session)].find((event) => isAt(event, place))?.body;
  if (body?.type === 'agent.concluded') return true;
  if (body?.type !== 'note.written') return false;
  const said = normaliseFact(body.note.text);
  return store.notes.chain(body.note.key).some(({ id, text }) => !chosen.has(id) && normaliseFact(text) === said);
}

function matching(
  { store: { notes } }: ProjectMemory,
  { containing, session, kind, olderThanDays }: ForgetChoice,
  now: Date,
): readonly Note[] {
  if (containing === undefined && session === undefined && kind === undefined && olderThanDays === undefined) return [];
  const before = olderThanDays === undefined ? Number.POSITIVE_INFINITY : now.getTime() - olderThanDays * DAY_MS;
  const sought = containing?.toLowerCase();
  return notes
    .list(session === undefined ? {} : { session })
    .filter((note) => (kind === undefined || note.kind === kind) && note.created < before)
    .filter(({ text, key }) => sought === undefined || text.toLowerCase().includes(sought) || key.includes(sought));
}

export interface Forgotten {
  readonly notes: readonly { readonly id: string; readonly key: string }[];
  /** Events whose bodies were blanked, and events out of which the text was taken. */
  readonly eventsBlanked: number;
  readonly eventsCleaned: number;
  readonly payloads: number;
  readonly triples: number;
  readonly vectors: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Takes notes out of the log and everything made from it: blanks the events that they come from, takes their text out of all others, makes
 * notes and triples again from what is left, and gives the file's free pages back. Killed half-way it can be called again; once the places are blank,
 * whoever opens the memory next does the rest.
 */
export async function forget(memory: ProjectMemory, { notes, places }: ForgetPlan, now: Date): Promise<Forgotten> {
  const { corrections, triples, file } = memory.store;
  const bytesBefore = statSync(file).size;
  const triplesBefore = triples.count();
  const vectorsBefore = countVectors(memory);
  const superseded = supersededBy(memory, notes);
  const clean = cleanerOf(textsOf(memory, notes, places));
  // The others first: what the notes were drawn from says which wordings to look for, until it is blanked itself.
  const cleaned = corrections.rewrite(clean, now.getTime(), places);
  const blanked = corrections.tombstone(places, now.getTime());
  recordMemory(memory, { type: 'notes.forgotten', ids: notes.map(({ id }) => id), places, superseded }, now);
  memory.store.notes.forget(notes.map(({ id }) => id));
  await memory.catchUp({ now: () => now, fromStart: true, think: false });
  corrections.vacuum();
  return {
    notes: notes.map(({ id, key }) => ({ id, key })),
    eventsBlanked: blanked.events,
    eventsCleaned: cleaned.events,
    payloads: blanked.payloads + cleaned.payloads,
    triples: Math.max(0, triplesBefore - triples.count()),
    vectors: Math.max(0, vectorsBefore - countVectors(memory)),
    bytesBefore,
    bytesAfter: statSync(file).size,
  };
}

/** What an update put in the place of a note is gone, and the note is as old as before. What was contradicted by it holds alone again. */
function supersededBy({ store }: ProjectMemory, gone: readonly Note[]): readonly { readonly id: string; readonly by: string }[] {
  const ids = new Set(gone.map(({ id }) => id));
  const chains = [...new Set(gone.map(({ key }) => key))].flatMap((key) => store.notes.chain(key));
  return chains.flatMap(({ id, status, supersededBy: by }) =>
    status === 'superseded' && by !== undefined && ids.has(by) && !ids.has(id) ? [{ id, by }] : [],
  );
}

function countVectors({ store: { vectors } }: ProjectMemory): number {
  const active = vectors.available ? vectors.active() : undefined;
  return active ? vectors.count(active.generation) : 0;
}

/** All wordings of the notes that the log may hold: their own, and those of the claims that they were drawn from. */
function textsOf({ log }: ProjectMemory, notes: readonly Note[], places: readonly LogPlace[]): readonly string[] {
  const texts = new Set<string>();
  const take = (text: unknown): void => {
    if (typeof text !== 'string') return;
    const undated = plainFact(text).replace(/^\d{4}-\d\d-\d\d: /, '');
    for (const one of [text.trim(), plainFact(text), undated, undated.replace(/\s*…$/, '')]) if (one.length >= SHORTEST) texts.add(one);
  };
  for (const note of notes) take(note.text);
  const own = notes.flatMap(({ provenance }) => provenance);
  for (const place of places) {
    if (!own.some((one) => isAt(one, place) && one.session === place.session)) continue;
    for (const event of log.read(place.session)) if (isAt(event, place)) for (const claim of claimsOf(event)) take(claim);
  }
  return [...texts].toSorted((left, right) => right.length - left.length);
}

function claimsOf({ body }: Event): readonly unknown[] {
  if (body.type === 'note.proposed') return [body.text];
  if (body.type === 'note.written') return [body.note.text];
  if (body.type !== 'tool.finished') return [];
  try {
    return [(JSON.parse(body.content) as { data?: { finding?: { claim?: unknown } } }).data?.finding?.claim];
  } catch {
    return [];
  }
}

function isAt(event: Omit<LogPlace, 'session'>, place: LogPlace): boolean {
  return event.agent === place.agent && event.step === place.step && event.sequence === place.sequence;
}
