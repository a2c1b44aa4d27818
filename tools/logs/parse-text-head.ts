import { type LogLevel, readLevel } from './log-record.ts';
import { looseHead } from './loose-head.ts';
import { readDagsterMessage } from './parse-dagster.ts';
import type { Head } from './parse-json-line.ts';
import { keyValueHead, klogHead, syslogHead } from './parse-other-heads.ts';
import { productHead } from './parse-product-heads.ts';
import {
  accessHead,
  dotnetHead,
  elapsedHead,
  epochHead,
  postgresTail,
  redisHead,
  rubyHead,
  writtenDateHead,
} from './parse-server-heads.ts';
import { yearlessHead } from './parse-yearless-heads.ts';
import { prefixedHead } from './prefixed-head.ts';
import { readTail, withLogger } from './read-tail.ts';
import { isDigit, readTimestamp, type Stamp } from './read-timestamp.ts';
import type { DayOrder } from './read-written-date.ts';
import { type Tail, timed, untimed } from './timed-head.ts';

/** A date that a dbt log's header gave for the clock times below it, and the last of these; and whether lines begin with their time. */
export interface ClockState extends DayOrder {
  date: string | null;
  clock: string;
  timeFirst: boolean;
}

const DBT_HEADER = /^={5,} (?:(\d{4}-\d\d-\d\d)[ T])?(\d\d:\d\d:\d\d(?:\.\d+)?) \| (\S+) =+$/;
const DBT_TAIL = /(?:\s\[(\w+) *\] \[([^\]]*)\]: ?| {2})/y;
const LOG4J = /^(\d\d)\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d)(?:[.,]\d+)? /;
const PYTHON = /^([A-Z]{4,8}):([\w.-]{1,100}):/;
const LEVEL_FIRST = /^\[?([A-Z]{3,8})\]?(?:\s*[:\-|]\s|\s+|:(?=\d{4}-)|$)/;
const INSIDE = /^:? +([A-Z]{3,8})[/ ]? *([^\]]{0,100})\] */;

/** The head of a text record; undefined for a line that begins none. */
export function parseTextHead(line: string, stamp: Stamp, clocks: ClockState): Head | undefined {
  const known = productHead(line, stamp, clocks) ?? knownHead(line, stamp, clocks);
  if (known && known.time !== null) clocks.timeFirst = true;
  const prefixed = known || clocks.timeFirst ? undefined : prefixedHead(line, stamp, { clocks, readTail });
  return known ?? prefixed ?? (line.length > 4 && LOOSE.test(line) ? looseHead(line, stamp) : undefined);
}

/** What a head in no known layout begins with. */
const LOOSE = /^[\d[("*•]|^[A-Z]{4}\[/;

function knownHead(line: string, stamp: Stamp, clocks: ClockState): Head | undefined {
  const first = line.charCodeAt(0);
  const written = { order: clocks, readTail };
  if (first === 0x5b) {
    return (
      bracketHead(line, stamp) ??
      writtenDateHead(line, stamp, written) ??
      epochHead(line, readTail) ??
      yearlessHead(line, readTail) ??
      levelFirst(line, stamp)
    );
  }
  if (isDigit(first)) {
    return isoHead(line, stamp) ?? clockHead(line, clocks) ?? log4jHead(line, stamp) ?? numberFirst(line, stamp, clocks);
  }
  if (first === 0x3d) return dbtHeader(line, clocks);
  if (first === 0x3c) return syslogHead(line, stamp) ?? yearlessHead(line, readTail);
  if (first === 0x2a) return yearlessHead(line, readTail);
  if (first === 0x3a) return accessHead(line, stamp, clocks);
  if (first >= 0x41 && first <= 0x5a) {
    const yearless = syslogHead(line, stamp) ?? klogHead(line, stamp);
    const known = yearless ?? rubyHead(line, stamp) ?? writtenDateHead(line, stamp, written) ?? yearlessHead(line, readTail);
    return known ?? levelFirst(line, stamp);
  }
  if (first >= 0x61 && first <= 0x7a) return dotnetHead(line) ?? keyValueHead(line, stamp) ?? accessHead(line, stamp, clocks);
  return undefined;
}

function numberFirst(line: string, stamp: Stamp, clocks: ClockState): Head | undefined {
  const dated = writtenDateHead(line, stamp, { order: clocks, readTail });
  const known = dated ?? yearlessHead(line, readTail) ?? epochHead(line, readTail);
  return known ?? elapsedHead(line, readTail) ?? redisHead(line, stamp, clocks) ?? accessHead(line, stamp, clocks);
}

/** `[time] {file.py:12} LEVEL - message`, as Airflow writes; `[time] message` and `[time] [LEVEL] …` as others do. */
function bracketHead(line: string, stamp: Stamp): Head | undefined {
  if (!readTimestamp(line, 1, stamp)) return undefined;
  let at = stamp.end;
  if (line.charCodeAt(at) !== 0x5d) return insideBrackets(line, stamp);
  at++;
  if (line.charCodeAt(at) === 0x20) at++;
  if (line.charCodeAt(at) !== 0x7b) {
    const tail = readTail(line, at);
    return timed(line.startsWith(' - ', at - 1) || /^[A-Z]+ - /.test(line.slice(at, at + 12)) ? 'airflow_text' : 'iso_text', stamp, tail);
  }
  const open = line.charCodeAt(at + 1) === 0x7b ? at + 2 : at + 1;
  const close = line.indexOf('}', open);
  if (close < 0) return timed('airflow_text', stamp, { level: null, message: line.slice(at) });
  const origin = line.slice(open, close);
  let next = close + 1;
  while (line.charCodeAt(next) === 0x7d || line.charCodeAt(next) === 0x20) next++;
  const dash = line.indexOf(' - ', next);
  const level = dash > 0 && dash - next <= 8 ? readLevel(line.slice(next, dash)) : null;
  if (level !== null) return timed('airflow_text', stamp, { level, origin, message: line.slice(dash + 3) });
  return timed('airflow_text', stamp, { ...readTail(line, next), origin });
}

/** `[time: LEVEL/worker] message` as Celery writes, `[time LEVEL target] message` as Rust's loggers do. */
function insideBrackets(line: string, stamp: Stamp): Head | undefined {
  const found = INSIDE.exec(line.slice(stamp.end));
  const level = found ? readLevel(found[1] ?? '') : null;
  if (!found || level === null) return undefined;
  const logger = found[2]?.trim();
  return timed('iso_text', stamp, { level, ...(logger ? { logger } : {}), message: line.slice(stamp.end + found[0].length) });
}

const MARKED = /^ - ([!?+]) \[\d+\] /;
const MARKS: Readonly<Record<string, LogLevel>> = { '!': 'error', '+': 'warning', '?': 'info' };

/** SQL Server's agent marks its levels: `2026-05-01 10:00:00 - ! [298] message`. */
function markedTail(line: string, from: number): Tail | undefined {
  const found = MARKED.exec(line.slice(from, from + 20));
  return found ? { level: MARKS[found[1] ?? ''] ?? null, message: line.slice(from + found[0].length) } : undefined;
}

function isoHead(line: string, stamp: Stamp): Head | undefined {
  if (!readTimestamp(line, 0, stamp)) return undefined;
  const tail =
    (line.charCodeAt(stamp.end) === 0x2c ? postgresTail(line.slice(stamp.end)) : undefined) ??
    markedTail(line, stamp.end) ??
    readTail(line, stamp.end);
  const dagster = tail.logger === 'dagster' ? readDagsterMessage(tail.message) : undefined;
  return dagster ? { ...timed('dagster_text', stamp, tail), ...dagster } : timed('iso_text', stamp, tail);
}

/** A time of day without a date, as dbt writes; dated only by a header above that has one. */
function clockHead(line: string, clocks: ClockState): Head | undefined {
  if (line.charCodeAt(2) !== 0x3a || line.charCodeAt(5) !== 0x3a || !isDigit(line.charCodeAt(7))) return undefined;
  let end = 8;
  while (isDigit(line.charCodeAt(end)) || (end === 8 && [0x2e, 0x2c].includes(line.charCodeAt(end)))) end++;
  const clock = line.slice(0, end);
  DBT_TAIL.lastIndex = end;
  const found = DBT_TAIL.exec(line);
  if (!found) return { format: 'plain_text', ...dateClock(clock, clocks), zoneGiven: false, ...readTail(line, end), exceptions: undefined };
  return {
    format: 'dbt_text',
    ...dateClock(clock, clocks),
    zoneGiven: false,
    level: found[1] === undefined ? null : readLevel(found[1]),
    ...(found[2] === undefined ? {} : { logger: found[2] }),
    message: line.slice(DBT_TAIL.lastIndex).trimEnd(),
    exceptions: undefined,
  };
}

function dateClock(clock: string, clocks: ClockState): { readonly time: string | null; readonly clock: string } {
  if (clocks.date === null) return { time: null, clock };
  const jumpsBack = Number(clocks.clock.slice(0, 2)) - Number(clock.slice(0, 2)) > 12;
  if (jumpsBack) clocks.date = new Date(Date.parse(`${clocks.date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  clocks.clock = clock.slice(0, 8);
  return { time: `${clocks.date}T${clock}Z`, clock };
}

function dbtHeader(line: string, clocks: ClockState): Head | undefined {
  const found = DBT_HEADER.exec(line);
  if (!found) return undefined;
  const [, date, clock = '', run = ''] = found;
  clocks.date = date ?? null;
  clocks.clock = clock.slice(0, 8);
  return {
    format: 'dbt_text',
    ...dateClock(clock, clocks),
    zoneGiven: false,
    level: 'info',
    runId: run,
    message: `dbt invocation ${run}`,
    exceptions: undefined,
  };
}

/** Spark's default layout, `yy/MM/dd HH:mm:ss LEVEL Logger: message`. */
function log4jHead(line: string, stamp: Stamp): Head | undefined {
  const found = LOG4J.exec(line);
  if (!found) return undefined;
  const [head = '', year, month, day, clock] = found;
  // Spark is younger than this: the first number is a month or a day.
  if (Number(year) <= 12) return undefined;
  if (!readTimestamp(`20${year}-${month}-${day} ${clock}`, 0, stamp)) return undefined;
  return timed('log4j', stamp, readTail(line, head.length - 1));
}

/** `LEVEL:logger:message`, `LEVEL - message`, `[LEVEL] message`, `LEVEL time message`. */
function levelFirst(line: string, stamp: Stamp): Head | undefined {
  const python = PYTHON.exec(line);
  const found = python ?? LEVEL_FIRST.exec(line);
  const level = found ? readLevel(found[1] ?? '') : null;
  if (!found || level === null) return undefined;
  const thread = /^\[[^\]\d][^\]]{0,100}\] (?=\d{4})/.exec(line.slice(found[0].length))?.[0] ?? '';
  let rest = line.slice(found[0].length + thread.length);
  const bracket = rest.startsWith('[') ? 1 : 0;
  if (readTimestamp(rest, bracket, stamp)) {
    rest = rest.slice(stamp.end + bracket).replace(/^[\s:\-|]+/, '');
    return timed('iso_text', stamp, withLogger(rest, level, 0, undefined));
  }
  return untimed('python_logging', { level, logger: python?.[2], message: rest });
}
