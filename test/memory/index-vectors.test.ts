import { afterAll, describe, expect, it } from 'vitest';
import type { EmbeddingModel } from '../../src/core/embedding-model.ts';
import { Scope } from '../../src/core/scope.ts';
import { type IndexVectorsOptions, indexVectors } from '../../src/memory/index-vectors.ts';
import { SELF_TEST_PAIRS } from '../../src/memory/self-test-pairs.ts';
import { hashedEmbeddingModel } from '../support/hashed-embedding-model.ts';
import { cleanUpMemories, DAY_ONE, openTalkingMemory, type TalkingMemory } from './memory-folder.ts';

afterAll(cleanUpMemories);

/** Knows that these words mean one thing each: a stand-in for a model that knows meaning. */
const CONCEPTS = [
  ['duplicate', 'duplicates', 'twice', 'double', 'repeated'],
  ['supplier', 'vendor', 'partner'],
  ['cheap', 'costly', 'price', 'expensive'],
  ['start', 'begin', 'begins', 'starts'],
  ['broken', 'crash', 'crashes', 'failed'],
];
const PAIRS = [
  ['rows seen twice', 'The loader writes duplicates.'],
  ['the vendor is late', 'Our supplier delivers on Friday.'],
  ['is it expensive', 'A costly query was stopped.'],
  ['when does it begin', 'Jobs start at noon.'],
  ['what is broken', 'A crash of the parser.'],
] as const;
const MEANING = () => hashedEmbeddingModel({ concepts: CONCEPTS, id: 'test/meaning' });

function index(memory: TalkingMemory, embedding: EmbeddingModel, more: Partial<IndexVectorsOptions> = {}) {
  return indexVectors({ memory: memory.store, embedding, scope: new Scope(), now: DAY_ONE, pairs: PAIRS, ...more });
}

async function memoryWithNotes(): Promise<TalkingMemory> {
  const memory = await openTalkingMemory();
  memory.note('loads.bug', 'The loader writes duplicates on Monday.');
  memory.note('feeds.delivery', 'Our supplier delivers late on Friday.');
  memory.note('jobs.schedule', 'Nightly jobs start at noon in winter.');
  return memory;
}

describe('vectors', () => {
  it('that win the self-test find a note by other words than its own, and say why', async () => {
    const memory = await memoryWithNotes();
    const built = await index(memory, MEANING());
    if (!built.ok) throw new Error(built.failure.message);
    expect(built).toMatchObject({ embedded: 3, switched: true });
    expect(built.settings.weight).toBeGreaterThan(0);
    expect(built.settings.quality.both).toBeGreaterThan(built.settings.quality.words);
    const { hits, mode, cost } = await memory.ask('vendor', { embedding: MEANING() });
    expect(mode).toBe('lexical+vectors');
    expect(cost).toMatchObject({ embeddingCalls: 1 });
    expect(hits[0]).toMatchObject({ key: 'feeds.delivery', why: { words: [], vectorRank: 1 } });
    expect(hits[0]?.why.distance).toBeLessThan(0.7);
    expect(hits[0]?.why.because).toMatch(/^distance 0\.\d\d \(rank 1\), similarity/);
  });

  it('let nothing in whose similarity is below the floor', async () => {
    const memory = await memoryWithNotes();
    await index(memory, MEANING());
    const { hits, belowFloor } = await memory.ask('loader Friday winter', { embedding: MEANING() });
    expect(hits.every(({ why }) => (why.similarity ?? 0) >= 0.5)).toBe(true);
    expect(belowFloor).toBeGreaterThan(0);
    expect((await memory.ask('opera seats', { embedding: MEANING() })).hits).toEqual([]);
  });

  it('that lose the self-test have no say, and nothing is asked of their model', async () => {
    const memory = await memoryWithNotes();
    const noise: EmbeddingModel = {
      ...hashedEmbeddingModel({ id: 'test/noise' }),
      embed: async (texts) => ({
        ok: true,
        vectors: texts.map((text) =>
          Float32Array.from({ length: 16 }, (_, place) => Math.sin(text.length * 31 + text.charCodeAt(0) * 7 + place) / 2.83),
        ),
        inputTokens: 1,
        shortened: [],
      }),
    };
    const built = await index(memory, noise, { pairs: SELF_TEST_PAIRS });
    expect(built).toMatchObject({ ok: true, settings: { weight: 0 } });
    const { mode, notices, cost } = await memory.ask('supplier', { embedding: noise });
    expect([mode, cost.embeddingCalls]).toEqual(['lexical', 0]);
    expect(notices[0]).toContain('lost the self-test');
  });

  it('are not asked of another model than the one that made them', async () => {
    const memory = await memoryWithNotes();
    await index(memory, MEANING());
    const { notices } = await memory.ask('supplier', { embedding: hashedEmbeddingModel({ id: 'test/other' }) });
    expect(notices).toEqual([
      'recall is lexical: the vectors are of test/meaning, not of test/other; `soloist memory reembed` makes them anew',
    ]);
    const { notices: prefixes } = await memory.ask('supplier', { embedding: { ...MEANING(), prefixes: 'search' } });
    expect(prefixes[0]).toContain('reembed');
  });

  it('of another model replace the old ones once all are there; a failure on the way leaves the old ones in use and what is done done', async () => {
    const memory = await memoryWithNotes();
    for (let place = 0; place < 70; place++) memory.note(`more.k${place}`, `Fact number ${place}.`);
    await index(memory, MEANING());
    const other = hashedEmbeddingModel({ concepts: CONCEPTS, dimensions: 512, id: 'test/second' });
    let calls = 0;
    const failing: EmbeddingModel = {
      ...other,
      embed: (texts, purpose, scope) =>
        ++calls > 4
          ? Promise.resolve({ ok: false, failure: { kind: 'unreachable', message: 'the server is gone' } })
          : other.embed(texts, purpose, scope),
    };
    const progress: number[] = [];
    expect(await index(memory, failing, { onProgress: ({ done }) => progress.push(done) })).toMatchObject({
      ok: false,
      embedded: 64,
      failure: { kind: 'unreachable' },
    });
    expect(progress).toEqual([32, 64]);
    expect((await memory.ask('vendor', { embedding: MEANING() })).hits[0]?.key).toBe('feeds.delivery');
    expect(await index(memory, other)).toMatchObject({ ok: true, embedded: 9, switched: true });
    expect(memory.store.vectors.generations().map(({ model }) => model)).toEqual(['second']);
    expect((await memory.ask('vendor', { embedding: other })).hits[0]?.key).toBe('feeds.delivery');
  });

  it('of new notes are added without testing again', async () => {
    const memory = await memoryWithNotes();
    await index(memory, MEANING());
    memory.note('cost.query', 'The price of the join was too high.');
    const again = await index(memory, MEANING());
    expect(again).toMatchObject({ ok: true, embedded: 1, switched: false, calls: 1 });
    expect((await memory.ask('expensive', { embedding: MEANING() })).hits[0]?.key).toBe('cost.query');
    expect(await index(memory, MEANING())).toMatchObject({ ok: true, embedded: 0, calls: 0 });
  });

  it('that a model cannot make are passed over: the note is found by its words', async () => {
    const memory = await memoryWithNotes();
    const meaning = MEANING();
    const picky: EmbeddingModel = {
      ...meaning,
      embed: async (texts, purpose, scope) => {
        const reply = await meaning.embed(texts, purpose, scope);
        const rejected = texts.flatMap((text, place) =>
          text.includes('Monday') ? [{ place, failure: { kind: 'bad_request' as const, message: 'no' } }] : [],
        );
        return reply.ok ? { ...reply, rejected } : reply;
      },
    };
    expect(await index(memory, picky)).toMatchObject({ ok: true });
    expect(await index(memory, picky)).toMatchObject({ ok: true, embedded: 0 });
    expect((await memory.ask('What does the loader write on Monday?', { embedding: picky })).hits[0]?.key).toBe('loads.bug');
  });

  it('do not keep recall from answering when their model fails', async () => {
    const memory = await memoryWithNotes();
    await index(memory, MEANING());
    const failing: EmbeddingModel = {
      ...MEANING(),
      embed: async () => ({ ok: false, failure: { kind: 'unreachable', message: 'nobody answers' } }),
    };
    const { hits, notices } = await memory.ask('When does our supplier deliver?', { embedding: failing });
    expect(hits[0]?.key).toBe('feeds.delivery');
    expect(notices).toEqual(['recall is lexical: the embedding model failed (nobody answers)']);
  });
});
