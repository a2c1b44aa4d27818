/** What reading gave: the value, or where and why the text is no JSON. */
export type LenientJson =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Paths of non-finite numbers (`results[2].rows`), in order; the first 1000. */
      readonly nonFinite: readonly string[];
      /** All of them, listed or not. */
      readonly nonFiniteCount: number;
    }
  | { readonly ok: false; readonly message: string; readonly line: number; readonly column: number };

/** As many places as a result lists; more are only counted. */
const MOST_PLACES = 1000;
const DEEPEST = 500;
const NEEDS_CARE = /NaN|Infinity|(?<![.\d])\d{16,}|\d[eE]\+?\d{3}/;

/**
 * Reads JSON as Python and others write it: a byte order mark is skipped; bare `NaN`, `Infinity`, `-Infinity` (and
 * numbers too large for a double) come out as text, never as 0 or null; whole numbers beyond 2^53 come out as text with
 * all digits; texts stay as they are. Nesting deeper than 500 is refused. Linear in the length of the text.
 */
export function parseLenientJson(text: string): LenientJson {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (!NEEDS_CARE.test(body) && !mayBeDeep(body)) {
    try {
      return { ok: true, value: JSON.parse(body), nonFinite: [], nonFiniteCount: 0 };
    } catch {
      // Our own reader says where it is broken, the same way in every version of Node.
    }
  }
  const reader = new LenientReader(body);
  try {
    return { ok: true, value: reader.readAll(), nonFinite: reader.nonFinite, nonFiniteCount: reader.nonFiniteCount };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const before = body.slice(0, error.offset);
    return {
      ok: false,
      message: error.message,
      line: before.split('\n').length,
      column: error.offset - (before.lastIndexOf('\n') + 1) + 1,
    };
  }
}

/** Counts brackets, those in texts too: a quick look that can only overstate the depth. */
function mayBeDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x7b || code === 0x5b) {
      if (++depth > DEEPEST) return true;
    } else if ((code === 0x7d || code === 0x5d) && depth > 0) depth--;
  }
  return false;
}

class JsonFault extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const WORDS: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
const NON_FINITE = ['NaN', 'Infinity', '-Infinity'] as const;

class LenientReader {
  readonly nonFinite: string[] = [];
  nonFiniteCount = 0;
  private readonly text: string;
  private readonly path: (string | number)[] = [];
  private offset = 0;

  constructor(text: string) {
    this.text = text;
  }

  readAll(): unknown {
    const value = this.value();
    this.skipSpace();
    if (this.offset < this.text.length) throw new JsonFault('something follows the value', this.offset);
    return value;
  }

  private value(): unknown {
    this.skipSpace();
    const character = this.text[this.offset];
    if (character === '{') return this.object();
    if (character === '[') return this.array();
    if (character === '"') return this.string();
    const word = WORDS.find(([name]) => this.text.startsWith(name, this.offset));
    if (word) {
      this.offset += word[0].length;
      return word[1];
    }
    const odd = NON_FINITE.find((name) => this.text.startsWith(name, this.offset));
    if (odd !== undefined) {
      this.offset += odd.length;
      return this.oddNumber(odd);
    }
    return this.number();
  }

  private number(): unknown {
    NUMBER.lastIndex = this.offset;
    const match = NUMBER.exec(this.text);
    if (!match) throw new JsonFault(this.offset >= this.text.length ? 'the text ends too early' : 'not a value', this.offset);
    this.offset += match[0].length;
    const number = Number(match[0]);
    if (!Number.isFinite(number)) return this.oddNumber(match[0]);
    const whole = match[1] === undefined && match[2] === undefined;
    return whole && !Number.isSafeInteger(number) ? match[0] : number;
  }

  private oddNumber(written: string): string {
    this.nonFiniteCount++;
    if (this.nonFinite.length < MOST_PLACES) this.nonFinite.push(formatPath(this.path));
    return written;
  }

  private string(): string {
    const start = this.offset;
    let plain = true;
    for (let index = start + 1; index < this.text.length; index++) {
      const code = this.text.charCodeAt(index);
      if (code === 0x22) {
        this.offset = index + 1;
        return plain ? this.text.slice(start + 1, index) : this.unescape(start, index + 1);
      }
      if (code === 0x5c) index++;
      if (code === 0x5c || code < 0x20) plain = false;
    }
    throw new JsonFault('a text has no end', start);
  }

  private unescape(start: number, end: number): string {
    try {
      return JSON.parse(this.text.slice(start, end)) as string;
    } catch {
      throw new JsonFault('a text holds a bad escape or a control character', start);
    }
  }

  private array(): unknown[] {
    const items: unknown[] = [];
    this.enter();
    if (this.closes(']')) return items;
    do {
      this.path.push(items.length);
      items.push(this.value());
      this.path.pop();
    } while (this.continues(']'));
    return items;
  }

  private object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.enter();
    if (this.closes('}')) return object;
    do {
      this.skipSpace();
      if (this.text[this.offset] !== '"') throw new JsonFault('a key in quotes is missing', this.offset);
      const key = this.string();
      this.skipSpace();
      if (this.text[this.offset++] !== ':') throw new JsonFault('a colon is missing', this.offset - 1);
      this.path.push(key);
      const value = this.value();
      this.path.pop();
      if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      else object[key] = value;
    } while (this.continues('}'));
    return object;
  }

  private enter(): void {
    if (this.path.length >= DEEPEST) throw new JsonFault(`nested deeper than ${DEEPEST}`, this.offset);
    this.offset++;
  }

  private closes(end: string): boolean {
    this.skipSpace();
    if (this.text[this.offset] !== end) return false;
    this.offset++;
    return true;
  }

  private continues(end: string): boolean {
    if (this.closes(end)) return false;
    if (this.text[this.offset] !== ',') throw new JsonFault(`"," or "${end}" is missing`, this.offset);
    this.offset++;
    return true;
  }

  private skipSpace(): void {
    for (; this.offset < this.text.length; this.offset++) {
      const code = this.text.charCodeAt(this.offset);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }
}

function formatPath(path: readonly (string | number)[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(part)) text += text ? `.${part}` : part;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}
