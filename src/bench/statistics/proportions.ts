import { Z95 } from './distributions.ts';

/** A value with its 95 % interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Share of successes with Wilson's score interval (1927); `undefined` when nothing was tried. */
export function wilson(successes: number, tried: number): Estimate | undefined {
  if (tried === 0) return undefined;
  const share = successes / tried;
  const z2 = Z95 * Z95;
  const middle = (share + z2 / (2 * tried)) / (1 + z2 / tried);
  const half = (Z95 / (1 + z2 / tried)) * Math.sqrt((share * (1 - share)) / tried + z2 / (4 * tried * tried));
  // At none and at all the bound is exact; rounding must not move it.
  return { value: share, low: successes === 0 ? 0 : middle - half, high: successes === tried ? 1 : middle + half };
}

/** How the pairs of two designs came out. */
export interface PairCounts {
  readonly both: number;
  readonly onlyThis: number;
  readonly onlyBaseline: number;
  readonly neither: number;
}

/**
 * Difference of two paired shares, this less the baseline, with Newcombe's hybrid score interval (1998, method 10). It
 * does not shrink to nothing when all pairs agree, as a bootstrap would.
 */
export function pairedShareDifference({ both, onlyThis, onlyBaseline, neither }: PairCounts): Estimate | undefined {
  const pairs = both + onlyThis + onlyBaseline + neither;
  const mine = wilson(both + onlyThis, pairs);
  const theirs = wilson(both + onlyBaseline, pairs);
  if (!mine || !theirs) return undefined;
  const phi = correlation({ both, onlyThis, onlyBaseline, neither });
  const difference = (onlyThis - onlyBaseline) / pairs;
  const reach = (up: number, down: number): number => Math.sqrt(Math.max(0, up * up - 2 * phi * up * down + down * down));
  return {
    value: difference,
    low: difference - reach(mine.value - mine.low, theirs.high - theirs.value),
    high: difference + reach(mine.high - mine.value, theirs.value - theirs.low),
  };
}

/** Newcombe's phi with his correction for continuity; 0 where a margin is empty. */
function correlation({ both: a, onlyThis: b, onlyBaseline: c, neither: d }: PairCounts): number {
  const margins = (a + b) * (c + d) * (a + c) * (b + d);
  if (margins === 0) return 0;
  const product = a * d - b * c;
  const corrected = product > 0 ? Math.max(product - (a + b + c + d) / 2, 0) : product;
  return corrected / Math.sqrt(margins);
}
