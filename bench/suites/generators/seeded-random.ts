export interface SeededRandom {
  /** From 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** `count` different items in the order drawn. */
  draw<Item>(items: readonly Item[], count: number): Item[];
}

/** The same sequence for the same seed, on every machine (mulberry32). */
export function seededRandom(seed: number): SeededRandom {
  let state = (seed ^ 0x5eed) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)] as (typeof items)[number],
    draw: (items, count) => {
      const left = [...items];
      return Array.from(
        { length: Math.min(count, left.length) },
        () => left.splice(between(0, left.length - 1), 1)[0] as (typeof items)[number],
      );
    },
  };
}

/** What a generator is called with. */
export interface GeneratorRequest {
  readonly folder: string;
  readonly seed: number;
  readonly parameters: Readonly<Record<string, unknown>>;
}
