import { type LogLevel, readLevel } from './log-record.ts';
import type { Head } from './parse-json-line.ts';
import { severityLevel } from './parse-other-heads.ts';
import { type Tail, type TailReader, untimed } from './timed-head.ts';

const CLOCK = String.raw`\d\d:\d\d:\d\d(?:[.,]\d{1,9})?`;
/** `May  1 10:00:30.123 ERROR …`, with a star as routers write it. */
const NAMED = new RegExp(String.raw`^(?:<(\d{1,3})>)?[*.]?([A-Z][a-z]{2} {1,2}\d{1,2} ${CLOCK})(?: [A-Z]{3,4})?:? `);
/** `05-01 10:00:30.123 ERROR …`. */
const NUMBERS = new RegExp(String.raw`^\[?(\d\d-\d\d ${CLOCK})\]?[ :|,-]+`);
/** Android: `05-01 10:00:30.123  123  456 E Tag: message`. */
const LOGCAT = /^\d+ +\d+ ([VDIWEF]) ([^:]{1,60}?) *: /;
/** `ERROR 05-01 10:00:30 [file.py:12] message`. */
const LEVEL_FIRST = new RegExp(String.raw`^([A-Z]{4,8}):? (\d\d-\d\d ${CLOCK}) (?:\[([\w./-]{1,80}:\d+)\] )?`);
/** Routers: `%LINK-3-UPDOWN: message`, with the severity of syslog. */
const FACILITY = /^%[\w-]+-([0-7])-\w+:/;
const LETTERS: Readonly<Record<string, LogLevel>> = { V: 'debug', D: 'debug', I: 'info', W: 'warning', E: 'error', F: 'critical' };

/** The head of a line that gives month, day and time, but no year. */
export function yearlessHead(line: string, readTail: TailReader): Head | undefined {
  const levelled = LEVEL_FIRST.exec(line);
  if (levelled) {
    const [head, word = '', clock = '', origin] = levelled;
    const level = readLevel(word);
    return level === null ? undefined : clocked(clock, { level, ...(origin ? { origin } : {}), message: line.slice(head.length) });
  }
  const found = NAMED.exec(line) ?? NUMBERS.exec(line);
  if (!found) return undefined;
  const clock = found.at(-1) ?? '';
  const priority = found.length > 2 ? found[1] : undefined;
  const rest = line.slice(found[0].length);
  const logcat = LOGCAT.exec(rest);
  if (logcat) {
    const [head, letter = '', logger = ''] = logcat;
    return clocked(clock, { level: LETTERS[letter] ?? null, logger, message: rest.slice(head.length) });
  }
  const severity = FACILITY.exec(rest)?.[1];
  if (severity !== undefined) return clocked(clock, { level: severityLevel(Number(severity)), message: rest });
  const tail = readTail(rest, 0);
  return clocked(clock, tail.level === null && priority !== undefined ? { ...tail, level: severityLevel(Number(priority)) } : tail);
}

function clocked(clock: string, tail: Tail): Head {
  return untimed('plain_text', tail, clock.replace(/ +/g, ' '));
}
