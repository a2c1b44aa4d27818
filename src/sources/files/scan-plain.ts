import { isAscii, isUtf8 } from 'node:buffer';
import type { Scope } from '../../core/scope.ts';
import { completeLength } from './detect-encoding.ts';
import { readChunks } from './read-chunks.ts';

/** A delimited file in UTF-8 whose records are no wider than the first, with quotes and line ends of one kind. */
export interface PlainFile {
  /** Records, the first included. */
  readonly records: number;
  readonly bytes: number;
  readonly newline: '\n' | '\r\n';
  readonly endsWithNewline: boolean;
  readonly hasMultibyte: boolean;
  /** Bytes of the longest record. */
  readonly longest: number;
  /** Records with fewer fields than the first, and the lines of the first twenty. */
  readonly short: number;
  readonly shortLines: readonly number[];
  /** Byte offsets at which records start, spread over the file. */
  readonly starts: readonly number[];
  /** Where one of the last records starts. */
  readonly lastStart: number;
}

export interface PlainOptions {
  readonly path: string;
  readonly scope: Scope;
  readonly bytes: number;
  readonly delimiter: string;
  readonly width: number;
}

const QUOTE = 0x22;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BLANK = 0x20;
const EQUALS = 0x3d;
const SPREAD = 24;
const MOST_LINES = 20;
/** Records from the end that are looked at for a footer. */
const LAST_RECORDS = 40;

/**
 * Reads every byte of a file and says how it is laid out; undefined at the first thing that an engine could read in another
 * way than we do: a wider record, a blank line, a stray quote, mixed line ends, a zero byte, a byte that is not UTF-8, the header again.
 */
export async function scanPlain(options: PlainOptions): Promise<PlainFile | undefined> {
  if (options.delimiter.length > 1) return undefined;
  const scan = new PlainScan(options);
  for await (const chunk of readChunks({ path: options.path, gzip: false, scope: options.scope })) if (!scan.feed(chunk)) return undefined;
  return scan.end();
}

/** Where in a field the last byte stood. */
const START = 0;
const PLAIN = 1;
const QUOTED = 2;
const CLOSED = 3;

class PlainScan {
  private state = START;
  private offset = 0;
  private recordStart = 0;
  private fields = 1;
  private records = 0;
  private returned = false;
  private longest = 0;
  private newline: PlainFile['newline'] | undefined;
  private multibyte = false;
  private hasQuotedNewline = false;
  private short = 0;
  private readonly shortLines: number[] = [];
  private carried: Buffer = Buffer.alloc(0);
  private before: Buffer = Buffer.alloc(0);
  private header: Buffer | undefined;
  private readonly starts: number[] = [];
  private readonly lastStarts: number[] = [];
  private readonly delimiter: number;
  private readonly options: PlainOptions;

  constructor(options: PlainOptions) {
    this.options = options;
    this.delimiter = options.delimiter.charCodeAt(0);
  }

  /** False when the file is not plain. */
  feed(chunk: Buffer): boolean {
    if (chunk.includes(0) || !this.checkText(chunk) || !this.walk(chunk)) return false;
    this.offset += chunk.length;
    this.before = chunk;
    return true;
  }

  private walk(chunk: Buffer): boolean {
    const { delimiter } = this;
    let state = this.state;
    for (let at = 0; at < chunk.length; at++) {
      if (state === QUOTED) {
        const close = chunk.indexOf(QUOTE, at);
        if (!this.hasQuotedNewline) this.hasQuotedNewline = chunk.subarray(at, close < 0 ? chunk.length : close).includes(NEWLINE);
        if (close < 0) break;
        at = close;
        state = CLOSED;
        continue;
      }
      const byte = chunk[at] as number;
      if (byte === NEWLINE) {
        if (!this.endRecord(chunk, at)) return false;
        state = START;
      } else if (this.returned) return false;
      else if (byte === delimiter) {
        this.fields++;
        state = START;
      } else if (byte === RETURN) this.returned = true;
      else if (byte === QUOTE) {
        if (state === PLAIN || (state === START && chunk[at + 1] === EQUALS)) return false;
        state = QUOTED;
      } else if (state === CLOSED || (byte === BLANK && state === START && blankBeforeQuote(chunk, at))) return false;
      else state = PLAIN;
    }
    this.state = state;
    return true;
  }

  end(): PlainFile | undefined {
    if (this.state === QUOTED || this.returned || this.carried.length > 0) return undefined;
    // Engines that fill up short records do not cut records that hold line ends.
    if (this.short > 0 && this.hasQuotedNewline) return undefined;
    const endsWithNewline = this.recordStart === this.offset;
    if (!endsWithNewline && (this.fields !== this.options.width || this.newline === undefined)) return undefined;
    return {
      records: this.records + (endsWithNewline ? 0 : 1),
      bytes: this.offset,
      newline: this.newline ?? '\n',
      endsWithNewline,
      hasMultibyte: this.multibyte,
      longest: Math.max(this.longest, this.offset - this.recordStart),
      short: this.short,
      shortLines: this.shortLines,
      starts: this.starts,
      lastStart: Math.min(...Object.values(this.lastStarts)),
    };
  }

  private endRecord(chunk: Buffer, at: number): boolean {
    const newline = this.returned ? '\r\n' : '\n';
    this.newline ??= newline;
    const end = this.offset + at;
    const length = end - this.recordStart;
    if (newline !== this.newline) return false;
    if (this.fields !== this.options.width && !this.takeShort(this.recordBytes(chunk, at, length))) return false;
    if (this.header === undefined) this.header = Buffer.from(this.recordBytes(chunk, at, length));
    else if (length === this.header.length && this.header.equals(this.recordBytes(chunk, at, length))) return false;
    if (length > this.longest) this.longest = length;
    this.records++;
    this.recordStart = end + 1;
    this.lastStarts[this.records % LAST_RECORDS] = this.recordStart;
    this.fields = 1;
    this.returned = false;
    if (this.recordStart >= ((this.starts.length + 1) * this.options.bytes) / SPREAD) this.starts.push(this.recordStart);
    return true;
  }

  /** A short record is filled up; a blank line, or a first record of another width, is more than that. */
  private takeShort(record: Buffer): boolean {
    if (this.fields > this.options.width || this.header === undefined) return false;
    if (this.fields === 1 && record.toString().trim() === '') return false;
    this.short++;
    if (this.shortLines.length < MOST_LINES) this.shortLines.push(this.records + 1);
    return true;
  }

  /** The bytes of the record that ends at `at`; the first ones only where they lie further back than the chunk before. */
  private recordBytes(chunk: Buffer, at: number, length: number): Buffer {
    return at >= length ? chunk.subarray(at - length, at) : Buffer.concat([this.before.subarray(at - length), chunk.subarray(0, at)]);
  }

  private checkText(chunk: Buffer): boolean {
    if (this.carried.length === 0 && isAscii(chunk)) return true;
    this.multibyte = true;
    const bytes = this.carried.length > 0 ? Buffer.concat([this.carried, chunk]) : chunk;
    const cut = completeLength(bytes);
    this.carried = Buffer.from(bytes.subarray(cut));
    return isUtf8(bytes.subarray(0, cut));
  }
}

/** Blanks before an opening quote are no part of the field to us, but to engines they are. */
function blankBeforeQuote(chunk: Buffer, from: number): boolean {
  let at = from;
  while (chunk[at] === BLANK) at++;
  return at >= chunk.length || chunk[at] === QUOTE;
}
