import { createContext, Script } from 'node:vm';

const MOST_PATTERN = 200;
/** Characters of a line that are looked at. */
export const TESTED_CHARACTERS = 4_000;
const BATCH_MILLISECONDS = 2_000;

/** Tells which lines match, a batch at a time; `too_slow` when the pattern did not finish within its time. */
export type MatchLines = (lines: readonly string[]) => readonly number[] | 'too_slow';

export interface PatternRequest {
  readonly pattern: string | undefined;
  readonly text: string | undefined;
  readonly caseSensitive: boolean;
}

/** A matcher for a pattern or a plain text; `refusal` says why a pattern is not run. */
export function compilePattern({
  pattern,
  text,
  caseSensitive,
}: PatternRequest): { readonly match: MatchLines } | { readonly refusal: string } {
  if (text !== undefined && text !== '') return { match: matchText(text, caseSensitive) };
  if (pattern === undefined || pattern === '') return { match: (lines) => lines.map((_, at) => at) };
  const refusal = refusePattern(pattern);
  if (refusal) return { refusal };
  try {
    return { match: matchPattern(new RegExp(pattern, caseSensitive ? '' : 'i')) };
  } catch (error) {
    return {
      refusal: `the pattern is no valid regular expression (${error instanceof Error ? error.message.slice(0, 160) : 'unknown'}); use "text" for plain words`,
    };
  }
}

function matchText(text: string, caseSensitive: boolean): MatchLines {
  const escaped = new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i');
  const test = caseSensitive ? (line: string) => line.includes(text) : (line: string) => escaped.test(line);
  return (lines) => {
    const found: number[] = [];
    for (let at = 0; at < lines.length; at++) if (test(lines[at] as string)) found.push(at);
    return found;
  };
}

const RUN = 'for (let at = 0; at < lines.length; at++) if (expression.test(lines[at])) found.push(at);';

/** The engine can be stopped from outside only in a context of its own, so each batch runs in one. */
function matchPattern(expression: RegExp): MatchLines {
  const box: { lines: readonly string[]; found: number[]; expression: RegExp } = { lines: [], found: [], expression };
  const context = createContext(box);
  const script = new Script(RUN);
  return (lines) => {
    box.lines = lines.map((line) => (line.length > TESTED_CHARACTERS ? line.slice(0, TESTED_CHARACTERS) : line));
    box.found = [];
    try {
      script.runInContext(context, { timeout: BATCH_MILLISECONDS });
      return box.found;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'too_slow';
      throw error;
    }
  };
}

/** Refuses what can take exponential time: a repeated group that itself repeats or branches, and back references. */
function refusePattern(pattern: string): string | undefined {
  if (pattern.length > MOST_PATTERN)
    return `the pattern has ${pattern.length} characters, more than ${MOST_PATTERN}; search for a shorter part of it`;
  const plain = pattern.replace(/\\[^1-9k]/g, '_').replace(/\[(?:\\.|[^\]\\])*\]/g, '_');
  if (/\\(?:[1-9]|k<)/.test(plain)) return 'back references are not run over logs; search for a simpler pattern or for "text"';
  const open: { risky: boolean }[] = [];
  const whole = { risky: false };
  for (let at = 0; at < plain.length; at++) {
    const character = plain[at];
    if (character === '(') open.push({ risky: false });
    else if (character === '|') (open.at(-1) ?? whole).risky = true;
    else if (character === ')') {
      const closed = open.pop() ?? whole;
      const repeated = /^(?:[*+]|\{\d*,\d*\}|\{\d{2,}\})/.test(plain.slice(at + 1));
      if (repeated && closed.risky)
        return 'a repeated group that itself repeats or branches, such as (a+)+ or (a|b)*, can take forever; write it without the outer repeat';
      if (closed.risky || repeated) (open.at(-1) ?? whole).risky = true;
    } else if (character === '*' || character === '+' || /^\{\d*,\d*\}/.test(plain.slice(at, at + 12))) (open.at(-1) ?? whole).risky = true;
  }
  return undefined;
}
