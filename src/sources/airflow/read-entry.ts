import type { PipelineRun, SlotPool, TaskTry } from '../../core/source.ts';
import { utcTime } from '../runs/utc-time.ts';

/** One JSON object of Airflow's API: REST v2 (Airflow 3) or v1 (Airflow 2); missing fields are null. */
export type AirflowEntry = Readonly<Record<string, unknown>>;

/** `dag_run_id` in the API's answers, `run_id` where the command line or the metadata database wrote them. */
export function runIdOf({ dag_run_id: api, run_id: other }: AirflowEntry): unknown {
  return api ?? other;
}

export function readDagRun(entry: AirflowEntry): PipelineRun | undefined {
  const { dag_id: pipeline } = entry;
  const runId = runIdOf(entry);
  if (typeof pipeline !== 'string' || typeof runId !== 'string') return undefined;
  const started = utcTime(entry.start_date);
  const ended = utcTime(entry.end_date);
  return {
    pipeline,
    run_id: runId,
    type: text(entry.run_type) ?? 'unknown',
    state: text(entry.state) ?? 'unknown',
    logical_date: utcTime(entry.logical_date ?? entry.execution_date),
    queued_at: utcTime(entry.queued_at),
    started_at: started,
    ended_at: ended,
    duration_s: number(entry.duration) ?? secondsBetween(started, ended),
    ...(text(entry.note) === null ? {} : { note: String(entry.note) }),
  };
}

/** Whether a DAG is paused, as the API says it, or as the command line prints it. */
export function readDag({ dag_id: pipeline, is_paused: paused }: AirflowEntry): { pipeline: string; paused: boolean } | undefined {
  return typeof pipeline === 'string' ? { pipeline, paused: /^true$/i.test(String(paused)) } : undefined;
}

export function readTaskInstance(entry: AirflowEntry): TaskTry | undefined {
  const { dag_id: pipeline, task_id: task } = entry;
  const runId = runIdOf(entry);
  if (typeof pipeline !== 'string' || typeof runId !== 'string' || typeof task !== 'string') return undefined;
  const started = utcTime(entry.start_date);
  const ended = utcTime(entry.end_date);
  return {
    pipeline,
    run_id: runId,
    task_id: task,
    map_index: number(entry.map_index) ?? -1,
    try_number: number(entry.try_number) ?? 1,
    state: text(entry.state) ?? 'none',
    scheduled_at: utcTime(entry.scheduled_when),
    queued_at: utcTime(entry.queued_when),
    started_at: started,
    ended_at: ended,
    duration_s: number(entry.duration) ?? secondsBetween(started, ended),
    pool: text(entry.pool),
    slots: number(entry.pool_slots) ?? 1,
    operator: text(entry.operator ?? entry.operator_name),
    ...(text(entry.hostname) === null ? {} : { host: String(entry.hostname) }),
    ...(text(entry.note) === null ? {} : { note: String(entry.note).slice(0, 200) }),
  };
}

export function readPool(entry: AirflowEntry): SlotPool | undefined {
  const slots = number(entry.slots);
  const { name } = entry;
  return typeof name === 'string' && slots !== null ? { name, slots } : undefined;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function secondsBetween(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / 1000;
}
