import { z } from 'zod';
import { groupBy } from '../../src/core/group-by.ts';
import type { PipelineRun } from '../../src/core/source.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete, noData, partial, refused } from '../../src/core/tool-result.ts';
import { runSources } from './find-run.ts';
import { findExtra, findOverdue, overdueShape } from './overdue.ts';
import { readMoment } from './read-moment.ts';
import { createListShortener } from './shorten-lists.ts';
import { median, seconds } from './statistics.ts';

const pipelineSummary = z.object({
  pipeline: z.string(),
  source: z.string(),
  runs: z.number(),
  by_type_and_state: z.record(z.string(), z.number()),
  median_duration_s: z.number().nullable().describe('of successful runs of the commonest type'),
  newest_run_id: z.string(),
});

const listedRun = z.object({
  pipeline: z.string(),
  run_id: z.string(),
  type: z.string(),
  state: z.string(),
  logical_date: z.string().nullable(),
  started_at: z.string().nullable(),
  queued_at: z.string().optional().describe('of a run that has not begun'),
  ended_at: z.string().nullable(),
  duration_s: z.number().nullable(),
  note: z.string().optional(),
});

const MOST_PAUSED = 30;
const pausedShape = { paused: z.array(z.string()).optional().describe('pipelines that are paused, as far as the source says') };

/** Past runs, newest first, with a summary of every pipeline. */
export const listRuns = defineTool({
  name: 'list_runs',
  description:
    'Lists past runs of pipelines, newest first, with a summary per pipeline (counts by type and state, median duration). Reads all pages. Use it first to find which run a question is about.',
  input: z.object({
    source: z.string().optional().describe('Source of runs; all of them unless named'),
    pipeline: z.string().optional(),
    since: z.string().optional().describe('ISO 8601; runs that started at or after it'),
    until: z.string().optional().describe('ISO 8601; runs that started before it'),
    type: z.string().optional().describe('scheduled, manual, backfill, dbt …'),
    state: z.string().optional().describe('success, failed, running …'),
    limit: z.number().int().min(1).max(200).default(20),
  }),
  output: z.object({ pipelines: z.array(pipelineSummary), runs: z.array(listedRun), ...pausedShape, ...overdueShape }),
  effect: 'read',
  example: { limit: 3 },
  async run({ source, limit, ...filter }, context) {
    const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
    for (const key of ['since', 'until'] as const) {
      const moment = filter[key] === undefined ? undefined : readMoment(filter[key]);
      if (filter[key] !== undefined && moment === undefined)
        return refused('not_a_time', `"${filter[key]}" in "${key}" is no ISO 8601 time; write 2026-03-17 or 2026-03-17T02:00:00Z`);
      if (moment !== undefined) given[key] = moment;
    }
    const lists = createListShortener();
    const owned: OwnedRun[] = [];
    const paused = new Set<string>();
    let total = 0;
    let allRead = true;
    for (const one of await runSources(context, source)) {
      const listing = await one.runs.listRuns(given, context.scope);
      for (const run of listing.runs) owned.push({ run, source: one.name });
      for (const pipeline of listing.paused ?? []) paused.add(pipeline);
      total += listing.total;
      allRead &&= listing.complete;
      lists.warn(listing.warnings);
    }
    owned.sort((left, right) => (began(right) < began(left) ? -1 : 1));
    const summaries = summarise(owned);
    const pipelines = lists.shorten('pipelines', summaries, { characters: 2400 });
    const rows = owned.slice(0, limit).map(({ run }) => shorten(run));
    const runs = lists.shorten('runs', rows, { characters: 5600 });
    const extra = { warnings: lists.warnings(), asOf: context.now() };
    if (owned.length === 0 && allRead) return noData({ pipelines, runs }, extra);
    // A part of the runs does not say which are missing.
    const late = Object.keys(given).length === 0 && allRead ? { ...findOverdue(owned, paused), ...findExtra(owned) } : {};
    const whole = allRead && runs.length === total && pipelines.length === summaries.length;
    const held = paused.size === 0 ? {} : { paused: [...paused].slice(0, MOST_PAUSED) };
    return (whole ? complete : partial)({ pipelines, runs, ...held, ...late }, { total, returned: runs.length, ...extra });
  },
});

export interface OwnedRun {
  readonly run: PipelineRun;
  readonly source: string;
}

function began({ run }: OwnedRun): string {
  return run.started_at ?? run.queued_at ?? '';
}

function shorten(run: PipelineRun): z.output<typeof listedRun> {
  const { pipeline, run_id, type, state, logical_date, queued_at, started_at, ended_at, duration_s, note } = run;
  return {
    pipeline,
    run_id,
    type,
    state,
    logical_date,
    started_at,
    ...(started_at === null && ended_at === null && queued_at !== null ? { queued_at } : {}),
    ended_at,
    duration_s: seconds(duration_s),
    ...(note === undefined ? {} : { note: note.slice(0, 200) }),
  };
}

function summarise(owned: readonly OwnedRun[]): z.output<typeof pipelineSummary>[] {
  const byPipeline = groupBy(owned, ({ source, run }) => JSON.stringify([source, run.pipeline]));
  return [...byPipeline.values()].map((list) => {
    const counts: Record<string, number> = {};
    const types = new Map<string, number>();
    for (const { run } of list) {
      const key = `${run.type} ${run.state}`;
      counts[key] = (counts[key] ?? 0) + 1;
      types.set(run.type, (types.get(run.type) ?? 0) + 1);
    }
    const [commonest] = [...types].sort((left, right) => right[1] - left[1])[0] ?? [''];
    const good = list.filter(({ run }) => run.state === 'success' && run.type === commonest);
    return {
      pipeline: list[0]?.run.pipeline ?? '',
      source: list[0]?.source ?? '',
      runs: list.length,
      by_type_and_state: counts,
      median_duration_s: seconds(median(good.flatMap(({ run }) => run.duration_s ?? []))),
      newest_run_id: list[0]?.run.run_id ?? '',
    };
  });
}
