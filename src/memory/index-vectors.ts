import type { EmbeddingModel } from '../core/embedding-model.ts';
import type { Generation, GenerationSettings, VectorStore } from '../core/memory-index.ts';
import type { ModelFailure } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';
import { type Ask, createAsk, EMBEDDED_AT_ONCE } from './ask-vectors.ts';
import { calibrate, chooseWeight, testedPairs } from './choose-weight.ts';
import { identityOf, matchingGeneration } from './generation-identity.ts';
import { measureBits } from './measure-bits.ts';
import { ownQuestions } from './own-questions.ts';
import type { RecallSources } from './recall.ts';
import { SELF_TEST_PAIRS } from './self-test-pairs.ts';

/** With this many questions of one's own the shipped ones need not speak for them. */
const ENOUGH_QUESTIONS = 20;
/** Of a table's room, how much may be taken by what was removed. */
const MOST_DEAD = 0.3;

export interface IndexVectorsOptions {
  readonly memory: RecallSources;
  readonly embedding: EmbeddingModel;
  readonly scope: Scope;
  readonly now: number;
  /** Tests again even where the model stayed the same. */
  readonly retest?: boolean;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  /** Questions and notes that the self-test uses; the shipped ones unless set. */
  readonly pairs?: readonly (readonly [string, string])[];
}

export type IndexedVectors =
  | {
      readonly ok: true;
      readonly generation: Generation;
      /** Notes that got a vector now. */
      readonly embedded: number;
      /** Whether another generation was searched before. */
      readonly switched: boolean;
      readonly settings: GenerationSettings;
      readonly calls: number;
      readonly tokens: number;
    }
  /** What was embedded so far is kept: the next call goes on there. */
  | { readonly ok: false; readonly failure: ModelFailure; readonly embedded: number; readonly calls: number; readonly tokens: number };

/**
 * Gives every note a vector of this model. Another model's vectors stay in use until all of the new ones are there and tested; then they are
 * dropped. Killed at any moment, it goes on where it stopped.
 */
export async function indexVectors(options: IndexVectorsOptions): Promise<IndexedVectors> {
  const { memory, embedding, now, scope, retest = false } = options;
  const asker = createAsk(embedding, scope);
  const before = matchingGeneration(memory.vectors.active(), embedding);
  const known = typeof before === 'string' ? undefined : before;
  const failed = (failure: ModelFailure, embedded: number): IndexedVectors => ({ ok: false, failure, embedded, ...asker.cost() });
  const pairs = options.pairs ?? SELF_TEST_PAIRS;
  const test = known?.settings && !retest ? undefined : await askPairs(pairs, asker.ask);
  if (test && !test.ok) return failed(test.failure, 0);
  const dimensions = known?.dimensions ?? test?.texts[0]?.length ?? 0;
  const generation = known ?? memory.vectors.begin(identityOf(embedding, dimensions), now);
  const added = await embedPending(generation, options, asker.ask);
  if (!added.ok) return failed(added.failure, added.embedded);
  let settings = known?.settings;
  if (test || !settings) {
    const own = await ownQuestions({ memory, generation: generation.generation, ask: asker.ask });
    const tested = testedPairs(pairs, test?.ok ? test : { questions: [], texts: [] });
    const calibration = calibrate(tested);
    const chosen = chooseWeight(own.length >= ENOUGH_QUESTIONS ? [...tested, ...own] : tested, calibration);
    settings = { ...calibration, ...chosen, bitFactor: 0 };
  }
  settings = { ...settings, bitFactor: measureBits(memory.vectors, generation, settings.bitFactor) };
  compactIfDead(memory.vectors, generation.generation);
  const switched = !known;
  if (switched) memory.vectors.activate(generation.generation, settings, now);
  else memory.vectors.keepSettings(generation.generation, settings);
  return {
    ok: true,
    generation: { ...generation, settings, state: 'active' },
    embedded: added.embedded,
    switched,
    settings,
    ...asker.cost(),
  };
}

/** Notes that were made anew take over the vectors of what they were before: else nothing is near any question until all are embedded again. */
export function keepVectors(vectors: VectorStore): void {
  if (!vectors.available) return;
  for (const { generation } of vectors.generations()) {
    vectors.pending(generation, 1);
    compactIfDead(vectors, generation);
  }
}

function compactIfDead(vectors: VectorStore, generation: number): void {
  if (vectors.deadShare(generation) > MOST_DEAD) vectors.compact(generation);
}

async function askPairs(
  pairs: readonly (readonly [string, string])[],
  ask: Ask,
): Promise<{ ok: true; questions: readonly Float32Array[]; texts: readonly Float32Array[] } | { ok: false; failure: ModelFailure }> {
  const questions = await ask(
    pairs.map(([question]) => question),
    'query',
  );
  if (!questions.ok) return questions;
  const texts = await ask(
    pairs.map(([, text]) => text),
    'document',
  );
  return texts.ok ? { ok: true, questions: questions.vectors, texts: texts.vectors } : texts;
}

async function embedPending(
  { generation, dimensions }: Generation,
  { memory, onProgress }: IndexVectorsOptions,
  ask: Ask,
): Promise<{ ok: true; embedded: number } | { ok: false; failure: ModelFailure; embedded: number }> {
  let embedded = 0;
  for (
    let rows = memory.vectors.pending(generation, EMBEDDED_AT_ONCE);
    rows.length > 0;
    rows = memory.vectors.pending(generation, EMBEDDED_AT_ONCE)
  ) {
    const reply = await ask(
      rows.map(({ text }) => text),
      'document',
    );
    if (!reply.ok) return { ...reply, embedded };
    const vectors = rows.flatMap((row, place) => {
      // What cannot be embedded is done with, and found by its words alone.
      const vector = reply.rejected.has(place) ? new Float32Array() : reply.vectors[place];
      return vector && (vector.length === dimensions || vector.length === 0) ? [{ ...row, vector }] : [];
    });
    if (vectors.length < rows.length) return { ok: false, failure: wrongLength(dimensions), embedded };
    memory.vectors.put(generation, vectors);
    embedded += vectors.length;
    onProgress?.(memory.vectors.progress(generation));
  }
  return { ok: true, embedded };
}

function wrongLength(dimensions: number): ModelFailure {
  return { kind: 'output_invalid', message: `the embedding model gave vectors that are not ${dimensions} long` };
}
