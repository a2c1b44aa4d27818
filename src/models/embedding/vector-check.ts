const UNIT = 1e-3;

/**
 * A vector of length 1 from what a server sent, or why there is none. Servers that do not normalise are known, so a
 * vector of another length is scaled; one that has no direction is no vector.
 */
export function toUnitVector(values: unknown): Float32Array | { readonly problem: string } {
  if (!Array.isArray(values) || values.length === 0) return { problem: 'no vector' };
  const vector = Float32Array.from(values as number[]);
  let sum = 0;
  for (const value of vector) sum += value * value;
  const norm = Math.sqrt(sum);
  if (!Number.isFinite(norm)) return { problem: 'a vector that holds NaN or Inf' };
  if (norm === 0) return { problem: 'a vector of zeros' };
  if (Math.abs(norm - 1) > UNIT) for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) / norm;
  return vector;
}
