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
  const key = `${call.name} ${sortedJson(call.arguments)}`;
  keys.set(call, key);
  return key;
}

/** A call is asked for its key several times a turn. */
const keys = new WeakMap<object, string>();

/** JSON writes the keys that it is given in their order: of all levels where there are several. */
function sortedJson(value: unknown): string | undefined {
  const keys = new Set<string>();
  addKeys(value, keys);
  return JSON.stringify(value, [...keys].sort());
}

function addKeys(value: unknown, keys: Set<string>): void {
  if (value === null || typeof value !== 'object') return;
  const isList = Array.isArray(value);
  for (const key of Object.keys(value)) {
    if (!isList) keys.add(key);
    addKeys((value as Record<string, unknown>)[key], keys);
  }
}
