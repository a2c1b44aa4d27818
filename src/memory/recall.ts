import type { EmbeddingModel } from '../core/embedding-model.ts';
import type { Generation, LogIndexer, NumberedNote, VectorStore, WordIndex } from '../core/memory-index.ts';
import type { Recalled, RecallOptions } from '../core/recall.ts';
import type { Scope } from '../core/scope.ts';
import { fuseCandidates } from './fuse-candidates.ts';
import { matchingGeneration } from './generation-identity.ts';
import { NEAREST, wantsBits } from './measure-bits.ts';
import { packHits } from './pack-hits.ts';
import { findByWords } from './recall-candidates.ts';
import { readQuestion } from './recall-query.ts';
import { similarityOf } from './similarity.ts';

/** How long one recall indexes at most before it looks: the rest is told as lag. */
const INDEXING_MS = 1000;
const INDEXED_AT_ONCE = 1000;

/** What recall reads; a memory store has all of it. */
export interface RecallSources {
  readonly words: WordIndex;
  readonly vectors: VectorStore;
  readonly indexer: LogIndexer;
}

export interface RecallRequest extends RecallOptions {
  readonly memory: RecallSources;
  readonly scope: Scope;
  /** Recall is lexical without one. */
  readonly embedding?: EmbeddingModel;
}

/**
 * What memory knows that bears on a question: notes and pieces of the log in one list, best first, whole and within the budget. Nothing that
 * stands below the floor. Never rejects for the embedding model's sake: without its answer recall is lexical, and says so.
 */
export async function recall(question: string, request: RecallRequest): Promise<Recalled> {
  const started = performance.now();
  const { memory, now } = request;
  const lag = fillIndex(memory.indexer, started);
  const query = readQuestion(question, now, memory.words);
  const near = await findByVector(question, request);
  const fused = fuseCandidates({ index: memory.words, query, options: request, found: findByWords(memory.words, query, request), near });
  const packed = packHits(fused.candidates, memory.words, request);
  return {
    ...packed,
    mode: near.weight > 0 ? 'lexical+vectors' : 'lexical',
    notices: [...(near.notice ? [near.notice] : []), ...(lag > 0 ? [`${lag} events of the log are not searchable yet`] : [])],
    belowFloor: fused.belowFloor,
    cost: { milliseconds: performance.now() - started, embeddingCalls: near.calls, embeddingTokens: near.tokens },
  };
}

function fillIndex(indexer: LogIndexer, started: number): number {
  for (;;) {
    const { lag } = indexer.fill(INDEXED_AT_ONCE);
    if (lag === 0 || performance.now() - started > INDEXING_MS) return lag;
  }
}

export interface NearNote {
  readonly note: NumberedNote;
  readonly distance: number;
  readonly rank: number;
  readonly similarity: number;
}

/** What the vectors say; a weight of 0 means that they have no say. */
export interface NearNotes {
  readonly notes: readonly NearNote[];
  readonly weight: number;
  readonly notice?: string;
  readonly calls: number;
  readonly tokens: number;
}

async function findByVector(question: string, request: RecallRequest): Promise<NearNotes> {
  const { memory, embedding, scope, sources, superseded, kinds, agent } = request;
  const silent = (notice?: string): NearNotes => ({ notes: [], weight: 0, calls: 0, tokens: 0, ...(notice ? { notice } : {}) });
  if (sources === 'log') return silent();
  if (!embedding) return silent('recall is lexical: no embedding model is set');
  if (!memory.vectors.available) return silent('recall is lexical: sqlite-vec has no build for this machine');
  const generation = matchingGeneration(memory.vectors.active(), embedding);
  if (typeof generation === 'string') return silent(`recall is lexical: ${generation}`);
  const { settings } = generation;
  if (!settings || settings.weight <= 0)
    return silent(`recall is lexical: the vectors of ${embedding.id} lost the self-test against words`);
  const reply = await embedding.embed([question], 'query', scope);
  if (!reply.ok) return { ...silent(`recall is lexical: the embedding model failed (${reply.failure.message})`), calls: 1 };
  const [vector] = reply.vectors;
  if (!vector || vector.length !== generation.dimensions)
    return silent('recall is lexical: the embedding model gave a vector of another length');
  const found = memory.vectors.nearest(generation.generation, {
    vector,
    limit: NEAREST,
    statuses: superseded === 'mark' ? ['current', 'flagged', 'superseded'] : ['current', 'flagged'],
    ...(kinds ? { kinds } : {}),
    ...bitsOf(memory.vectors, generation),
  });
  const distances = new Map(found.map(({ number, distance }, place) => [number, { distance, rank: place + 1 }]));
  const notes = memory.words.notes([...distances.keys()]).flatMap((note) => {
    const near = distances.get(note.number);
    return near && (agent === undefined || note.agent === agent)
      ? [{ note, ...near, similarity: similarityOf(1 - near.distance, settings) }]
      : [];
  });
  return { notes, weight: settings.weight, calls: 1, tokens: reply.inputTokens };
}

function bitsOf(vectors: VectorStore, generation: Generation): { bitFactor?: number } {
  const bitFactor = generation.settings?.bitFactor ?? 0;
  return bitFactor > 0 && wantsBits(vectors, generation) && vectors.hasBits(generation.generation) ? { bitFactor } : {};
}
