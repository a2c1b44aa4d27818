import { readInstant, secondsBetween } from '../../core/instant.ts';
import type { PipelineRun, SlotPool, TaskTry } from '../../core/source.ts';

/** A JSON object of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for a JSON object (not a list, not null). */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A dag run of Airflow 3 (REST v2) or Airflow 2 (REST v1); undefined when it names no dag or no run. */
export function toPipelineRun(entry: Fields): PipelineRun | undefined {
  const pipeline = textOf(entry, 'dag_id');
  const runId = textOf(entry, 'dag_run_id') ?? textOf(entry, 'run_id');
  if (pipeline === null || runId === null) return undefined;
  const started = timeOf(entry, 'start_date');
  const ended = timeOf(entry, 'end_date');
  const note = textOf(entry, 'note');
  return {
    pipeline,
    run_id: runId,
    type: textOf(entry, 'run_type') ?? typeFromRunId(runId),
    state: textOf(entry, 'state') ?? 'unknown',
    logical_date: timeOf(entry, 'logical_date') ?? timeOf(entry, 'execution_date'),
    queued_at: timeOf(entry, 'queued_at'),
    started_at: started,
    ended_at: ended,
    duration_s: ended === null ? null : (numberOf(entry, 'duration') ?? secondsBetween(started, ended)),
    ...(note ? { note } : {}),
  };
}

/** A task instance, or one of its tries; undefined when it names no task, dag or run. */
export function toTaskTry(entry: Fields): TaskTry | undefined {
  const task = textOf(entry, 'task_id');
  const pipeline = textOf(entry, 'dag_id');
  const runId = textOf(entry, 'dag_run_id') ?? textOf(entry, 'run_id');
  if (task === null || pipeline === null || runId === null) return undefined;
  const started = timeOf(entry, 'start_date');
  const ended = timeOf(entry, 'end_date');
  const operator = textOf(entry, 'operator') ?? textOf(entry, 'operator_name');
  const message = textOf(entry, 'note');
  return {
    pipeline,
    run_id: runId,
    task_id: task,
    map_index: numberOf(entry, 'map_index') ?? -1,
    try_number: numberOf(entry, 'try_number') ?? 1,
    state: textOf(entry, 'state') ?? 'none',
    scheduled_at: timeOf(entry, 'scheduled_when'),
    queued_at: timeOf(entry, 'queued_when'),
    started_at: started,
    ended_at: ended,
    duration_s: ended === null ? null : (numberOf(entry, 'duration') ?? secondsBetween(started, ended)),
    pool: textOf(entry, 'pool'),
    slots: numberOf(entry, 'pool_slots') ?? 1,
    operator,
    ...(message ? { message } : {}),
  };
}

/** A pool with its slots; undefined when it has no name or no number of slots. */
export function toSlotPool(entry: Fields): SlotPool | undefined {
  const name = textOf(entry, 'name') ?? textOf(entry, 'pool');
  const slots = numberOf(entry, 'slots');
  return name === null || slots === null ? undefined : { name, slots };
}

/** Airflow names its runs after their type: `scheduled__2026-03-16T02:00:00+00:00`. */
export function typeFromRunId(runId: string): string {
  return /^([a-z]+(?:_[a-z]+)*)__/.exec(runId)?.[1] ?? 'unknown';
}

/** The text of a field; null when it is missing or no text. */
export function textOf(entry: Fields, key: string): string | null {
  const value = entry[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The number of a field; null when it is missing or not finite. */
export function numberOf(entry: Fields, key: string): number | null {
  const value = entry[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function timeOf(entry: Fields, key: string): string | null {
  const text = textOf(entry, key);
  return text === null ? null : (readInstant(text)?.iso ?? null);
}
