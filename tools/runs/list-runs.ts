import { z } from 'zod';
import type { PipelineRun } from '../../src/core/source.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete, noData, partial, type ToolWarning } from '../../src/core/tool-result.ts';
import { runSources } from './find-run.ts';
import { median, seconds } from './statistics.ts';

const MOST_PIPELINES = 25;

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
  ended_at: z.string().nullable(),
  duration_s: z.number().nullable(),
  note: z.string().optional(),
});

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
  output: z.object({ pipelines: z.array(pipelineSummary), runs: z.array(listedRun) }),
  effect: 'read',
  example: { limit: 3 },
  async run({ source, limit, ...filter }, context) {
    const warnings: ToolWarning[] = [];
    const runs: PipelineRun[] = [];
    const owners = new Map<string, string>();
    let total = 0;
    let allRead = true;
    const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
    for (const one of await runSources(context, source)) {
      const listing = await one.runs.listRuns(given, context.scope);
      for (const run of listing.runs) owners.set(run.pipeline, one.name);
      runs.push(...listing.runs);
      total += listing.total;
      allRead &&= listing.complete;
      warnings.push(...listing.warnings.slice(0, 10));
    }
    runs.sort((left, right) => ((right.started_at ?? '') < (left.started_at ?? '') ? -1 : 1));
    const shown = runs.slice(0, limit).map(shorten);
    const pipelines = summarise(runs, owners);
    const extra = { total, returned: shown.length, warnings, asOf: context.now() };
    const data = { pipelines: pipelines.slice(0, MOST_PIPELINES), runs: shown };
    if (runs.length === 0) return noData(data, { warnings, asOf: context.now() });
    if (pipelines.length > MOST_PIPELINES)
      warnings.push({
        code: 'pipelines_left_out',
        message: `${pipelines.length - MOST_PIPELINES} of ${pipelines.length} pipelines are not summarised`,
      });
    return allRead && shown.length === total ? complete(data, extra) : partial(data, extra);
  },
});

function shorten(run: PipelineRun): z.output<typeof listedRun> {
  const { pipeline, run_id, type, state, logical_date, started_at, ended_at, duration_s, note } = run;
  return {
    pipeline,
    run_id,
    type,
    state,
    logical_date,
    started_at,
    ended_at,
    duration_s: seconds(duration_s),
    ...(note === undefined ? {} : { note: note.slice(0, 200) }),
  };
}

function summarise(runs: readonly PipelineRun[], owners: ReadonlyMap<string, string>): z.output<typeof pipelineSummary>[] {
  const byPipeline = new Map<string, PipelineRun[]>();
  for (const run of runs) {
    const list = byPipeline.get(run.pipeline);
    if (list) list.push(run);
    else byPipeline.set(run.pipeline, [run]);
  }
  return [...byPipeline].map(([pipeline, list]) => {
    const counts: Record<string, number> = {};
    const types = new Map<string, number>();
    for (const run of list) {
      const key = `${run.type} ${run.state}`;
      counts[key] = (counts[key] ?? 0) + 1;
      types.set(run.type, (types.get(run.type) ?? 0) + 1);
    }
    const [commonest] = [...types].sort((left, right) => right[1] - left[1])[0] ?? [''];
    const durations = list.filter((run) => run.state === 'success' && run.type === commonest).flatMap((run) => run.duration_s ?? []);
    return {
      pipeline,
      source: owners.get(pipeline) ?? '',
      runs: list.length,
      by_type_and_state: counts,
      median_duration_s: seconds(median(durations)),
      newest_run_id: list[0]?.run_id ?? '',
    };
  });
}
