import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type Database from 'better-sqlite3';

const COMPRESS_FROM = 512;

/** Texts kept once each under their SHA-256, deflated where that is smaller. */
export interface BlobStore {
  put(text: string): string;
  get(hash: string): string | undefined;
}

export function createBlobStore(database: Database.Database): BlobStore {
  const insert = database.prepare('INSERT INTO blobs (hash, bytes, encoding, content) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING');
  const select = database.prepare<[string], { encoding: string; content: Buffer }>('SELECT encoding, content FROM blobs WHERE hash = ?');
  return {
    put: (text) => {
      const bytes = Buffer.from(text, 'utf8');
      const hash = createHash('sha256').update(bytes).digest('hex');
      const small = bytes.length >= COMPRESS_FROM ? deflateRawSync(bytes) : bytes;
      const [encoding, content] = small.length < bytes.length ? ['deflate', small] : ['text', bytes];
      insert.run(hash, bytes.length, encoding, content);
      return hash;
    },
    get: (hash) => {
      const row = select.get(hash);
      if (!row) return undefined;
      return (row.encoding === 'deflate' ? inflateRawSync(row.content) : row.content).toString('utf8');
    },
  };
}
