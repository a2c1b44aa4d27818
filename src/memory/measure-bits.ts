import type { Generation, VectorStore } from '../core/memory-index.ts';

/** How many nearest notes a recall asks for. */
export const NEAREST = 20;
/** From this many vectors of a tenant on, and for vectors of this length, bits are looked at first: below, an exact search takes a few milliseconds. */
const BITS_FROM_ROWS = 5_000;
const BITS_FROM_DIMENSIONS = 384;
const FACTORS = [2, 3, 4, 6, 8, 12, 16, 32, 64];
const QUESTIONS = 50;
const BAR = 0.99;

/** Whether bits may be used, by size alone. */
export function wantsBits(vectors: VectorStore, { generation, dimensions }: Generation): boolean {
  return dimensions >= BITS_FROM_DIMENSIONS && dimensions % 8 === 0 && vectors.count(generation) > BITS_FROM_ROWS;
}

/** Makes the bits where a tenant has grown large, and answers how many times more candidates they need to find 99 % of what an exact search finds. */
export function measureBits(vectors: VectorStore, generation: Generation, known: number): number {
  if (!wantsBits(vectors, generation)) return known;
  const had = vectors.hasBits(generation.generation);
  vectors.fillBits(generation.generation);
  if (had && known > 0) return known;
  const questions = vectors.sample(generation.generation, QUESTIONS);
  const query = { limit: NEAREST, statuses: ['current', 'flagged'] };
  // A vector finds itself through any bits: only the others tell.
  const others = (place: number, more: { readonly bitFactor?: number }): readonly number[] => {
    const { number, vector } = questions[place] as (typeof questions)[number];
    const found = vectors.nearest(generation.generation, { ...query, ...more, vector });
    return found.flatMap((one) => (one.number === number ? [] : [one.number])).slice(0, 10);
  };
  const exact = questions.map((_, place) => others(place, {}));
  const all = exact.reduce((sum, numbers) => sum + numbers.length, 0);
  const factor = FACTORS.find((bitFactor) => {
    const found = questions.map((_, place) => new Set(others(place, { bitFactor })));
    const shared = exact.reduce((sum, numbers, place) => sum + numbers.filter((number) => found[place]?.has(number)).length, 0);
    return all > 0 && surely(shared / all, all) >= BAR;
  });
  return factor ?? 0;
}

/** Two standard errors below what was measured on so many. */
function surely(share: number, count: number): number {
  return share - 2 * Math.sqrt((share * (1 - share)) / count);
}
