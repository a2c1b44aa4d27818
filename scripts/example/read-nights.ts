import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The fields of an Airflow task instance that the other parts of the example have to agree with. */
export interface TaskRecord {
  readonly task_id: string;
  readonly dag_id: string;
  readonly dag_run_id: string;
  readonly map_index: number;
  readonly scheduled_when: string;
  readonly queued_when: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly duration: number;
  readonly try_number: number;
  readonly pool: string;
}

/** One nightly run: the day it loads, the date on which it ran, and its tasks. */
export interface Night {
  /** The day whose orders are loaded, `YYYY-MM-DD`. */
  readonly salesDay: string;
  /** The date of the night itself, one day later. */
  readonly date: string;
  readonly runId: string;
  readonly tasks: readonly TaskRecord[];
}

/** The nights whose task instances the Airflow export holds, oldest first. */
export function readNights(airflowFolder: string): Night[] {
  const folder = join(airflowFolder, 'taskInstances');
  const tasks = readdirSync(folder)
    .sort()
    .flatMap((name) => readTasks(join(folder, name)));
  const runIds = [...new Set(tasks.map((task) => task.dag_run_id))].sort();
  return runIds.map((runId) => {
    const own = tasks.filter((task) => task.dag_run_id === runId);
    return { salesDay: runId.slice(11, 21), date: own[0]?.start_date.slice(0, 10) ?? '', runId, tasks: own };
  });
}

/** The tasks of the backfill beside the pipeline. */
export function readBackfill(airflowFolder: string): TaskRecord[] {
  return readTasks(join(airflowFolder, 'taskInstances_reload_2025.json'));
}

function readTasks(file: string): TaskRecord[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as { task_instances: TaskRecord[] }).task_instances;
}

export function taskOf(night: Night, taskId: string, mapIndex = -1): TaskRecord {
  const task = night.tasks.find((candidate) => candidate.task_id === taskId && candidate.map_index === mapIndex);
  if (!task) throw new Error(`${night.runId} has no ${taskId}[${mapIndex}]`);
  return task;
}
