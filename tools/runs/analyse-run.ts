import { groupBy } from '../../src/core/group-by.ts';
import type { RunDetail, TaskTry } from '../../src/core/source.ts';
import { sweepSlots } from './slot-sweep.ts';
import { median, seconds, sum, wholeSeconds } from './statistics.ts';

/** A group of tries of one task id: one task, or all indexes of a mapped one. Seconds to one decimal. */
export interface TaskGroup {
  readonly task_id: string;
  readonly count: number;
  readonly working_s: number;
  /** From scheduled (or queued, where that is all there is) to started, summed. */
  readonly waiting_s: number | null;
  readonly median_s: number | null;
  readonly max_parallel: number;
  /** From the first start to the last end. */
  readonly span_s: number | null;
  readonly first_start: string | null;
  readonly last_end: string | null;
  readonly pools: readonly string[];
  readonly retried: number;
  readonly failed: number;
}

export interface RunAnalysis {
  readonly tasks: number;
  readonly working_s: number;
  readonly waiting_s: number | null;
  readonly groups: readonly TaskGroup[];
  readonly by_state: Readonly<Record<string, number>>;
  readonly retried: readonly Retry[];
  readonly failed: readonly Failure[];
}

interface Retry {
  readonly task_id: string;
  readonly map_index: number;
  readonly try_number: number;
  readonly state: string;
}

interface Failure extends Retry {
  readonly ended_at: string | null;
  readonly message?: string;
  /** Of a task that does nothing but wait for something outside. */
  readonly operator?: string;
}

/** Waiting and working apart, per task group and in all. Only the last try of a task counts for sums, as the run did. */
export function analyseRun(detail: Pick<RunDetail, 'tries'>): RunAnalysis {
  const last = lastTries(detail.tries);
  const groups = groupBy(last, ({ task_id }) => task_id);
  const waits = last.flatMap((one) => waitingSeconds(one) ?? []);
  const states: Record<string, number> = {};
  for (const one of last) states[one.state] = (states[one.state] ?? 0) + 1;
  return {
    tasks: last.length,
    working_s: wholeSeconds(sum(last.map((one) => one.duration_s ?? 0))) ?? 0,
    waiting_s: waits.length === 0 ? null : wholeSeconds(sum(waits)),
    groups: [...groups].map(([taskId, tries]) => analyseGroup(taskId, tries)).sort(byStart),
    by_state: states,
    retried: last
      .filter((one) => one.try_number > 1)
      .map(({ task_id, map_index, try_number, state }) => ({ task_id, map_index, try_number, state })),
    failed: last.filter(isFailed).map(failureOf),
  };
}

/** Seconds between being ready and starting; null where the source says neither when it was scheduled nor queued. */
export function waitingSeconds(one: TaskTry): number | null {
  const ready = one.scheduled_at ?? one.queued_at;
  if (ready === null || one.started_at === null) return null;
  return Math.max(0, (Date.parse(one.started_at) - Date.parse(ready)) / 1000);
}

const FAILED_STATES = new Set(['failed', 'error', 'fail', 'upstream_failed', 'runtime error', 'partial success']);

function isFailed(one: TaskTry): boolean {
  return FAILED_STATES.has(one.state.toLowerCase());
}

export function isSensor(operator: string | null): boolean {
  return /Sensor(Async)?$/.test(operator ?? '');
}

function failureOf(one: TaskTry): Failure {
  const { task_id, map_index, try_number, state, ended_at, message, operator } = one;
  const waits = isSensor(operator) ? { operator: operator ?? '' } : {};
  return {
    task_id,
    map_index,
    try_number,
    state,
    ended_at,
    ...waits,
    ...(message === undefined ? {} : { message: message.slice(0, 300) }),
  };
}

function lastTries(tries: readonly TaskTry[]): TaskTry[] {
  const last = new Map<string, TaskTry>();
  for (const one of tries) {
    const key = `${one.task_id}\n${one.map_index}`;
    const before = last.get(key);
    if (!before || one.try_number >= before.try_number) last.set(key, one);
  }
  return [...last.values()];
}

function analyseGroup(taskId: string, tries: readonly TaskTry[]): TaskGroup {
  const starts = tries.flatMap((one) => one.started_at ?? []).sort();
  const ends = tries.flatMap((one) => one.ended_at ?? []).sort();
  const waits = tries.flatMap((one) => waitingSeconds(one) ?? []);
  const [first = null] = starts;
  const lastEnd = ends.at(-1) ?? null;
  return {
    task_id: taskId,
    count: tries.length,
    working_s: seconds(sum(tries.map((one) => one.duration_s ?? 0))) ?? 0,
    waiting_s: waits.length === 0 ? null : seconds(sum(waits)),
    median_s: seconds(median(tries.flatMap((one) => one.duration_s ?? []))),
    max_parallel: sweepSlots(
      tries.map((one) => ({ ...one, slots: 1 })),
      '',
      '9999',
    ).max_slots,
    span_s: first !== null && lastEnd !== null ? seconds((Date.parse(lastEnd) - Date.parse(first)) / 1000) : null,
    first_start: first,
    last_end: lastEnd,
    pools: [...new Set(tries.flatMap((one) => one.pool ?? []))],
    retried: tries.filter((one) => one.try_number > 1).length,
    failed: tries.filter(isFailed).length,
  };
}

function byStart(left: TaskGroup, right: TaskGroup): number {
  return (left.first_start ?? '9') < (right.first_start ?? '9') ? -1 : 1;
}
