import { readInstant } from '../core/instant.ts';
import { suggestName } from '../core/nearest.ts';
import {
  type PipelineRun,
  type RunDetail,
  type RunFilter,
  type RunHistory,
  type RunListing,
  RunNotFoundError,
  type SlotPool,
  type TaskTry,
} from '../core/source.ts';
import type { ToolWarning } from '../core/tool-result.ts';

/** A run as files hold it. */
export interface IndexedRun {
  readonly run: PipelineRun;
  readonly tries: readonly TaskTry[];
  /** Tries that the run has, as its source counts them. */
  readonly total: number;
  readonly complete: boolean;
  readonly warnings: readonly ToolWarning[];
  /** Other names under which the run is found, such as its folder. */
  readonly aliases?: readonly string[];
}

/** All runs that a set of files holds. */
export interface RunIndex {
  readonly runs: readonly IndexedRun[];
  readonly pools: readonly SlotPool[];
  /** Runs that the source counts but that no file holds, by pipeline; under `*` those of any pipeline that is not named. */
  readonly missingRuns: ReadonlyMap<string, number>;
  readonly warnings: readonly ToolWarning[];
}

/** Answers from an index that `load` makes at first use and that is kept; a failed load is tried again. */
export function createMemoryRunHistory(load: () => Promise<RunIndex>): RunHistory & { readonly index: () => Promise<RunIndex> } {
  let loading: Promise<RunIndex> | undefined;
  const index = (): Promise<RunIndex> => {
    if (!loading) {
      loading = load();
      loading.catch(() => {
        loading = undefined;
      });
    }
    return loading;
  };
  return {
    index,
    listRuns: async (filter) => listRuns(await index(), filter),
    getRun: async (runId, pipeline) => findRun(await index(), runId, pipeline),
    triesBetween: async (from, to) => triesBetween(await index(), from, to),
    pools: async () => (await index()).pools,
  };
}

/** When a run began, as far as it is known: its start, else when it was queued, else its logical date. */
export function beginningOf(run: PipelineRun): string | null {
  return run.started_at ?? run.queued_at ?? run.logical_date;
}

function listRuns(index: RunIndex, filter: RunFilter): RunListing {
  const since = secondsOf(filter.since) ?? Number.NEGATIVE_INFINITY;
  const until = secondsOf(filter.until) ?? Number.POSITIVE_INFINITY;
  const bounded = filter.since !== undefined || filter.until !== undefined;
  const runs = index.runs
    .map((entry) => ({ run: entry.run, at: secondsOf(beginningOf(entry.run) ?? undefined) }))
    .filter(({ run, at }) => {
      if (filter.pipeline !== undefined && run.pipeline !== filter.pipeline) return false;
      if (filter.type !== undefined && run.type !== filter.type) return false;
      if (filter.state !== undefined && run.state !== filter.state) return false;
      return !bounded || (at !== undefined && at >= since && at < until);
    })
    .sort((left, right) => (right.at ?? Number.NEGATIVE_INFINITY) - (left.at ?? Number.NEGATIVE_INFINITY) || 0)
    .map(({ run }) => run);
  const missing =
    filter.pipeline === undefined ? countMissing(index) : (index.missingRuns.get(filter.pipeline) ?? index.missingRuns.get('*') ?? 0);
  return { runs, total: runs.length + missing, complete: missing === 0, warnings: index.warnings };
}

function countMissing(index: RunIndex): number {
  return [...index.missingRuns.values()].reduce((sum, count) => sum + count, 0);
}

function findRun(index: RunIndex, runId: string, pipeline: string | undefined): RunDetail {
  const ofPipeline = index.runs.filter((entry) => pipeline === undefined || entry.run.pipeline === pipeline);
  const found = ofPipeline.filter((entry) => entry.run.run_id === runId || entry.aliases?.includes(runId));
  const [entry] = found;
  if (!entry) throw new RunNotFoundError(explainMissing(index, ofPipeline, { runId, pipeline }));
  if (found.length > 1) {
    const pipelines = [...new Set(found.map((other) => other.run.pipeline))];
    throw new RunNotFoundError(
      `run "${runId}" exists in ${pipelines.length} pipelines; say which with "pipeline": ${pipelines.slice(0, 12).join(', ')}`,
    );
  }
  const { run, tries, total, complete, warnings } = entry;
  return { run, tries, total, complete, warnings };
}

function explainMissing(
  index: RunIndex,
  ofPipeline: readonly IndexedRun[],
  wanted: { readonly runId: string; readonly pipeline: string | undefined },
): string {
  if (wanted.pipeline !== undefined && ofPipeline.length === 0) {
    const pipelines = [...new Set(index.runs.map((entry) => entry.run.pipeline))];
    return `there is no pipeline "${wanted.pipeline}"; ${suggestName(wanted.pipeline, pipelines)}`;
  }
  const newest = ofPipeline
    .map((entry) => entry.run)
    .sort((left, right) => ((beginningOf(left) ?? '') < (beginningOf(right) ?? '') ? 1 : -1))
    .slice(0, 500)
    .map((run) => run.run_id);
  return `there is no run "${wanted.runId}"${wanted.pipeline === undefined ? '' : ` of "${wanted.pipeline}"`}; ${suggestName(wanted.runId, newest)}`;
}

function triesBetween(index: RunIndex, from: string, to: string): Awaited<ReturnType<RunHistory['triesBetween']>> {
  const start = secondsOf(from) ?? Number.NEGATIVE_INFINITY;
  const end = secondsOf(to) ?? Number.POSITIVE_INFINITY;
  const overlaps = (began: string | null, ended: string | null): boolean => {
    const first = secondsOf(began ?? undefined);
    return first !== undefined && first < end && (secondsOf(ended ?? undefined) ?? Number.POSITIVE_INFINITY) > start;
  };
  const tries = index.runs.flatMap((entry) => entry.tries.filter((one) => overlaps(one.started_at, one.ended_at)));
  const lacking = index.runs.filter((entry) => !entry.complete && overlaps(beginningOf(entry.run), entry.run.ended_at));
  const warnings: ToolWarning[] = [...index.warnings];
  if (lacking.length > 0) {
    const names = lacking.slice(0, 5).map(({ run }) => `${run.pipeline} ${run.run_id}`);
    const more = lacking.length > names.length ? ` and ${lacking.length - names.length} more` : '';
    warnings.push({
      code: 'tasks_missing',
      message: `${lacking.length} runs overlap the window but their tasks are not all known: ${names.join(', ')}${more}`,
    });
  }
  return { tries, complete: lacking.length === 0 && countMissing(index) === 0, warnings };
}

function secondsOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : readInstant(time)?.seconds;
}
