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
  const outside = isNumber(min) && seen < min ? min - seen : isNumber(max) && seen > max ? seen - max : undefined;
  // Without the noise of binary fractions.
  return outside === undefined ? bounds : { ...bounds, outside_by: Math.round(outside * 1e6) / 1e6 };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
