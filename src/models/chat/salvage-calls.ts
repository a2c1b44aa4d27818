import { quoteLargeIntegers, readArguments } from './read-arguments.ts';

export interface SalvagedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly unreadable?: string;
}

/**
 * Tool calls that a model printed as text: only when the whole text is one or more call objects of offered tools, bare,
 * fenced or in `<tool_call>` tags, as an array or one after another. Prose is never searched for calls.
 */
export function salvageCalls(text: string, offered: (name: string) => boolean): SalvagedCall[] | undefined {
  const trimmed = text.trim();
  if (!/^(?:```|<|\[|\{)/.test(trimmed)) return undefined;
  const bare = unwrap(trimmed);
  const values = bare === undefined ? undefined : readJsonValues(bare);
  if (!values || values.length === 0) return undefined;
  const calls: SalvagedCall[] = [];
  for (const value of values) {
    const call = callOf(value);
    if (!call || !offered(call.name)) return undefined;
    calls.push(call);
  }
  return calls;
}

/** The text without code fences, call tags and `[TOOL_CALLS]` marks around its objects; these may repeat. */
function unwrap(text: string): string | undefined {
  const bare = text
    .replace(/^\[TOOL_CALLS\]\s*/, '')
    .replace(/```(?:json|tool_call|tool_code)?[ \t]*\r?\n?/g, '\n')
    .replace(/<\/?(?:tool_call|tool_calls|function_call|tools)>/g, '\n')
    .trim();
  return bare.startsWith('{') || bare.startsWith('[') ? bare : undefined;
}

/** All JSON objects of a text that holds nothing else but arrays of them, white space, commas and semicolons. */
function readJsonValues(text: string): unknown[] | undefined {
  const values: unknown[] = [];
  let at = 0;
  while (at < text.length) {
    if (/[\s,;]/.test(text[at] as string)) {
      at++;
      continue;
    }
    const end = endOfValue(text, at);
    if (end === undefined) return undefined;
    try {
      const value: unknown = JSON.parse(quoteLargeIntegers(text.slice(at, end)));
      if (Array.isArray(value)) values.push(...value);
      else values.push(value);
    } catch {
      return undefined;
    }
    at = end;
  }
  return values;
}

function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return at + 1;
    }
    if (depth === 0 && !inString) return undefined;
  }
  return undefined;
}

function callOf(value: unknown): SalvagedCall | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const outer = value as Record<string, unknown>;
  const inner = outer.type === 'function' || outer.function !== undefined ? outer.function : outer;
  if (inner === null || typeof inner !== 'object') return undefined;
  const { name, arguments: given, parameters, ...rest } = inner as Record<string, unknown>;
  if (typeof name !== 'string' || Object.keys(rest).some((key) => key !== 'id' && key !== 'type')) return undefined;
  const read = readArguments(given ?? parameters);
  return { name, arguments: read.arguments, ...(read.unreadable === undefined ? {} : { unreadable: read.unreadable }) };
}
