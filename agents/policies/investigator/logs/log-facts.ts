import { clock, type Reading, read } from '../read-data.ts';

export interface LogEvent {
  readonly time: string | null;
  readonly kind: string;
  readonly file: string;
  readonly line: number | null;
  readonly task: string | null;
  readonly attempt: number | null;
  readonly text: string;
  readonly consequence: boolean;
  readonly times: number | null;
}

export interface LogFacts {
  readonly files: number | null;
  readonly lines: number | null;
  readonly unparsable: number;
  readonly withoutZone: number;
  readonly withoutTime: number;
  readonly firstError: LogEvent | null;
  readonly firstWarning: LogEvent | null;
  readonly firstQuietError: LogEvent | null;
  readonly tasks: readonly Reading[];
  readonly exceptions: readonly Reading[];
  readonly timeline: readonly LogEvent[];
  readonly messages: readonly Reading[];
}

/** What `summarize_log` says. */
export function readLogFacts(value: unknown): LogFacts {
  const data = read(value);
  const totals = data.at('totals');
  const event = (key: string): LogEvent | null => (data.at(key).text('text') === null ? null : readEvent(data.at(key)));
  return {
    files: totals.number('files'),
    lines: totals.number('lines'),
    unparsable: totals.number('unparsable_lines') ?? 0,
    withoutZone: totals.number('records_without_zone') ?? 0,
    withoutTime: totals.number('records_without_time') ?? 0,
    firstError: event('first_error'),
    firstWarning: event('first_warning'),
    firstQuietError: event('first_error_below_error_level'),
    tasks: data.at('tasks').list('items'),
    exceptions: data.at('exceptions').list('items'),
    timeline: data.at('timeline').list('items').map(readEvent),
    messages: data.at('messages').list('items'),
  };
}

function readEvent(one: Reading): LogEvent {
  return {
    time: one.text('time'),
    kind: one.text('kind') ?? '',
    file: one.text('file') ?? '',
    line: one.number('line'),
    task: one.text('task'),
    attempt: one.number('attempt'),
    text: one.text('text') ?? '',
    consequence: one.flag('likely_consequence') ?? false,
    times: one.number('times'),
  };
}

/** `2026-03-02T01:59:10Z extract attempt 1: text (file:line)`. */
export function describeEvent(event: LogEvent): string {
  const who = event.task === null ? '' : ` \`${event.task}\`${event.attempt === null ? '' : ` attempt ${event.attempt}`}:`;
  const mark = /[./]/.test(event.file) ? ':' : ', line ';
  const where = event.file === '' ? '' : ` (${shortPath(event.file)}${mark}${event.line ?? '?'})`;
  const times = event.times !== null && event.times > 1 ? ` (${event.times} times)` : '';
  return `${event.time === null ? 'time unknown' : clock(event.time)}${who} "${clip(event.text)}"${times}${where}`;
}

/** The last three parts of a long path. */
function shortPath(path: string): string {
  const parts = path.split('/');
  return parts.length > 3 ? `…/${parts.slice(-3).join('/')}` : path;
}

function clip(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return line.length <= 220 ? line : `${line.slice(0, 220)}…`;
}
