import type { EventBody } from '../core/event.ts';
import type { BlobStore, PackedText } from './blob-store.ts';
import type { Redaction } from './redact-secrets.ts';
import { DamagedStoreError } from './store-errors.ts';

/** A body whose JSON is longer than this gives its long strings to the blob store. */
const LARGE_BODY = 16_384;
/** Which strings of such a body are long: short ones are cheaper in place than behind a look-up. */
const LONG_STRING = 4_096;

export interface EncodingBody {
  readonly blobs: BlobStore;
  readonly redaction: Redaction;
  /** Takes the payloads that have to be written with the event. */
  readonly payloads: PackedText[];
}

/** The body as JSON, secrets taken out, long strings as `{"$blob": hash}`. Writes nothing. */
export function encodeBody(body: EventBody, { blobs, redaction, payloads }: EncodingBody): string {
  const json = JSON.stringify(body);
  const large = json.length > LARGE_BODY;
  if (!large && !redaction.suspects(json) && !json.includes('$blob"')) return json;
  const refer = (text: string): unknown => {
    const packed = blobs.pack(text, payloads);
    if (typeof packed === 'string') return { $blob: packed };
    payloads.push(packed);
    return { $blob: packed.hash };
  };
  const encode = (text: string, key: string): unknown => {
    const clean = redaction.clean(text, key);
    return large && clean.length > LONG_STRING ? refer(clean) : clean;
  };
  const rename = (name: string): string => redaction.clean(/^\$+blob$/.test(name) ? `$${name}` : name, '');
  return JSON.stringify(rebuild(JSON.parse(json), '', { encode, rename }));
}

/** The body as it was given to {@link encodeBody}, but for the secrets. */
export function decodeBody(json: string, blobs: BlobStore): EventBody {
  try {
    if (!json.includes('$blob"')) return JSON.parse(json) as EventBody;
    return restore(JSON.parse(json), blobs) as EventBody;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DamagedStoreError('an event is no JSON', { cause: error });
  }
}

interface Rebuilding {
  readonly encode: (text: string, key: string) => unknown;
  /** A key that looks like a reference gets one more `$`, so that no tool argument can pass for one. */
  readonly rename: (name: string) => string;
}

function rebuild(value: unknown, key: string, how: Rebuilding): unknown {
  if (typeof value === 'string') return how.encode(value, key);
  if (Array.isArray(value)) return value.map((item) => rebuild(item, key, how));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [how.rename(name), rebuild(item, name, how)]));
}

function restore(value: unknown, blobs: BlobStore): unknown {
  if (Array.isArray(value)) return value.map((item) => restore(item, blobs));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === '$blob' && typeof first[1] === 'string')
    return blobs.get(first[1]) ?? `[payload ${first[1]} is missing from the log]`;
  return Object.fromEntries(entries.map(([name, item]) => [/^\$\$+blob$/.test(name) ? name.slice(1) : name, restore(item, blobs)]));
}
