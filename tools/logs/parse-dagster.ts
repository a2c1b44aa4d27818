import { keepText, type LogException, type LogLevel, readLevel } from './log-record.ts';
import type { Head } from './parse-json-line.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a Dagster record says beyond its time. */
export type DagsterFacts = Pick<Head, 'level' | 'task' | 'pipeline' | 'runId' | 'status' | 'message' | 'exceptions' | 'rest'>;

const PYTHON_LEVELS: readonly (readonly [number, LogLevel])[] = [
  [50, 'critical'],
  [40, 'error'],
  [30, 'warning'],
  [20, 'info'],
  [0, 'debug'],
];

function fieldsOf(value: unknown): Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {};
}

function textOf(...values: unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

/** True for a record of Dagster: its JSON console, its stored events, or an answer of its GraphQL interface. */
export function isDagster(fields: Fields): boolean {
  const kind = fields.__typename;
  return (
    fields.dagster_meta !== undefined ||
    fields.dagster_event !== undefined ||
    (typeof kind === 'string' && /Event$/.test(kind) && fields.runId !== undefined)
  );
}

/** Level, step, job, run and error of a Dagster record. */
export function readDagster(fields: Fields): DagsterFacts {
  const meta = fieldsOf(fields.dagster_meta);
  const event = fieldsOf(fields.dagster_event ?? meta.dagster_event);
  const data = fieldsOf(event.event_specific_data);
  const kind = textOf(
    event.event_type_value,
    event.event_type,
    fields.eventType,
    typeof fields.__typename === 'string' ? eventName(fields.__typename) : undefined,
  );
  const message = textOf(event.message, meta.orig_message, fields.user_message, fields.message, fields.msg) ?? '';
  const chain = readChain(data.error ?? fields.error ?? fields.error_info ?? meta.error);
  const [first = '', ...rest] = message.split('\n');
  return {
    level: levelOf(fields.level ?? fields.levelname ?? meta.level, kind),
    ...optional('task', textOf(event.step_key, meta.step_key, meta.op_name, fields.step_key, fields.stepKey)),
    ...optional(
      'pipeline',
      textOf(event.job_name, event.pipeline_name, meta.job_name, meta.pipeline_name, fields.job_name, fields.pipeline_name),
    ),
    ...optional('runId', textOf(meta.run_id, fields.run_id, fields.runId)),
    ...optional('status', kind),
    message: kind !== undefined && !first.startsWith(kind) ? `${kind} - ${first}` : first,
    exceptions: chain,
    rest: chain === undefined && rest.length > 0 ? rest : undefined,
  };
}

/** `ExecutionStepFailureEvent` as `STEP_FAILURE`. */
function eventName(typename: string): string {
  return typename
    .replace(/^Execution/, '')
    .replace(/Event$/, '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase();
}

function levelOf(value: unknown, kind: string | undefined): LogLevel | null {
  const given =
    typeof value === 'number'
      ? (PYTHON_LEVELS.find(([least]) => value >= least)?.[1] ?? null)
      : typeof value === 'string'
        ? readLevel(value)
        : null;
  if (kind !== undefined && /_FAILURE$/.test(kind) && given !== 'critical') return 'error';
  return kind === 'STEP_UP_FOR_RETRY' && given !== 'error' ? 'warning' : given;
}

/** Dagster writes the outermost error with its cause inside. */
function readChain(error: unknown): LogException[] | undefined {
  const found: LogException[] = [];
  for (let one = fieldsOf(error), depth = 0; depth < 10 && (one.message !== undefined || one.cls_name !== undefined); depth++) {
    const type = textOf(one.cls_name, one.className);
    const message = (textOf(one.message) ?? '').trim();
    const own = type === undefined ? message : message.replace(new RegExp(`^(?:[\\w.]+\\.)?${type.replace(/\W/g, '\\$&')}: ?`), '');
    found.push({ type: keepText(type ?? 'error'), message: keepText(own.slice(0, 400)) });
    one = fieldsOf(one.cause);
  }
  if (found.length === 0) return undefined;
  return found.reverse().map((one, place) => (place === 0 ? one : { ...one, link: 'direct_cause' as const }));
}

function optional<Key extends string>(key: Key, value: string | undefined): { readonly [Name in Key]?: string } {
  return value === undefined ? {} : ({ [key]: keepText(value) } as { [Name in Key]: string });
}

const RUN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const CONSOLE = new RegExp(`^(\\S+) - (${RUN}) - (?:(\\d+) - )?(?:(\\S+) - )?(?:([A-Z][A-Z_]{3,40}) - )?([^]*)$`);

/** `job - run - pid - step - EVENT - message`, as Dagster writes to the console; undefined for another message. */
export function readDagsterMessage(message: string): Partial<DagsterFacts> | undefined {
  const found = CONSOLE.exec(message);
  if (!found) return undefined;
  const [, job = '', run = '', , step, kind, text = ''] = found;
  const stepIsEvent = step !== undefined && kind === undefined && /^[A-Z][A-Z_]{3,40}$/.test(step);
  const event = stepIsEvent ? step : kind;
  return {
    pipeline: keepText(job),
    runId: keepText(run),
    ...optional('task', stepIsEvent ? undefined : step),
    ...optional('status', event),
    message: event === undefined ? text : `${event} - ${text}`,
  };
}
