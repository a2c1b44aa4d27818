import type { Night, TaskRecord } from './read-nights.ts';
import type { LogFile } from './task-logs.ts';

const EVERY_MS = 5 * 60_000;
const POOL_SLOTS = 16;

/** The scheduler's own log of a night, as Airflow 2 writes it: every five minutes, which loads waited for the pool. */
export function schedulerLog(night: Night, backfill: readonly TaskRecord[]): LogFile {
  const loads = night.tasks.filter((task) => task.pool === 'warehouse');
  const first = Math.min(...loads.map((task) => Date.parse(task.scheduled_when)));
  const last = Math.max(...loads.map((task) => Date.parse(task.end_date)));
  const lines = [line(first - 3 * EVERY_MS, 'INFO', `Scheduler ready; pool warehouse has ${POOL_SLOTS} slots`)];
  for (let time = first + 30_000; time < last; time += EVERY_MS) {
    const waiting = loads.filter((task) => Date.parse(task.scheduled_when) <= time && Date.parse(task.start_date) > time);
    const held = runningAt(backfill, time);
    const open = Math.max(0, POOL_SLOTS - runningAt(loads, time) - held);
    const head = waiting[0];
    if (!head || open > 0) continue;
    lines.push(line(time, 'INFO', `${waiting.length} tasks up for execution in pool warehouse, ${open} of ${POOL_SLOTS} slots open`));
    const instance = `<TaskInstance: ${head.dag_id}.${head.task_id} ${head.dag_run_id} map_index=${head.map_index} [scheduled]>`;
    lines.push(line(time + 4, 'WARNING', `Not executing ${instance}: not enough open slots in pool warehouse`));
  }
  return { path: `scheduler/${night.date}.log`, text: `${lines.join('\n')}\n` };
}

/** The backfill's logs, as Airflow 3 writes them: JSON lines. */
export function backfillLogs(backfill: readonly TaskRecord[]): LogFile[] {
  return backfill.map((task) => {
    const start = Date.parse(task.start_date);
    const month = `2025-${String(task.map_index + 1).padStart(2, '0')}`;
    const records = [
      record(start, 'info', `Starting attempt ${task.try_number} of 1`, 'task'),
      record(start + 700, 'info', `Reloading ${month} into the archive; one warehouse slot held until the month is done`, 'reload'),
      record(start + 1_800_000, 'info', `${month}: 10 of 31 days reloaded`, 'reload'),
      record(Date.parse(task.end_date) - 400, 'info', `${month}: reload complete`, 'reload'),
      { ...record(Date.parse(task.end_date), 'info', 'Task finished', 'supervisor'), final_state: 'success' },
    ];
    const folder = `dag_id=${task.dag_id}/run_id=backfill__2025-01-01/task_id=${task.task_id}/map_index=${task.map_index}`;
    return { path: `${folder}/attempt=${task.try_number}.log`, text: `${records.map((item) => JSON.stringify(item)).join('\n')}\n` };
  });
}

function record(time: number, level: string, event: string, logger: string): Record<string, string> {
  return { timestamp: new Date(time).toISOString(), level, event, logger };
}

function runningAt(tasks: readonly TaskRecord[], time: number): number {
  return tasks.filter((task) => Date.parse(task.start_date) <= time && Date.parse(task.end_date) > time).length;
}

function line(time: number, level: string, text: string): string {
  return `[${new Date(time).toISOString().replace('Z', '+0000')}] {scheduler_job_runner.py:432} ${level} - ${text}`;
}
