import type { ToolCall } from '../core/message.ts';

/** Whether two results are equal but for their id and time. */
export function sameResult(left: string, right: string): boolean {
  return withoutVolatile(left) === withoutVolatile(right);
}

export const BLOCKED_CODE = 'repeated_call_blocked';

/** Whether a result is the message that stands in place of one that came too often. */
export function isBlocked(content: string): boolean {
  return content.includes(`"${BLOCKED_CODE}"`);
}

/** The result without its id, its time and the hash over both, which differ from call to call though nothing else does. */
function withoutVolatile(content: string): string {
  return content
    .replace(/"id":"[^"]*",/, '')
    .replace(/"as_of":"[^"]*",/, '')
    .replace(/"reference":"[0-9a-f]{64}",/, '');
}

/** Name and arguments in one canonical text: keys sorted, so that their order makes no difference. */
export function callKey(call: Pick<ToolCall, 'name' | 'arguments'>): string {
  const known = keys.get(call);
  if (known !== undefined) return known;
  const key = `${call.name} ${JSON.stringify(sortKeys(call.arguments))}`;
  keys.set(call, key);
  return key;
}

/** A call is asked for its key several times a turn. */
const keys = new WeakMap<object, string>();

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object' || isSorted(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, child]) => [key, sortKeys(child)]),
  );
}

/** The common case: simple values under keys that are in order already. */
function isSorted(value: object): boolean {
  let before = '';
  for (const [key, child] of Object.entries(value)) {
    if (key < before || (child !== null && typeof child === 'object')) return false;
    before = key;
  }
  return true;
}
