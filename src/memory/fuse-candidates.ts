import type { WordIndex } from '../core/memory-index.ts';
import type { RecallOptions } from '../core/recall.ts';
import { searchWords } from '../core/search-words.ts';
import { createStandings, type Standing } from './mark-superseded.ts';
import type { NearNote, NearNotes } from './recall.ts';
import { type Candidate, wordsOfNote } from './recall-candidates.ts';
import { coverageOf, type RecallQuery } from './recall-query.ts';

/**
 * Share of the question's weight that has to be in a text; below it nothing enters by words. Less is enough for a text about what the question
 * names, more is asked of one that is about something else of the kind.
 */
const COVERAGE_FLOOR = { namesNothing: 0.5, named: 0.35, notNamed: 0.6 } as const;
const NAMED_FROM = 0.5;
/** One word alone, of several, is about something else. */
const LEAST_WORDS = 2;
/** Halfway between what is related and what is not; a note with a vector that counts enters above it alone. */
const SIMILARITY_FLOOR = 0.5;

/** A candidate with everything that its place in the list rests on. */
export interface RankedCandidate extends Candidate {
  readonly near?: NearNote;
  readonly lexicalRank?: number;
  readonly standing: Standing;
  readonly score: number;
}

export interface FuseOptions {
  readonly index: WordIndex;
  readonly query: RecallQuery;
  readonly options: RecallOptions;
  readonly found: readonly Candidate[];
  readonly near: NearNotes;
}

/** One list over notes and log by the weighted sum of both scores; what a note says is not said again by the text it comes from. */
export function fuseCandidates({ index, query, options, found, near }: FuseOptions): {
  readonly candidates: readonly RankedCandidate[];
  readonly belowFloor: number;
} {
  const nearBy = new Map(near.notes.map((entry) => [entry.note.number, entry]));
  const best = found[0]?.lexical ?? 0;
  const all = [...found, ...onlyNear(near, found, query)];
  const standingOf = createStandings(index, query, all);
  const scored = all.map((candidate, place) => {
    const entry = candidate.note ? nearBy.get(candidate.note.number) : undefined;
    const lexical = best > 0 ? candidate.lexical / best : 0;
    return {
      ...candidate,
      ...(entry ? { near: entry } : {}),
      ...(candidate.lexical > 0 ? { lexicalRank: place + 1 } : {}),
      standing: standingOf(candidate),
      score: lexical + near.weight * (entry?.similarity ?? 0),
    };
  });
  const told = withoutTold(scored.filter(({ note }) => !expired(note?.expires, options.now)));
  const kept = told.filter(({ standing }) => options.superseded === 'mark' || !standing.wholly || !standing.supersededBy);
  const above = options.floor === false ? kept : withWhatContradicts(kept, (candidate) => standsAboveFloor(candidate, near.weight));
  return { candidates: besideWhatContradicts(above.toSorted(byScore)), belowFloor: kept.length - above.length };
}

function onlyNear(near: NearNotes, found: readonly Candidate[], query: RecallQuery): readonly Candidate[] {
  if (near.weight <= 0) return [];
  const there = new Set(found.flatMap(({ note }) => (note ? [note.number] : [])));
  return near.notes
    .filter(({ note }) => !there.has(note.number))
    .map(({ note }) => {
      const held = wordsOfNote(note, query);
      return { source: 'note', note, held, ...coverageOf(query, held, note.text), bm25: 0, neighbours: 0, lexical: 0 };
    });
}

function expired(expires: number | undefined, now: number): boolean {
  return expires !== undefined && expires <= now;
}

/** Of a note and the text that it comes from one is enough: the note, at the better place of both. */
function withoutTold(scored: readonly RankedCandidate[]): readonly RankedCandidate[] {
  const notes = new Set(scored.flatMap(({ note }) => (note ? [note.number] : [])));
  const lent = new Map<number, RankedCandidate>();
  const rest = scored.filter((candidate) => {
    const { toldBy } = candidate.standing;
    if (candidate.note || toldBy === undefined || !notes.has(toldBy)) return true;
    const before = lent.get(toldBy);
    if (!before || before.score < candidate.score) lent.set(toldBy, candidate);
    return false;
  });
  return rest.map((candidate) => {
    const source = candidate.note ? lent.get(candidate.note.number) : undefined;
    if (!source) return candidate;
    return { ...candidate, score: Math.max(candidate.score, source.score), coverage: Math.max(candidate.coverage, source.coverage) };
  });
}

function standsAboveFloor(candidate: RankedCandidate, weight: number): boolean {
  const { near, coverage, units, subjects, wholeRuns, task, named } = candidate;
  if (weight > 0 && near) return near.similarity >= SIMILARITY_FLOOR;
  const onTopic = task && named === undefined && holdsTopic(candidate);
  const floor =
    onTopic || wholeRuns || (named !== undefined && named >= NAMED_FROM) ? 'named' : named === undefined ? 'namesNothing' : 'notNamed';
  return coverage >= COVERAGE_FLOOR[floor] && units >= Math.min(onTopic ? 1 : LEAST_WORDS, subjects);
}

/** Whether a task touches what the note's key says that it is about: `retry` of `ingest.retry_policy`. */
function holdsTopic({ note, words }: RankedCandidate): boolean {
  const topic = note?.key.split('.').at(-1) ?? '';
  return topic !== '' && searchWords(topic.replaceAll('_', ' ')).some((word) => words.includes(word));
}

/** Recency decides between what scores alike, and nothing more. */
function byScore(one: RankedCandidate, other: RankedCandidate): number {
  const [a, b] = [Math.round(one.score * 50), Math.round(other.score * 50)];
  return b - a || timeOf(other) - timeOf(one) || other.score - one.score;
}

/** Both sides of a contradiction enter where one does. */
function withWhatContradicts(
  kept: readonly RankedCandidate[],
  enters: (candidate: RankedCandidate) => boolean,
): readonly RankedCandidate[] {
  const above = new Set(kept.filter(enters));
  const ids = new Set([...above].flatMap(({ note }) => (note ? [note.id, ...note.conflictsWith] : [])));
  const settledBy = new Set([...above].flatMap(({ note }) => (note?.status === 'flagged' && note.supersededBy ? [note.supersededBy] : [])));
  return kept.filter(
    (candidate) => above.has(candidate) || (candidate.note && (ids.has(candidate.note.id) || settledBy.has(candidate.note.id))),
  );
}

/** What is contradicted stands right behind what contradicts it, never before. */
function besideWhatContradicts(sorted: readonly RankedCandidate[]): readonly RankedCandidate[] {
  const ids = new Set(sorted.flatMap(({ note }) => (note ? [note.id] : [])));
  const flagged = sorted.filter(({ note }) => note?.status === 'flagged' && note.supersededBy !== undefined && ids.has(note.supersededBy));
  const moved = new Set(flagged);
  return sorted.flatMap((candidate) => {
    if (!moved.has(candidate))
      return [candidate, ...flagged.filter(({ note }) => note?.supersededBy === candidate.note?.id && candidate.note)];
    return [];
  });
}

export function timeOf({ note, piece }: Candidate): number {
  return note?.lastConfirmed ?? piece?.at ?? 0;
}
