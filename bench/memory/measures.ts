/** How well lists of found turns answer questions. A turn counts once, where it is found first. */
export interface Quality {
  readonly ndcg10: number;
  readonly recall5: number;
  readonly recall10: number;
  readonly recall20: number;
}

export function qualityOf(found: readonly (readonly string[])[], wanted: readonly string[]): Quality {
  const left = new Set(wanted);
  const gains = found.map((turns) => {
    const fresh = turns.filter((turn) => left.delete(turn)).length;
    return fresh > 0 ? 1 : 0;
  });
  const discount = (place: number): number => 1 / Math.log2(place + 2);
  const dcg = gains.slice(0, 10).reduce((sum: number, gain, place) => sum + gain * discount(place), 0);
  const ideal = Array.from({ length: Math.min(10, new Set(wanted).size) }, (_, place) => discount(place)).reduce(
    (sum, value) => sum + value,
    0,
  );
  const recall = (count: number): number => covered(found.slice(0, count), wanted);
  return { ndcg10: ideal === 0 ? 0 : Math.min(1, dcg / ideal), recall5: recall(5), recall10: recall(10), recall20: recall(20) };
}

/** Share of the wanted turns that stand in a list. */
export function covered(found: readonly (readonly string[])[], wanted: readonly string[]): number {
  const there = new Set(found.flat());
  return wanted.length === 0 ? 0 : wanted.filter((turn) => there.has(turn)).length / wanted.length;
}

export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value below which a share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
