import { describe, expect, it } from 'vitest';
import { normalBelow, studentPoint } from '../../src/bench/statistics/distributions.ts';
import { LEAST_PAIRS, type Pair, pairedDifference, pairedRatio, pairsForShares, pairsToTell } from '../../src/bench/statistics/paired.ts';
import { pairedShareDifference, wilson } from '../../src/bench/statistics/proportions.ts';
import { createRandom, seedFrom, shuffle } from '../../src/bench/statistics/random.ts';

/** Reference values below: scipy 1.17.1 (`binomtest(...).proportion_ci('wilson')`, `stats.t.ppf`, `stats.norm.cdf`), run once. */
describe('Wilson’s interval', () => {
  it.each([
    [0, 10, 0, 0.27753279986288926],
    [10, 10, 0.7224672001371109, 1],
    [7, 10, 0.39677814746114526, 0.892208732593699],
    [1, 1, 0.20654931437723745, 1],
    [0, 1, 0, 0.7934506856227626],
    [92, 100, 0.8500189229905127, 0.9589065385156194],
    [27, 30, 0.7437891742081592, 0.9654001112526657],
  ])('agrees with scipy for %i of %i', (successes, tried, low, high) => {
    const interval = wilson(successes, tried)!;
    expect(interval.value).toBe(successes / tried);
    expect(interval.low).toBeCloseTo(low, 12);
    expect(interval.high).toBeCloseTo(high, 12);
  });

  it('is absent when nothing was tried', () => {
    expect(wilson(0, 0)).toBeUndefined();
  });

  it('covers the true share in about 95 of 100 samples', () => {
    const random = createRandom(11);
    for (const [share, size] of [
      [0.5, 20],
      [0.9, 30],
      [0.3, 60],
    ] as const) {
      let covered = 0;
      for (let sample = 0; sample < 4_000; sample++) {
        let hits = 0;
        for (let draw = 0; draw < size; draw++) if (random() < share) hits++;
        const { low, high } = wilson(hits, size)!;
        if (low <= share && share <= high) covered++;
      }
      expect(covered / 4_000).toBeGreaterThan(0.925);
      expect(covered / 4_000).toBeLessThan(0.985);
    }
  });
});

describe('the distributions', () => {
  it.each([
    [0.975, 1, 12.706204736174694],
    [0.975, 4, 2.7764451051977934],
    [0.975, 29, 2.045229642132703],
    [0.9, 7, 1.4149239276505086],
    [0.025, 10, -2.2281388519862753],
  ])('agree with scipy for t at %d with %i degrees', (below, freedom, point) => {
    expect(studentPoint(below, freedom)).toBeCloseTo(point, 7);
  });

  it.each([
    [-1.96, 0.024997895148220435],
    [-0.5, 0.3085375387259869],
    [0, 0.5],
    [1, 0.8413447460685429],
    [2.5, 0.9937903346742238],
  ])('agree with scipy for the normal at %d', (z, below) => {
    expect(normalBelow(z)).toBeCloseTo(below, 6);
  });
});

describe('the difference of paired shares', () => {
  /** The first is the example of Newcombe (1998), method 10: 0.0569 to 0.3404; the others a separate script in Python. */
  it.each([
    [36, 12, 2, 0, 0.2, 0.05692958400323875, 0.3404276029749408],
    [20, 5, 1, 4, 0.13333333333333341, -0.03620639854294555, 0.29958131503360896],
    [30, 3, 3, 14, 0, -0.10251794487134777, 0.10251794487134777],
    [25, 0, 0, 0, 0, -0.1331922509390484, 0.1331922509390484],
    [0, 0, 0, 8, 0, -0.32440756488388023, 0.32440756488388023],
    [0, 15, 0, 0, 1, 0.7116654705337064, 1],
  ])('agrees with references for %i, %i, %i, %i', (both, onlyThis, onlyBaseline, neither, value, low, high) => {
    const interval = pairedShareDifference({ both, onlyThis, onlyBaseline, neither })!;
    expect(interval.value).toBeCloseTo(value, 12);
    expect(interval.low).toBeCloseTo(low, 12);
    expect(interval.high).toBeCloseTo(high, 12);
  });

  it('covers the true difference in about 95 of 100 samples', () => {
    const random = createRandom(5);
    // Both 0.55, only this 0.25, only baseline 0.1, neither 0.1: the true difference is 0.15.
    let covered = 0;
    for (let sample = 0; sample < 3_000; sample++) {
      const counts = { both: 0, onlyThis: 0, onlyBaseline: 0, neither: 0 };
      for (let draw = 0; draw < 30; draw++) {
        const at = random();
        counts[at < 0.55 ? 'both' : at < 0.8 ? 'onlyThis' : at < 0.9 ? 'onlyBaseline' : 'neither']++;
      }
      const { low, high } = pairedShareDifference(counts)!;
      if (low <= 0.15 && 0.15 <= high) covered++;
    }
    expect(covered / 3_000).toBeGreaterThan(0.925);
    expect(covered / 3_000).toBeLessThan(0.985);
  });

  it('is absent without pairs', () => {
    expect(pairedShareDifference({ both: 0, onlyThis: 0, onlyBaseline: 0, neither: 0 })).toBeUndefined();
  });
});

/** Two designs on cases of very different size: what they share is the case. */
function drawPairs(random: () => number, count: number, factor: number): Pair[] {
  return Array.from({ length: count }, () => {
    const size = 100 + 900 * random();
    return { mine: size * factor * (0.7 + 0.6 * random()), baseline: size * (0.9 + 0.2 * random()) };
  });
}

describe('the bootstrap over pairs', () => {
  it.each([8, 15, 30])('covers the true ratio in about 95 of 100 samples of %i pairs', (size) => {
    const random = createRandom(size);
    let covered = 0;
    const samples = 300;
    for (let sample = 0; sample < samples; sample++) {
      const ratio = pairedRatio(drawPairs(random, size, 1.4), sample)!;
      if (ratio.low <= 1.4 && 1.4 <= ratio.high) covered++;
    }
    expect(covered / samples).toBeGreaterThan(0.9);
    expect(covered / samples).toBeLessThan(0.995);
  });

  /** numpy 2, a million samples each: quantiles at norm.cdf(−√(n/(n−1)) t.ppf(0.975, n−1)) and its complement; ratio, then difference. */
  it.each([
    ['ties', [12, 10, 12, 10, 30, 25, 30, 25, 8, 10, 8, 10, 15, 15, 15, 15], [0.92, 1.18125], [-1, 3.625]],
    ['few pairs', [100, 50, 210, 100, 90, 60, 400, 180, 33, 20], [1.511538, 2.207792], [16.4, 198]],
    [
      'pairs of very different size',
      [120, 100, 340, 310, 90, 130, 1500, 900, 60, 55, 75, 80, 640, 500, 210, 190, 330, 360, 48, 40, 505, 410, 95, 99],
      [0.980235, 1.492384],
      [-3.166667, 206.25],
    ],
    ['a design that often used nothing', [0, 4, 0, 9, 3, 5, 0, 7, 2, 6, 0, 3], [0, 0.454545], [-7.833333, -2.666667]],
  ])('agrees with numpy for %s', (_, figures, ratio, difference) => {
    const pairs = figures.flatMap((mine, place) => (place % 2 === 0 ? [{ mine, baseline: figures[place + 1] ?? 0 }] : []));
    for (const [estimate, [low = 0, high = 0]] of [
      [pairedRatio(pairs, 1), ratio],
      [pairedDifference(pairs, 1), difference],
    ] as const) {
      // 4,000 samples find an outer quantile to a few hundredths of the interval.
      expect(Math.abs((estimate?.low ?? Number.NaN) - low) / (high - low)).toBeLessThan(0.05);
      expect(Math.abs((estimate?.high ?? Number.NaN) - high) / (high - low)).toBeLessThan(0.05);
    }
  });

  it('is far narrower than it would be had the pairs been torn apart', () => {
    const pairs = drawPairs(createRandom(3), 20, 1.4);
    const torn = pairs.map(({ mine }, place) => ({ mine, baseline: pairs[(place + 7) % 20]!.baseline }));
    const width = (some: readonly Pair[]): number => {
      const { low, high } = pairedRatio(some, 1)!;
      return high - low;
    };
    expect(width(pairs)).toBeLessThan(width(torn) / 2);
  });

  it('gives the same interval for the same seed, whatever ran before', () => {
    const pairs = drawPairs(createRandom(9), 12, 0.8);
    expect(pairedRatio(pairs, 42)).toEqual(pairedRatio(pairs, 42));
    expect(pairedRatio(pairs, 42)).not.toEqual(pairedRatio(pairs, 43));
  });

  it('shrinks to the value where all pairs are alike', () => {
    const pairs = Array.from({ length: 6 }, () => ({ mine: 30, baseline: 20 }));
    expect(pairedRatio(pairs, 1)).toEqual({ value: 1.5, low: 1.5, high: 1.5 });
    expect(pairedDifference(pairs, 1)).toEqual({ value: 10, low: 10, high: 10 });
  });

  it('says nothing of fewer pairs than an interval needs, one above all', () => {
    expect(pairedRatio([{ mine: 3, baseline: 2 }], 1)).toBeUndefined();
    expect(pairedDifference([{ mine: 3, baseline: 2 }], 1)).toBeUndefined();
    expect(pairedRatio(drawPairs(createRandom(1), LEAST_PAIRS - 1, 1), 1)).toBeUndefined();
    expect(pairedRatio(drawPairs(createRandom(1), LEAST_PAIRS, 1), 1)).toBeDefined();
  });

  it('has no ratio to a baseline that used nothing', () => {
    expect(
      pairedRatio(
        Array.from({ length: 6 }, () => ({ mine: 3, baseline: 0 })),
        1,
      ),
    ).toBeUndefined();
  });
});

describe('how many pairs would tell', () => {
  it('grows with the square of the spread over the distance', () => {
    // Half width 0.4, distance 0.1: four times too wide, so 16 times the pairs.
    expect(pairsToTell({ value: 1.1, low: 0.7, high: 1.5 }, 1, 10)).toBe(160);
    expect(pairsToTell({ value: 1, low: 0.9, high: 1.1 }, 1, 10)).toBeUndefined();
  });

  it('agrees with Connor’s formula for paired shares', () => {
    // Python: ceil(((z.975 √p + z.8 √(p − d²)) / d)²).
    expect(pairsForShares(0.05, 0)).toBe(155);
    expect(pairsForShares(0.05, 0.2)).toBe(626);
    expect(pairsForShares(0.1, 0.3)).toBe(234);
  });
});

describe('the seeded order', () => {
  it('is the same for the same seed and holds every item once', () => {
    const items = Array.from({ length: 20 }, (_, place) => place);
    const first = shuffle(items, createRandom(seedFrom('t05 1 1')));
    expect(first).toEqual(shuffle(items, createRandom(seedFrom('t05 1 1'))));
    expect(first).not.toEqual(items);
    expect([...first].sort((left, right) => left - right)).toEqual(items);
  });

  it('puts every item first about equally often', () => {
    const firsts = new Map<string, number>();
    for (let seed = 0; seed < 3_000; seed++) {
      const [first = ''] = shuffle(['a', 'b', 'c'], createRandom(seedFrom(`case ${seed}`)));
      firsts.set(first, (firsts.get(first) ?? 0) + 1);
    }
    for (const count of firsts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(120);
    expect(firsts.size).toBe(3);
  });
});
