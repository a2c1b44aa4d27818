import { statSync } from 'node:fs';
import type { Event, EventBody } from '../core/event.ts';
import { NOTE_KINDS, type Note, type NoteFilter, type NoteKind } from '../core/note.ts';
import type { Recalled } from '../core/recall.ts';
import { findNote } from './memory-find.ts';
import type { ProjectMemory } from './memory-project.ts';

const QUESTION_TOKENS = 2_000;

export interface Listing {
  readonly notes: readonly Note[];
  readonly total: number;
}

/** What is believed, newest first; with `all` also what no longer is. */
export function listNotes(
  { store: { notes } }: ProjectMemory,
  { all, limit, ...filter }: { readonly all: boolean; readonly limit: number } & Pick<NoteFilter, 'key' | 'kinds' | 'session'>,
): Listing {
  const found = notes.list({ ...filter, ...(all ? {} : { statuses: ['current', 'flagged'] }) });
  return { notes: found.slice(0, limit), total: found.length };
}

/** What a question would bring into a window, with the reason for each; `floor` off shows also what would stay out. */
export function searchMemory(
  memory: ProjectMemory,
  question: string,
  { limit, all, now }: { limit: number; all: boolean; now: Date },
): Promise<Recalled> {
  return memory.recall(question, {
    now: now.getTime(),
    budgetTokens: QUESTION_TOKENS,
    limit,
    floor: !all,
    superseded: all ? 'mark' : 'leave_out',
  });
}

export interface ShownNote {
  readonly note: Note;
  /** All versions under its key, oldest first. */
  readonly chain: readonly Note[];
}

export function showNote(memory: ProjectMemory, reference: string): ShownNote {
  const note = findNote(memory, reference);
  return { note, chain: memory.store.notes.chain(note.key) };
}

export interface NoteOrigin {
  readonly session: string;
  readonly agent: string;
  readonly step: number;
  readonly sequence: number;
  readonly at?: string;
  /** The type of the event. */
  readonly what: string;
  readonly question?: string;
  readonly said?: string;
}

export interface ExplainedNote {
  readonly note: Note;
  readonly origins: readonly NoteOrigin[];
  /** How a question finds it, where one was given. */
  readonly recall?: { readonly question: string; readonly rank: number | null; readonly why: string };
}

/** Where a note comes from, place by place, and why a question brings it up. */
export async function explainNote(
  memory: ProjectMemory,
  reference: string,
  { question, now }: { readonly question: string | undefined; readonly now: Date },
): Promise<ExplainedNote> {
  const note = findNote(memory, reference);
  const origins = note.provenance.map((place): NoteOrigin => {
    const events = [...memory.log.read(place.session)];
    const event = events.find(({ agent, step, sequence }) => agent === place.agent && step === place.step && sequence === place.sequence);
    const opened = events.find(({ body }) => body.type === 'session.opened')?.body as { question?: string } | undefined;
    return {
      ...place,
      what: event?.body.type ?? 'not in the log (imported)',
      ...(event ? { at: new Date(event.at).toISOString() } : {}),
      ...(opened?.question === undefined ? {} : { question: opened.question }),
      ...saidBy(event),
    };
  });
  if (question === undefined) return { note, origins };
  const recalled = await memory.recall(question, {
    ...{ now: now.getTime(), budgetTokens: 1_000_000, limit: 1000, floor: false },
    ...{ superseded: 'mark' as const, sources: 'notes' as const },
  });
  const hit = recalled.hits.find(({ id }) => id === note.id);
  const why = hit ? hit.why.because : 'the question shares no word with it, and no vector is near';
  return { note, origins, recall: { question, rank: hit?.why.rank ?? null, why } };
}

function saidBy(event: Event | undefined): { readonly said?: string } {
  const text = event ? textOf(event.body) : undefined;
  return text === undefined ? {} : { said: text.length > 400 ? `${text.slice(0, 400)} …` : text };
}

function textOf(body: EventBody): string | undefined {
  switch (body.type) {
    case 'tool.finished':
      return findingIn(body.content) ?? body.content;
    case 'agent.concluded':
      return body.conclusion.text;
    case 'note.proposed':
      return body.text;
    case 'note.written':
      return `${body.note.verdict} by ${body.note.by}${body.note.judged ? '' : ', unjudged'}`;
    default:
      return undefined;
  }
}

function findingIn(content: string): string | undefined {
  try {
    return (JSON.parse(content) as { data?: { finding?: { claim?: string } } }).data?.finding?.claim;
  } catch {
    return undefined;
  }
}

export interface MemoryStats {
  readonly notes: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byKind: Readonly<Partial<Record<NoteKind, number>>>;
  readonly keys: number;
  readonly multiValuedKeys: number;
  readonly unjudged: number;
  readonly contradicted: number;
  readonly triples: number;
  readonly skills: number;
  readonly lag: { readonly events: number; readonly sessions: number; readonly verdicts: number; readonly index: number };
  readonly vectors: { readonly available: boolean; readonly model: string | null; readonly count: number };
  readonly file: string;
  readonly bytes: number;
  readonly digest: string;
}

/** How memory stands, in figures. */
export function memoryStats({ store, lag }: ProjectMemory, skills: number): MemoryStats {
  const all = store.notes.list();
  const live = all.filter(({ status }) => status === 'current' || status === 'flagged');
  const count = (test: (note: Note) => boolean, among = all): number => among.filter(test).length;
  const statuses = ['current', 'flagged', 'superseded', 'archived'].map(
    (status) => [status, count((note) => note.status === status)] as const,
  );
  const kinds = NOTE_KINDS.map((kind) => [kind, count((note) => note.kind === kind, live)] as const).filter(([, number]) => number > 0);
  const active = store.vectors.available ? store.vectors.active() : undefined;
  const keys = new Map(live.map(({ key, multiValued }) => [key, multiValued]));
  return {
    notes: all.length,
    byStatus: Object.fromEntries(statuses),
    byKind: Object.fromEntries(kinds),
    keys: keys.size,
    multiValuedKeys: [...keys.values()].filter((several) => several).length,
    unjudged: count(({ judged }) => !judged, live),
    contradicted: count(({ conflictsWith }) => conflictsWith.length > 0),
    triples: store.triples.count(),
    skills,
    lag: { ...lag(), index: store.indexer.lag() },
    vectors: {
      available: store.vectors.available,
      model: active ? `${active.provider}/${active.model}` : null,
      count: active ? store.vectors.count(active.generation) : 0,
    },
    file: store.file,
    bytes: statSync(store.file).size,
    digest: store.notes.digest(),
  };
}
