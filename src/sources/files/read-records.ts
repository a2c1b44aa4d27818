import { UnreadableFileError } from './read-chunks.ts';

/** How a delimited file is cut into records and fields. */
export interface Dialect {
  /** One sign, or the same sign twice. */
  readonly delimiter: string;
  /** Empty where nothing is quoted. */
  readonly quote: string;
  readonly escape: 'doubled' | 'backslash';
  /** True where every delimiter is followed by a blank: blanks around fields are no part of them. */
  readonly skipBlank: boolean;
}

export interface DelimitedRecord {
  readonly fields: readonly string[];
  /** Which fields stood in quotes; null when none did. */
  readonly quoted: readonly boolean[] | null;
  /** First line of the record, from 1. */
  readonly line: number;
  /** False for a last record that no newline ends. */
  readonly terminated: boolean;
  /** `open`: the file ends inside its quotes. `stray`: a quote that never closes was taken as a letter. */
  readonly quoting: 'sound' | 'open' | 'stray' | 'text_after_quote';
}

export interface RecordReader {
  feed(text: string): void;
  end(): void;
}

const LONGEST_QUOTED = 8 * 1024 * 1024;
const SHORT_RECORD = 64 * 1024;
const LONGEST_RECORD = 64 * 1024 * 1024;
const MOST_FIELDS = 1_000_000;
const NEWLINE = 10;
const RETURN = 13;
const BLANK = 32;
const BACKSLASH = 92;
const EQUALS = 61;

/**
 * Cuts text that comes in pieces into records. Lone LF, lone CR and CR LF all end a record.
 *
 * `feed` throws UnreadableFileError at a record that is too long, or has too many fields, to be held in memory.
 */
export function createRecordReader(dialect: Dialect, onRecord: (record: DelimitedRecord) => void): RecordReader {
  const parser = new RecordParser(dialect, onRecord);
  return { feed: (text) => parser.feed(text), end: () => parser.end() };
}

class RecordParser {
  private buffer = '';
  private line = 1;
  private at = 0;
  private waitFor = 0;
  private linesInside = 0;
  private quoting: DelimitedRecord['quoting'] = 'sound';
  /** Places, counted from the record's start, of quotes that are known to be letters. */
  private readonly literalQuotes = new Set<number>();
  private start = 0;
  private readonly delimiter: number;
  private readonly quote: number;
  private readonly dialect: Dialect;
  private readonly onRecord: (record: DelimitedRecord) => void;

  constructor(dialect: Dialect, onRecord: (record: DelimitedRecord) => void) {
    this.dialect = dialect;
    this.onRecord = onRecord;
    this.delimiter = dialect.delimiter.charCodeAt(0);
    this.quote = dialect.quote ? dialect.quote.charCodeAt(0) : -1;
  }

  feed(text: string): void {
    this.buffer += text;
    if (this.buffer.length < this.waitFor) return;
    this.run(false);
    if (this.buffer.length > LONGEST_RECORD) {
      throw new UnreadableFileError('too_large', `the record at line ${this.line} is longer than ${LONGEST_RECORD} characters`);
    }
    // A long record is looked at again only when twice as much has come: else long records cost squares.
    this.waitFor = this.buffer.length > SHORT_RECORD ? Math.min(this.buffer.length * 2, LONGEST_RECORD + 1) : 0;
  }

  end(): void {
    this.run(true);
  }

  private run(last: boolean): void {
    let start = 0;
    while (start < this.buffer.length) {
      const next = this.record(start, last);
      if (next < 0) break;
      start = next;
    }
    this.buffer = this.buffer.slice(start);
  }

  /** Reads one record; -1 when its end has not come yet. */
  private record(start: number, last: boolean): number {
    const fields: string[] = [];
    let quoted: boolean[] | null = null;
    this.at = start;
    this.start = start;
    this.linesInside = 0;
    this.quoting = this.literalQuotes.size > 0 ? 'stray' : 'sound';
    for (;;) {
      const opening = this.openingQuote();
      const field = opening >= 0 ? this.quotedField(opening, last) : this.plainField();
      if (field === undefined) {
        if (!last && this.buffer.length - opening < LONGEST_QUOTED) return -1;
        this.literalQuotes.add(opening - start);
        return this.record(start, last);
      }
      if (opening >= 0) {
        quoted ??= [];
        quoted[fields.length] = true;
      }
      fields.push(field.charCodeAt(0) === EQUALS ? withoutFormula(field) : field);
      if (fields.length > MOST_FIELDS) {
        throw new UnreadableFileError('too_large', `the record at line ${this.line} has more than ${MOST_FIELDS} fields`);
      }
      const code = this.at < this.buffer.length ? this.buffer.charCodeAt(this.at) : -1;
      if (this.isDelimiter(this.at)) {
        this.at += this.dialect.delimiter.length;
        continue;
      }
      if (code === -1 && !last) return -1;
      if (code === RETURN && this.at + 1 === this.buffer.length && !last) return -1;
      if (code === RETURN && this.buffer.charCodeAt(this.at + 1) === NEWLINE) this.at++;
      if (code !== -1) this.at++;
      this.onRecord({ fields, quoted, line: this.line, terminated: code !== -1, quoting: this.quoting });
      this.line += this.linesInside + 1;
      if (this.literalQuotes.size > 0) this.literalQuotes.clear();
      return this.at;
    }
  }

  private isDelimiter(at: number): boolean {
    if (this.buffer.charCodeAt(at) !== this.delimiter) return false;
    return this.dialect.delimiter.length === 1 || this.buffer.charCodeAt(at + 1) === this.delimiter;
  }

  /** Place of the quote that opens the field here, blanks before it skipped; -1 when the field is not quoted. */
  private openingQuote(): number {
    if (this.quote < 0) return -1;
    let at = this.at;
    while (this.buffer.charCodeAt(at) === BLANK && this.delimiter !== BLANK) at++;
    return this.buffer.charCodeAt(at) === this.quote && !this.literalQuotes.has(at - this.start) ? at : -1;
  }

  private plainField(): string {
    const { buffer, delimiter } = this;
    let from = this.at;
    if (this.dialect.skipBlank) while (buffer.charCodeAt(from) === BLANK) from++;
    let at = from;
    for (; at < buffer.length; at++) {
      const code = buffer.charCodeAt(at);
      if (code === NEWLINE || code === RETURN || (code === delimiter && this.isDelimiter(at))) break;
      if (code === BACKSLASH && this.dialect.escape === 'backslash' && [delimiter, BACKSLASH].includes(buffer.charCodeAt(at + 1))) at++;
    }
    this.at = Math.min(at, buffer.length);
    let end = this.at;
    if (this.dialect.skipBlank) while (end > from && buffer.charCodeAt(end - 1) === BLANK) end--;
    const text = buffer.slice(from, end);
    return this.dialect.escape === 'backslash' && text.includes('\\') ? withoutEscapes(text, this.dialect) : text;
  }

  /** The text between quotes; undefined when they do not close in what has come so far. */
  private quotedField(opening: number, last: boolean): string | undefined {
    const { buffer, quote } = this;
    const backslash = this.dialect.escape === 'backslash';
    let lines = 0;
    let escaped = false;
    let at = opening + 1;
    for (; at < buffer.length; at++) {
      const code = buffer.charCodeAt(at);
      if (code === NEWLINE || (code === RETURN && buffer.charCodeAt(at + 1) !== NEWLINE)) lines++;
      else if (backslash && code === BACKSLASH) {
        escaped = true;
        at++;
      } else if (code === quote) {
        if (buffer.charCodeAt(at + 1) !== quote || backslash) break;
        escaped = true;
        at++;
      }
    }
    if (at >= buffer.length) {
      if (!last || lines > 0) return undefined;
      this.quoting = 'open';
      this.at = buffer.length;
      return buffer.slice(opening + 1);
    }
    if (at + 1 === buffer.length && !last) return undefined;
    if (lines > 0 && this.textFollows(at + 1)) {
      this.literalQuotes.add(opening - this.start);
      this.at = opening;
      return this.plainField();
    }
    this.linesInside += lines;
    this.at = at + 1;
    const inside = buffer.slice(opening + 1, at);
    return (escaped ? withoutEscapes(inside, this.dialect) : inside) + this.afterQuote();
  }

  /** Quotes that close on another line, but not at the end of a field, were letters. */
  private textFollows(from: number): boolean {
    let at = from;
    while (this.buffer.charCodeAt(at) === BLANK) at++;
    const code = this.buffer.charCodeAt(at);
    const ends = this.isDelimiter(at) || code === NEWLINE || code === RETURN || at >= this.buffer.length;
    if (!ends) this.quoting = 'stray';
    return !ends;
  }

  /** Text between a closing quote and the next delimiter: kept, and noted unless it is blank. */
  private afterQuote(): string {
    const code = this.buffer.charCodeAt(this.at);
    if (this.isDelimiter(this.at) || code === NEWLINE || code === RETURN || this.at >= this.buffer.length) return '';
    const text = this.plainField();
    if (text.trim() === '') return '';
    this.quoting = 'text_after_quote';
    return text;
  }
}

/** `="00123"`, as spreadsheets and exports for them write a text of digits: what is inside. */
function withoutFormula(field: string): string {
  const inside = /^="((?:[^"]|"")*)"\s*$/.exec(field)?.[1];
  return inside === undefined ? field : inside.replaceAll('""', '"');
}

function withoutEscapes(text: string, dialect: Dialect): string {
  if (dialect.escape === 'doubled') return text.replaceAll(dialect.quote + dialect.quote, dialect.quote);
  return text.replace(/\\([\s\S])/g, (whole, letter: string) =>
    letter === dialect.quote || letter === '\\' || letter === dialect.delimiter ? letter : whole,
  );
}
