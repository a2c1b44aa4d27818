import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { Scope } from '../../core/scope.ts';

/** A compressed file that holds more than this is refused; one that grows so many times, once it is large, too. */
const MOST_DECOMPRESSED_BYTES = 4 * 1024 ** 3;
const LARGE_BYTES = 64 * 1024 ** 2;
const MOST_TIMES_LARGER = 200;

export interface ChunkSource {
  readonly path: string;
  readonly gzip: boolean;
  readonly scope: Scope;
  /** Stop after this many decompressed bytes. */
  readonly limit?: number;
}

/** A file's bytes do not come out: a damaged compressed file, one that grows without end, or a stopped scope. */
export class UnreadableFileError extends Error {
  readonly code: 'damaged' | 'too_large' | 'stopped';
  constructor(code: UnreadableFileError['code'], message: string) {
    super(message);
    this.name = 'UnreadableFileError';
    this.code = code;
  }
}

/**
 * The bytes of a file in order, decompressed, at most `limit` of them.
 *
 * @throws UnreadableFileError
 */
export async function* readChunks({ path, gzip, scope, limit = Number.POSITIVE_INFINITY }: ChunkSource): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const stream = gzip ? file.pipe(createGunzip()) : file;
  if (gzip) file.on('error', (error) => stream.destroy(error));
  let total = 0;
  try {
    for await (const piece of stream) {
      if (scope.stopped) throw new UnreadableFileError('stopped', 'stopped before the file was read');
      const chunk = piece as Buffer;
      if (gzip) refuseBomb(total + chunk.length, file.bytesRead);
      if (total + chunk.length >= limit) {
        yield chunk.subarray(0, limit - total);
        return;
      }
      total += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw asUnreadable(error);
  } finally {
    stream.destroy();
    file.destroy();
  }
}

function refuseBomb(bytes: number, compressed: number): void {
  if (bytes > MOST_DECOMPRESSED_BYTES || (bytes > LARGE_BYTES && bytes > MOST_TIMES_LARGER * compressed)) {
    const times = Math.round(bytes / Math.max(1, compressed));
    throw new UnreadableFileError('too_large', `the compressed data grows ${times} times, past ${bytes} bytes: not read further`);
  }
}

function asUnreadable(error: unknown): unknown {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && code.startsWith('Z_')
    ? new UnreadableFileError('damaged', `the compressed data is damaged or cut (${code})`)
    : error;
}

/** Up to `limit` bytes from the start; what could be read before damage in a compressed file. */
export async function readHead(source: ChunkSource & { readonly limit: number }): Promise<{ bytes: Buffer; damage: string | null }> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of readChunks(source)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof UnreadableFileError && error.code === 'damaged') return { bytes: Buffer.concat(chunks), damage: error.message };
    throw error;
  }
  return { bytes: Buffer.concat(chunks), damage: null };
}

/** `length` bytes at `offset` of an uncompressed file. */
export async function readAt(path: string, offset: number, length: number): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await handle.read(buffer, 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
