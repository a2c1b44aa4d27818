import { isZstd, newLineReading, readLineBatches } from '../logs/read-line-batches.ts';
import { readZstdLines, ZstdError } from '../logs/read-zstd-lines.ts';

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
    try {
      yield* readZstdLines(path, { longest: LONGEST_LINE, ...(Number.isFinite(most) ? { most } : {}) });
    } catch (error) {
      if (!(error instanceof ZstdError)) throw error;
      state.problem = error.message;
    }
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
