/** The least and the most that a check allows, and by how much what it saw lies outside of them. */
export interface Bounds {
  readonly expected_min?: number;
  readonly expected_max?: number;
  readonly outside_by?: number;
}

/** Reads `{"min_value":1,"max_value":5}`, as Great Expectations writes what it expects, beside the value that was observed. */
export function readBounds(observed: string | null, expected: string | null): Bounds {
  const { min_value: min, max_value: max } = argumentsOf(expected);
  const bounds = { ...(isNumber(min) ? { expected_min: min } : {}), ...(isNumber(max) ? { expected_max: max } : {}) };
  const seen = observed === null || observed.trim() === '' ? Number.NaN : Number(observed);
  const outside = isNumber(min) && seen < min ? min - seen : isNumber(max) && seen > max ? seen - max : undefined;
  // Without the noise of binary fractions.
  return outside === undefined ? bounds : { ...bounds, outside_by: Math.round(outside * 1e6) / 1e6 };
}

function argumentsOf(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null || !text.startsWith('{')) return {};
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
