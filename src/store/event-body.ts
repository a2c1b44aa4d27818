import type { EventBody } from '../core/event.ts';
import type { BlobStore } from './blob-store.ts';

/** Strings longer than this stand in the blob store. */
const LARGE = 16_384;

/** The body as JSON, large strings moved to the blob store, each string through `redact` first. */
export function encodeBody(body: EventBody, blobs: BlobStore, redact: (text: string) => string): string {
  const json = JSON.stringify(body);
  const clean = redact(json);
  const safe = clean === json || isJson(clean) ? clean : JSON.stringify(mapStrings(body, redact));
  if (safe.length <= LARGE) return safe;
  return JSON.stringify(mapStrings(JSON.parse(safe), (text) => (text.length > LARGE ? { $blob: blobs.put(text) } : text)));
}

export function decodeBody(json: string, blobs: BlobStore): EventBody {
  if (!json.includes('{"$blob":"')) return JSON.parse(json) as EventBody;
  return JSON.parse(json, (_key, value: unknown) => {
    const hash = value !== null && typeof value === 'object' ? (value as { $blob?: unknown }).$blob : undefined;
    return typeof hash === 'string' && Object.keys(value as object).length === 1 ? (blobs.get(hash) ?? `[payload ${hash} is gone]`) : value;
  }) as EventBody;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function mapStrings(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]));
}
