import { eventValues } from '../../core/event-values.ts';
import type { PipelineRun, TaskTry } from '../../core/source.ts';
import { utcTime } from '../runs/utc-time.ts';

type Json = Readonly<Record<string, unknown>>;

interface RunSoFar {
  readonly pipeline: string;
  readonly runId: string;
  readonly parent: string | undefined;
  readonly parentRun: string | undefined;
  started: string | null;
  ended: string | null;
  first: string | null;
  last: string | null;
  state: string;
  message: string | undefined;
  nominal: string | null;
}

/** Takes OpenLineage events in any order and makes runs of them. */
export interface EventReader {
  /** A file's text: one event, a list of them, or one a line, in an envelope or not. */
  addText(text: string): void;
  readonly bad: () => number;
  readonly other: () => number;
  runs(): { readonly runs: readonly PipelineRun[]; readonly tries: readonly TaskTry[] };
}

export function createEventReader(): EventReader {
  const byRun = new Map<string, RunSoFar>();
  let bad = 0;
  let other = 0;
  const add = (event: unknown): void => {
    const kind = addEvent(byRun, event);
    if (kind === 'bad') bad++;
    if (kind === 'other') other++;
  };
  return {
    addText: (text) => {
      for (const { value, why } of eventValues(text)) {
        if (why === undefined) add(value);
        else bad++;
      }
    },
    bad: () => bad,
    other: () => other,
    runs: () => toRuns([...byRun.values()]),
  };
}

function addEvent(byRun: Map<string, RunSoFar>, event: unknown): 'taken' | 'other' | 'bad' {
  if (event === null || typeof event !== 'object') return 'bad';
  const { run, job, eventType, eventTime } = event as { run?: Json; job?: Json; eventType?: unknown; eventTime?: unknown };
  // A dataset or job event tells of metadata, not of a run.
  if (run === undefined) return 'dataset' in event || job !== undefined ? 'other' : 'bad';
  const time = utcTime(eventTime);
  if (typeof run.runId !== 'string' || typeof job?.name !== 'string' || time === null) return 'bad';
  const key = JSON.stringify([job.name, run.runId]);
  const one = byRun.get(key) ?? newRun(run, job);
  byRun.set(key, one);
  applyEvent(one, String(eventType ?? 'OTHER').toUpperCase(), { time, facets: (run.facets ?? {}) as Json });
  return 'taken';
}

function newRun(run: Json, job: Json): RunSoFar {
  const parent = ((run.facets ?? {}) as { parent?: { job?: Json; run?: Json } }).parent;
  return {
    pipeline: String(job.name),
    runId: String(run.runId),
    parent: typeof parent?.job?.name === 'string' ? parent.job.name : undefined,
    parentRun: typeof parent?.run?.runId === 'string' ? parent.run.runId : undefined,
    started: null,
    ended: null,
    first: null,
    last: null,
    state: 'unknown',
    message: undefined,
    nominal: null,
  };
}

const END_STATES: Readonly<Record<string, string>> = { COMPLETE: 'success', FAIL: 'failed', ABORT: 'aborted' };

function applyEvent(one: RunSoFar, type: string, { time, facets }: { readonly time: string; readonly facets: Json }): void {
  one.first = one.first === null || time < one.first ? time : one.first;
  one.last = one.last === null || time > one.last ? time : one.last;
  if (type === 'START' && (one.started === null || time < one.started)) one.started = time;
  const end = END_STATES[type];
  if (end !== undefined) {
    one.ended = time;
    one.state = end;
  } else if (one.ended === null) one.state = 'running';
  const { nominalTime, errorMessage } = facets as { nominalTime?: Json; errorMessage?: Json };
  one.nominal ??= utcTime(nominalTime?.nominalStartTime);
  if (typeof errorMessage?.message === 'string') one.message = errorMessage.message;
}

/** A run whose parent is known is a task of the parent's run as well as a run of its own job; one without either is its own task. */
function toRuns(all: readonly RunSoFar[]): { readonly runs: readonly PipelineRun[]; readonly tries: readonly TaskTry[] } {
  const runs = all.map(toRun);
  const children = all.filter((one) => one.parent !== undefined && one.parentRun !== undefined);
  const tries = children.map((one) => toTry(one, { pipeline: one.parent ?? '', run_id: one.parentRun ?? '' }));
  const taken = new Set(children);
  const parents = new Set(tries.map((one) => JSON.stringify([one.pipeline, one.run_id])));
  const alone = all.filter((one) => !taken.has(one) && !parents.has(JSON.stringify([one.pipeline, one.runId])));
  return { runs, tries: [...tries, ...alone.map((one) => toTry(one, { pipeline: one.pipeline, run_id: one.runId }))] };
}

function toRun(one: RunSoFar): PipelineRun {
  const started = one.started ?? (one.ended === null ? one.first : null);
  return {
    pipeline: one.pipeline,
    run_id: one.runId,
    type: 'openlineage',
    state: one.state,
    logical_date: one.nominal,
    queued_at: null,
    started_at: started,
    ended_at: one.ended,
    duration_s: secondsBetween(started, one.ended),
    ...(one.message === undefined ? {} : { note: one.message }),
  };
}

function toTry(one: RunSoFar, owner: { readonly pipeline: string; readonly run_id: string }): TaskTry {
  return {
    ...owner,
    task_id: one.pipeline,
    map_index: -1,
    try_number: 1,
    state: one.state,
    scheduled_at: null,
    queued_at: null,
    started_at: one.started,
    ended_at: one.ended,
    duration_s: secondsBetween(one.started, one.ended),
    pool: null,
    slots: 1,
    operator: null,
    ...(one.message === undefined ? {} : { message: one.message }),
  };
}

function secondsBetween(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / 1000;
}
