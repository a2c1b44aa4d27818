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
  const values = readJsonValues(trimmed);
  if (!values || values.length === 0) return undefined;
  const calls: SalvagedCall[] = [];
  for (const value of values) {
    const call = callOf(value);
    if (!call || !offered(call.name)) return undefined;
    calls.push(call);
  }
  return calls;
}

/** What may stand around calls and between them: white space, commas, code fences, call tags, `[TOOL_CALLS]` marks. */
const BETWEEN = /(?:[\s,;]|```(?:json|tool_call|tool_code)?|<\/?(?:tool_call|tool_calls|function_call|tools)>|\[TOOL_CALLS\])+/y;

/** All JSON objects of a text that holds nothing else but arrays of them, and what may stand between; none is looked into. */
function readJsonValues(text: string): unknown[] | undefined {
  const values: unknown[] = [];
  for (let at = afterBetween(text, 0); at < text.length; ) {
    const end = endOfValue(text, at);
    if (end === undefined) return undefined;
    try {
      const value: unknown = JSON.parse(quoteLargeIntegers(text.slice(at, end)));
      if (Array.isArray(value)) values.push(...value);
      else values.push(value);
    } catch {
      return undefined;
    }
    at = afterBetween(text, end);
  }
  return values;
}

function afterBetween(text: string, at: number): number {
  BETWEEN.lastIndex = at;
  return BETWEEN.test(text) ? BETWEEN.lastIndex : at;
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
