import { z } from 'zod';
import type { PipelineRun, RunDetail } from '../../src/core/source.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, partial, type ToolWarning } from '../../src/core/tool-result.ts';
import { analyseRun, type RunAnalysis } from './analyse-run.ts';
import { type Baseline, chooseBaseline, namedBaseline } from './choose-baseline.ts';
import { CHANGE_THRESHOLD, changed, changedTasks, changeFloor, compareGroups } from './compare-groups.ts';
import { criticalPath } from './critical-path.ts';
import { type FoundRun, findRun } from './find-run.ts';
import { findOddities, odditiesShape } from './run-oddities.ts';
import { failureShape, retryShape, runShape, shapeRun } from './run-shapes.ts';
import { createListShortener, type ListShortener } from './shorten-lists.ts';
import { median, quantile, ratio, seconds, wholeSeconds } from './statistics.ts';

const verdict = z.object({ changed: z.boolean().nullable(), ratio: z.number().nullable() });
const nullable = z.number().nullable();

const groupDelta = z.object({
  task_id: z.string(),
  count: z.number(),
  baseline_count: nullable,
  working_s: z.number(),
  baseline_working_s: nullable,
  waiting_s: nullable,
  baseline_waiting_s: nullable,
  median_s: nullable,
  baseline_median_s: nullable,
  span_s: nullable,
  baseline_span_s: nullable,
  max_parallel: z.number(),
  baseline_max_parallel: nullable,
  pools: z.array(z.string()),
});

const output = z.object({
  source: z.string(),
  run: runShape,
  baseline: z.object({
    runs: z.number(),
    median_duration_s: nullable,
    min_duration_s: nullable,
    p90_duration_s: nullable,
    max_duration_s: nullable,
    excluded: z.record(z.string(), z.number()).describe('runs left out, by reason'),
    with_task_detail: z.number(),
  }),
  duration_ratio: nullable.describe('duration of the run divided by the median of the baseline'),
  working: verdict.extend({ seconds: z.number(), baseline_median_s: nullable }),
  waiting: verdict.extend({ seconds: nullable, baseline_median_s: nullable }),
  change_threshold: z.number().describe('changed: by more than this share'),
  change_floor_s: z.number().describe('and by at least so many seconds'),
  groups: z.array(groupDelta),
  new_tasks: z.array(z.string()),
  gone_tasks: z.array(z.string()),
  retried: z.array(retryShape),
  failed: z.array(failureShape),
  critical_path: z.array(
    z.object({
      task_id: z.string(),
      tasks: z.number(),
      waited_s: nullable,
      worked_s: nullable,
      idle_s: z.number().optional(),
      ended_at: z.string().nullable(),
    }),
  ),
  ...odditiesShape,
});

/** A run beside the median of like runs. */
export const compareRuns = defineTool({
  name: 'compare_runs',
  description:
    'Compares a run with like runs (same pipeline and type, succeeded; others are counted as excluded): duration against the median, waiting and working seconds apart, in all and per task, tasks in parallel, retries, new and missing tasks, the chain of tasks the end hung on. Use it for "why was this run slow".',
  input: z.object({
    run_id: z.string().min(1),
    pipeline: z.string().optional(),
    source: z.string().optional(),
    baseline: z.array(z.string()).optional().describe('Ids of the runs to compare with; like runs unless given'),
    n: z.number().int().min(1).max(60).default(14).describe('Most like runs to compare with'),
  }),
  output,
  effect: 'read',
  example: { source: 'runs', run_id: 'scheduled__2026-03-16T02:00:00+00:00' },
  async run(input, context) {
    const found = await findRun(context, input);
    const { run } = found.detail;
    const listing = await found.source.runs.listRuns({ pipeline: run.pipeline }, context.scope);
    const baseline = input.baseline ? namedBaseline(run, listing.runs, input.baseline) : chooseBaseline(run, listing.runs, input.n);
    const details = await readDetails(found, baseline.runs, context);
    const lists = createListShortener();
    lists.warn([...found.detail.warnings, ...baselineWarnings(baseline, listing.complete, details)]);
    const analyses = details.filter((detail) => detail.tries.length > 0 && detail.complete).map(analyseRun);
    const data = { ...compare({ found, baseline, analyses, lists }), ...findOddities(found.detail, details) };
    const isComplete = found.detail.complete && listing.complete && !lists.cut;
    const extra = { total: baseline.runs.length, returned: baseline.runs.length, warnings: lists.warnings(), asOf: context.now() };
    return isComplete ? complete(data, extra) : partial(data, extra);
  },
});

interface Comparison {
  readonly found: FoundRun;
  readonly baseline: Baseline;
  readonly analyses: readonly RunAnalysis[];
  readonly lists: ListShortener;
}

function compare({ found, baseline, analyses, lists }: Comparison): z.output<typeof output> {
  const { source, detail } = found;
  const { run } = detail;
  const target = analyseRun(detail);
  const durations = baseline.runs.flatMap((one) => one.duration_s ?? []);
  const workingBefore = wholeSeconds(median(analyses.map((one) => one.working_s)));
  const waitingBefore = wholeSeconds(median(analyses.flatMap((one) => one.waiting_s ?? [])));
  const floor = changeFloor(median(durations));
  const { added, gone } = changedTasks(target, analyses);
  return {
    source: source.name,
    run: shapeRun(run),
    baseline: {
      runs: baseline.runs.length,
      median_duration_s: seconds(median(durations)),
      min_duration_s: seconds(quantile(durations, 0)),
      p90_duration_s: seconds(quantile(durations, 0.9)),
      max_duration_s: seconds(quantile(durations, 1)),
      excluded: baseline.excluded,
      with_task_detail: analyses.length,
    },
    duration_ratio: ratio(run.duration_s, median(durations)),
    working: { seconds: target.working_s, baseline_median_s: workingBefore, ...changed(target.working_s, workingBefore, floor) },
    waiting: { seconds: target.waiting_s, baseline_median_s: waitingBefore, ...changed(target.waiting_s, waitingBefore, floor) },
    change_threshold: CHANGE_THRESHOLD,
    change_floor_s: floor,
    groups: lists
      .shorten('groups', compareGroups(target, analyses), { characters: 3600, most: 12 })
      .map((group) => ({ ...group, pools: [...group.pools] })),
    new_tasks: lists.shorten('new_tasks', added, { characters: 500 }),
    gone_tasks: lists.shorten('gone_tasks', gone, { characters: 500 }),
    retried: lists.shorten('retried', target.retried, { characters: 700 }).map((one) => ({ ...one })),
    failed: lists.shorten('failed', target.failed, { characters: 1000 }).map((one) => ({ ...one })),
    critical_path: lists.shorten('critical_path', criticalPath(detail.tries), { characters: 1200 }).map((one) => ({ ...one })),
  };
}

const READ_AT_ONCE = 4;

async function readDetails(found: FoundRun, runs: readonly PipelineRun[], context: ToolContext): Promise<RunDetail[]> {
  const details: RunDetail[] = [];
  for (let at = 0; at < runs.length && !context.scope.stopped; at += READ_AT_ONCE) {
    const some = runs.slice(at, at + READ_AT_ONCE);
    details.push(...(await Promise.all(some.map((run) => found.source.runs.getRun(run.run_id, run.pipeline, context.scope)))));
  }
  return details;
}

function baselineWarnings(baseline: Baseline, listed: boolean, details: readonly RunDetail[]): ToolWarning[] {
  const warnings: ToolWarning[] = [];
  if (baseline.missing.length > 0)
    warnings.push({ code: 'baseline_missing', message: `not found: ${baseline.missing.slice(0, 5).join(', ')}` });
  if (baseline.runs.length === 0) warnings.push({ code: 'no_baseline', message: 'there are no like runs to compare with' });
  else if (baseline.runs.length < 3)
    warnings.push({ code: 'small_baseline', message: `only ${baseline.runs.length} like runs: their spread says little` });
  if (!listed) warnings.push({ code: 'runs_missing', message: 'not all runs of the pipeline could be read' });
  const without = details.filter((detail) => detail.tries.length === 0).length;
  if (without > 0)
    warnings.push({
      code: 'no_task_detail',
      message: `${without} of ${details.length} baseline runs have no task instances; waiting and working are compared with the other ${details.length - without}`,
    });
  const broken = details.filter((detail) => detail.tries.length > 0 && !detail.complete).length;
  if (broken > 0)
    warnings.push({
      code: 'incomplete_baseline',
      message: `${broken} baseline runs lack pages of task instances and do not enter the sums`,
    });
  return warnings;
}
