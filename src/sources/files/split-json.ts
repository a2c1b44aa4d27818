/** One value of a JSON text as it stands in the file. */
export interface JsonItem {
  readonly raw: string;
  /** Line on which it starts, from 1. */
  readonly line: number;
  /** Number of the top-level value it is, or is an element of. */
  readonly topLevel: number;
  readonly inArray: boolean;
  readonly depth: number;
}

export interface JsonSplit {
  readonly topLevelValues: number;
  readonly arrays: number;
  readonly severalOnALine: boolean;
  /** Set when nothing after this line could be read. */
  readonly brokenAt: { readonly line: number; readonly because: string } | null;
}

export interface JsonSplitter {
  feed(text: string): void;
  /** `cut`: more follows that was not fed, so a value that has not ended is no fault. */
  end(cut?: boolean): JsonSplit;
}

/** A single value longer than this is not held in memory. */
export const LONGEST_VALUE = 64 * 1024 * 1024;

/**
 * Cuts JSON text that comes in pieces into top-level values; the elements of a top-level array come one by one.
 * `onItem` answers false when a value is not valid: then its first line is taken as bad and reading goes on behind it.
 */
export function splitJson(onItem: (item: JsonItem) => boolean, onBad: (line: number, text: string) => void): JsonSplitter {
  const splitter = new Splitter(onItem, onBad);
  return { feed: (text) => splitter.feed(text), end: (cut = false) => splitter.end(cut) };
}

class Splitter {
  private buffer = '';
  private at = 0;
  private line = 1;
  private inArray = false;
  private rowPerLine = false;
  private topLevel = 0;
  private arrays = 0;
  private severalOnALine = false;
  private lastLine = 0;
  private broken: JsonSplit['brokenAt'] = null;
  private good = 0;
  /** A value that has not ended is looked at again only when twice as much has come: else long values cost squares. */
  private waitFor = 0;
  private readonly onItem: (item: JsonItem) => boolean;
  private readonly onBad: (line: number, text: string) => void;

  constructor(onItem: (item: JsonItem) => boolean, onBad: (line: number, text: string) => void) {
    this.onItem = onItem;
    this.onBad = onBad;
  }

  feed(text: string): void {
    if (this.broken) return;
    this.buffer = this.buffer.slice(this.at) + text;
    this.at = 0;
    if (this.buffer.length < this.waitFor) return;
    this.waitFor = 0;
    this.run(false);
    if (this.buffer.length - this.at > LONGEST_VALUE)
      this.stop(`a single value is longer than ${LONGEST_VALUE / 1024 / 1024} MB: write its records one a line (JSON lines)`);
  }

  end(cut: boolean): JsonSplit {
    if (!this.broken) this.run(!cut);
    if (!this.broken && this.inArray && !cut) this.stop('the file ends inside an array');
    return { topLevelValues: this.topLevel, arrays: this.arrays, severalOnALine: this.severalOnALine, brokenAt: this.broken };
  }

  private stop(because: string): void {
    this.broken = { line: this.line, because };
    this.at = this.buffer.length;
  }

  private run(last: boolean): void {
    while (!this.broken) {
      this.skipBetween();
      if (this.at >= this.buffer.length) return;
      const letter = this.buffer[this.at];
      if (letter === '[' && !this.inArray && !this.isRow()) {
        this.openContainer();
        continue;
      }
      if (letter === ']' && this.inArray) {
        this.inArray = false;
        this.at++;
        this.lastLine = this.line;
        continue;
      }
      const found = valueEnd(this.buffer, this.at, last);
      if (found === undefined) {
        if (last) this.badLine('a value does not end');
        if (last && !this.broken) continue;
        this.waitFor = Math.min(2 * (this.buffer.length - this.at), LONGEST_VALUE + 1);
        return;
      }
      this.take(found);
    }
  }

  private openContainer(): void {
    this.noteTopLevel();
    this.arrays++;
    this.inArray = true;
    this.at++;
  }

  /** A list of plain values on a line of its own with another list on the next: each is a row, as a line of a table is. */
  private isRow(): boolean {
    if (this.rowPerLine || this.topLevel > 0) return this.rowPerLine;
    const found = /^\[\s*[{\]]/.test(this.buffer.slice(this.at, this.at + 100)) ? undefined : valueEnd(this.buffer, this.at, false);
    if (found === undefined || /[\r\n]/.test(this.buffer.slice(this.at, found.end))) return false;
    this.rowPerLine = /^[^\S\r\n]*\r?\n\s*\[/.test(this.buffer.slice(found.end, found.end + 100));
    return this.rowPerLine;
  }

  private noteTopLevel(): void {
    if (this.topLevel > 0 && this.line === this.lastLine) this.severalOnALine = true;
    this.topLevel++;
  }

  /** Blanks, commas between values, and the mark that begins each record of a JSON text sequence (RFC 7464); counts lines. */
  private skipBetween(): void {
    for (; this.at < this.buffer.length; this.at++) {
      const code = this.buffer.charCodeAt(this.at);
      if (code === 10) this.line++;
      else if (code === 13 && this.buffer.charCodeAt(this.at + 1) !== 10) this.line++;
      else if (code !== 13 && code !== 32 && code !== 9 && code !== 0xfeff && code !== 44 && code !== 30) return;
    }
  }

  private take({ end, depth, sound }: ValueEnd): void {
    const raw = this.buffer.slice(this.at, end);
    if (!sound) {
      this.badLine('a text runs over the end of its line');
      return;
    }
    const next = this.inArray ? this.topLevel : this.topLevel + 1;
    if (!this.onItem({ raw, line: this.line, topLevel: next, inArray: this.inArray, depth })) {
      this.badLine('not valid JSON');
      return;
    }
    this.good++;
    if (!this.inArray) this.noteTopLevel();
    this.at = end;
    this.line += countLines(raw);
    if (!this.inArray) this.lastLine = this.line;
  }

  /** Gives up the rest of the line; inside an array, or before anything good, the whole rest of the file. */
  private badLine(because: string): void {
    const newline = this.buffer.slice(this.at).search(/\r\n?|\n/);
    const text = newline < 0 ? this.buffer.slice(this.at) : this.buffer.slice(this.at, this.at + newline);
    this.onBad(this.line, text.slice(0, 160));
    if (this.inArray || this.good === 0) this.stop(because);
    else this.at += text.length;
  }
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines > 0 ? lines : (text.match(/\r/g)?.length ?? 0);
}

interface ValueEnd {
  readonly end: number;
  readonly depth: number;
  /** False when a text holds a raw line end, which JSON does not allow. */
  readonly sound: boolean;
}

function valueEnd(text: string, start: number, last: boolean): ValueEnd | undefined {
  const first = text.charCodeAt(start);
  if (first !== 123 && first !== 91 && first !== 34) return literalEnd(text, start, last);
  let depth = 0;
  let deepest = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      const close = stringEnd(text, at);
      if (close === undefined) return undefined;
      if (close < 0) return { end: -close, depth: deepest, sound: false };
      at = close;
      if (depth === 0) return { end: at + 1, depth: 0, sound: true };
    } else if (code === 123 || code === 91) {
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (code === 125 || code === 93) {
      depth--;
      if (depth === 0) return { end: at + 1, depth: deepest, sound: true };
    }
  }
  return undefined;
}

/** Place of the closing quote; negative at a raw line end inside the text; undefined when neither has come. */
export function stringEnd(text: string, opening: number): number | undefined {
  for (let at = opening + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) return at;
    if (code === 92) at++;
    else if (code === 10 || code === 13) return -at;
  }
  return undefined;
}

function literalEnd(text: string, start: number, last: boolean): ValueEnd | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 44 || code === 93 || code === 125 || code === 123 || code === 91) return { end: at, depth: 0, sound: true };
  }
  return last ? { end: text.length, depth: 0, sound: true } : undefined;
}
