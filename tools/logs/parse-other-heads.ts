import { type LogLevel, readLevel } from './log-record.ts';
import type { Head } from './parse-json-line.ts';
import { readTimestamp, type Stamp } from './read-timestamp.ts';
import { type Tail, timed, untimed } from './timed-head.ts';

const SYSLOG = /^(?:<(\d{1,3})>)?([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) (\S+) ([^:[\s]{1,80})(?:\[\d+\])?: /;
const KEY_VALUE = /([A-Za-z_@][\w.@-]*)=("(?:[^"\\]|\\.)*"|[^\s"]*)/g;

/** RFC 5424: `<11>1 2026-05-01T10:00:00Z host program 12 ID47 [id key="value"] message`. */
const SYSLOG_NEW = /^<(\d{1,3})>\d (\S+) \S+ (\S+) \S+ \S+ (?:-|(?:\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])+) ?(?:\ufeff)?/;
const SEVERITIES: readonly LogLevel[] = ['critical', 'critical', 'critical', 'error', 'warning', 'info', 'info', 'debug'];

/** The level of syslog's severity, 0 to 7: what is left of a priority over eight. */
export function severityLevel(priority: number): LogLevel | null {
  return SEVERITIES[priority % 8] ?? null;
}

/** The BSD layout gives no year, so no date; the newer one does. */
export function syslogHead(line: string, stamp: Stamp): Head | undefined {
  const newer = SYSLOG_NEW.exec(line);
  if (newer && readTimestamp(newer[2] ?? '', 0, stamp)) {
    return timed('syslog', stamp, { level: severityLevel(Number(newer[1])), logger: newer[3] ?? '', message: line.slice(newer[0].length) });
  }
  const found = SYSLOG.exec(line);
  if (!found) return undefined;
  const [head, priority, clock = '', , logger = ''] = found;
  const level = priority === undefined ? null : severityLevel(Number(priority));
  return untimed('syslog', { level, logger, message: line.slice(head.length) }, clock);
}

const KLOG = /^([IWEF])(\d{4}(?:\d{4})? \d\d:\d\d:\d\d(?:\.\d{1,6})?) +\d+ ([\w./-]{1,80}:\d+)\] /;
const KLOG_LEVELS: Readonly<Record<string, LogLevel>> = { I: 'info', W: 'warning', E: 'error', F: 'critical' };

/** As Kubernetes' own programs write it: a letter for the level, month and day (newer glog: and the year), the line of the program. */
export function klogHead(line: string, stamp: Stamp): Head | undefined {
  const found = KLOG.exec(line);
  if (!found) return undefined;
  const [head, letter = '', clock = '', logger = ''] = found;
  const dated = /^(\d{4})(\d\d)(\d\d) (.*)$/.exec(clock);
  const tail: Tail = { level: KLOG_LEVELS[letter] ?? null, logger, message: line.slice(head.length) };
  if (dated && readTimestamp(`${dated[1]}-${dated[2]}-${dated[3]} ${dated[4]}`, 0, stamp)) return timed('klog', stamp, tail);
  return untimed('klog', tail, clock);
}

/** A time with a blank in it, and a message that ends the line, both without quotes. */
const SPACED = /(?:^|\s)(?:time|ts|timestamp|t)=(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S*)/;
const LAST_MESSAGE = /\s(?:msg|message)=([^"\s=]\S* [^=]*)$/;

/** `time=… level=… msg="…"`, in any order. */
export function keyValueHead(line: string, stamp: Stamp): Head | undefined {
  const equals = line.indexOf('=');
  if (equals < 1 || equals > 24 || line.lastIndexOf(' ', equals) >= 0) return undefined;
  const fields: Record<string, string> = {};
  for (const [, key = '', raw = ''] of line.matchAll(KEY_VALUE))
    fields[key] ??= raw.startsWith('"') ? raw.slice(1, -1).replace(/\\(.)/g, '$1') : raw;
  const spaced = SPACED.exec(line)?.[1];
  const when = spaced ?? fields.time ?? fields.ts ?? fields.timestamp ?? fields.t;
  const level = readLevel(fields.level ?? fields.lvl ?? fields.severity ?? '');
  const message = LAST_MESSAGE.exec(line)?.[1] ?? fields.msg ?? fields.message ?? fields.event;
  if (message === undefined && level === null && when === undefined) return undefined;
  const tail: Tail = { level, ...(fields.logger === undefined ? {} : { logger: fields.logger }), message: message ?? line };
  if (when !== undefined && readTimestamp(when, 0, stamp)) return timed('key_value', stamp, tail);
  return untimed('key_value', tail, when?.slice(0, 40));
}
