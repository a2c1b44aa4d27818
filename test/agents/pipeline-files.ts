import { iso } from './airflow-export.ts';

/** One task of one run, in seconds from the start of its run. */
export interface TaskFact {
  readonly task: string;
  readonly index?: number;
  readonly ready: number;
  /** Null where it never started. */
  readonly start: number | null;
  readonly end: number | null;
  readonly pool?: string;
  readonly state?: string;
  readonly tries?: number;
  readonly operator?: string;
  /** When the executor had it, where that is not when it was ready. */
  readonly queued?: number;
  readonly host?: string;
  readonly note?: string;
}

export interface RunFact {
  readonly dag: string;
  readonly id: string;
  /** Seconds since 1970. */
  readonly at: number;
  /** When it began, where that is not when it was due. */
  readonly late?: number;
  readonly state?: string;
  readonly type?: string;
  readonly tasks: readonly TaskFact[];
}

export interface Pool {
  readonly name: string;
  readonly slots: number;
}

const DAY = 86_400;
export const FIRST = Date.parse('2026-05-02T03:00:00Z') / 1000;

/** So many nights of one pipeline, the last as it is told. */
export function nights(dag: string, count: number, tasks: (night: number, last: boolean) => readonly TaskFact[]): RunFact[] {
  return Array.from({ length: count }, (_, night) => {
    const at = FIRST + night * DAY;
    return { dag, id: `scheduled__${iso(at - DAY)}`, at, tasks: tasks(night, night === count - 1) };
  });
}

/** The files of an Airflow export. */
export function airflowFiles(runs: readonly RunFact[], pools: readonly Pool[]): Record<string, unknown> {
  const newestFirst = [...runs].sort((left, right) => right.at - left.at);
  const files: Record<string, unknown> = {
    'dagRuns.json': { dag_runs: newestFirst.map(runJson), total_entries: runs.length },
    'pools.json': { pools, total_entries: pools.length },
  };
  for (const [place, run] of runs.entries())
    files[`tasks_${place}.json`] = { task_instances: run.tasks.map((task) => taskJson(run, task)), total_entries: run.tasks.length };
  return files;
}

function runJson(run: RunFact): unknown {
  const ends = run.tasks.map((task) => task.end);
  const running = run.state === 'running' || run.state === 'queued';
  const end = run.at + Math.max(0, ...ends.map((one) => one ?? 0)) + 1;
  const start = run.at + (run.late ?? 0);
  const begun = run.state !== 'queued';
  return {
    dag_run_id: run.id,
    dag_id: run.dag,
    logical_date: iso(run.at - DAY),
    queued_at: iso(run.at),
    start_date: begun ? iso(start) : null,
    end_date: running ? null : iso(end),
    duration: running ? null : end - start,
    run_type: run.type ?? 'scheduled',
    state: run.state ?? 'success',
  };
}

function taskJson(run: RunFact, task: TaskFact): unknown {
  const moment = (seconds: number | null): string | null => (seconds === null ? null : iso(run.at + seconds));
  return {
    task_id: task.task,
    dag_id: run.dag,
    dag_run_id: run.id,
    map_index: task.index ?? -1,
    start_date: moment(task.start),
    end_date: moment(task.end),
    duration: task.start === null || task.end === null ? null : task.end - task.start,
    state: task.state ?? 'success',
    try_number: task.tries ?? 1,
    pool: task.pool ?? 'default_pool',
    pool_slots: 1,
    queued_when: moment(task.queued ?? task.ready),
    scheduled_when: moment(task.ready),
    operator: task.operator ?? 'PythonOperator',
    hostname: task.host ?? '',
    note: task.note ?? null,
  };
}

export interface SparkTaskFact {
  readonly seconds: number;
  readonly read?: number;
  readonly spill?: number;
  readonly input?: number;
  readonly executor?: string;
  readonly failed?: string;
}

export interface SparkStageFact {
  readonly name: string;
  readonly seconds: number;
  readonly tasks: readonly SparkTaskFact[];
}

/** The lines of a Spark event log: stages one after the other; executors lost at seconds from the start. */
export function sparkLog(
  name: string,
  stages: readonly SparkStageFact[],
  lost: readonly { readonly executor: string; readonly at: number; readonly reason: string }[] = [],
  day = 1,
): string {
  const start = Date.UTC(2026, 6, day, 1);
  const events: unknown[] = [
    { Event: 'SparkListenerApplicationStart', 'App Name': name, 'App ID': `app-${name}-${day}`, Timestamp: start },
  ];
  let at = start;
  for (const [id, stage] of stages.entries()) {
    const info = {
      'Stage ID': id,
      'Stage Attempt ID': 0,
      'Stage Name': stage.name,
      'Number of Tasks': stage.tasks.length,
      'Submission Time': at,
    };
    events.push({ Event: 'SparkListenerStageSubmitted', 'Stage Info': info });
    for (const [index, task] of stage.tasks.entries()) events.push(taskEnd(id, index, task, at));
    at += stage.seconds * 1000;
    events.push({ Event: 'SparkListenerStageCompleted', 'Stage Info': { ...info, 'Completion Time': at } });
  }
  for (const { executor, at: after, reason } of lost)
    events.push({
      Event: 'SparkListenerExecutorRemoved',
      Timestamp: start + after * 1000,
      'Executor ID': executor,
      'Removed Reason': reason,
    });
  events.push({ Event: 'SparkListenerApplicationEnd', Timestamp: at });
  return `${events.map((one) => JSON.stringify(one)).join('\n')}\n`;
}

function taskEnd(stage: number, index: number, task: SparkTaskFact, at: number): unknown {
  const milliseconds = task.seconds * 1000;
  return {
    Event: 'SparkListenerTaskEnd',
    'Stage ID': stage,
    'Stage Attempt ID': 0,
    'Task End Reason': task.failed === undefined ? { Reason: 'Success' } : { Reason: 'ExecutorLostFailure', 'Loss Reason': task.failed },
    'Task Info': { Index: index, 'Launch Time': at, 'Finish Time': at + milliseconds, 'Executor ID': task.executor ?? '1' },
    'Task Metrics': {
      'Executor Run Time': milliseconds,
      'Disk Bytes Spilled': task.spill ?? 0,
      'Memory Bytes Spilled': (task.spill ?? 0) * 4,
      'Input Metrics': { 'Bytes Read': task.input ?? 0 },
      'Shuffle Read Metrics': { 'Remote Bytes Read': task.read ?? 1000 },
    },
  };
}

/** An OpenLineage run as its two events. */
export function lineageRun(run: {
  readonly job: string;
  readonly id: string;
  readonly at: string;
  readonly minutes?: number;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly rows?: number;
}): unknown[] {
  const ended = new Date(Date.parse(run.at) + (run.minutes ?? 5) * 60_000).toISOString();
  const datasets = (names: readonly string[], rows?: number): unknown[] =>
    names.map((name) => ({
      namespace: 'wh',
      name,
      ...(rows === undefined ? {} : { outputFacets: { outputStatistics: { rowCount: rows, size: rows * 100 } } }),
    }));
  const event = (eventType: string, eventTime: string): unknown => ({
    eventType,
    eventTime,
    producer: 'https://example.org/producer',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    run: { runId: run.id },
    job: { namespace: 'etl', name: run.job },
    inputs: datasets(run.inputs),
    outputs: datasets(run.outputs, run.rows),
  });
  return [event('START', run.at), event('COMPLETE', ended)];
}
