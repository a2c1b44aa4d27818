import { type LogLevel, readLevel } from './log-record.ts';
import type { Head } from './parse-json-line.ts';
import { epochToIso, readTimestamp, type Stamp } from './read-timestamp.ts';
import { type DayOrder, readWrittenDate } from './read-written-date.ts';
import { type Tail, type TailReader, timed, untimed } from './timed-head.ts';

/** `[05/13/26 10:00:00] ERROR …`, `Fri May 01 10:00:00 2026 …`: a date that is not written year first, alone or in brackets. */
export function writtenDateHead(
  line: string,
  stamp: Stamp,
  { order, readTail }: { order: DayOrder; readTail: TailReader },
): Head | undefined {
  const at = line.startsWith('[') ? 1 : 0;
  const found = readWrittenDate(line, at, order);
  if (!found) return undefined;
  const end = at === 1 && line[found.end] === ']' ? found.end + 1 : found.end;
  const tail = readTail(line, end);
  if (found.iso !== undefined && readTimestamp(found.iso, 0, stamp)) return timed('iso_text', stamp, tail);
  return untimed('plain_text', tail, found.clock);
}

const EPOCH = /^\[?(\d{10}|\d{13}|\d{16}|\d{19})(\.\d{1,9})?\]?(?=[\s:|,-])/;

/** `1777629630 ERROR …`, `[1777629630000] …`: seconds, milliseconds, microseconds or nanoseconds since 1970. */
export function epochHead(line: string, readTail: TailReader): Head | undefined {
  const found = EPOCH.exec(line);
  const time = found ? epochToIso(Number(`${found[1]}${found[2] ?? ''}`)) : null;
  if (!found || time === null || time < '2001' || time > '2100') return undefined;
  const tail = readTail(line, found[0].length);
  // A bare number with words behind it may count or name something.
  if (tail.level === null && found[1] === found[0]) return undefined;
  return { ...untimed('plain_text', tail), time, zoneGiven: true, zoneText: 'epoch' };
}

const ELAPSED = /^(\d{1,10}) \[[^\]]{1,100}\] (?=[A-Z]{4,8} )/;

/** `30 [main] ERROR a.b.C - …`: milliseconds since the start, as log4j's simplest layout writes. */
export function elapsedHead(line: string, readTail: TailReader): Head | undefined {
  const found = ELAPSED.exec(line);
  return found ? untimed('log4j', readTail(line, found[1]?.length ?? 0), found[1]) : undefined;
}

const REDIS = /^\d{1,7}:[XCSM] /;
const REDIS_MARKS: Readonly<Record<string, LogLevel>> = { '.': 'debug', '-': 'debug', '*': 'info', '#': 'warning' };

/** Redis: `12:M 01 May 2026 10:00:00.123 # message`. */
export function redisHead(line: string, stamp: Stamp, order: DayOrder): Head | undefined {
  const found = REDIS.exec(line);
  const date = found ? readWrittenDate(line, found[0].length, order) : undefined;
  if (date?.iso === undefined || !readTimestamp(date.iso, 0, stamp)) return undefined;
  const level = REDIS_MARKS[line.charAt(date.end + 1)] ?? null;
  return timed('iso_text', stamp, { level, message: line.slice(date.end + (level === null ? 1 : 3)) });
}

const ACCESS = /^(\S+) \S+ \S+ \[/;
const ANSWER = /^\] "[^"]*" (\d{3}) /;

/** The common layout of web servers' access logs: an answer of 500 and above is an error of the server, of 400 and above one of its caller. */
export function accessHead(line: string, stamp: Stamp, order: DayOrder): Head | undefined {
  const found = ACCESS.exec(line);
  const date = found ? readWrittenDate(line, found[0].length, order) : undefined;
  if (!found || date?.iso === undefined || !readTimestamp(date.iso, 0, stamp)) return undefined;
  const answer = Number(ANSWER.exec(line.slice(date.end))?.[1] ?? 0);
  const level = answer >= 500 ? 'error' : answer >= 400 ? 'warning' : 'info';
  return timed('access_log', stamp, { level, message: `${found[1]} ${line.slice(date.end + 1).trim()}` });
}

const RUBY = /^[DIWEFA], \[(\S+) #\d+\] +([A-Z]+) -- ([^:]*): /;

/** Ruby's logger: `E, [2026-05-01T10:00:00.123 #12] ERROR -- program: message`. */
export function rubyHead(line: string, stamp: Stamp): Head | undefined {
  const found = RUBY.exec(line);
  if (!found || !readTimestamp(found[1] ?? '', 0, stamp)) return undefined;
  const logger = found[3]?.trim();
  return timed('iso_text', stamp, {
    level: readLevel(found[2] ?? ''),
    ...(logger ? { logger } : {}),
    message: line.slice(found[0].length),
  });
}

const DOTNET = /^(trce|dbug|info|warn|fail|crit): (\S+)\[\d+\]\s*$/;
const DOTNET_LEVELS: Readonly<Record<string, LogLevel>> = {
  trce: 'debug',
  dbug: 'debug',
  info: 'info',
  warn: 'warning',
  fail: 'error',
  crit: 'critical',
};

/** .NET's console logger: the level and the category on a line, the message below it. */
export function dotnetHead(line: string): Head | undefined {
  const found = DOTNET.exec(line);
  return found ? untimed('plain_text', { level: DOTNET_LEVELS[found[1] ?? ''] ?? null, logger: found[2] ?? '', message: '' }) : undefined;
}

const CSVLOG = /^(?:,(?:"(?:[^"]|"")*"|[^",]*)){10},([A-Z]+)\d?,\w{5},("(?:[^"]|"")*"?|[^",]*)/;

/** PostgreSQL's csvlog behind its time: ten columns, then the severity, the state and the message. */
export function postgresTail(columns: string): Tail | undefined {
  const found = CSVLOG.exec(columns);
  if (!found) return undefined;
  return { level: readLevel(found[1] ?? ''), message: (found[2] ?? '').replace(/^"|"$/g, '').replaceAll('""', '"') };
}
