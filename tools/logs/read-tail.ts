import { type LogLevel, readLevel } from './log-record.ts';
import type { Tail } from './timed-head.ts';

/** Levels that some write small; only right behind the time, where a sentence hardly begins with them. */
const SMALL = /^(?:error|warn|warning|info|debug|fatal)$/;
const NO_LEVEL = /^ (?:rates?|counts?|ratio|budget|handling|handler|logs?|codes?|percent|messages?|level)\b/;
const LOGGER = /(?:\[([^\]]{1,100})\]\s+)?([A-Za-z_$][\w$]*(?:\.[\w$]+)+|[A-Z][\w$]+)(?::\d+)?(?::| -)\s+/y;
/** Levels with one capital only; nothing but a wide gap tells these from the first word of a sentence. */
const CAPITALISED = /^(?:Error|Warning|Warn|Info|Debug|Fault|Fatal|Default|Notice)$/;

/** Finds the level among the first words after a time, and the logger beside it. */
export function readTail(line: string, from: number): Tail {
  let at = from;
  let logger: string | undefined;
  for (let words = 0; words < 5; words++) {
    while (isSeparator(line.charCodeAt(at))) at++;
    let end = at;
    const bracketed = line.charCodeAt(at) === 0x5b;
    if (bracketed) {
      end = line.indexOf(']', at);
      if (end < 0 || end - at > 100) break;
      end++;
    } else while (end < line.length && line.charCodeAt(end) !== 0x20 && line.charCodeAt(end) !== 0x09 && end - at < 100) end++;
    const token = bracketed ? line.slice(at + 1, end - 1).trim() : line.slice(at, end).replace(/[:\-|]+$/, '');
    const word = bracketed ? token.slice(token.lastIndexOf(':') + 1) : token;
    const marked = /^<(\w{4,8})>$/.exec(token)?.[1];
    if (marked !== undefined && readLevel(marked) !== null) return withLogger(line, readLevel(marked) as LogLevel, end, logger);
    const capitalised = CAPITALISED.test(token) && /^(?: {2}|\t)/.test(line.slice(end, end + 2));
    const small = words === 0 && !bracketed && SMALL.test(token) && !NO_LEVEL.test(line.slice(end, end + 20));
    const level = bracketed || small || capitalised || (token.length <= 11 && token === token.toUpperCase()) ? readLevel(word) : null;
    if (level !== null) return withLogger(line, level, end, logger);
    if (!bracketed && token !== '' && !isName(token)) break;
    if (!bracketed || logger === undefined) logger = token;
    at = end;
  }
  const blank = line.charCodeAt(from);
  const start = blank === 0x20 || blank === 0x09 ? from + 1 : from;
  return { level: null, message: line.slice(line.startsWith('- ', start) ? start + 2 : start) };
}

/** A word that may stand between a time and a level: a process number, a dotted or lower-case name. */
function isName(token: string): boolean {
  return /^(?:\d+|0x[\da-f]+|\{[\w-]*\}|[a-z_][\w-]*|[\w$-]+(?:[./:][\w$-]+)+)$/.test(token);
}

function isSeparator(code: number): boolean {
  return code === 0x20 || code === 0x2d || code === 0x7c || code === 0x09 || code === 0x3a || code === 0x2c;
}

/** A level with the logger behind it. */
export function withLogger(line: string, level: LogLevel, end: number, before: string | undefined): Tail {
  let at = end;
  while (isSeparator(line.charCodeAt(at)) && at - end < 40) at++;
  LOGGER.lastIndex = at;
  const found = before === undefined ? LOGGER.exec(line) : null;
  const name = found?.[2];
  if (
    name === undefined ||
    /(?:Error|Exception|Violation|Warning)$/.test(name) ||
    (found?.[1] === undefined && !name.includes('.') && !/[a-z][A-Z]/.test(name))
  ) {
    return { level, ...(before === undefined ? {} : { logger: before }), message: line.slice(at) };
  }
  return { level, logger: name, message: line.slice(LOGGER.lastIndex) };
}
