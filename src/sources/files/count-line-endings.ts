import type { LineEndingReading } from '../../core/file-reading.ts';

export interface LineEndingScan {
  feed(text: string): void;
  end(): LineEndingReading;
}

/** Counts the line endings of a text that comes in pieces, and where they first differ. */
export function scanLineEndings(): LineEndingScan {
  const counts = { crlf: 0, lf: 0, cr: 0 };
  let first: keyof typeof counts | undefined;
  let change: number | undefined;
  let pendingReturn = false;
  let endsWithNewline = false;
  const add = (kind: keyof typeof counts): void => {
    counts[kind]++;
    first ??= kind;
    if (kind !== first) change ??= counts.crlf + counts.lf + counts.cr;
  };
  return {
    feed(text) {
      if (text.length === 0) return;
      let at = 0;
      if (pendingReturn) {
        pendingReturn = false;
        if (text.charCodeAt(0) === 10) {
          add('crlf');
          at = 1;
        } else add('cr');
      }
      const hasReturns = text.includes('\r');
      if (!hasReturns) {
        for (let next = text.indexOf('\n', at); next !== -1; next = text.indexOf('\n', next + 1)) add('lf');
      } else {
        for (; at < text.length; at++) {
          const code = text.charCodeAt(at);
          if (code === 10) add('lf');
          else if (code === 13) {
            if (at + 1 === text.length) pendingReturn = true;
            else if (text.charCodeAt(at + 1) === 10) {
              add('crlf');
              at++;
            } else add('cr');
          }
        }
      }
      const last = text.charCodeAt(text.length - 1);
      endsWithNewline = last === 10 || last === 13;
    },
    end() {
      if (pendingReturn) add('cr');
      const mixed = [counts.crlf, counts.lf, counts.cr].filter((count) => count > 0).length > 1;
      return { ...counts, mixed, ...(change === undefined ? {} : { first_change_line: change }), ends_with_newline: endsWithNewline };
    },
  };
}
