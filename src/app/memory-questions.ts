import type { Event } from '../core/event.ts';
import type { LogPlace, Note } from '../core/note.ts';
import type { RecallHit } from '../core/recall.ts';
import { ageOf } from '../memory/render-recalled.ts';
import { compareQuestions } from '../memory/same-question.ts';
import { shortLine } from '../memory/short-line.ts';
import type { ProjectMemory } from './memory-project.ts';

const OUTDATED_AFTER_MS = 90 * 86_400_000;
const LONGEST_QUOTE = 160;

/**
 * That something was asked before tells nothing by itself: what came of it as notes takes the place of the question that a session was opened with. A
 * question that says more than ours, or something else, stays.
 */
export function answersForQuestions(
  { store: { notes }, log }: Pick<ProjectMemory, 'store' | 'log'>,
  hits: readonly RecallHit[],
  { question, now }: { question: string; now: number },
): readonly RecallHit[] {
  const known = new Set(hits.map(({ id }) => id));
  return hits.flatMap((hit) => {
    const [place] = hit.places;
    if (hit.source !== 'log' || !place || place.agent !== 'main' || place.sequence !== 0) return [hit];
    const asked = openingOf(log.read(place.session));
    // A piece of the question may read like ours where all of it does not.
    const alike = asked && compareQuestions(asked.question, question);
    if (!asked || !alike) return [hit];
    const left = notes.list({ session: place.session, statuses: ['current'] }).filter((note) => !known.has(note.id) && isFrom(note, asked));
    const day = new Date(asked.at).toISOString().slice(0, 10);
    const because =
      alike === 'same'
        ? `came of a session that was asked this in the same words on ${day}`
        : `came of a session that was asked on ${day}: “${quoted(asked.question)}”`;
    return left.map((note): RecallHit => {
      known.add(note.id);
      return { ...hitOf(note, now), why: { ...hit.why, because } };
    });
  });
}

function hitOf(note: Note, now: number): Omit<RecallHit, 'why'> {
  const { id, text, agent, key, kind, created: at, conflictsWith, provenance: places } = note;
  return {
    source: 'note',
    id,
    text: shortLine(text),
    at,
    age: ageOf(at, now),
    agent,
    outdated: now - note.lastConfirmed > OUTDATED_AFTER_MS,
    key,
    kind,
    note,
    conflictsWith,
    places,
  };
}

interface Opening {
  readonly question: string;
  readonly at: number;
  /** Places of the first round: what further questions brought does not answer this one. */
  readonly places: ReadonlySet<string>;
}

function openingOf(events: Iterable<Event>): Opening | undefined {
  let opening: { question: string; at: number } | undefined;
  const places = new Set<string>();
  for (const event of events) {
    if (event.body.type === 'session.opened') opening = { question: event.body.question, at: event.at };
    if (event.round === 1) places.add(nameOf(event));
  }
  return opening && { ...opening, places };
}

/** What an earlier session knew and this one only met again did not come of it. */
function isFrom({ created, provenance }: Note, { at, places }: Opening): boolean {
  return created >= at && provenance.some((place) => places.has(nameOf(place)));
}

function nameOf({ session, agent, step, sequence }: LogPlace): string {
  return [session, agent, step, sequence].join('/');
}

function quoted(question: string): string {
  const line = question.replaceAll(/\s+/g, ' ').trim();
  return line.length <= LONGEST_QUOTE ? line : `${line.slice(0, LONGEST_QUOTE)} …`;
}
