/** A JSON text as Python and other writers leave it: read, with what is not JSON named by place. */
export interface LenientJson {
  readonly value: unknown;
  /** Paths such as `results[2].failures` whose value was NaN or an infinity; the value there is the text. */
  readonly nonFinite: readonly string[];
}

const MOST_DEPTH = 200;

/**
 * Parses JSON that may begin with a byte order mark and may hold bare NaN, Infinity and -Infinity (as Python writes them):
 * they become the texts "NaN", "Infinity", "-Infinity", never 0. Integers beyond 2^53 become text, digit for digit.
 * Text that merely contains such words stays as it is.
 *
 * @throws SyntaxError with line and column for anything else that is not JSON, and for nesting deeper than 200.
 */
export function parseLenientJson(text: string): LenientJson {
  const clean = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  checkDepth(clean);
  const marked = markTokens(clean);
  const nonFinite: string[] = [];
  const value = parseStrictly(marked.text, clean);
  return { value: marked.changed ? unmark(value, '', nonFinite) : value, nonFinite };
}

const MARK = '\u0000number:';

/** Bare tokens that JSON has no place for are wrapped in marked strings; what stands inside strings is passed over. */
function markTokens(text: string): { readonly text: string; readonly changed: boolean } {
  if (!/NaN|Infinity|\d{16}/.test(text)) return { text, changed: false };
  let changed = false;
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?Infinity\b|\bNaN\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) => {
    const wraps = /^-?(Infinity|NaN)$/.test(token) || (/^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)));
    if (!wraps) return token;
    changed = true;
    return `"\\u0000number:${token}"`;
  });
  return { text: marked, changed };
}

function unmark(value: unknown, path: string, nonFinite: string[]): unknown {
  if (typeof value === 'string') {
    if (!value.startsWith(MARK)) return value;
    const token = value.slice(MARK.length);
    if (!/\d/.test(token)) nonFinite.push(path);
    return token;
  }
  if (Array.isArray(value)) return value.map((item, index) => unmark(item, `${path}[${index}]`, nonFinite));
  if (value === null || typeof value !== 'object') return value;
  const result: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, item] of Object.entries(value)) result[key] = unmark(item, path ? `${path}.${key}` : key, nonFinite);
  return { ...result };
}

function parseStrictly(text: string, original: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? original.length);
    const before = original.slice(0, at).split('\n');
    throw new SyntaxError(
      `not JSON at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${message.replace(/ in JSON at position.*| \(line.*/, '')}`,
    );
  }
}

function checkDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 92) at++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 91 || code === 123) {
      if (++depth > MOST_DEPTH) throw new SyntaxError(`nested deeper than ${MOST_DEPTH} levels`);
    } else if (code === 93 || code === 125) depth--;
  }
}
