import { JsonSplitter } from '../logs/json-splitter.ts';
import { isZstd, newLineReading, readLineBatches, readTextPieces } from '../logs/read-line-batches.ts';
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

/**
 * The events of a log in batches, each as one line of JSON, also where they stand in one list or are written over many lines. Never
 * rejects: what went wrong is in `state.problem`.
 */
export async function* readEventLines(path: string, state: EventLines, most?: number): AsyncGenerator<readonly string[]> {
  const reading = newLineReading();
  const splitter = new JsonSplitter();
  let isDocument: boolean | undefined;
  for await (const piece of readTextPieces(path, reading)) {
    isDocument ??= piece.trim() === '' ? undefined : /^\s*(?:\[|\{\s*\n)/.test(piece);
    if (isDocument === false) break;
    yield splitter.push(piece, 1).map(({ text }) => text);
    if (splitter.tooLarge) {
      state.problem = 'one event is too large to be read';
      return;
    }
  }
  if (isDocument !== true) yield* readPlainLines(path, state, most);
  else {
    const rest = splitter.rest();
    if (rest) yield [rest.text];
    state.problem = reading.problem?.message ?? null;
  }
}

/** The lines of a file in batches: plain, gzip or zstd. */
async function* readPlainLines(path: string, state: EventLines, most = Number.POSITIVE_INFINITY): AsyncGenerator<readonly string[]> {
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
