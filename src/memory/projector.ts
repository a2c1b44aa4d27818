import type { Event, EventBody } from '../core/event.ts';
import type { LogReader, PositionedEvent } from '../core/log-reader.ts';
import type { DistilledFact, LoggedNote } from '../core/memory-event.ts';
import type { ChatModel } from '../core/model.ts';
import type { LogCursor, NoteKind, NoteStore, NoteVerdict } from '../core/note.ts';
import type { Scope } from '../core/scope.ts';
import type { TripleStore } from '../core/triple.ts';
import { applyMemoryEvent } from './apply-event.ts';
import { distil } from './distil.ts';
import { judgeVerdict } from './judge-verdict.ts';
import { distilledStep, gatherFacts, MEMORY_PATH } from './session-facts.ts';

/** What the projector reads and writes; every write is idempotent by its place in the log. */
export interface ProjectorOptions {
  readonly notes: NoteStore;
  readonly triples: TripleStore;
  readonly cursor: LogCursor;
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
  /** How many events of any kind still wait. */
  readonly lag: number;
}

const TYPES: readonly EventBody['type'][] = [
  'session.closed',
  'memory.distilled',
  'note.written',
  'note.imported',
  'notes.archived',
  'notes.forgotten',
  'triple.added',
];
const BATCH = 100;
const DAY_MS = 86_400_000;

/**
 * Reads the log from where it stopped and brings notes and triples up to it. What a model answers is appended to the log first and applied
 * when its position comes, so that a replay gives the same. Killed at any point it goes on from there; several processes may run it at once.
 */
export async function project(options: ProjectorOptions): Promise<Projection> {
  const written: WrittenNote[] = [];
  let events = 0;
  for (;;) {
    const { cursor, reader } = options;
    const from = cursor.position();
    const end = reader.end();
    const batch = reader.after(from, TYPES, BATCH);
    if (batch.length === 0) {
      if (end > from) cursor.advance(from, end);
      if (reader.end() <= end) return { written, events, lag: cursor.lag() };
      continue;
    }
    let at = from;
    for (const positioned of batch) {
      if (options.enough?.() || options.scope.stopped) return { written, events, lag: cursor.lag() };
      await takeEvent(positioned, options, written);
      events++;
      // Another process may have gone further: its place is taken up in the next round.
      if (!cursor.advance(at, positioned.position)) break;
      at = positioned.position;
    }
  }
}

async function takeEvent({ event }: PositionedEvent, options: ProjectorOptions, written: WrittenNote[]): Promise<void> {
  const { body } = event;
  if (body.type === 'session.closed') return distilSession(event, options);
  if (body.type === 'memory.distilled') return judgeNext(event, 0, options);
  const note = applyMemoryEvent(event, options);
  if (note) written.push(note);
  if (body.type === 'note.written' && event.agent === MEMORY_PATH) await judgeNext(event, event.sequence + 1, options);
}

/** Lets the gate look at a closed session, once per round. */
async function distilSession(event: Event, options: ProjectorOptions): Promise<void> {
  const facts = gatherFacts(options.readSession(event.session));
  if (!facts || facts.distilled || facts.round !== event.round || !options.mayWrite(facts.agent)) return;
  const keys = [...new Set(options.notes.list({ statuses: ['current'], limit: 200 }).map(({ key }) => key))];
  const body = await distil(facts, { critic: options.critic, scope: options.scope, keys });
  if (body.facts.length === 0 && body.refused.length === 0) return;
  const { session, round } = event;
  appendOnce(options, { session, round, step: distilledStep(round), agent: MEMORY_PATH, sequence: 0, at: options.now().getTime(), body });
}

/**
 * Asks for the verdict of one fact of a round, if it has none yet, and puts it on record. The next one has its turn when this one has been
 * applied: everything is applied in the order of the log, by whichever process, so that a replay ends where this ends.
 */
async function judgeNext({ session, round }: Event, index: number, options: ProjectorOptions): Promise<void> {
  const step = distilledStep(round) + 1;
  let fact: DistilledFact | undefined;
  for (const { agent, step: at, sequence, round: of, body } of options.readSession(session)) {
    if (agent !== MEMORY_PATH || of !== round) continue;
    if (body.type === 'memory.distilled') fact = body.facts[index];
    if (at === step && sequence === index) return;
  }
  if (!fact) return;
  const note = await judged(fact, options, options.now().getTime());
  appendOnce(options, {
    session,
    round,
    step,
    agent: MEMORY_PATH,
    sequence: index,
    at: options.now().getTime(),
    body: { type: 'note.written', note },
  });
}

async function judged(fact: DistilledFact, options: ProjectorOptions, at: number): Promise<LoggedNote> {
  const { notes, critic, scope, retention } = options;
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
