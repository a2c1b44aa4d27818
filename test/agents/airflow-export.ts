import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A made-up pipeline: extract, a mapped load through a pool, publish; once a night, the last night as the story says. */
export interface Story {
  readonly pipeline: string;
  readonly load: string;
  readonly pool: string;
  readonly slots: number;
  readonly tasks: number;
  /** Seconds that one load task works. */
  readonly taskSeconds: number;
  readonly nights: number;
  /** The last night's load tasks work so many times as long. */
  readonly slowerBy?: number;
  /** The last night has so many load tasks in place of `tasks`. */
  readonly tasksLastNight?: number;
  readonly blocker?: { readonly pipeline: string; readonly slots: number; readonly startsAt: number; readonly seconds: number };
  /** Load index that fails on the last night, with the run. */
  readonly failingIndex?: number;
  /** Load index that is on its second try on the last night. */
  readonly retriedIndex?: number;
}

interface Task {
  readonly task_id: string;
  readonly map_index: number;
  readonly scheduled: number;
  readonly start: number;
  readonly end: number;
  readonly pool: string;
  readonly state: string;
  readonly try_number: number;
}

export interface Night {
  readonly runId: string;
  readonly start: number;
  readonly end: number;
  readonly state: string;
  readonly tasks: readonly Task[];
}

const FIRST_NIGHT = Date.parse('2026-05-02T03:00:00Z') / 1000;
const DAY = 86_400;
const PAGE = 40;

/** Writes the story as an Airflow export in pages and answers the nights, oldest first; times are seconds since 1970. */
export function writeExport(folder: string, story: Story): readonly Night[] {
  const nights = Array.from({ length: story.nights }, (_, index) => playNight(story, index));
  mkdirSync(folder, { recursive: true });
  const write = (name: string, value: unknown): void => writeFileSync(join(folder, name), JSON.stringify(value));
  const runs = nights.map((night) => runJson(story, night)).reverse();
  write('dagRuns.json', { dag_runs: runs, total_entries: runs.length });
  write('pools.json', {
    pools: [
      { name: story.pool, slots: story.slots },
      { name: 'default_pool', slots: 128 },
    ],
    total_entries: 2,
  });
  for (const [index, night] of nights.entries())
    for (let offset = 0; offset < night.tasks.length; offset += PAGE)
      write(`tasks_${index}_${offset}.json`, {
        task_instances: night.tasks.slice(offset, offset + PAGE).map((task) => taskJson(story.pipeline, night.runId, task)),
        total_entries: night.tasks.length,
      });
  if (story.blocker) write('tasks_blocker.json', blockerJson(story, story.blocker));
  return nights;
}

function playNight(story: Story, index: number): Night {
  const start = FIRST_NIGHT + index * DAY;
  const last = index === story.nights - 1;
  const base = { pool: 'default_pool', map_index: -1, state: 'success', try_number: 1 };
  const extract: Task = { ...base, task_id: 'extract', scheduled: start + 1, start: start + 3, end: start + 63 + (index % 3) };
  const loads = playLoads(story, { from: extract.end + 1, last, index });
  const loaded = Math.max(...loads.map((task) => task.end));
  const failed = loads.some((task) => task.state === 'failed');
  const publish: Task = failed
    ? { ...base, task_id: 'publish', scheduled: loaded + 1, start: loaded + 1, end: loaded + 1, state: 'upstream_failed' }
    : { ...base, task_id: 'publish', scheduled: loaded + 1, start: loaded + 3, end: loaded + 43 };
  return {
    runId: `scheduled__${iso(start - DAY)}`,
    start,
    end: publish.end + 1,
    state: failed ? 'failed' : 'success',
    tasks: [extract, ...loads, publish],
  };
}

/** Each task takes the slot that is free first, in order of its index. */
function playLoads(story: Story, night: { readonly from: number; readonly last: boolean; readonly index: number }): Task[] {
  const taken = night.last && story.blocker ? blockerTakes(story, story.blocker, night.from) : 0;
  const freeAt = Array.from({ length: story.slots - taken }, () => night.from + 2);
  const count = night.last ? (story.tasksLastNight ?? story.tasks) : story.tasks;
  const factor = night.last ? (story.slowerBy ?? 1) : 1;
  return Array.from({ length: count }, (_, index) => {
    const slot = freeAt.indexOf(Math.min(...freeAt));
    const start = freeAt[slot] ?? night.from;
    const end = start + Math.round(story.taskSeconds * factor) + ((index * 7 + night.index * 3) % 5);
    freeAt[slot] = end + 1;
    return {
      task_id: story.load,
      map_index: index,
      scheduled: night.from,
      start,
      end,
      pool: story.pool,
      state: night.last && index === story.failingIndex ? 'failed' : 'success',
      try_number: night.last && index === story.retriedIndex ? 2 : 1,
    };
  });
}

/** The slots that the blocker holds when the loads begin; none where it ran at another time. */
function blockerTakes(story: Story, blocker: NonNullable<Story['blocker']>, from: number): number {
  const start = lastNight(story) + blocker.startsAt;
  return start <= from && start + blocker.seconds > from ? blocker.slots : 0;
}

export function lastNight(story: Story): number {
  return FIRST_NIGHT + (story.nights - 1) * DAY;
}

export function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', '+00:00');
}

function runJson(story: Story, night: Night): unknown {
  return {
    dag_run_id: night.runId,
    dag_id: story.pipeline,
    logical_date: iso(night.start - DAY),
    queued_at: iso(night.start),
    start_date: iso(night.start),
    end_date: iso(night.end),
    duration: night.end - night.start,
    run_type: 'scheduled',
    state: night.state,
  };
}

function taskJson(pipeline: string, runId: string, task: Task): unknown {
  return {
    task_id: task.task_id,
    dag_id: pipeline,
    dag_run_id: runId,
    map_index: task.map_index,
    start_date: iso(task.start),
    end_date: iso(task.end),
    duration: task.end - task.start,
    state: task.state,
    try_number: task.try_number,
    pool: task.pool,
    pool_slots: 1,
    queued_when: iso(task.scheduled),
    scheduled_when: iso(task.scheduled),
    operator: 'PythonOperator',
  };
}

function blockerJson(story: Story, blocker: NonNullable<Story['blocker']>): unknown {
  const start = lastNight(story) + blocker.startsAt;
  const tasks = Array.from({ length: blocker.slots }, (_, index) => ({
    task_id: 'refill',
    map_index: index,
    scheduled: start - 1,
    start,
    end: start + blocker.seconds,
    pool: story.pool,
    state: 'success',
    try_number: 1,
  }));
  return { task_instances: tasks.map((task) => taskJson(blocker.pipeline, 'backfill__1', task)), total_entries: tasks.length };
}
