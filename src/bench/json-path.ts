/** What stands at a path such as `rows[0].total`; `found: false` when there is nothing. */
export function valueAtPath(value: unknown, path: string): { readonly found: boolean; readonly value: unknown } {
  let here = value;
  for (const step of path.replace(/^\$\.?/, '').match(/[^.[\]]+/g) ?? []) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return { found: false, value: undefined };
    here = (here as Record<string, unknown>)[step];
  }
  return { found: true, value: here };
}

/** The answer as JSON: all of it, or its first fenced block, or from its first bracket to its last. */
export function readJsonAnswer(answer: string): unknown {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)```/.exec(answer)?.[1];
  const bracketed = /[[{][\s\S]*[\]}]/.exec(answer)?.[0];
  for (const candidate of [answer, fenced, bracketed]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate);
    } catch {
      // The next reading may fit.
    }
  }
  return undefined;
}

/** Equal as JSON values; numbers may differ by `tolerance`. */
export function sameJson(left: unknown, right: unknown, tolerance: number): boolean {
  if (typeof left === 'number' && typeof right === 'number') return Math.abs(left - right) <= tolerance;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) && sameJson((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key], tolerance),
    )
  );
}
