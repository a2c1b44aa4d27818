import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import { DamagedStoreError } from './store-errors.ts';

const COMPRESS_FROM = 512;
/** Two thirds of the best ratio at a third of its time, and payloads are packed while a model waits. */
const LEVEL = 3;

/** A text on its way into the store. */
export interface PackedText {
  readonly hash: string;
  readonly bytes: number;
  readonly encoding: 'text' | 'deflate';
  readonly content: Buffer;
}

/** Texts kept once each under their SHA-256, deflated where that is smaller. */
export interface BlobStore {
  /** Packs without writing, so that a transaction need not last as long as the compression; a text that is stored, or waits to be, packs to its hash. */
  pack(text: string, waiting?: readonly PackedText[]): PackedText | string;
  write(packed: PackedText): void;
  /** @throws DamagedStoreError when what is stored is not what was put there. */
  get(hash: string): string | undefined;
}

export function createBlobStore(database: Database.Database): BlobStore {
  const insert = database.prepare('INSERT INTO blobs (hash, bytes, encoding, content) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING');
  const select = database.prepare<[string], { encoding: string; content: Buffer }>('SELECT encoding, content FROM blobs WHERE hash = ?');
  const exists = database.prepare<[string], number>('SELECT 1 FROM blobs WHERE hash = ?').pluck();
  return {
    pack: (text, waiting = []) => {
      const bytes = Buffer.from(text, 'utf8');
      const hash = sha256(bytes);
      if (waiting.some((packed) => packed.hash === hash) || exists.get(hash) !== undefined) return hash;
      const deflated = bytes.length >= COMPRESS_FROM ? deflateRawSync(bytes, { level: LEVEL }) : bytes;
      if (deflated.length < bytes.length) return { hash, bytes: bytes.length, encoding: 'deflate', content: deflated };
      return { hash, bytes: bytes.length, encoding: 'text', content: bytes };
    },
    write: ({ hash, bytes, encoding, content }) => {
      insert.run(hash, bytes, encoding, content);
    },
    get: (hash) => {
      const row = select.get(hash);
      return row && unpack(row, hash).toString('utf8');
    },
  };
}

function unpack({ encoding, content }: { encoding: string; content: Buffer }, hash: string): Buffer {
  let bytes: Buffer | undefined;
  try {
    bytes = encoding === 'deflate' ? inflateRawSync(content) : content;
  } catch {
    bytes = undefined;
  }
  if (bytes && sha256(bytes) === hash) return bytes;
  throw new DamagedStoreError(`payload ${hash} is not what was stored`);
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
