import { findTablePlaces } from './table-places.ts';

/** A part of a statement that one call of the engine may never come back from, or that ends the process; as it is said to the asker. */
export type Unbounded = string;

const MOST_REPEATS = 100_000;
const LONGEST_LIST = 1_000_000;
/** One call inside another multiplies; small counts, as for padding, are left out of account. */
const MOST_TOGETHER = 100_000_000;
const SMALL_COUNT = 1_000;
const DEEPEST = 150;
const MOST_JOINS = 64;

/** These follow nested values by recursion, and deep ones overflow the stack of the whole process. */
const RECURSIVE = /^(json_structure|json_group_structure|json_merge_patch|json_contains)$/;
/** As those, but along a structure that the statement gives. */
const STRUCTURED = /^(from_json|from_json_strict|json_transform|json_transform_strict)$/;
const REPEATING: Readonly<Record<string, number>> = { repeat: 1, lpad: 1, rpad: 1, list_resize: 1, array_resize: 1 };
const FORMATTING = /^(format|printf)$/;
const LISTING = /^(range|generate_series)$/;

/**
 * DuckDB looks for an interruption between batches of rows only, and counts the memory of its own buffers only: a call that builds a text or
 * list as long as it is told, or a plan of thousands of parts, goes on past every limit. So what such a call is told must stand
 * in the statement, and be small. Undefined for a statement without such a part.
 */
export function findUnbounded(sql: string): Unbounded | undefined {
  const { code, texts } = maskTexts(sql);
  if (deepest(code) > DEEPEST) return `brackets are nested deeper than ${DEEPEST} levels`;
  const joins = code.match(/\bjoin\b/gi)?.length ?? 0;
  if (joins > MOST_JOINS) return `${joins} joins in one statement: at most ${MOST_JOINS}`;
  if (/::\s*variant\b|\bas\s+variant\s*(\[\s*\]\s*)*\)/i.test(code))
    return 'a cast to VARIANT cannot be run here: deep values end the engine';
  let together = 1;
  for (const call of callsIn(code)) {
    const reason = judgeCall(call, texts, code);
    if (reason !== undefined) return reason;
    for (const count of call.arguments.map(Number)) if (count > SMALL_COUNT && !isTable(call)) together *= count;
  }
  return together > MOST_TOGETHER ? `repeats and lists of the statement multiply to more than ${MOST_TOGETHER}: too large` : undefined;
}

interface Call {
  readonly name: string;
  readonly arguments: readonly string[];
  /** What stands before it. */
  readonly before: string;
  /** It is run for each value of a list. */
  readonly inLambda: boolean;
  /** It stands where a table is named. */
  readonly namesTable: boolean;
}

function judgeCall(call: Call, texts: readonly string[], code: string): Unbounded | undefined {
  const { name, before } = call;
  if (RECURSIVE.test(name))
    return `the function ${name} cannot be called here: deep values end the engine; use -> and ->> paths or json_keys`;
  if (STRUCTURED.test(name)) return judgeStructure(call, texts);
  if (FORMATTING.test(name)) return judgeFormat(call, texts);
  const place = REPEATING[name];
  if (place !== undefined) {
    const isMethod = before.endsWith('.');
    const told = call.arguments[isMethod ? place - 1 : place] ?? '';
    const bounded = /^-?\d+$/.test(told) && Number(told) <= MOST_REPEATS;
    return bounded
      ? undefined
      : `${name} must be told how often by a number written out (no column, no expression), at most ${MOST_REPEATS}`;
  }
  if (!LISTING.test(name) || isTable(call)) return undefined;
  const huge = (text: string): boolean =>
    (text.match(/\d[\d_]*/g) ?? []).some((number) => Number(number.replaceAll('_', '')) > LONGEST_LIST);
  const all = call.arguments.join(' ');
  const literal = call.arguments.every((argument) => /^-?\d+$/.test(argument));
  if (!literal && call.inLambda) return `${name} inside a lambda must be told its bounds by numbers written out`;
  const risky = literal ? huge(all) : huge(code) || /[*^]|<<|\de\d|0x/i.test(all);
  return risky ? `a list of ${name} holds at most ${LONGEST_LIST} values; as a table, FROM ${name}(…), it may have more` : undefined;
}

function isTable({ name, namesTable }: Call): boolean {
  return LISTING.test(name) && namesTable;
}

function judgeStructure({ name, arguments: given, before }: Call, texts: readonly string[]): Unbounded | undefined {
  const structure = given[before.endsWith('.') ? 0 : 1] ?? '';
  const text = textOf(structure, texts);
  return text !== undefined && deepest(text) <= DEEPEST
    ? undefined
    : `the structure of ${name} must be a text written out, not nested deeper than ${DEEPEST}`;
}

function judgeFormat({ name, arguments: given, before }: Call, texts: readonly string[]): Unbounded | undefined {
  const subject = before.endsWith('.') ? before.slice(0, -1) : (given[0] ?? '');
  const text = textOf(/('\d+')$/.exec(subject.trim())?.[1] ?? '', texts);
  const bounded = text !== undefined && !/\d{5}/.test(text) && !/\*|\{[^}]*\{/.test(text);
  return bounded ? undefined : `the pattern of ${name} must be a text written out, with widths below 10000`;
}

/** The text that a mask stands for. */
function textOf(mask: string, texts: readonly string[]): string | undefined {
  const number = /^'(\d+)'$/.exec(mask)?.[1];
  return number === undefined ? undefined : texts[Number(number)];
}

/** The statement without comments, each text replaced by its number in quotes. */
function maskTexts(sql: string): { readonly code: string; readonly texts: readonly string[] } {
  const texts: string[] = [];
  const code = sql.replace(
    /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|(\bE)?'((?:[^']|'')*)'|\$(\w*)\$([\s\S]*?)\$\3\$/gi,
    (whole, _escape: string | undefined, plain: string | undefined, _tag: string | undefined, dollar: string | undefined) => {
      if (whole.startsWith('--') || whole.startsWith('/*')) return ' ';
      if (whole.startsWith('"')) return whole.slice(1, -1).replaceAll(/\W/g, '_');
      texts.push(plain ?? dollar ?? '');
      return `'${texts.length - 1}'`;
    },
  );
  return { code, texts };
}

function* callsIn(code: string): Generator<Call> {
  const places = findTablePlaces(code);
  for (const match of code.matchAll(/([\p{L}_][\p{L}\p{N}_$]*)\s*\(/gu)) {
    const name = (match[1] ?? '').toLowerCase();
    if (!RECURSIVE.test(name) && !STRUCTURED.test(name) && !FORMATTING.test(name) && !LISTING.test(name) && !(name in REPEATING)) continue;
    const schema = /(\b(main|pg_catalog|system)\s*\.\s*)+$/i;
    const before = code
      .slice(Math.max(0, match.index - 200), match.index)
      .replace(schema, '')
      .trimEnd();
    yield {
      name,
      arguments: argumentsAt(code, match.index + match[0].length),
      before,
      inLambda: isInLambda(code, match.index),
      namesTable: places.has(match.index),
    };
  }
}

/** Whether `x ->` or `lambda x:` stands before this place in one of the calls around it; an arrow before a text is that of JSON. */
function isInLambda(code: string, place: number): boolean {
  let depth = 0;
  let isSameArgument = true;
  for (let at = place - 1; at >= 0; at--) {
    const letter = code[at] as string;
    if (')]}'.includes(letter)) depth++;
    else if ('([{'.includes(letter)) {
      if (depth > 0) depth--;
      else isSameArgument = true;
    } else if (depth > 0 || !isSameArgument) continue;
    else if (letter === ',') isSameArgument = false;
    else if (
      (letter === '>' && code[at - 1] === '-' && !/^>\s*'/.test(code.slice(at, at + 20))) ||
      (letter === ':' && /\blambda\s[\w\s,]*$/i.test(code.slice(Math.max(0, at - 200), at)))
    )
      return true;
  }
  return false;
}

/** The parts between the commas of a call whose bracket opened just before `start`. */
function argumentsAt(code: string, start: number): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < code.length; at++) {
    const letter = code[at] as string;
    if ('([{'.includes(letter)) depth++;
    else if (depth > 0 && ')]}'.includes(letter)) depth--;
    else if (letter === ')' || (letter === ',' && depth === 0)) {
      parts.push(code.slice(from, at).trim());
      if (letter === ')') return parts;
      from = at + 1;
    }
  }
  return parts;
}

function deepest(text: string): number {
  let depth = 0;
  let most = 0;
  for (const letter of text) {
    if ('([{'.includes(letter)) most = Math.max(most, ++depth);
    else if (')]}'.includes(letter)) depth = Math.max(0, depth - 1);
  }
  return most;
}
