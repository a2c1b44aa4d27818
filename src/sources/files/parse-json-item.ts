import { stringEnd } from './split-json.ts';

export type JsonKind = 'string' | 'number' | 'boolean' | 'null' | 'nested';

/** A value with its text: strings without quotes and escapes, all else as it stands in the file. */
export interface JsonValue {
  readonly kind: JsonKind;
  readonly text: string;
  /** As it stands in the file. */
  readonly raw: string;
}

export interface JsonRow {
  /** Keys and values in file order; a key that comes twice stands twice. */
  readonly entries: readonly (readonly [string, JsonValue])[];
  readonly nonFinite: number;
  readonly isObject: boolean;
}

const NOT_FINITE = /(?<=[:,[\s]|^)(-?Infinity|-?inf(?:inity)?|[-+]?nan)(?=[,\]}\s]|$)/gi;
/** The column of values that are no objects. */
export const VALUE_COLUMN = 'value';

/**
 * Reads one JSON value and keeps every number as it is written. NaN and infinities, which JSON does not allow but many
 * programs write, are accepted and counted. Undefined when the text is not valid.
 */
export function parseJsonItem(raw: string): JsonRow | undefined {
  const nonFinite = validate(raw);
  if (nonFinite === undefined) return undefined;
  if (raw.charCodeAt(0) !== 123) return { entries: [[VALUE_COLUMN, readJsonValue(raw)]], nonFinite, isObject: false };
  return { entries: splitObject(raw), nonFinite, isObject: true };
}

function validate(raw: string): number | undefined {
  try {
    JSON.parse(raw);
    return 0;
  } catch {
    const { text, count } = withoutNonFinite(raw);
    if (count === 0) return undefined;
    try {
      JSON.parse(text);
      return count;
    } catch {
      return undefined;
    }
  }
}

/** Replaces NaN and infinities outside of texts by null. */
export function withoutNonFinite(raw: string): { readonly text: string; readonly count: number } {
  let count = 0;
  const pieces: string[] = [];
  let at = 0;
  while (at < raw.length) {
    const quote = raw.indexOf('"', at);
    const outside = raw.slice(at, quote < 0 ? raw.length : quote);
    pieces.push(
      outside.replace(NOT_FINITE, () => {
        count++;
        return 'null';
      }),
    );
    if (quote < 0) break;
    const close = stringEnd(raw, quote);
    if (close === undefined || close < 0) return { text: raw, count: 0 };
    pieces.push(raw.slice(quote, close + 1));
    at = close + 1;
  }
  return { text: pieces.join(''), count };
}

function splitObject(raw: string): [string, JsonValue][] {
  return [...membersOf(raw)];
}

/** The keys and values of an object that is known to be valid, one by one. */
export function* membersOf(raw: string): Generator<[string, JsonValue]> {
  let at = 1;
  for (;;) {
    const open = raw.indexOf('"', at);
    if (open < 0) return;
    const close = stringEnd(raw, open) ?? raw.length;
    const key = textOf(raw.slice(open, close + 1));
    const start = raw.indexOf(':', close) + 1;
    const end = memberEnd(raw, start);
    yield [key, readJsonValue(raw.slice(start, end).trim())];
    at = end + 1;
  }
}

/** Place of the comma or brace behind a member's value. */
function memberEnd(raw: string, start: number): number {
  let depth = 0;
  for (let at = start; at < raw.length; at++) {
    const code = raw.charCodeAt(at);
    if (code === 34) at = stringEnd(raw, at) ?? raw.length;
    else if (code === 123 || code === 91) depth++;
    else if (code === 44 && depth === 0) return at;
    else if (code === 125 || code === 93) {
      if (depth === 0) return at;
      depth--;
    }
  }
  return raw.length;
}

/** Where the values of a list stand in its text. */
export function* elementEnds(list: string): Generator<{ readonly start: number; readonly end: number }> {
  let at = 1;
  for (;;) {
    const end = memberEnd(list, at);
    let start = at;
    while (start < end && list.charCodeAt(start) <= 32) start++;
    if (start < end) yield { start, end };
    if (list.charCodeAt(end) !== 44) return;
    at = end + 1;
  }
}

/** The values of a list. */
export function splitList(list: string): JsonValue[] {
  return [...elementEnds(list)].map(({ start, end }) => readJsonValue(list.slice(start, end).trim()));
}

/** One value that is known to be valid. */
export function readJsonValue(raw: string): JsonValue {
  const code = raw.charCodeAt(0);
  if (code === 34) return { kind: 'string', text: textOf(raw), raw };
  if (code === 123 || code === 91) return { kind: 'nested', text: raw, raw };
  if (raw === 'null') return { kind: 'null', text: '', raw };
  return { kind: raw === 'true' || raw === 'false' ? 'boolean' : 'number', text: raw, raw };
}

function textOf(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}
