import { z } from 'zod';
import { groupBy } from '../../src/core/group-by.ts';
import type { OwnedRun } from './list-runs.ts';
import { median, wholeSeconds } from './statistics.ts';

const overduePipeline = z.object({
  pipeline: z.string(),
  source: z.string(),
  last_run_at: z.string(),
  usual_interval_s: z.number(),
  due_at: z.string(),
  known_until: z.string().describe('the newest moment that the source tells of'),
  paused: z.boolean().optional().describe('true where the source says that the pipeline is paused'),
});

const extraRun = z.object({
  pipeline: z.string(),
  source: z.string(),
  run_id: z.string(),
  type: z.string(),
  started_at: z.string(),
  before_run_id: z.string(),
  before_started_at: z.string(),
  usual_interval_s: z.number(),
});

export const overdueShape = {
  extra_runs: z
    .array(extraRun)
    .optional()
    .describe('of the newest runs of a pipeline: those that came in less than half of its median interval after the run before'),
  overdue: z.array(overduePipeline).optional().describe('pipelines that ran at even intervals and have no run since the next was due'),
};

const FEWEST_RUNS = 5;
/** A run may begin later than usual by this part of the interval, or by twice what it ever was late. */
const GRACE = 0.02;
/** What has not run for so many intervals and days was given up. */
const GIVEN_UP_INTERVALS = 10;
const GIVEN_UP_MILLISECONDS = 3 * 86_400_000;
const MOST_LISTED = 10;

/** Pipelines that stopped: their source tells of later times, and the run that was due by then is not there. */
export function findOverdue(
  owned: readonly OwnedRun[],
  paused: ReadonlySet<string> = new Set(),
): { readonly overdue?: z.output<typeof overduePipeline>[] } {
  const bySource = groupBy(owned, ({ source }) => source);
  const overdue = [...bySource].flatMap(([source, all]) => {
    const until = Math.max(...all.flatMap(({ run }) => [momentOf(run.started_at), momentOf(run.ended_at)]));
    const pipelines = groupBy(
      all.filter(({ run }) => !/manual|backfill/.test(run.type)),
      ({ run }) => run.pipeline,
    );
    return [...pipelines].flatMap(([pipeline, list]) => {
      const late = dueAt(list.map(({ run }) => momentOf(run.queued_at ?? run.started_at)).filter((at) => at > 0));
      if (!late || until <= late.due + late.grace) return [];
      const isPaused = paused.has(pipeline);
      if (!isPaused && until - late.due > Math.max(GIVEN_UP_INTERVALS * late.interval, GIVEN_UP_MILLISECONDS)) return [];
      return [
        {
          pipeline,
          source,
          last_run_at: iso(late.last),
          usual_interval_s: wholeSeconds(late.interval / 1000) ?? 0,
          due_at: iso(late.due),
          known_until: iso(until),
          ...(isPaused ? { paused: true } : {}),
        },
      ];
    });
  });
  return overdue.length === 0 ? {} : { overdue: overdue.slice(0, MOST_LISTED) };
}

const SOON = 0.5;
/** Only of the newest so many intervals. */
const RECENT = 3;

/** Runs beside the usual ones, such as one that was started by hand on the same day. */
export function findExtra(owned: readonly OwnedRun[]): { readonly extra_runs?: z.output<typeof extraRun>[] } {
  const pipelines = groupBy(owned, ({ source, run }) => JSON.stringify([source, run.pipeline]));
  const extra = [...pipelines.values()].flatMap((list) => {
    const inTime = list
      .filter(({ run }) => run.started_at !== null)
      .sort((left, right) => momentOf(left.run.started_at) - momentOf(right.run.started_at));
    const interval =
      median(inTime.slice(1).map(({ run }, place) => momentOf(run.started_at) - momentOf(inTime[place]?.run.started_at ?? null))) ?? 0;
    const since = momentOf(inTime.at(-1)?.run.started_at ?? null) - RECENT * interval;
    if (inTime.length < FEWEST_RUNS) return [];
    return inTime.slice(1).flatMap(({ run, source }, place) => {
      const before = inTime[place]?.run;
      const [at, last] = [momentOf(run.started_at), momentOf(before?.started_at ?? null)];
      if (!before || at <= since || at - last >= SOON * interval) return [];
      return [
        {
          pipeline: run.pipeline,
          source,
          run_id: run.run_id,
          type: run.type,
          started_at: run.started_at ?? '',
          before_run_id: before.run_id,
          before_started_at: before.started_at ?? '',
          usual_interval_s: wholeSeconds(interval / 1000) ?? 0,
        },
      ];
    });
  });
  return extra.length === 0 ? {} : { extra_runs: extra.slice(0, MOST_LISTED) };
}

function dueAt(starts: readonly number[]) {
  const sorted = [...starts].sort((left, right) => left - right);
  const last = sorted.at(-1);
  if (sorted.length < FEWEST_RUNS || last === undefined) return undefined;
  const intervals = sorted.slice(1).map((at, place) => at - (sorted[place] ?? at));
  const interval = median(intervals) ?? 0;
  const uneven = Math.max(...intervals.map((one) => Math.abs(one - interval)));
  return interval > 0 ? { last, interval, due: last + interval, grace: Math.max(GRACE * interval, 2 * uneven) } : undefined;
}

function momentOf(time: string | null): number {
  return time === null ? 0 : Date.parse(time);
}

function iso(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}
