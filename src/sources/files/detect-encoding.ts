import { isUtf8 } from 'node:buffer';
import type { EncodingReading, TextEncodingName } from '../../core/file-reading.ts';

export interface EncodingScan {
  feed(chunk: Buffer): void;
  end(): EncodingReading;
}

/** Reads bytes in order and says which encoding they are in and why. Every byte that is fed counts. */
export function scanEncoding(): EncodingScan {
  let mark: { name: TextEncodingName; evidence: string } | null | undefined;
  let carried: Buffer = Buffer.alloc(0);
  let offset = 0;
  const utf8 = { multibyte: 0, invalid: 0, firstInvalid: -1, highControl: 0 };
  const zeros = { even: 0, odd: 0 };
  const take = (bytes: Buffer, last: boolean): void => {
    const cut = last ? bytes.length : completeLength(bytes);
    checkUtf8(bytes.subarray(0, cut), offset, utf8);
    offset += cut;
    carried = bytes.subarray(cut);
  };
  return {
    feed(chunk) {
      countZeros(chunk, offset + carried.length, zeros);
      const bytes = carried.length > 0 ? Buffer.concat([carried, chunk]) : chunk;
      if (mark === undefined && bytes.length >= 3) mark = byteOrderMark(bytes);
      take(bytes, false);
    },
    end() {
      if (mark === undefined) mark = byteOrderMark(carried);
      take(carried, true);
      return judge({ mark, utf8, zeros, bytes: offset });
    },
  };
}

function byteOrderMark(bytes: Buffer): { name: TextEncodingName; evidence: string } | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { name: 'utf-8', evidence: 'byte order mark EF BB BF' };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { name: 'utf-16le', evidence: 'byte order mark FF FE' };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { name: 'utf-16be', evidence: 'byte order mark FE FF' };
  return null;
}

function countZeros(chunk: Buffer, offset: number, zeros: { even: number; odd: number }): void {
  for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) {
    if ((offset + at) % 2 === 0) zeros.even++;
    else zeros.odd++;
  }
}

/** Length of the bytes without a multi-byte character that the chunk's end may have cut. */
export function completeLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xc2 && lead < 0xe0 ? 2 : 1;
}

/** Characters of several bytes that are counted in a sound text before the rest is taken to be so. */
const ENOUGH = 1000;

interface Utf8Counts {
  multibyte: number;
  invalid: number;
  firstInvalid: number;
  highControl: number;
}

function checkUtf8(bytes: Buffer, offset: number, counts: Utf8Counts): void {
  const valid = isUtf8(bytes);
  if (valid && counts.multibyte >= ENOUGH) return;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) {
      at++;
      continue;
    }
    const length = sequenceLength(byte);
    if (valid || (length > 1 && isUtf8(bytes.subarray(at, at + length)))) {
      counts.multibyte++;
      if (valid && counts.multibyte >= ENOUGH) return;
      at += length;
      continue;
    }
    counts.invalid++;
    if (counts.firstInvalid < 0) counts.firstInvalid = offset + at;
    if (byte < 0xa0) counts.highControl++;
    at++;
  }
}

interface Seen {
  readonly mark: { readonly name: TextEncodingName; readonly evidence: string } | null;
  readonly utf8: Utf8Counts;
  readonly zeros: { readonly even: number; readonly odd: number };
  readonly bytes: number;
}

function judge({ mark, utf8, zeros, bytes }: Seen): EncodingReading {
  const zeroBytes = zeros.even + zeros.odd;
  const damage = utf8.invalid > 0 ? { invalid: { first_offset: utf8.firstInvalid, count: utf8.invalid } } : {};
  if (mark?.name === 'utf-8') return { ...mark, byte_order_mark: true, zero_bytes: zeroBytes, ...damage };
  if (mark) return { ...mark, byte_order_mark: true, zero_bytes: 0 };
  const half = bytes / 2;
  if (bytes >= 4 && zeros.odd > half * 0.4 && zeros.even < half * 0.1) return wide('utf-16le', 'odd');
  if (bytes >= 4 && zeros.even > half * 0.4 && zeros.odd < half * 0.1) return wide('utf-16be', 'even');
  const plain = { name: 'utf-8' as const, byte_order_mark: false, zero_bytes: zeroBytes };
  if (utf8.invalid === 0) {
    return {
      ...plain,
      evidence: utf8.multibyte > 0 ? 'valid UTF-8 with multi-byte characters' : 'ASCII only: every encoding but UTF-16 fits',
    };
  }
  if (utf8.multibyte > utf8.invalid) {
    return {
      ...plain,
      evidence: `mostly valid UTF-8, but ${utf8.invalid} bytes are not, the first at byte ${utf8.firstInvalid}`,
      ...damage,
    };
  }
  const evidence = `not UTF-8 (byte ${utf8.firstInvalid}); ${utf8.highControl > 0 ? 'bytes 80-9F are in use, so not plain latin-1' : 'latin-1 and windows-1252 agree on all its bytes'}`;
  return { name: 'windows-1252', byte_order_mark: false, evidence, zero_bytes: zeroBytes };
}

function wide(name: TextEncodingName, places: string): EncodingReading {
  return { name, byte_order_mark: false, evidence: `no byte order mark; zero bytes stand at ${places} places`, zero_bytes: 0 };
}
