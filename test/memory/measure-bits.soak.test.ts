import { afterAll, describe, expect, it } from 'vitest';
import { addNotes, clusteredVectors, syntheticNotes } from '../../bench/memory/synthetic-notes.ts';
import { measureBits, NEAREST } from '../../src/memory/measure-bits.ts';
import { cleanUpMemories, openTalkingMemory } from './memory-folder.ts';

afterAll(cleanUpMemories);

const IDENTITY = { provider: 'test', model: 'm', dimensions: 384, normalisation: 'unit', prefixes: 'none' } as const;

describe('the self-test of bits', () => {
  it('chooses as many candidates as questions that it never saw need to find 99 % of what an exact search finds', async () => {
    const { store } = await openTalkingMemory();
    addNotes(store, syntheticNotes(5001));
    const next = clusteredVectors(384, 10);
    const begun = store.vectors.begin(IDENTITY, 0);
    const { generation } = begun;
    const rows = store.vectors.pending(generation, 10_000);
    store.vectors.put(
      generation,
      rows.map((row) => ({ ...row, vector: next() })),
    );
    const bitFactor = measureBits(store.vectors, begun, 0);
    expect(bitFactor).toBeGreaterThan(0);
    const shared = Array.from({ length: 40 }, next).map((vector) => {
      const query = { vector, limit: NEAREST, statuses: ['current'] };
      const ten = (more: object) =>
        store.vectors
          .nearest(generation, { ...query, ...more })
          .slice(0, 10)
          .map(({ number }) => number);
      const exact = ten({});
      return ten({ bitFactor }).filter((number) => exact.includes(number)).length;
    });
    expect(shared.reduce((sum, count) => sum + count, 0) / 400).toBeGreaterThanOrEqual(0.99);
  });
});
