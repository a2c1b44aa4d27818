import type { WordIndex } from '../core/memory-index.ts';
import type { Recalled, RecallHit, RecallOptions, RecallReason } from '../core/recall.ts';
import { estimateTokens } from '../core/usage.ts';
import { type RankedCandidate, timeOf } from './fuse-candidates.ts';
import { ageOf, renderHit } from './render-recalled.ts';
import { shortLine, statementLine } from './short-line.ts';

const OUTDATED_AFTER_MS = 90 * 86_400_000;
const MOST_HITS = 100;
/** No hit takes less: its origin alone is longer. */
const LEAST_TOKENS = 15;

/** Whole hits, best first, as many as the budget holds: one that is too large leaves its room to the next. */
export function packHits(
  candidates: readonly RankedCandidate[],
  index: Pick<WordIndex, 'unfinished'>,
  options: RecallOptions,
): Pick<Recalled, 'hits' | 'tokens'> {
  const { budgetTokens, split = 'fused', limit = MOST_HITS } = options;
  const pack = (chosen: readonly Ranked[], room: Room): Packed =>
    packed(chosen, room, (one) => hitOf(one.candidate, index, { ...options, rank: one.rank }));
  const ranked = candidates.map((candidate, place) => ({ candidate, rank: place + 1 }));
  if (split === 'fused') return pack(ranked, { tokens: budgetTokens, hits: limit });
  const of = (source: RankedCandidate['source']): readonly Ranked[] => ranked.filter(({ candidate }) => candidate.source === source);
  const notes = pack(of('note'), { tokens: budgetTokens / 2, hits: Math.ceil(limit / 2) });
  const log = pack(of('log'), { tokens: budgetTokens - notes.tokens, hits: limit - notes.hits.length });
  const both = [...notes.hits, ...log.hits].sort((a, b) => a.why.rank - b.why.rank);
  return { hits: both, tokens: notes.tokens + log.tokens };
}

interface Ranked {
  readonly candidate: RankedCandidate;
  readonly rank: number;
}

interface Room {
  readonly tokens: number;
  readonly hits: number;
}

type Packed = Pick<Recalled, 'hits' | 'tokens'>;

/** Hits are made as they are packed: most candidates never are. */
function packed(ranked: readonly Ranked[], room: Room, hitFor: (one: Ranked) => RecallHit): Packed {
  const hits: RecallHit[] = [];
  let tokens = 0;
  for (const one of ranked) {
    if (hits.length >= room.hits || tokens + LEAST_TOKENS > room.tokens) break;
    const hit = hitFor(one);
    const cost = estimateTokens(renderHit(hit));
    if (tokens + cost > room.tokens) continue;
    hits.push(hit);
    tokens += cost;
  }
  return { hits, tokens };
}

interface HitOptions extends RecallOptions {
  readonly rank: number;
}

function hitOf(candidate: RankedCandidate, index: Pick<WordIndex, 'unfinished'>, options: HitOptions): RecallHit {
  const { now, outdatedAfterMs = OUTDATED_AFTER_MS, rank } = options;
  const { source, note, piece, standing } = candidate;
  const at = timeOf(candidate);
  const from = piece?.from;
  const unfinished = piece && index.unfinished(piece);
  return {
    source,
    id: note?.id ?? (from ? [from.session, from.agent, from.step, from.sequence].join('/') : ''),
    text: textOf(candidate, options),
    at,
    age: ageOf(at, now),
    agent: note?.agent ?? piece?.speaker ?? '',
    outdated: now - at > outdatedAfterMs,
    ...(note ? { key: note.key, kind: note.kind, note: withoutNumber(note) } : {}),
    ...(unfinished === undefined ? {} : { unfinished }),
    ...(standing.supersededBy ? { supersededBy: standing.supersededBy } : {}),
    conflictsWith: contradictionsOf(note),
    places: note?.provenance ?? (from ? [from] : []),
    why: reasonOf(candidate, rank, unfinished),
  };
}

/** The current side of a contradiction names the flagged ones, and a flagged one names the current. */
function contradictionsOf(note: RankedCandidate['note']): readonly string[] {
  if (!note) return [];
  return note.status === 'flagged' && note.supersededBy ? [note.supersededBy] : note.conflictsWith;
}

function textOf({ note, piece, statement }: RankedCandidate, { shortLines = false }: RecallOptions): string {
  const text = note?.text ?? piece?.text ?? '';
  if (!shortLines) return text;
  return statement === undefined ? shortLine(text) : statementLine(statement, text);
}

function withoutNumber({ number: _, ...note }: NonNullable<RankedCandidate['note']>): NonNullable<RecallHit['note']> {
  return note;
}

function reasonOf(candidate: RankedCandidate, rank: number, unfinished: string | undefined): RecallReason {
  const { words, coverage, bm25, lexicalRank, near, neighbours, score, standing } = candidate;
  const parts = [
    ...(words.length > 0 ? [`matches ${words.join(', ')} (${Math.round(coverage * 100)} % of the question's weight)`] : []),
    ...(near ? [`distance ${near.distance.toFixed(2)} (rank ${near.rank}), similarity ${near.similarity.toFixed(2)}`] : []),
    ...(neighbours > 0 ? ['stands beside a text that matches'] : []),
    ...(standing.supersededBy ? [`superseded by ${standing.supersededBy}`] : []),
    ...contradictionsOf(candidate.note).map((id) => `contradicted by ${id}`),
    ...(unfinished === undefined ? [] : [`said without coming to an answer (${unfinished})`]),
  ];
  return {
    words,
    coverage,
    ...(bm25 > 0 ? { bm25 } : {}),
    ...(lexicalRank === undefined ? {} : { lexicalRank }),
    ...(near ? { distance: near.distance, vectorRank: near.rank, similarity: near.similarity } : {}),
    ...(neighbours > 0 ? { neighbours } : {}),
    score,
    rank,
    because: parts.join('; '),
  };
}
