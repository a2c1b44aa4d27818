import { type Fields, firstOf, isFields, keysOf, levelField, messageField, timeField, traceField } from './json-fields.ts';
import { type LogFormat, type LogLevel, type LogRecord, readLevel } from './log-record.ts';
import { isDagster, readDagster } from './parse-dagster.ts';
import { parseShallowJson } from './parse-shallow-json.ts';
import { readErrorDetail, readExceptions } from './read-exceptions.ts';
import { epochToIso, readTimestamp, type Stamp } from './read-timestamp.ts';
import { stripColours } from './strip-colours.ts';

/** A record's own content, before it has its place in the file. */
export type Head = Omit<LogRecord, 'line' | 'after' | 'rest'> & { rest?: string[] | undefined; line?: number; after?: string | null };

const LOGGER_KEYS = keysOf('logger', 'logger_name', 'loggerName', 'name', 'source');

/** One line of JSON as a record; undefined when it is not a JSON object, or nested too deep. */
export function parseJsonLine(text: string, stamp: Stamp): Head | undefined {
  const value = parseShallowJson(text);
  if (value === undefined || value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const fields = value as Fields;
  if (typeof fields.Event === 'string' && /SparkListener|spark/.test(fields.Event)) return sparkEvent(fields, fields.Event, stamp);
  if (isFields(fields.info) && typeof fields.info.msg === 'string') return dbtRecord(fields, fields.info, stamp);
  if (typeof fields.eventType === 'string' && isFields(fields.run) && isFields(fields.job)) return openLineageRecord(fields, stamp);
  if (isDagster(fields)) return dagsterRecord(fields, stamp);
  return generalRecord(fields, text, stamp);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
}

interface Timed {
  readonly time: string | null;
  readonly zoneGiven: boolean;
  readonly zoneText?: string;
  readonly clock?: string;
}

function readTime(value: unknown, stamp: Stamp): Timed {
  if (typeof value === 'number') return { time: epochToIso(value), zoneGiven: true, zoneText: 'epoch' };
  if (typeof value !== 'string') return { time: null, zoneGiven: false };
  if (readTimestamp(value, 0, stamp)) {
    return { time: stamp.time, zoneGiven: stamp.zoneGiven, ...(stamp.zoneText === undefined ? {} : { zoneText: stamp.zoneText }) };
  }
  const number = /^\d{9,19}(?:\.\d+)?$/.test(value) ? epochToIso(Number(value)) : null;
  return number === null
    ? { time: null, zoneGiven: false, clock: value.slice(0, 40) }
    : { time: number, zoneGiven: true, zoneText: 'epoch' };
}

function levelOf(value: unknown): LogLevel | null {
  return typeof value === 'string' ? readLevel(value) : null;
}

function optional<Key extends string>(key: Key, value: string | undefined): { readonly [Name in Key]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [Name in Key]: string });
}

function dagsterRecord(fields: Fields, stamp: Stamp): Head {
  const meta = isFields(fields.dagster_meta) ? fields.dagster_meta : {};
  const given = timeField(fields) ?? meta.log_timestamp;
  return { format: 'dagster_json', ...readTime(given, stamp), ...readDagster(fields) };
}

function generalRecord(fields: Fields, text: string, stamp: Stamp): Head {
  const message = messageField(fields);
  const format: LogFormat = 'event' in fields && 'timestamp' in fields ? 'airflow_json' : 'json_lines';
  const trace = traceField(fields);
  const exceptions =
    readErrorDetail(fields.error_detail) ??
    readErrorDetail(trace) ??
    (typeof trace === 'string' ? readExceptions(trace.split('\n')) : undefined);
  const [first = '', ...rest] = (
    typeof message === 'string' ? stripColours(message).replace(/[\r\n]+$/, '') : message === undefined ? text : JSON.stringify(message)
  ).split('\n');
  const origin = textOf(fields.filename) ?? textOf(fields.pathname);
  const attempt = Number(fields.try_number ?? fields.attempt);
  return {
    format,
    ...readTime(timeField(fields), stamp),
    level: levelField(fields),
    ...optional('logger', textOf(firstOf(fields, LOGGER_KEYS))),
    ...optional('origin', origin === undefined ? undefined : `${origin}:${textOf(fields.lineno) ?? '?'}`),
    ...optional('task', textOf(fields.task_id)),
    ...optional('pipeline', textOf(fields.dag_id)),
    ...optional('runId', textOf(fields.run_id)),
    ...(Number.isInteger(attempt) && attempt > 0 ? { attempt } : {}),
    ...optional('status', textOf(fields.state) ?? textOf(fields.final_state) ?? textOf(fields.status)),
    message: first,
    exceptions,
    rest: exceptions ? undefined : rest.length > 0 ? rest : undefined,
  };
}

function dbtRecord(fields: Fields, info: Fields, stamp: Stamp): Head {
  const data = isFields(fields.data) ? fields.data : {};
  const node = isFields(data.node_info) ? data.node_info : {};
  const [first = '', ...rest] = stripColours(String(info.msg)).split('\n');
  const level = levelOf(info.level);
  return {
    format: 'dbt_json',
    ...readTime(info.ts, stamp),
    level,
    ...optional('logger', textOf(info.name)),
    ...optional('task', textOf(node.node_name)),
    ...optional('runId', textOf(info.invocation_id)),
    ...optional('status', textOf(data.status) ?? textOf(node.node_status)),
    message: first.trim() === '' && rest.length > 0 ? rest.join(' ').trim() : first,
    exceptions: undefined,
    rest: rest.length > 0 ? rest : undefined,
  };
}

function openLineageRecord(fields: Fields, stamp: Stamp): Head {
  const job = fields.job as Fields;
  const run = fields.run as Fields;
  const facets = isFields(run.facets) ? run.facets : {};
  const failure = isFields(facets.errorMessage) ? textOf(facets.errorMessage.message) : undefined;
  const [first = '', ...rest] = (failure ?? '').split('\n');
  return {
    format: 'openlineage_json',
    ...readTime(fields.eventTime, stamp),
    level: fields.eventType === 'FAIL' ? 'error' : fields.eventType === 'ABORT' ? 'warning' : 'info',
    ...optional('task', textOf(job.name)),
    ...optional('runId', textOf(run.runId)),
    status: String(fields.eventType).toLowerCase(),
    message: `${String(fields.eventType)} ${String(job.name)}${first ? `: ${first}` : ''}`,
    exceptions: undefined,
    rest: rest.length > 0 ? rest : undefined,
  };
}

function sparkEvent(fields: Fields, event: string, stamp: Stamp): Head {
  const task = isFields(fields['Task Info']) ? fields['Task Info'] : {};
  const stage = isFields(fields['Stage Info']) ? fields['Stage Info'] : {};
  const reason = isFields(fields['Task End Reason']) ? fields['Task End Reason'] : {};
  const result = isFields(fields['Job Result']) ? fields['Job Result'] : {};
  const cause = isFields(result.Exception) ? textOf(result.Exception.Message) : undefined;
  const why =
    reason.Reason !== undefined && reason.Reason !== 'Success'
      ? `${String(reason.Reason)} ${textOf(reason['Loss Reason']) ?? textOf(reason.Description) ?? textOf(reason['Kill Reason']) ?? ''}`
      : undefined;
  const failure = why ?? cause ?? textOf(stage['Failure Reason']) ?? textOf(fields.errorMessage);
  const at =
    fields.Timestamp ??
    fields.time ??
    fields['Completion Time'] ??
    fields['Submission Time'] ??
    (task['Finish Time'] || undefined) ??
    task['Launch Time'];
  return {
    format: 'spark_event_log',
    ...readTime(at ?? stage['Completion Time'] ?? stage['Submission Time'], stamp),
    level: failure ? 'error' : 'info',
    message: `${event.replace(/^.*\./, '')}${failure ? `: ${failure.split('\n', 1)[0]}` : ''}`,
    exceptions: failure ? readExceptions(failure.split('\n')) : undefined,
  };
}
