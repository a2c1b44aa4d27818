import { nearestName } from '../../core/nearest.ts';
import {
  type PipelineRun,
  type RunDetail,
  type RunFilter,
  type RunHistory,
  type RunListing,
  RunNotFoundError,
  type SlotPool,
  type TaskTry,
} from '../../core/source.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import { utcTime } from './utc-time.ts';

/** Runs and tries held in memory, as files of past runs give them. */
export interface RunIndex {
  readonly runs: readonly PipelineRun[];
  readonly tries: readonly TaskTry[];
  readonly pools: readonly SlotPool[];
  /** Pipelines that are paused. */
  readonly paused?: readonly string[];
  /** Entries that the source says there are, by {@link runKey}, or by `runs:<pipeline>` for lists of runs; absent where it does not say. */
  readonly totals: ReadonlyMap<string, number>;
  /** Entries of listings over several pipelines or runs that are in no file: they may belong to any of them. */
  readonly unplaced?: { readonly runs: number; readonly tasks: number };
  /** True where a run without any try means that its tries were not saved. */
  readonly everyRunHasTasks?: boolean;
  readonly warnings: readonly ToolWarning[];
}

/** The key of a run among all pipelines. */
export function runKey(run: { readonly pipeline: string; readonly run_id: string }): string {
  return `${run.pipeline}\n${run.run_id}`;
}

/** A run history over an index that is loaded once, when first asked. */
export function historyOverIndex(load: () => Promise<RunIndex>): RunHistory {
  let loading: Promise<Loaded> | undefined;
  const ready = (): Promise<Loaded> => {
    loading ??= load().then(arrange);
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  return {
    listRuns: async (filter) => listRuns(await ready(), inUtc(filter)),
    getRun: async (runId, pipeline) => findRun(await ready(), runId, pipeline),
    triesBetween: async (from, to) => {
      const loaded = await ready();
      const { index } = loaded;
      const [first, last] = [utcTime(from) ?? from, utcTime(to) ?? to];
      const tries = index.tries.filter((one) => overlaps(one, first, last));
      const lacking = lackingRuns(loaded, first, last);
      const warnings = lacking.length > 0 ? [...index.warnings, describeLacking(lacking)] : index.warnings;
      return { tries, complete: lacking.length === 0 && (index.unplaced?.tasks ?? 0) === 0, warnings };
    },
    pools: async () => (await ready()).index.pools,
  };
}

interface Loaded {
  readonly index: RunIndex;
  readonly runs: readonly PipelineRun[];
  readonly triesByRun: ReadonlyMap<string, readonly TaskTry[]>;
}

function arrange(index: RunIndex): Loaded {
  const triesByRun = new Map<string, TaskTry[]>();
  for (const one of index.tries) {
    const key = runKey(one);
    const list = triesByRun.get(key);
    if (list) list.push(one);
    else triesByRun.set(key, [one]);
  }
  const known = new Set(index.runs.map(runKey));
  const found = [...triesByRun].filter(([key]) => !known.has(key)).map(([, tries]) => runFromTries(tries));
  return { index, runs: [...index.runs, ...found], triesByRun };
}

/** A run that no list of runs names: what its tries tell of it. */
function runFromTries(tries: readonly TaskTry[]): PipelineRun {
  const [first] = tries;
  const starts = tries.flatMap((one) => (one.started_at === null ? [] : [one.started_at])).sort();
  const ends = tries.flatMap((one) => (one.ended_at === null ? [] : [one.ended_at])).sort();
  const running = tries.some((one) => one.started_at !== null && one.ended_at === null);
  const started = starts[0] ?? null;
  const ended = running ? null : (ends.at(-1) ?? null);
  const states = new Set(tries.map((one) => one.state));
  const runId = first?.run_id ?? '';
  return {
    pipeline: first?.pipeline ?? '',
    run_id: runId,
    type: /^(scheduled|manual|backfill|asset_triggered|dataset_triggered)__/.exec(runId)?.[1] ?? 'unknown',
    state: states.size === 1 ? ([...states][0] ?? 'unknown') : states.has('failed') ? 'failed' : running ? 'running' : 'unknown',
    logical_date: null,
    queued_at: null,
    started_at: started,
    ended_at: ended,
    duration_s: started !== null && ended !== null ? (Date.parse(ended) - Date.parse(started)) / 1000 : null,
    note: 'known from its task instances only',
  };
}

function listRuns({ index, runs }: Loaded, filter: RunFilter): RunListing {
  const matching = runs
    .filter((run) => fits(run, filter))
    .sort((left, right) => ((right.started_at ?? right.queued_at ?? '') < (left.started_at ?? left.queued_at ?? '') ? -1 : 1));
  let missing = index.unplaced?.runs ?? 0;
  for (const pipeline of new Set(runs.map((run) => run.pipeline))) {
    if (filter.pipeline !== undefined && filter.pipeline !== pipeline) continue;
    const stated = index.totals.get(`runs:${pipeline}`);
    if (stated !== undefined) missing += Math.max(0, stated - index.runs.filter((run) => run.pipeline === pipeline).length);
  }
  const warnings =
    missing > 0
      ? [...index.warnings, { code: 'pages_missing', message: `${missing} runs are not in the files: pages are missing` }]
      : index.warnings;
  return {
    runs: matching,
    total: matching.length + missing,
    complete: missing === 0,
    warnings,
    ...(index.paused === undefined ? {} : { paused: index.paused }),
  };
}

/** Times are compared as text, so a filter's times need the form that the runs have. */
function inUtc(filter: RunFilter): RunFilter {
  const { since, until } = filter;
  return {
    ...filter,
    ...(since === undefined ? {} : { since: utcTime(since) ?? since }),
    ...(until === undefined ? {} : { until: utcTime(until) ?? until }),
  };
}

function fits(run: PipelineRun, filter: RunFilter): boolean {
  const at = run.started_at ?? run.queued_at ?? '';
  return (
    (filter.pipeline === undefined || run.pipeline === filter.pipeline) &&
    (filter.type === undefined || run.type === filter.type) &&
    (filter.state === undefined || run.state === filter.state) &&
    (filter.since === undefined || at >= filter.since) &&
    (filter.until === undefined || at < filter.until)
  );
}

function findRun(loaded: Loaded, runId: string, pipeline: string | undefined): RunDetail {
  const { index, runs, triesByRun } = loaded;
  const candidates = runs.filter((run) => run.run_id === runId && (pipeline === undefined || run.pipeline === pipeline));
  const [run] = candidates;
  if (!run) throw new RunNotFoundError(missingRunMessage(runs, runId, pipeline));
  if (candidates.length > 1)
    throw new RunNotFoundError(
      `run "${runId}" exists in several pipelines; say which: ${candidates.map((candidate) => candidate.pipeline).join(', ')}`,
    );
  const tries = triesByRun.get(runKey(run)) ?? [];
  const tasks = countTasks(tries);
  const stated = index.totals.get(runKey(run)) ?? tasks;
  const missing = Math.max(0, stated - tasks);
  const warnings = [...index.warnings];
  if (missing > 0)
    warnings.push({
      code: 'pages_missing',
      message: `${missing} of ${stated} task instances of this run are not in the files: pages are missing`,
    });
  const unplaced = index.unplaced?.tasks ?? 0;
  if (unplaced > 0)
    warnings.push({
      code: 'pages_missing',
      message: `${unplaced} task instances of a listing over several runs are not in the files; some may be of this run`,
    });
  if (tries.length === 0) warnings.push({ code: 'no_task_instances', message: 'the source holds no task instances of this run' });
  const isComplete = missing + unplaced === 0 && tries.length > 0;
  return { run, tries, total: tries.length + missing + unplaced, complete: isComplete, warnings };
}

function missingRunMessage(runs: readonly PipelineRun[], runId: string, pipeline: string | undefined): string {
  const within = pipeline === undefined ? runs : runs.filter((run) => run.pipeline === pipeline);
  if (pipeline !== undefined && within.length === 0) {
    const near = nearestName(pipeline, new Set(runs.map((run) => run.pipeline)));
    return `there is no pipeline "${pipeline}"${near ? `; did you mean "${near}"?` : ''}`;
  }
  const near = nearestName(
    runId,
    within.map((run) => run.run_id),
  );
  const newest = [...within].sort((left, right) => ((left.started_at ?? '') < (right.started_at ?? '') ? 1 : -1)).slice(0, 3);
  return `there is no run "${runId}"; ${near ? `did you mean "${near}"?` : `the newest are: ${newest.map((run) => run.run_id).join(', ') || 'none'}`}`;
}

function overlaps(one: TaskTry, from: string, to: string): boolean {
  return one.started_at !== null && one.started_at < to && (one.ended_at === null || one.ended_at > from);
}

/** Runs that overlap the window and whose tasks are not all known: what they held cannot be told. */
function lackingRuns({ index, runs, triesByRun }: Loaded, from: string, to: string): PipelineRun[] {
  return runs.filter((run) => {
    const started = run.started_at;
    if (started === null || started >= to || (run.ended_at !== null && run.ended_at <= from)) return false;
    const tries = triesByRun.get(runKey(run)) ?? [];
    return (tries.length === 0 && index.everyRunHasTasks === true) || countTasks(tries) < (index.totals.get(runKey(run)) ?? 0);
  });
}

function describeLacking(runs: readonly PipelineRun[]): ToolWarning {
  const shown = runs.slice(0, 5).map((run) => `${run.pipeline} ${run.run_id}`);
  const more = runs.length > shown.length ? ` and ${runs.length - shown.length} more` : '';
  return {
    code: 'tasks_missing',
    message: `${runs.length} runs overlap the window but not all their tasks are in the files: ${shown.join(', ')}${more}`,
  };
}

function countTasks(tries: readonly TaskTry[]): number {
  return new Set(tries.map((one) => `${one.task_id} ${one.map_index}`)).size;
}
