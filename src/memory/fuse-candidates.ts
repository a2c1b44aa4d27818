import type { WordIndex } from '../core/memory-index.ts';
import type { RecallOptions } from '../core/recall.ts';
import { createStandings, type Standing } from './mark-superseded.ts';
import type { NearNote, NearNotes } from './recall.ts';
import { type Candidate, wordsOfNote } from './recall-candidates.ts';
import { coverageOf, type RecallQuery } from './recall-query.ts';

/** How many candidates are compared with the notes; what stands behind them does not fit into any window. */
const COMPARED = 80;
/** Share of the question's weight that has to be in a text; below it nothing enters by words. */
const COVERAGE_FLOOR = 0.6;
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
  const standingOf = createStandings(index, query);
  const scored = [...found.slice(0, COMPARED), ...onlyNear(near, found, query)].map((candidate, place) => {
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
  const above = options.floor === false ? kept : kept.filter((candidate) => standsAboveFloor(candidate, near.weight));
  return { candidates: besideWhatContradicts(above.toSorted(byScore)), belowFloor: kept.length - above.length };
}

function onlyNear(near: NearNotes, found: readonly Candidate[], query: RecallQuery): readonly Candidate[] {
  if (near.weight <= 0) return [];
  const there = new Set(found.slice(0, COMPARED).flatMap(({ note }) => (note ? [note.number] : [])));
  return near.notes
    .filter(({ note }) => !there.has(note.number))
    .map(({ note }) => ({ source: 'note', note, ...coverageOf(query, wordsOfNote(note)), bm25: 0, neighbours: 0, lexical: 0 }));
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

function standsAboveFloor({ near, coverage }: RankedCandidate, weight: number): boolean {
  return weight > 0 && near ? near.similarity >= SIMILARITY_FLOOR : coverage >= COVERAGE_FLOOR;
}

/** Recency decides between what scores alike, and nothing more. */
function byScore(one: RankedCandidate, other: RankedCandidate): number {
  const [a, b] = [Math.round(one.score * 50), Math.round(other.score * 50)];
  return b - a || timeOf(other) - timeOf(one) || other.score - one.score;
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
