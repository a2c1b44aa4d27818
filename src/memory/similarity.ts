import type { GenerationSettings } from '../core/memory-index.ts';

const LEAST_DEVIATION = 0.02;
/** In deviations: about one unrelated text of 160 comes higher. */
const UNRELATED_REACH = 2.5;

type Calibration = Pick<GenerationSettings, 'related' | 'unrelated'>;

/**
 * A cosine as a score from 0 to 1: how much likelier it is between a question and its answer than between two that have nothing to do with
 * one another, both normal with one deviation. 0.5 lies halfway, or further up where the unrelated ones still reach, of which there are many.
 */
export function similarityOf(cosine: number, { related, unrelated }: Calibration): number {
  const gap = related.mean - unrelated.mean;
  if (gap <= 0) return 0;
  const variance = Math.max(LEAST_DEVIATION ** 2, (related.deviation ** 2 + unrelated.deviation ** 2) / 2);
  const halfway = Math.max((related.mean + unrelated.mean) / 2, unrelated.mean + UNRELATED_REACH * unrelated.deviation);
  return 1 / (1 + Math.exp((-gap / variance) * (cosine - halfway)));
}

/** Mean and standard deviation. */
export function spreadOf(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  if (values.length === 0) return { mean: 0, deviation: 0 };
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / Math.max(1, values.length - 1)) };
}

export function cosineOf(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let place = 0; place < one.length; place++) sum += (one[place] ?? 0) * (other[place] ?? 0);
  return sum;
}
