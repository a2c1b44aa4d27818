import { type Reading, read } from '../read-data.ts';

/** A sum of seconds of a run beside the median of its baseline. */
export interface Change {
  readonly seconds: number | null;
  readonly before: number | null;
  readonly ratio: number | null;
  readonly changed: boolean | null;
}

export interface GroupFacts {
  readonly task: string;
  readonly count: number | null;
  readonly countBefore: number | null;
  readonly working: number | null;
  readonly workingBefore: number | null;
  readonly waiting: number | null;
  readonly waitingBefore: number | null;
  readonly median: number | null;
  readonly medianBefore: number | null;
  readonly span: number | null;
  readonly spanBefore: number | null;
  readonly parallel: number | null;
  readonly parallelBefore: number | null;
  readonly pools: readonly string[];
}

export interface TaskFact {
  readonly task: string;
  readonly mapIndex: number | null;
  readonly tryNumber: number | null;
  readonly state: string | null;
  readonly message: string | null;
  readonly endedAt: string | null;
  /** Where its operator does nothing but wait for something outside. */
  readonly sensor: boolean;
}

/** A task of a run and how long it worked. */
export interface TaskLength {
  readonly task: string;
  readonly mapIndex: number | null;
  readonly seconds: number;
}

/** A task that did not start in a run although it does in like runs. */
export interface IdleTask {
  readonly task: string;
  readonly state: string;
  readonly usually: number | null;
  readonly note: string | null;
}

/** A host on which the tasks of a group took several times as long as elsewhere. */
export interface SlowHost {
  readonly task: string;
  readonly host: string;
  readonly tasks: number | null;
  readonly median: number | null;
  readonly others: number | null;
}

/** Seconds of a run beside the median of its like. */
export interface Beside {
  readonly seconds: number | null;
  readonly before: number | null;
}

/** What `compare_runs` says of one run. */
export interface RunFacts {
  readonly result: string;
  readonly pipeline: string;
  readonly runId: string;
  readonly type: string;
  readonly state: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly duration: number | null;
  readonly baselineRuns: number;
  readonly baselineMedian: number | null;
  readonly baselineMin: number | null;
  readonly baselineMax: number | null;
  readonly excluded: readonly (readonly [string, number])[];
  readonly withDetail: number;
  readonly ratio: number | null;
  readonly threshold: number;
  readonly working: Change;
  readonly waiting: Change;
  readonly groups: readonly GroupFacts[];
  readonly newTasks: readonly string[];
  readonly goneTasks: readonly string[];
  /** When the last task of each stretch of the critical path ended. */
  readonly pathEnds: ReadonlyMap<string, string>;
  /** Stretches of the critical path before which nothing ran or waited, with for how long; and what ended before. */
  readonly idle: readonly { readonly task: string; readonly after: string; readonly seconds: number }[];
  readonly notStarted: readonly IdleTask[];
  readonly slowHosts: readonly SlowHost[];
  /** Tasks whose operator does nothing but wait for something outside. */
  readonly sensors: readonly string[];
  /** From due to started. */
  readonly startDelay: Beside;
  /** Waiting with the executor, for want of a worker. */
  readonly queued: Beside;
  /** How many tasks of each group needed more than one try, by `get_run`. */
  readonly retries: ReadonlyMap<string, number>;
  /** The longest tasks of the run, by `get_run`. */
  readonly slowest: readonly TaskLength[];
  readonly retried: readonly TaskFact[];
  readonly failed: readonly TaskFact[];
}

export function readRunFacts(result: { readonly id: string; readonly data: unknown }): RunFacts {
  const data = read(result.data);
  const [run, baseline] = [data.at('run'), data.at('baseline')];
  return {
    result: result.id,
    pipeline: run.text('pipeline') ?? '',
    runId: run.text('run_id') ?? '',
    type: run.text('type') ?? '',
    state: run.text('state') ?? 'unknown',
    startedAt: run.text('started_at'),
    endedAt: run.text('ended_at'),
    duration: run.number('duration_s'),
    baselineRuns: baseline.number('runs') ?? 0,
    baselineMedian: baseline.number('median_duration_s'),
    baselineMin: baseline.number('min_duration_s'),
    baselineMax: baseline.number('max_duration_s'),
    excluded: baseline
      .at('excluded')
      .entries()
      .map(([reason, count]) => [reason, Number(count.value)] as const),
    withDetail: baseline.number('with_task_detail') ?? 0,
    ratio: data.number('duration_ratio'),
    threshold: data.number('change_threshold') ?? 0.2,
    working: readChange(data.at('working')),
    waiting: readChange(data.at('waiting')),
    groups: data.list('groups').map(readGroup),
    newTasks: data.texts('new_tasks'),
    goneTasks: data.texts('gone_tasks'),
    pathEnds: new Map(data.list('critical_path').map((step) => [step.text('task_id') ?? '', step.text('ended_at') ?? ''] as const)),
    idle: readIdle(data.list('critical_path')),
    notStarted: data.list('not_started').map((one) => ({
      task: one.text('task_id') ?? '',
      state: one.text('state') ?? 'unknown',
      usually: one.number('usually_started'),
      note: one.text('note'),
    })),
    sensors: data.texts('sensors'),
    slowHosts: data.list('slow_hosts').map((one) => ({
      task: one.text('task_id') ?? '',
      host: one.text('host') ?? '',
      tasks: one.number('tasks'),
      median: one.number('median_s'),
      others: one.number('others_median_s'),
    })),
    startDelay: readBeside(data.at('start_delay')),
    queued: readBeside(data.at('queued')),
    retries: new Map(),
    slowest: [],
    retried: data.list('retried').map(readTask),
    failed: data.list('failed').map(readTask),
  };
}

function readIdle(path: readonly Reading[]): RunFacts['idle'] {
  return path.flatMap((step, place) => {
    const seconds = step.number('idle_s');
    return seconds === null ? [] : [{ task: step.text('task_id') ?? '', after: path[place - 1]?.text('task_id') ?? '', seconds }];
  });
}

function readBeside(one: Reading): Beside {
  return { seconds: one.number('seconds'), before: one.number('baseline_median_s') };
}

function readChange(one: Reading): Change {
  return {
    seconds: one.number('seconds'),
    before: one.number('baseline_median_s'),
    ratio: one.number('ratio'),
    changed: one.flag('changed'),
  };
}

function readGroup(one: Reading): GroupFacts {
  return {
    task: one.text('task_id') ?? '',
    count: one.number('count'),
    countBefore: one.number('baseline_count'),
    working: one.number('working_s'),
    workingBefore: one.number('baseline_working_s'),
    waiting: one.number('waiting_s'),
    waitingBefore: one.number('baseline_waiting_s'),
    median: one.number('median_s'),
    medianBefore: one.number('baseline_median_s'),
    span: one.number('span_s'),
    spanBefore: one.number('baseline_span_s'),
    parallel: one.number('max_parallel'),
    parallelBefore: one.number('baseline_max_parallel'),
    pools: one.texts('pools'),
  };
}

export function readTask(one: Reading): TaskFact {
  return {
    task: one.text('task_id') ?? '',
    mapIndex: one.number('map_index'),
    tryNumber: one.number('try_number'),
    state: one.text('state'),
    message: one.text('message'),
    endedAt: one.text('ended_at'),
    sensor: one.text('operator') !== null,
  };
}

/** `load_partition` or, for one of a mapped task, `load_partition index 117`. */
export function taskName(task: TaskFact): string {
  return task.mapIndex === null || task.mapIndex < 0 ? `\`${task.task}\`` : `\`${task.task}\` index ${task.mapIndex}`;
}

/** `load was on try 3`, of the first few. */
export function retriesText({ retried }: Pick<RunFacts, 'retried'>): string {
  const tries = retried.map((task) => `${taskName(task)} was on try ${task.tryNumber ?? 'unknown'}`);
  return tries.length > 3 ? `${tries.slice(0, 3).join(', ')} and others` : tries.join(' and ');
}

/** The longest tasks that `get_run` lists. */
export function readSlowest(data: unknown): readonly TaskLength[] {
  return read(data)
    .list('slowest')
    .map((one) => ({ task: one.text('task_id') ?? '', mapIndex: one.number('map_index'), seconds: one.number('duration_s') ?? 0 }));
}

/** How many tasks of each group needed more than one try. */
export function readRetries(data: unknown): ReadonlyMap<string, number> {
  const groups = read(data).list('groups');
  return new Map(groups.map((group) => [group.text('task_id') ?? '', group.number('retried') ?? 0] as const));
}

export function rose(change: Change): boolean {
  return change.changed === true && (change.ratio ?? 0) > 1;
}
