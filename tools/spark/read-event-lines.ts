import { open } from 'node:fs/promises';
import { newLineReading, readLineBatches } from '../logs/read-line-batches.ts';

/** What reading the lines of one file told; rises while it is read. */
export interface EventLines {
  /** Why the rest could not be read. */
  problem: string | null;
  /** Lines longer than 1 MiB whose rest was not kept. */
  longLines: number;
  /** True where the last line has no end: the file is still written, or was cut. */
  unended: boolean;
}

const LONGEST_LINE = 32 * 1024 * 1024;

/** The lines of an event log in batches: plain, gzip or zstd. Never rejects: what went wrong is in `state.problem`. */
export async function* readEventLines(path: string, state: EventLines, most = Number.POSITIVE_INFINITY): AsyncGenerator<readonly string[]> {
  if (await isZstd(path)) {
    yield* unpackZstd(path, state, most);
    return;
  }
  const reading = newLineReading();
  let lines = 0;
  for await (const batch of readLineBatches(path, reading)) {
    lines += batch.lines.length;
    state.unended = batch.unended;
    state.longLines = reading.longLines;
    yield batch.lines;
    if (lines >= most) return;
  }
  state.longLines = reading.longLines;
  if (reading.problem) {
    const packed = /\.(lz4|snappy|lzf)$/.exec(path)?.[1];
    state.problem = packed ? `is compressed with ${packed}; unpack it first, or write event logs with zstd` : reading.problem.message;
  }
}

async function isZstd(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'r');
    try {
      const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
      return buffer.toString('hex') === '28b52ffd';
    } finally {
      await handle.close();
    }
  } catch {
    return false;
  }
}

/** Node learned zstd in version 22; DuckDB reads it in every version, line by line with a field that never ends. */
async function* unpackZstd(path: string, state: EventLines, most: number): AsyncGenerator<readonly string[]> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '512MB', threads: '1' });
  try {
    const connection = await instance.connect();
    const place = path.replace(/[*?[]/g, '[$&]').replace(/'/g, "''");
    const limit = Number.isFinite(most) ? ` LIMIT ${most}` : '';
    const result = await connection.stream(
      `SELECT line FROM read_csv('${place}', columns = {'line': 'VARCHAR'}, auto_detect = false, header = false, delim = '\u001f', quote = '', escape = '',
        compression = 'zstd', max_line_size = ${LONGEST_LINE}, buffer_size = ${LONGEST_LINE * 2}, null_padding = true, strict_mode = false, parallel = false)${limit}`,
    );
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
      const column = chunk.getColumnVector(0);
      yield Array.from({ length: chunk.rowCount }, (_, row) => String(column.getItem(row) ?? ''));
    }
  } catch (error) {
    state.problem = `the zstd stream could not be read to its end: ${(error instanceof Error ? error.message : 'unknown error').split('\n', 1)[0]?.slice(0, 160)}`;
  } finally {
    instance.closeSync();
  }
}
