import type { Mention } from './mention.ts';
import { significantDigits } from './read-number.ts';
import type { ResultIndex } from './result-index.ts';
import { secondsIn } from './units.ts';

interface Among {
  readonly index: ResultIndex;
  /** The results whose values count, by their places; all of them where none is given. */
  readonly places: readonly number[];
}

/** The share of numbers of this size and precision that some value of the results would meet. */
export function chanceOf(mention: Mention, width: number, { index, places }: Among): number {
  if (mention.kind === 'span') return significantDigits(String(Math.round(mention.seconds / mention.precision))) >= 4 ? 0.001 : 0.05;
  if (mention.kind === 'identifier') return 0;
  if (mention.kind === 'moment') return momentChance(mention.moments[0], index);
  const reading = mention.readings[0];
  if (!reading) return 1;
  const value = Math.abs(reading.value * (mention.factors[0] ?? 1)) * (secondsIn(mention.unit) ?? 1);
  if (value <= 20 && reading.decimals === 0) return 1;
  if (reading.decimals === 0 && reading.value >= 1990 && reading.value <= 2035) return 0.5;
  if (reading.decimals === 0 && significantDigits(reading.exact) === 1) return 0.5;
  const values = places.length > 0 ? places.map(index.valuesOf) : [index.distinct];
  const near = values.reduce((sum, held) => sum + countBetween(held, value / 3, value * 3), 0);
  const resolution = Math.max(width * 2 * (secondsIn(mention.unit) ?? 1), 10 ** -Math.max(reading.decimals, 0));
  return Math.min(1, (near * resolution) / (value * 2.67));
}

function momentChance(moment: { readonly date?: string; readonly time?: string } | undefined, index: ResultIndex): number {
  if (moment?.time === undefined) return index.dates.size > 12 ? 0.05 : 0.01;
  if (moment.date !== undefined || moment.time.length > 5) return 0.001;
  return Math.min(1, (index.clocks.size / 1440) * 2);
}

/** `values` need not be sorted by the caller: they are sorted once when the index is made. */
function countBetween(values: Float64Array, low: number, high: number): number {
  return lowerBound(values, high) - lowerBound(values, low);
}

function lowerBound(values: Float64Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
