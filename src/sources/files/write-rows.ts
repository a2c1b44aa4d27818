import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** Writes rows as CSV of one kind: UTF-8, LF, every value in quotes, NULL as nothing at all. */
export interface RowWriter {
  /** `line` stands first in every row, so that no row is an empty line. */
  write(line: number, cells: readonly (string | null)[]): void;
  /** Waits until what was written has left the memory. */
  drain(): Promise<void>;
  end(): Promise<{ readonly rows: number; readonly longest: number }>;
}

const FLUSH_CHARACTERS = 256 * 1024;

export function openRowWriter(path: string): RowWriter {
  const stream = createWriteStream(path);
  let failure: Error | undefined;
  stream.on('error', (error) => {
    failure = error;
  });
  let pending = '';
  let rows = 0;
  let longest = 0;
  const flush = async (): Promise<void> => {
    if (failure) throw failure;
    const text = pending;
    pending = '';
    if (text.length > 0 && !stream.write(text)) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          stream.off('drain', done);
          stream.off('error', done);
          resolve();
        };
        stream.on('drain', done);
        stream.on('error', done);
      });
    }
    if (failure) throw failure;
  };
  return {
    write(line, cells) {
      let row = String(line);
      for (const cell of cells) row += cell === null ? ',' : `,"${cell.includes('"') ? cell.replaceAll('"', '""') : cell}"`;
      pending += `${row}\n`;
      rows++;
      if (row.length > longest) longest = row.length;
    },
    async drain() {
      if (pending.length >= FLUSH_CHARACTERS) await flush();
    },
    async end() {
      await flush();
      stream.end();
      await finished(stream);
      return { rows, longest };
    },
  };
}
