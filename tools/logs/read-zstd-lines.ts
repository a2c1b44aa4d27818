import { open } from 'node:fs/promises';
import type * as DuckDb from '@duckdb/node-api';

/** The zstd stream could not be read to its end; its message says why. */
export class ZstdError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ZstdError';
  }
}

export interface ZstdOptions {
  /** Bytes of the longest line. */
  readonly longest: number;
  /** Lines to read at most. */
  readonly most?: number;
}

type Lines = AsyncGenerator<readonly string[]>;

/**
 * The lines of a file packed with zstd, in batches. Node learned zstd in version 22; DuckDB reads it in every version: as a table of one
 * column, cut at a letter that no text has. @throws ZstdError after the lines that could be read.
 */
export async function* readZstdLines(path: string, options: ZstdOptions): Lines {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '512MB', threads: '1' });
  try {
    const connection = await instance.connect();
    yield* readWithFallbacks(connection, path, options);
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : 'unknown error').split('\n', 1);
    throw new ZstdError(`the zstd stream could not be read to its end: ${line.slice(0, 160)}`);
  } finally {
    instance.closeSync();
  }
  if (options.most === undefined && (await isCut(path)))
    throw new ZstdError('the zstd stream is damaged or cut off; what came before was read');
}

/** UTF-8 first, Latin-1 where that fails at once; each line end by itself unless every line has two. */
async function* readWithFallbacks(connection: DuckDb.DuckDBConnection, path: string, options: ZstdOptions): Lines {
  const read = (encoding: string, newline: string): Lines => readTable(connection, statement(path, { ...options, encoding, newline }));
  let lines = read('utf-8', '\\n');
  let first = await lines.next().catch(() => undefined);
  const encoding = first === undefined ? 'latin-1' : 'utf-8';
  if (first === undefined) {
    lines = read(encoding, '\\n');
    first = await lines.next();
  }
  if (first.done) return;
  const isDoubled = first.value.length > 1 && first.value.every((line, at) => at % 2 === 0 || line === '');
  if (isDoubled && first.value.some((line) => line !== '')) yield* read(encoding, '\\r\\n');
  else {
    yield first.value;
    yield* lines;
  }
}

function statement(path: string, options: ZstdOptions & { readonly encoding: string; readonly newline: string }): string {
  const place = path.replace(/[*?[]/g, '[$&]').replace(/'/g, "''");
  const limit = options.most === undefined || !Number.isFinite(options.most) ? '' : ` LIMIT ${options.most}`;
  return `SELECT line FROM read_csv('${place}', columns = {'line': 'VARCHAR'}, auto_detect = false, header = false, delim = '\u001f', quote = '',
    escape = '', compression = 'zstd', encoding = '${options.encoding}', new_line = '${options.newline}', max_line_size = ${options.longest},
    buffer_size = ${options.longest * 2}, null_padding = true, strict_mode = false, parallel = false)${limit}`;
}

async function* readTable(connection: DuckDb.DuckDBConnection, sql: string): Lines {
  const result = await connection.stream(sql);
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const column = chunk.getColumnVector(0);
    yield Array.from({ length: chunk.rowCount }, (_, row) => String(column.getItem(row) ?? ''));
  }
}

const MAGIC = 0xfd2fb528;

/** Whether the file's last frame misses its end, which DuckDB does not say. Walks the headers of frames and blocks (RFC 8878). */
async function isCut(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const read = async (at: number, length: number): Promise<Buffer> =>
      (await handle.read(Buffer.alloc(length), 0, length, at)).buffer.subarray(0, Math.max(0, size - at));
    let at = 0;
    while (at < size) {
      const end = await frameEnd(at, read);
      if (end === undefined || end > size) return true;
      at = end;
    }
    return false;
  } finally {
    await handle.close();
  }
}

async function frameEnd(start: number, read: (at: number, length: number) => Promise<Buffer>): Promise<number | undefined> {
  const head = await read(start, 8);
  if (head.length < 8) return undefined;
  const magic = head.readUInt32LE(0);
  if (magic >= 0x184d2a50 && magic <= 0x184d2a5f) return start + 8 + head.readUInt32LE(4);
  if (magic !== MAGIC) return undefined;
  const descriptor = head[4] as number;
  const isSingle = (descriptor & 0x20) !== 0;
  const contentBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] as number;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] as number;
  let at = start + 5 + (isSingle ? 0 : 1) + dictionaryBytes + contentBytes;
  for (;;) {
    const block = await read(at, 3);
    if (block.length < 3) return undefined;
    const header = block.readUIntLE(0, 3);
    at += 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3);
    if (header & 1) return at + (descriptor & 4 ? 4 : 0);
  }
}
