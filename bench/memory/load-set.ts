import type { Event } from '../../src/core/event.ts';
import type { LogPlace } from '../../src/core/note.ts';
import { openEventLog } from '../../src/store/open-event-log.ts';
import { type MemoryStore, openMemory } from '../../src/store/open-memory.ts';
import type { QuestionSet } from './question-set.ts';

export interface LoadedSet {
  readonly memory: MemoryStore;
  /** Turns by their place in the log, as `SESSION/AGENT/STEP/SEQUENCE`. */
  readonly turnAt: ReadonlyMap<string, string>;
  /** Notes that the facts became. */
  readonly noteOf: ReadonlyMap<string, string>;
}

export function placeName({ session, agent, step, sequence }: LogPlace): string {
  return [session, agent, step, sequence].join('/');
}

/** A question set as a log with its notes, as runs would have left it. */
export async function loadSet(set: QuestionSet, folder: string): Promise<LoadedSet> {
  const log = await openEventLog({ folder, tenant: 'local', redact: (text) => text });
  const turnAt = new Map<string, string>();
  const placeOf = new Map<string, LogPlace>();
  for (const session of set.sessions) log.append(eventsOf(session, turnAt, placeOf));
  log.close();
  const memory = await openMemory({ folder, tenant: 'local' });
  const noteOf = new Map<string, string>();
  for (const fact of set.facts) {
    const { key, text, kind, at, turns, verdict, multiValued } = fact;
    if (memory.notes.version(key) === 0) memory.notes.declare(key, { multiValued });
    const provenance = turns.flatMap((turn) => placeOf.get(turn) ?? []);
    const written = memory.notes.write({
      ...{ key, text, kind, at, provenance, agent: 'investigator', judged: true },
      verdict: memory.notes.current(key).length === 0 ? 'new' : verdict,
      expectedVersion: memory.notes.version(key),
    });
    if (written.ok) noteOf.set(fact.id, written.note.id);
  }
  memory.indexer.fill();
  return { memory, turnAt, noteOf };
}

function eventsOf(
  { id, at, turns }: QuestionSet['sessions'][number],
  turnAt: Map<string, string>,
  placeOf: Map<string, LogPlace>,
): readonly Event[] {
  return turns.map((turn, sequence) => {
    const place = { session: id, agent: 'main', step: sequence, sequence };
    turnAt.set(placeName(place), turn.id);
    placeOf.set(turn.id, place);
    return { ...place, round: 1, at: turn.at ?? at, body: bodyOf(turn) };
  });
}

function bodyOf({ role, speaker, text }: QuestionSet['sessions'][number]['turns'][number]): Event['body'] {
  if (role === 'assistant') {
    const message = { role: 'assistant' as const, content: text };
    return { type: 'model.replied', message, finish: 'stop', usage: { inputTokens: 0, outputTokens: 0, wallMs: 0 } as never };
  }
  return { type: 'user.said', why: 'follow_up', content: speaker === 'user' ? text : `${speaker}: ${text}` };
}
