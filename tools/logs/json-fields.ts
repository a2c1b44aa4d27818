import { type LogLevel, readLevel } from './log-record.ts';
import { severityLevel } from './parse-other-heads.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Names that one thing has in the logs of different programs. */
export interface Keys {
  readonly written: readonly string[];
  /** In small letters. */
  readonly small: ReadonlySet<string>;
}

export function keysOf(...written: readonly string[]): Keys {
  return { written, small: new Set(written.map((key) => key.toLowerCase())) };
}

const TIME_KEYS = keysOf(
  'timestamp',
  'ts',
  'time',
  '@timestamp',
  'asctime',
  'datetime',
  'eventTime',
  'date',
  't',
  '@t',
  '__REALTIME_TIMESTAMP',
  'TimeCreated',
  'timeUnixNano',
  'created',
  'created_at',
  '_time',
);
const LEVEL_KEYS = keysOf(
  'level',
  'levelname',
  'severity',
  'log.level',
  'lvl',
  'loglevel',
  'log_level',
  '@l',
  'severityText',
  'LevelDisplayName',
  'PRIORITY',
);
const MESSAGE_KEYS = keysOf(
  'event',
  'message',
  'msg',
  'log',
  'text',
  'short_message',
  'body',
  '@m',
  '@mt',
  'RenderedMessage',
  'textPayload',
);
const TRACE_KEYS = keysOf(
  'exception',
  'exc_info',
  'exc_text',
  'stack_trace',
  'stacktrace',
  'stack',
  'traceback',
  'error.stack_trace',
  '@x',
);
const INNER_TRACE_KEYS = keysOf('stack_trace', 'stack', 'stacktrace');
/** Objects in which collectors put what the program wrote. */
const INNER_KEYS = ['log', 'jsonPayload', 'err', 'error', 'fields'];

export function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The first of the keys that holds something, as written and then in any case. */
export function firstOf(fields: Fields, { written, small }: Keys): unknown {
  for (const key of written) if (fields[key] !== undefined && fields[key] !== null) return fields[key];
  for (const key of Object.keys(fields)) if (small.has(key.toLowerCase()) && fields[key] !== null) return fields[key];
  return undefined;
}

function insideOf(fields: Fields, keys: Keys): unknown {
  for (const key of INNER_KEYS) {
    const inner = fields[key];
    const found = isFields(inner) ? firstOf(inner, keys) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** When an entry was written; MongoDB's `{"$date": …}` opened. */
export function timeField(fields: Fields): unknown {
  const found = firstOf(fields, TIME_KEYS) ?? insideOf(fields, TIME_KEYS);
  return isFields(found) ? (found.$date ?? found.SystemTime) : found;
}

/** What an entry says; an object where the program wrote one. */
export function messageField(fields: Fields): unknown {
  // Where both stand, the event is a code and the message says what it was.
  if (typeof fields.event === 'string' && typeof fields.message === 'string' && fields.message !== '') return fields.message;
  const found = firstOf(fields, MESSAGE_KEYS);
  if (isFields(found) && typeof found.stringValue === 'string') return found.stringValue;
  return found === undefined || isFields(found) ? (insideOf(fields, MESSAGE_KEYS) ?? found) : found;
}

export function traceField(fields: Fields): unknown {
  return firstOf(fields, TRACE_KEYS) ?? insideOf(fields, INNER_TRACE_KEYS);
}

/** Windows' numbers, 1 for critical to 5 for verbose. */
const WINDOWS: readonly (LogLevel | null)[] = [null, 'critical', 'error', 'warning', 'info', 'debug'];
/** The numbers of Node's loggers in tens: 30 is info, 50 an error. */
const NODE: readonly (LogLevel | null)[] = [null, 'debug', 'debug', 'info', 'warning', 'error', 'critical'];
const LETTERS: Readonly<Record<string, LogLevel>> = { F: 'critical', E: 'error', W: 'warning', I: 'info', D: 'debug' };

/** The level of an entry, by a word or by the numbers of the program that its other keys show. */
export function levelField(fields: Fields): LogLevel | null {
  const value = firstOf(fields, LEVEL_KEYS) ?? insideOf(fields, LEVEL_KEYS);
  if (value === undefined) {
    if ('@t' in fields) return 'info';
    return typeof fields.s === 'string' && 'ctx' in fields ? (LETTERS[fields.s.charAt(0)] ?? null) : null;
  }
  const word = typeof value === 'string' ? readLevel(value) : null;
  if (word !== null) return word;
  const number = typeof value === 'number' ? value : typeof value === 'string' && /^\d{1,2}$/.test(value) ? Number(value) : undefined;
  return number === undefined ? null : numberLevel(fields, number);
}

function numberLevel(fields: Fields, value: number): LogLevel | null {
  if ('short_message' in fields || 'PRIORITY' in fields) return value <= 7 ? severityLevel(value) : null;
  if ('ProviderName' in fields || 'EventID' in fields) return WINDOWS[value] ?? null;
  if (typeof fields.msg === 'string' && ('pid' in fields || 'hostname' in fields || 'v' in fields))
    return NODE[Math.floor(value / 10)] ?? null;
  // Python's numbers and pino's differ by ten; only the values that both read alike are taken.
  return value >= 50 ? 'critical' : value >= 40 ? 'error' : value < 10 ? null : value <= 10 ? 'debug' : value <= 20 ? 'info' : null;
}
