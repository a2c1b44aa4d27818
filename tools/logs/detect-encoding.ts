import { isUtf8 } from 'node:buffer';

export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin-1';

/** The encoding of a text by its first bytes: a byte order mark, the place of zero bytes, or whether they are UTF-8. */
export function detectEncoding(start: Buffer): TextEncodingName | 'binary' {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  const sample = start.subarray(0, 4096);
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd > 0) {
    if (odd > sample.length / 4 && even === 0) return 'utf-16le';
    if (even > sample.length / 4 && odd === 0) return 'utf-16be';
    if (even + odd > sample.length / 100 && !isTextBesideZeros(sample)) return 'binary';
    return 'utf-8';
  }
  return isUtf8(wholeLines(start)) ? 'utf-8' : 'latin-1';
}

/** Zero bytes in a text come from a crash or a preallocated file; in a binary file other control characters stand beside them. */
function isTextBesideZeros(sample: Buffer): boolean {
  const others = sample.filter((byte) => byte !== 0);
  const controls = others.filter((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x1b).length;
  return others.length > 0 && controls <= others.length / 200 && isUtf8(wholeLines(Buffer.from(others)));
}

/** 3 after a UTF-8 byte order mark, else 0. */
export function startOfText(start: Buffer): number {
  return start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? 3 : 0;
}

function wholeLines(start: Buffer): Buffer {
  const last = start.lastIndexOf(0x0a);
  if (last >= 0) return start.subarray(0, last);
  let end = start.length;
  for (let back = 0; back < 3 && end > 0 && (start[end - 1] ?? 0) >= 0x80; back++) end--;
  return start.subarray(0, end);
}
