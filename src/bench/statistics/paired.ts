import { normalBelow, studentPoint, Z95 } from './distributions.ts';
import type { Estimate } from './proportions.ts';
import { createRandom } from './random.ts';

/** What a design and the baseline used on the same case with the same seed. */
export interface Pair {
  readonly mine: number;
  readonly baseline: number;
}

const SAMPLES = 4_000;

/** Fewer pairs than this give no interval: the bootstrap of so few says more about them than about the next. */
export const LEAST_PAIRS = 5;

/**
 * How many times as much a design used as the baseline: the ratio of the sums over pairs, with an expanded percentile
 * bootstrap interval (Hesterberg 2015: the quantiles are those of Student's t, so that few pairs are covered as well).
 * Pairs are drawn whole. `undefined` with fewer than {@link LEAST_PAIRS} pairs, or when the baseline used nothing.
 */
export function pairedRatio(pairs: readonly Pair[], seed: number): Estimate | undefined {
  const value = ratioOf(pairs);
  if (pairs.length < LEAST_PAIRS || value === undefined) return undefined;
  const drawn = resample(pairs, seed, ratioOf);
  return { value, ...expandedInterval(drawn, pairs.length) };
}

/** Mean of the differences, this less the baseline, with the same interval. */
export function pairedDifference(pairs: readonly Pair[], seed: number): Estimate | undefined {
  if (pairs.length < LEAST_PAIRS) return undefined;
  const mean = (some: readonly Pair[]): number => some.reduce((sum, { mine, baseline }) => sum + mine - baseline, 0) / some.length;
  return { value: mean(pairs), ...expandedInterval(resample(pairs, seed, mean), pairs.length) };
}

/** The ratio of the sums; `undefined` when the baseline used nothing. */
export function ratioOf(pairs: readonly Pair[]): number | undefined {
  let mine = 0;
  let baseline = 0;
  for (const pair of pairs) {
    mine += pair.mine;
    baseline += pair.baseline;
  }
  return baseline > 0 ? mine / baseline : undefined;
}

function resample(pairs: readonly Pair[], seed: number, statistic: (some: readonly Pair[]) => number | undefined): number[] {
  const random = createRandom(seed);
  const drawn: number[] = [];
  const sample: Pair[] = new Array(pairs.length);
  for (let round = 0; round < SAMPLES; round++) {
    for (let place = 0; place < pairs.length; place++) sample[place] = pairs[Math.floor(random() * pairs.length)] as Pair;
    const value = statistic(sample);
    if (value !== undefined) drawn.push(value);
  }
  return drawn.sort((left, right) => left - right);
}

function expandedInterval(sorted: readonly number[], pairs: number): { low: number; high: number } {
  const tail = normalBelow(-Math.sqrt(pairs / (pairs - 1)) * studentPoint(0.975, pairs - 1));
  return { low: quantile(sorted, tail), high: quantile(sorted, 1 - tail) };
}

/** Linear between neighbours (type 7 of Hyndman and Fan). */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * Math.min(1, Math.max(0, share));
  const below = Math.floor(place);
  const low = sorted[below] ?? 0;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? low;
  return low + (high - low) * (place - below);
}

/** Pairs after which an interval of this spread would leave out 1, or 0 for a difference; `undefined` where no number would do. */
export function pairsToTell(estimate: Estimate, nothing: number, pairs: number): number | undefined {
  const distance = Math.abs(estimate.value - nothing);
  const half = (estimate.high - estimate.low) / 2;
  if (distance === 0 || half === 0) return undefined;
  return Math.max(pairs + 1, Math.ceil(pairs * (half / distance) ** 2));
}

/** Pairs that tell a difference of `margin` between two shares when `discordant` of all pairs differ (Connor 1987, 80 % power). */
export function pairsForShares(margin: number, discordant: number): number {
  const share = Math.min(1, Math.max(discordant, margin));
  const power = 0.8416212335729143;
  const root = Z95 * Math.sqrt(share) + power * Math.sqrt(Math.max(0, share - margin * margin));
  return Math.ceil((root / margin) ** 2);
}
