import type { Event, EventBody } from '../core/event.ts';
import { type LogReader, MOST_COUNTED } from '../core/log-reader.ts';
import type { DistilledFact, LoggedNote } from '../core/memory-event.ts';
import type { ChatModel } from '../core/model.ts';
import type { LogCursor, NoteKind, NoteStore, NoteVerdict } from '../core/note.ts';
import type { Scope } from '../core/scope.ts';
import type { TripleStore } from '../core/triple.ts';
import { applyMemoryEvent } from './apply-event.ts';
import { type Distilled, distil } from './distil.ts';
import { judgeVerdict } from './judge-verdict.ts';
import { distilledStep, gatherFacts, isForgotten, MEMORY_PATH } from './session-facts.ts';

/** What the projector reads and writes; every write is idempotent by its place in the log. */
export interface ProjectorOptions {
  readonly notes: NoteStore;
  readonly triples: TripleStore;
  /** How far notes and triples have followed the log. */
  readonly cursor: LogCursor;
  /** How far closed sessions have been looked at by the gate. */
  readonly sessions: LogCursor;
  /** How far facts that the gate let through have got their verdicts. */
  readonly verdicts: LogCursor;
  /** False leaves sessions and verdicts to a call that has the model for them; what is on record is applied all the same. */
  readonly think: boolean;
  readonly reader: LogReader;
  readonly readSession: (session: string) => Iterable<Event>;
  /** @throws SoloistError `refused` where the place is taken: another process was faster. */
  readonly append: (events: readonly Event[]) => void;
  /** Whether sessions of an agent may leave notes. */
  readonly mayWrite: (agent: string) => boolean;
  readonly retention: Readonly<Partial<Record<NoteKind, number>>>;
  readonly critic?: ChatModel | undefined;
  readonly scope: Scope;
  readonly now: () => Date;
  /** Asked between events: true leaves the rest to the next call. */
  readonly enough?: () => boolean;
}

/** A note that this call wrote, or found written, for a session. */
export interface WrittenNote {
  readonly session: string;
  readonly id: string;
  readonly key: string;
  readonly text: string;
  readonly verdict: NoteVerdict;
  readonly judged: boolean;
}

export interface Projection {
  readonly written: readonly WrittenNote[];
  readonly events: number;
  /** What still waits: events to apply, closed sessions to look at, rounds of facts without all verdicts. */
  readonly lag: ProjectionLag;
}

export interface ProjectionLag {
  readonly events: number;
  readonly sessions: number;
  readonly verdicts: number;
}

const TYPES: readonly EventBody['type'][] = ['note.written', 'note.imported', 'notes.archived', 'notes.forgotten', 'triple.added'];
const BATCH = 100;
const DAY_MS = 86_400_000;

/**
 * Reads the log from where it stopped and brings notes and triples up to it. What a model answers is appended to the log first and applied
 * when its position comes, so that a replay gives the same. Killed at any point it goes on from there; several processes may run it at once.
 */
export async function project(options: ProjectorOptions): Promise<Projection> {
  const written: WrittenNote[] = [];
  let events = 0;
  const stopped = (): boolean => options.enough?.() === true || options.scope.stopped;
  const done = (): Projection => ({ written, events, lag: lagOf(options) });
  for (;;) {
    for (const event of follow(options.cursor, TYPES, options.reader)) {
      if (stopped()) return done();
      const note = applyMemoryEvent(event, options);
      if (note) written.push(note);
      events++;
    }
    if (!options.think || stopped()) return done();
    // A verdict is about what is believed: it is asked for one fact at a time, when all that is on record has been applied.
    if ((await judgeNext(options)) || (await distilNext(options))) continue;
    return done();
  }
}

/** What a projection with these cursors would still have to do; at most {@link MOST_COUNTED} of each kind are counted. */
export function lagOf({
  cursor,
  sessions,
  verdicts,
  reader,
}: Pick<ProjectorOptions, 'cursor' | 'sessions' | 'verdicts' | 'reader'>): ProjectionLag {
  const waiting = (from: LogCursor, types: readonly EventBody['type'][]) => reader.count(from.position(), types, MOST_COUNTED);
  return {
    events: waiting(cursor, TYPES),
    sessions: waiting(sessions, ['session.closed']),
    verdicts: waiting(verdicts, ['memory.distilled']),
  };
}

/** The events that wait, each done (the cursor moves past it) when the next one is asked for. */
function* follow(cursor: LogCursor, types: readonly EventBody['type'][], reader: LogReader): Generator<Event> {
  for (;;) {
    const from = cursor.position();
    const end = reader.end();
    const batch = reader.after(from, types, BATCH);
    if (batch.length === 0) {
      if (end > from) cursor.advance(from, end);
      if (reader.end() <= end) return;
    }
    let at = from;
    for (const { position, event } of batch) {
      yield event;
      // Another process may have gone further: its place is taken up in the next round.
      if (!cursor.advance(at, position)) break;
      at = position;
    }
  }
}

/** Lets the gate look at the closed sessions that wait, up to the first that leaves something; answers false where none did. */
async function distilNext(options: ProjectorOptions): Promise<boolean> {
  for (const event of follow(options.sessions, ['session.closed'], options.reader)) {
    if (options.enough?.() === true || options.scope.stopped) return false;
    const body = await distilSession(event, options);
    if (!body) continue;
    const { session, round } = event;
    appendOnce(options, { session, round, step: distilledStep(round), agent: MEMORY_PATH, sequence: 0, at: options.now().getTime(), body });
    return true;
  }
  return false;
}

/** What a closed session leaves; nothing where it leaves none or was looked at before. */
async function distilSession(event: Event, options: ProjectorOptions): Promise<Distilled | undefined> {
  if (!options.mayWrite(agentOf(options.readSession(event.session)))) return undefined;
  const facts = gatherFacts(options.readSession(event.session));
  if (!facts || facts.distilled || facts.round !== event.round) return undefined;
  const keys = [...new Set(options.notes.list({ statuses: ['current'], limit: 200 }).map(({ key }) => key))];
  const body = await distil(facts, { critic: options.critic, scope: options.scope, keys });
  return body.facts.length === 0 && body.refused.length === 0 ? undefined : body;
}

/** The agent of a session, from its first event alone. */
function agentOf(events: Iterable<Event>): string {
  for (const { body } of events) return body.type === 'session.opened' ? body.agent : '';
  return '';
}

/** Asks for the verdict of the oldest fact that has none and puts it on record; answers false where there is no such fact. */
async function judgeNext(options: ProjectorOptions): Promise<boolean> {
  const { verdicts, reader } = options;
  for (;;) {
    const from = verdicts.position();
    const end = reader.end();
    const [next] = reader.after(from, ['memory.distilled'], 1);
    if (next?.event.body.type !== 'memory.distilled') {
      // Else every session would look through the whole log again.
      if (end > from) verdicts.advance(from, end);
      return false;
    }
    const { session, round, body } = next.event;
    const step = distilledStep(round) + 1;
    const done = new Set<number>();
    for (const { agent, step: at, sequence } of options.readSession(session)) if (agent === MEMORY_PATH && at === step) done.add(sequence);
    const sequence = body.facts.findIndex(({ text }, index) => !done.has(index) && !isForgotten(text));
    const fact = body.facts[sequence];
    if (fact) {
      const note = await judged(fact, options);
      const at = options.now().getTime();
      appendOnce(options, { session, round, step, agent: MEMORY_PATH, sequence, at, body: { type: 'note.written', note } });
      return true;
    }
    verdicts.advance(from, next.position);
  }
}

async function judged(fact: DistilledFact, options: ProjectorOptions): Promise<LoggedNote> {
  const { notes, critic, scope, retention } = options;
  const at = options.now().getTime();
  const { key, kind, text, agent, places } = fact;
  for (let attempt = 0; ; attempt++) {
    const version = notes.version(key);
    const multiValued = version > 0 ? notes.isMultiValued(key) : fact.multiValued;
    const verdict = await judgeVerdict(text, notes.current(key), { critic, scope, multiValued });
    // Somebody wrote under the key while the model thought: its verdict is about what is no longer believed.
    if (notes.version(key) !== version && attempt < 3) continue;
    const days = retention[kind];
    const expires = days === undefined ? {} : { expires: at + days * DAY_MS };
    return { key, kind, text, multiValued, agent, provenance: places, ...expires, ...verdict };
  }
}

/** Another process that has put the same on record was faster; that is as good. */
function appendOnce({ append }: ProjectorOptions, event: Event): void {
  try {
    append([event]);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'refused') throw error;
  }
}
