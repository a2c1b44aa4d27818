import { type Night, type TaskRecord, taskOf } from './read-nights.ts';

/** A log by its path below `logs/`. */
export interface LogFile {
  readonly path: string;
  readonly text: string;
}

const SAMPLED_PARTITIONS = [0, 40, 117] as const;
/** In the second between the end of one load and the start of the next, when a slot was free. */
const FAILED_TRY = { salesDay: '2026-03-16', mapIndex: 117, at: '2026-03-17T03:30:04.212Z' };

/** Task logs as Airflow 2 writes them: one file for each try of extract, three of the loads, transform and publish. */
export function nightLogs(night: Night, rowsOf: (salesDay: string, partition: number) => number): LogFile[] {
  const logs = [extractLog(night)];
  for (const partition of SAMPLED_PARTITIONS) {
    const task = taskOf(night, 'load_partition', partition);
    if (task.try_number > 1) logs.push(failedLoadLog(task));
    logs.push(taskLog(task, loadLines(task, rowsOf(night.salesDay, partition))));
  }
  logs.push(taskLog(taskOf(night, 'transform'), transformLines(taskOf(night, 'transform'), night.salesDay >= '2026-03-14' ? 1 : 0)));
  logs.push(taskLog(taskOf(night, 'publish'), [{ after: 2, text: 'publish.py:31} INFO - Refreshing 4 dashboards' }]));
  return logs;
}

interface TimedLine {
  /** Seconds from the start of the task. */
  readonly after: number;
  readonly text: string;
}

function taskLog(task: TaskRecord, lines: readonly TimedLine[]): LogFile {
  const start = Date.parse(task.start_date);
  const retries = `attempt ${task.try_number} of 3`;
  const name = `${task.dag_id}.${task.task_id} ${task.dag_run_id}${task.map_index < 0 ? '' : ` map_index=${task.map_index}`}`;
  const text = [
    line(start, `taskinstance.py:1103} INFO - Dependencies all met for dep_context=requeueable deps ti=<TaskInstance: ${name} [queued]>`),
    line(start, `taskinstance.py:1308} INFO - Starting ${retries}`),
    line(
      start,
      `taskinstance.py:1327} INFO - Executing <Task(PythonOperator): ${task.task_id}> on ${task.dag_run_id.replace('scheduled__', '')}`,
    ),
    ...lines.map(({ after, text: message }) => line(start + after * 1000, message)),
    line(Date.parse(task.end_date), `taskinstance.py:1345} INFO - Marking task as SUCCESS. dag_id=${task.dag_id}, task_id=${task.task_id}`),
  ];
  return { path: pathOf(task, task.try_number), text: `${text.join('\n')}\n` };
}

function line(time: number, text: string): string {
  return `[${new Date(time).toISOString().replace('Z', '+0000')}] {${text}`;
}

function pathOf(task: TaskRecord, attempt: number): string {
  const run = `run_id=scheduled__${task.dag_run_id.slice(11, 21)}`;
  const mapped = task.map_index < 0 ? '' : `/map_index=${task.map_index}`;
  return `dag_id=${task.dag_id}/${run}/task_id=${task.task_id}${mapped}/attempt=${attempt}.log`;
}

function extractLog(night: Night): LogFile {
  const task = taskOf(night, 'extract');
  const waited = Math.round((Date.parse(task.start_date) - Date.parse(task.scheduled_when)) / 1000);
  return taskLog(task, [
    { after: 0.4, text: `standard_task_runner.py:88} INFO - Task waited ${waited} s from scheduled to running` },
    { after: 1.2, text: `extract.py:44} INFO - Reading orders of ${night.salesDay} in 120 partitions` },
    { after: task.duration - 0.5, text: 'extract.py:71} INFO - Wrote 120 partition files' },
  ]);
}

function loadLines(task: TaskRecord, rows: number): TimedLine[] {
  return [
    { after: 0.3, text: `load.py:52} INFO - Loading partition ${task.map_index} of 120 into warehouse.orders` },
    { after: task.duration - 0.8, text: `load.py:97} INFO - Committed ${rows} rows of partition ${task.map_index}` },
  ];
}

function failedLoadLog(task: TaskRecord): LogFile {
  const start = Date.parse(FAILED_TRY.at);
  const text = [
    line(start, 'taskinstance.py:1308} INFO - Starting attempt 1 of 3'),
    line(start + 90, `load.py:52} INFO - Loading partition ${task.map_index} of 120 into warehouse.orders`),
    line(start + 395, 'taskinstance.py:1851} ERROR - Task failed with exception'),
    'Traceback (most recent call last):',
    '  File "/opt/airflow/dags/load.py", line 61, in load_partition',
    '    connection = warehouse.connect(timeout=30)',
    '  File "/opt/airflow/dags/warehouse.py", line 24, in connect',
    '    return driver.connect(DSN, timeout=timeout)',
    'ConnectionResetError: [Errno 104] Connection reset by peer',
    line(
      start + 402,
      `taskinstance.py:1400} INFO - Marking task as UP_FOR_RETRY. dag_id=${task.dag_id}, task_id=${task.task_id}, try 1 of 3`,
    ),
    line(start + 410, 'local_task_job.py:154} INFO - Task exited with return code 1; nothing was committed; retry in 300 s'),
  ];
  return { path: pathOf(task, 1), text: `${text.join('\n')}\n` };
}

function transformLines(task: TaskRecord, warnings: number): TimedLine[] {
  return [
    { after: 1, text: 'subprocess.py:75} INFO - Running command: dbt build --target prod' },
    { after: task.duration - 1.5, text: `subprocess.py:93} INFO - Done. PASS=${20 - warnings} WARN=${warnings} ERROR=0 SKIP=0 TOTAL=20` },
  ];
}
