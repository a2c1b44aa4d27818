import { type LogLevel, readLevel } from './log-record.ts';
import type { Head } from './parse-json-line.ts';
import { epochToIso, readTimestamp, type Stamp } from './read-timestamp.ts';
import { type DayOrder, readWrittenDate } from './read-written-date.ts';
import { timed, untimed } from './timed-head.ts';

const DB2 = /^(\d{4}-\d\d-\d\d)-(\d\d)\.(\d\d)\.(\d\d)\.(\d{1,6})([+-]\d{1,3})? +\S+ +LEVEL: (\w+)/;

/** Db2's diagnostic log: `2026-05-01-10.00.00.123456+120 I5E456 LEVEL: Error`, its zone in minutes; what happened stands below. */
function db2Head(line: string, stamp: Stamp): Head | undefined {
  const found = DB2.exec(line);
  if (!found) return undefined;
  const [head, day, hour, minute, second, fraction, minutes, word = ''] = found;
  const offset = Math.abs(Number(minutes ?? 0));
  const two = (part: number): string => String(part).padStart(2, '0');
  const zone = minutes === undefined ? '' : `${minutes[0]}${two(Math.floor(offset / 60))}${two(offset % 60)}`;
  if (!readTimestamp(`${day}T${hour}:${minute}:${second}.${fraction}${zone}`, 0, stamp)) return undefined;
  return timed('iso_text', stamp, { level: readLevel(word), message: line.slice(head.length).trim() });
}

const ERLANG = /^=([A-Z]+) REPORT==== /;

/** Erlang: `=ERROR REPORT==== 1-May-2026::10:00:00 ===`, and what happened below. */
function erlangHead(line: string, stamp: Stamp, order: DayOrder): Head | undefined {
  const found = ERLANG.exec(line);
  const date = found ? readWrittenDate(line, found[0].length, order) : undefined;
  if (!found || date?.iso === undefined || !readTimestamp(date.iso, 0, stamp)) return undefined;
  return timed('iso_text', stamp, { level: readLevel(found[1] ?? ''), message: '' });
}

const AUDIT = /^(?:node=\S+ )?type=(\S+) msg=audit\((\d{10}\.\d{1,6}):\d+\): ?/;

/** Linux's audit log: `type=SYSCALL msg=audit(1777629600.123:456): …`. */
function auditHead(line: string): Head | undefined {
  const found = AUDIT.exec(line);
  const time = found ? epochToIso(Number(found[2])) : null;
  if (!found || time === null) return undefined;
  const tail = { level: null, logger: found[1] ?? '', message: line.slice(found[0].length) };
  return { ...untimed('key_value', tail), time, zoneGiven: true, zoneText: 'epoch' };
}

/** psql and compilers: `psql:load.sql:12: ERROR:  message`. */
const PLACED = /^(?:psql:)?(\S{1,200}:\d{1,7}): (ERROR|FATAL|PANIC|WARNING|NOTICE|INFO|LOG|DEBUG): +/;
/** SQL Server's clients: `Msg 208, Level 16, State 1`, an error from level 11 on, with its text below. */
const SQL_SERVER = /^Msg \d{1,6}, Level (\d{1,2}), State \d/;
/** Teradata's client: ` *** Failure 3807 Object 'X' does not exist.` */
const TERADATA = /^ ?\*\*\* (Failure|Error|Warning):? (?=\d)/;
const TERADATA_LEVELS: Readonly<Record<string, LogLevel>> = { Failure: 'error', Error: 'error', Warning: 'warning' };

/** What programs of databases write without a time. */
function clientHead(line: string): Head | undefined {
  const placed = PLACED.exec(line);
  if (placed) {
    const message = line.slice(placed[0].length);
    return untimed('plain_text', { level: readLevel(placed[2] ?? ''), origin: placed[1] ?? '', message });
  }
  const server = SQL_SERVER.exec(line);
  if (server) return untimed('plain_text', { level: Number(server[1]) >= 11 ? 'error' : 'info', message: line });
  const teradata = TERADATA.exec(line);
  return teradata ? untimed('plain_text', { level: TERADATA_LEVELS[teradata[1] ?? ''] ?? null, message: line.trim() }) : undefined;
}

/** Heads that only one product writes. */
export function productHead(line: string, stamp: Stamp, order: DayOrder): Head | undefined {
  const first = line.charCodeAt(0);
  if (first >= 0x30 && first <= 0x39) return db2Head(line, stamp);
  if (first === 0x3d) return erlangHead(line, stamp, order);
  return auditHead(line) ?? clientHead(line);
}
