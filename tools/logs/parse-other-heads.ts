import { type LogLevel, readLevel } from './log-record.ts';
import type { Head } from './parse-json-line.ts';
import { readTimestamp, type Stamp } from './read-timestamp.ts';
import { type Tail, timed } from './timed-head.ts';

const SYSLOG = /^(?:<\d+>)?([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) (\S+) ([^:[\s]{1,80})(?:\[\d+\])?: /;
const KEY_VALUE = /([A-Za-z_@][\w.@-]*)=("(?:[^"\\]|\\.)*"|[^\s"]*)/g;

/** The BSD layout gives no year, so no date. */
export function syslogHead(line: string): Head | undefined {
  const found = SYSLOG.exec(line);
  if (!found) return undefined;
  const [head, clock = '', , logger = ''] = found;
  return {
    format: 'syslog',
    time: null,
    clock,
    zoneGiven: false,
    level: null,
    logger,
    message: line.slice(head.length),
    exceptions: undefined,
  };
}

const KLOG = /^([IWEF])(\d{4} \d\d:\d\d:\d\d(?:\.\d{1,6})?) +\d+ ([\w./-]{1,80}:\d+)\] /;
const KLOG_LEVELS: Readonly<Record<string, LogLevel>> = { I: 'info', W: 'warning', E: 'error', F: 'critical' };

/** As Kubernetes' own programs write it: a letter for the level, month and day without a year, the line of the program. */
export function klogHead(line: string): Head | undefined {
  const found = KLOG.exec(line);
  if (!found) return undefined;
  const [head, letter = '', clock = '', logger = ''] = found;
  return {
    format: 'klog',
    time: null,
    clock,
    zoneGiven: false,
    level: KLOG_LEVELS[letter] ?? null,
    logger,
    message: line.slice(head.length),
    exceptions: undefined,
  };
}

/** `time=… level=… msg="…"`, in any order. */
export function keyValueHead(line: string, stamp: Stamp): Head | undefined {
  const equals = line.indexOf('=');
  if (equals < 1 || equals > 24 || line.lastIndexOf(' ', equals) >= 0) return undefined;
  const fields: Record<string, string> = {};
  for (const [, key = '', raw = ''] of line.matchAll(KEY_VALUE))
    fields[key] ??= raw.startsWith('"') ? raw.slice(1, -1).replace(/\\(.)/g, '$1') : raw;
  const when = fields.time ?? fields.ts ?? fields.timestamp ?? fields.t;
  const level = readLevel(fields.level ?? fields.lvl ?? fields.severity ?? '');
  const message = fields.msg ?? fields.message ?? fields.event;
  if (message === undefined && level === null && when === undefined) return undefined;
  const tail: Tail = { level, ...(fields.logger === undefined ? {} : { logger: fields.logger }), message: message ?? line };
  if (when !== undefined && readTimestamp(when, 0, stamp)) return timed('key_value', stamp, tail);
  return {
    format: 'key_value',
    time: null,
    ...(when === undefined ? {} : { clock: when.slice(0, 40) }),
    zoneGiven: false,
    ...tail,
    exceptions: undefined,
  };
}
