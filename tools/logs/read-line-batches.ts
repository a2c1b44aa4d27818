import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { detectEncoding, startOfText, type TextEncodingName } from './detect-encoding.ts';
import { isSplitByReturns, withNewlines } from './lone-returns.ts';
import { readZstdLines, ZstdError } from './read-zstd-lines.ts';
import type { YearGuess } from './yearless-time.ts';

const CHUNK_BYTES = 256 * 1024;
const MOST_LINE_BYTES = 1024 * 1024;
const LONGEST_PACKED_LINE = 16 * 1024 * 1024;
const ZSTD = '28b52ffd';

/** Lines of one file that came together, without their line ends. */
export interface LineBatch {
  readonly lines: readonly string[];
  /** Number of the first line, from 1. */
  readonly firstLine: number;
  /** True where the last line of `lines` ends the file without a line end. */
  readonly unended: boolean;
  /** Lines of the file that these stand for, where it is not as many. */
  readonly counted?: number;
}

/** What reading told about the file; rises while it is read. */
export interface LineReading {
  encoding: TextEncodingName | 'mixed';
  compression: 'gzip' | 'zstd' | null;
  /** Bytes of the file itself that were read, compressed where it is. */
  bytesRead: number;
  /** Lines longer than 1 MiB, of which only the beginning was kept. */
  longLines: number;
  /** Of the first time without a year, where the file has such. */
  years: YearGuess | null;
  /** Why the rest could not be read. */
  problem: { readonly code: 'binary' | 'unsupported_compression' | 'damaged' | 'unreadable'; readonly message: string } | null;
}

export function newLineReading(): LineReading {
  return { encoding: 'utf-8', compression: null, bytesRead: 0, longLines: 0, years: null, problem: null };
}

/**
 * The lines of a text file in batches of about 256 KiB: gzip and zstd by their magic bytes, UTF-8, UTF-16 and Latin-1 by content,
 * a line bounded at 1 MiB. Never rejects: what went wrong is in `reading.problem`.
 */
export async function* readLineBatches(path: string, reading: LineReading): AsyncGenerator<LineBatch> {
  try {
    const head = await readHead(path);
    const refusal = refuseByMagic(head);
    if (refusal) {
      reading.problem = refusal;
      return;
    }
    if (head.subarray(0, 4).toString('hex') === ZSTD) {
      yield* unpackLines(path, reading);
      return;
    }
    const packed = head[0] === 0x1f && head[1] === 0x8b;
    if (packed) reading.compression = 'gzip';
    yield* splitLines(openBytes(path, packed, reading), reading);
  } catch (error) {
    reading.problem = problemOf(error);
  }
}

function problemOf(error: unknown): LineReading['problem'] {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return code.startsWith('Z_')
    ? { code: 'damaged', message: 'the gzip stream is damaged or cut off; what came before was read' }
    : { code: 'unreadable', message: `cannot be read (${code || 'unknown error'})` };
}

/** The text of a file in pieces of about 256 KiB that end anywhere, for a document that is no lines. Never rejects, as `readLineBatches`. */
export async function* readTextPieces(path: string, reading: LineReading): AsyncGenerator<string> {
  if (await isZstd(path)) {
    for await (const { lines } of readLineBatches(path, reading)) yield `${lines.join('\n')}\n`;
    return;
  }
  try {
    const head = await readHead(path);
    const packed = head[0] === 0x1f && head[1] === 0x8b;
    if (packed) reading.compression = 'gzip';
    const convert = newConverter(reading);
    let decoder: InstanceType<typeof TextDecoder> | undefined;
    for await (const raw of openBytes(path, packed, reading)) {
      const chunk = convert(raw as Buffer, decoder === undefined);
      if (!chunk) return;
      decoder ??= new TextDecoder(reading.encoding === 'latin-1' ? 'windows-1252' : 'utf-8');
      yield decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    reading.problem = problemOf(error);
  }
}

/** Whether a file is packed with zstd; false where it cannot be read. */
export async function isZstd(path: string): Promise<boolean> {
  const head = await readHead(path).catch(() => undefined);
  return head?.subarray(0, 4).toString('hex') === ZSTD;
}

async function* unpackLines(path: string, reading: LineReading): AsyncGenerator<LineBatch> {
  reading.compression = 'zstd';
  let firstLine = 1;
  try {
    for await (const lines of readZstdLines(path, { longest: LONGEST_PACKED_LINE })) {
      const cut = lines.map((line) => (line.length > MOST_LINE_BYTES ? line.slice(0, MOST_LINE_BYTES) : line));
      reading.longLines += lines.filter((line) => line.length > MOST_LINE_BYTES).length;
      if (firstLine === 1) cut[0] = (cut[0] ?? '').replace(/^\ufeff/, '');
      yield { lines: cut, firstLine, unended: false };
      firstLine += lines.length;
    }
  } catch (error) {
    if (!(error instanceof ZstdError)) throw error;
    reading.problem = { code: 'damaged', message: error.message };
  }
  reading.bytesRead = (await stat(path)).size;
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** What packs a file so that it is not read here, and the command that unpacks it. */
const PACKED: Readonly<Record<string, readonly [name: string, command: string]>> = {
  '425a68': ['bzip2', 'bzip2 -dk FILE'],
  fd377a58: ['xz', 'xz -dk FILE'],
  '504b0304': ['zip', 'unzip FILE'],
  '04224d18': ['lz4', 'lz4 -d FILE'],
  '4c5a3442': ["Spark's lz4 blocks", 'write event logs with zstd, or read them with the Spark history server'],
  ff060000: ['snappy', 'snzip -dk FILE'],
};

function refuseByMagic(head: Buffer): LineReading['problem'] {
  const hex = head.subarray(0, 4).toString('hex');
  const packed = PACKED[hex] ?? PACKED[hex.slice(0, 6)];
  if (packed)
    return {
      code: 'unsupported_compression',
      message: `is compressed with ${packed[0]}, which is not read here; unpack it first: ${packed[1]}`,
    };
  if (hex === '50415231') return { code: 'binary', message: 'is a Parquet file, not a log' };
  return null;
}

function openBytes(path: string, packed: boolean, reading: LineReading): Readable {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  file.on('data', (chunk) => {
    reading.bytesRead += chunk.length;
  });
  file.pause();
  if (!packed) return file;
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES });
  file.on('error', (error) => unpacked.destroy(error));
  unpacked.on('close', () => file.destroy());
  return file.pipe(unpacked);
}

async function* splitLines(bytes: Readable, reading: LineReading): AsyncGenerator<LineBatch> {
  let carry: Buffer[] = [];
  let carried = 0;
  let line = 1;
  let decode: ((segment: Buffer) => string) | undefined;
  const batch = (segment: Buffer, unended: boolean): LineBatch => {
    const lines = (decode ?? ((rest) => rest.toString()))(segment).split('\n');
    if (!unended) lines.pop();
    for (let at = 0; at < lines.length; at++) {
      const text = lines[at] as string;
      if (text.charCodeAt(text.length - 1) === 0x0d) lines[at] = text.slice(0, -1);
    }
    const firstLine = line;
    line += lines.length;
    return { lines, firstLine, unended };
  };
  let first = true;
  const convert = newConverter(reading);
  for await (const raw of bytes) {
    const chunk = convert(raw as Buffer, first);
    if (!chunk) return;
    first = false;
    decode ??= (segment) => decodeSegment(segment, reading);
    const last = chunk.lastIndexOf(0x0a);
    if (last < 0) {
      if (carried <= MOST_LINE_BYTES) carry.push(chunk);
      carried += chunk.length;
      continue;
    }
    const segment =
      carried > MOST_LINE_BYTES ? closeLongLine(carry, chunk, last, reading) : Buffer.concat([...carry, chunk.subarray(0, last + 1)]);
    carry = last + 1 < chunk.length ? [chunk.subarray(last + 1)] : [];
    carried = chunk.length - last - 1;
    yield batch(segment, false);
  }
  if (carried > MOST_LINE_BYTES) reading.longLines++;
  if (carried > 0) yield batch(Buffer.concat(carry).subarray(0, MOST_LINE_BYTES), true);
}

/** The kept beginning of a line that grew too long, and the whole lines that follow its end. */
function closeLongLine(carry: readonly Buffer[], chunk: Buffer, last: number, reading: LineReading): Buffer {
  reading.longLines++;
  const end = chunk.indexOf(0x0a);
  return Buffer.concat([Buffer.concat(carry).subarray(0, MOST_LINE_BYTES), chunk.subarray(end, last + 1)]);
}

/** Turns UTF-16 into UTF-8 and takes off a byte order mark; undefined for a file that is no text. */
function newConverter(reading: LineReading): (chunk: Buffer, first: boolean) => Buffer | undefined {
  let utf16: InstanceType<typeof TextDecoder> | undefined;
  let endsInReturns = false;
  return (chunk, first) => {
    if (first) {
      const found = detectEncoding(chunk);
      if (found === 'binary') {
        reading.problem = { code: 'binary', message: 'holds zero bytes: not a text file' };
        return undefined;
      }
      reading.encoding = found;
      endsInReturns = found !== 'utf-16le' && found !== 'utf-16be' && isSplitByReturns(chunk);
      if (found === 'utf-16le' || found === 'utf-16be') utf16 = new TextDecoder(found);
      else return withNewlines(chunk.subarray(startOfText(chunk)), endsInReturns);
    }
    return utf16 ? Buffer.from(utf16.decode(chunk, { stream: true })) : withNewlines(chunk, endsInReturns);
  };
}

/** UTF-8 where it is; else line by line, those that are not UTF-8 as Latin-1. */
function decodeSegment(segment: Buffer, reading: LineReading): string {
  if (isUtf8(segment)) return segment.toString('utf8');
  if (reading.encoding !== 'latin-1') reading.encoding = 'mixed';
  const parts: string[] = [];
  for (let at = 0; at < segment.length; ) {
    const found = segment.indexOf(0x0a, at);
    const end = found < 0 ? segment.length : found + 1;
    const line = segment.subarray(at, end);
    parts.push(line.toString(isUtf8(line) ? 'utf8' : 'latin1'));
    at = end;
  }
  return parts.join('');
}
