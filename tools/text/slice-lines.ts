import type { LineBatch } from '../logs/read-line-batches.ts';

const MOST_CHARACTERS = 7_500;
const MOST_LINE = 2_000;

export type Wanted = { readonly from: number; readonly most: number } | { readonly last: number };

/** The lines that are wanted of a file, while its batches go by. */
export interface LineSlice {
  readonly lines: readonly string[];
  /** Lines gone by so far. */
  readonly seen: number;
  /** False once it stopped before the end. */
  readonly atEnd: boolean;
  /** Answers true when nothing further is wanted. */
  take(batch: LineBatch): boolean;
  /** Whole lines within what a result may hold: of the last lines the later ones. */
  fitted(): { readonly from: number; readonly lines: string[] };
}

export function newSlice(wanted: Wanted): LineSlice {
  let lines: string[] = [];
  let seen = 0;
  let atEnd = true;
  return {
    get lines() {
      return lines;
    },
    get seen() {
      return seen;
    },
    get atEnd() {
      return atEnd;
    },
    take(batch) {
      if ('last' in wanted) {
        lines = [...lines, ...batch.lines.slice(-wanted.last)].slice(-wanted.last);
        seen += batch.lines.length;
        return false;
      }
      const skipped = Math.max(0, wanted.from - 1 - seen);
      lines.push(...batch.lines.slice(skipped, skipped + wanted.most - lines.length));
      seen += batch.lines.length;
      const isFull = lines.length >= wanted.most && seen >= wanted.from - 1 + wanted.most;
      // One line more tells whether the file goes on.
      if (isFull && seen > wanted.from - 1 + wanted.most) atEnd = false;
      return isFull && !atEnd;
    },
    fitted() {
      const clipped = lines.map(clipLine);
      if ('last' in wanted) {
        const kept = withinCharacters(clipped.toReversed()).toReversed();
        return { from: seen - kept.length + 1, lines: kept };
      }
      return { from: wanted.from, lines: withinCharacters(clipped) };
    },
  };
}

function clipLine(line: string): string {
  return line.length <= MOST_LINE ? line : `${line.slice(0, MOST_LINE)}… [${line.length} characters in all]`;
}

function withinCharacters(lines: readonly string[]): string[] {
  let size = 0;
  const end = lines.findIndex((line, index) => {
    size += JSON.stringify(line).length + 1;
    return size > MOST_CHARACTERS && index > 0;
  });
  return end < 0 ? [...lines] : lines.slice(0, end);
}
