import { leavesOf } from './json-path.ts';

/** One value of a result that is another by now. */
export interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Keys whose values differ from call to call though nothing else does: times, hashes of payloads, costs. */
const VOLATILE = /^(?:id|as_of|elapsed\w*|\w+_ms|reference|tokens_in|tokens_out|peak_tokens|full_text)$/;

const MOST_CHANGES = 20;

/** Where two results differ, times and costs left aside; empty when they say the same. */
export function compareResults(then: string, now: string): Change[] {
  if (then === now) return [];
  const before = valuesOf(then);
  const after = valuesOf(now);
  const changes: Change[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const left = before.get(path);
    const right = after.get(path);
    if (left !== right && changes.push({ path, before: left, after: right }) >= MOST_CHANGES) break;
  }
  return changes;
}

function valuesOf(content: string): Map<string, string> {
  let document: unknown;
  try {
    document = JSON.parse(content);
  } catch {
    return new Map([['text', content]]);
  }
  const values = new Map<string, string>();
  for (const { path, value } of leavesOf(document)) {
    if (!path.split('.').some((part) => VOLATILE.test(part.replace(/\[\d+\]$/, '')))) values.set(path, String(value));
  }
  return values;
}
