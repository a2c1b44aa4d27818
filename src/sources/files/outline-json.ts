/** A list that stands in an object near the top of a file: where, and what it is made of. */
export interface OutlinedList {
  readonly key: string;
  /** Places in the decoded text, the brackets included. */
  readonly start: number;
  end: number;
  /** Line on which it begins, from 1. */
  readonly line: number;
  objects: number;
  lists: number;
  others: number;
}

/** An object at the top of a file, or in such an object. */
export interface OutlinedObject {
  readonly path: readonly string[];
  readonly lists: OutlinedList[];
  /** Keys that hold texts, numbers or truth values, as they stand in the file; long ones are cut. */
  readonly plain: [string, string][];
}

export interface JsonOutline {
  readonly objects: readonly OutlinedObject[];
  readonly characters: number;
}

const DEEPEST = 3;
const MOST_OBJECTS = 2000;
const MOST_MEMBERS = 20_000;
const LONGEST_PLAIN = 200;

type Frame = { readonly object: OutlinedObject; readonly list?: undefined } | { readonly object?: undefined; readonly list: OutlinedList };

/**
 * What the only object of a JSON text holds, without holding its text: texts of any length come in pieces. `result` is undefined for a
 * text that is no single object, or has too many members to be an envelope around records.
 */
export class JsonOutliner {
  private readonly objects: OutlinedObject[] = [];
  private readonly frames: Frame[] = [];
  private offset = 0;
  private line = 1;
  private members = 0;
  /** Levels below the last frame. */
  private deep = 0;
  private inText = false;
  private escaped = false;
  private key = '';
  private isKey = true;
  private written = '';
  private inElement = false;
  private ended = false;
  private failed = false;

  /** False once the text is known to be no envelope. */
  feed(text: string): boolean {
    for (let at = 0; at < text.length && !this.failed; at++) {
      const code = text.charCodeAt(at);
      if (this.inText) this.within(text, at, code);
      else if (code === 10) this.line++;
      else if (code > 32 && code !== 0xfeff) this.take(code, text, at);
      if (this.inText && this.deep > 0 && !this.escaped) at = skipText(text, at);
    }
    this.offset += text.length;
    return !this.failed;
  }

  get result(): JsonOutline | undefined {
    return this.ended && !this.failed ? { objects: this.objects, characters: this.offset } : undefined;
  }

  private within(text: string, at: number, code: number): void {
    if (this.escaped) this.escaped = false;
    else if (code === 92) this.escaped = true;
    else if (code === 34) this.inText = false;
    this.write(text, at);
  }

  private write(text: string, at: number): void {
    if (this.deep === 0 && this.frames.at(-1)?.object && (this.isKey || this.written.length < LONGEST_PLAIN)) this.written += text[at];
  }

  private take(code: number, text: string, at: number): void {
    if (this.ended) this.failed = true;
    else if (code === 123 || code === 91) this.open(code === 123, this.offset + at);
    else if (code === 125 || code === 93) this.close(this.offset + at + 1);
    else if (this.deep > 0) this.inText = code === 34;
    else this.plain(code, text, at);
  }

  private plain(code: number, text: string, at: number): void {
    const frame = this.frames.at(-1);
    if (!frame) this.failed = true;
    else if (code === 44) {
      this.endMember();
      this.inElement = false;
      this.isKey = true;
    } else if (frame.list) {
      if (!this.inElement) frame.list.others++;
      this.inElement = true;
      this.inText = code === 34;
    } else if (code === 58) {
      this.key = textOf(this.written);
      this.written = '';
      this.isKey = false;
    } else {
      this.inText = code === 34;
      this.write(text, at);
    }
  }

  private open(isObject: boolean, place: number): void {
    const frame = this.frames.at(-1);
    if (this.deep > 0 || frame?.list) {
      if (this.deep++ === 0 && frame?.list) frame.list[isObject ? 'objects' : 'lists']++;
      return;
    }
    if (!frame && !isObject) this.failed = true;
    else if (!isObject) {
      const list = { key: this.key, start: place, end: place, line: this.line, objects: 0, lists: 0, others: 0 };
      frame?.object?.lists.push(list);
      this.frames.push({ list });
    } else if (this.frames.length < DEEPEST) {
      const object: OutlinedObject = { path: frame ? [...(frame.object?.path ?? []), this.key] : [], lists: [], plain: [] };
      this.objects.push(object);
      this.frames.push({ object });
      this.isKey = true;
      if (this.objects.length > MOST_OBJECTS) this.failed = true;
    } else this.deep = 1;
    this.inElement = false;
  }

  private close(place: number): void {
    if (this.deep > 0) {
      this.deep--;
      return;
    }
    this.endMember();
    const frame = this.frames.pop();
    if (!frame) this.failed = true;
    else if (frame.list) frame.list.end = place;
    this.ended = this.frames.length === 0;
  }

  private endMember(): void {
    const object = this.frames.at(-1)?.object;
    if (object && !this.isKey && this.written !== '' && this.written !== 'null') object.plain.push([this.key, textOf(this.written)]);
    this.written = '';
    if (object && ++this.members > MOST_MEMBERS) this.failed = true;
  }
}

/** The place before the next quote or backslash: what stands between does not matter. */
function skipText(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== 34 && text.charCodeAt(at) !== 92) at++;
  return at - 1;
}

function textOf(written: string): string {
  if (!written.startsWith('"')) return written;
  try {
    return JSON.parse(written) as string;
  } catch {
    return written.slice(1);
  }
}
