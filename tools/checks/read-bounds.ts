import { type Json, numberOf } from '../artifacts/read-artifact.ts';

/** The least and the most that a check allows, and by how much what it saw lies outside of them. */
export interface Bounds {
  readonly expected_min?: number;
  readonly expected_max?: number;
  readonly outside_by?: number;
}

/** Reads `min_value` and `max_value`, as Great Expectations names what it expects, beside the value that was observed. */
export function readBounds(observed: unknown, { min_value: min, max_value: max }: Json): Bounds {
  const bounds = { ...(isNumber(min) ? { expected_min: min } : {}), ...(isNumber(max) ? { expected_max: max } : {}) };
  const seen = Number(numberOf(observed) ?? Number.NaN);
  if (!isNumber(seen)) return bounds;
  if (isNumber(min) && seen < min) return { ...bounds, outside_by: difference(min, seen) };
  return isNumber(max) && seen > max ? { ...bounds, outside_by: difference(seen, max) } : bounds;
}

const SURE_DIGITS = 14;

/** The difference without the noise of binary fractions, which is as large as the numbers are, not as their difference is. */
function difference(more: number, less: number): number {
  const size = Math.ceil(Math.log10(Math.max(Math.abs(more), Math.abs(less))));
  return Number((more - less).toFixed(Math.min(100, Math.max(0, SURE_DIGITS - size))));
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
