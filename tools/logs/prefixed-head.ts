import { type LogLevel, readLevel } from './log-record.ts';
import type { Head } from './parse-json-line.ts';
import type { ClockState } from './parse-text-head.ts';
import { readTimestamp, type Stamp } from './read-timestamp.ts';
import { readWrittenDate } from './read-written-date.ts';
import type { Tail } from './timed-head.ts';
import { timed } from './timed-head.ts';

/** Up to four words, as services write an owner or a program, then a full date and time in brackets; or one, then a time to the fraction. */
const PREFIX =
  /^((?:[^\s"]{1,80} ){1,4}\[|[a-z]\w{1,9} (?=\S{19}\.\d+Z))(?=\d{4}[-/.]\d\d[-/.]\d\d[T ]\d|\d{1,2}[/-][A-Za-z]{3}[/-]\d{4}[ :])/;
/** `ERROR …]`, `E 12 12]`: the level behind a time in brackets. */
const INSIDE = /^ ([A-Z]{3,8}|[DIWEF])\b([^\]]{0,80})\] */;
const LETTERS: Readonly<Record<string, LogLevel>> = { D: 'debug', I: 'info', W: 'warning', E: 'error', F: 'critical' };

/**
 * The head of a line whose time stands behind some words, in a file where no line begins with a time: there a date in a line may be
 * one of a text that goes on.
 */
export function prefixedHead(
  line: string,
  stamp: Stamp,
  state: { readonly clocks: ClockState; readonly readTail: (line: string, from: number) => Tail },
): Head | undefined {
  const found = PREFIX.exec(line);
  if (!found) return undefined;
  const head = found[0];
  const bracket = head.endsWith('[');
  let end = readTimestamp(line, head.length, stamp) ? stamp.end : undefined;
  const written = end === undefined ? readWrittenDate(line, head.length, state.clocks) : undefined;
  if (written?.iso !== undefined && readTimestamp(written.iso, 0, stamp)) end = written.end;
  if (end === undefined) return undefined;
  const logger = head.replace(/ \[?$/, '');
  const inside = bracket ? INSIDE.exec(line.slice(end)) : null;
  const level = inside ? (LETTERS[inside[1] ?? ''] ?? readLevel(inside[1] ?? '')) : null;
  if (inside && level !== null) return timed('iso_text', stamp, { level, logger, message: line.slice(end + inside[0].length) });
  if (bracket && line[end] !== ']') return undefined;
  return timed('iso_text', stamp, { ...state.readTail(line, bracket ? end + 1 : end), logger });
}
