import type { PipelineRun, SlotPool, TaskTry } from '../../core/source.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import { type RunIndex, runKey } from '../runs/run-index.ts';
import { measureCoverage, type PageClaim } from './page-coverage.ts';
import { type AirflowEntry, readDag, readDagRun, readPool, readTaskInstance, runIdOf } from './read-entry.ts';

/** Takes pages of Airflow's API in any order; an entry that comes twice counts once. */
export interface EntryCollector {
  /** Answers false when the object is none of Airflow's lists. */
  addPage(page: unknown): boolean;
  warn(warning: ToolWarning): void;
  index(): RunIndex;
}

export function createEntryCollector(): EntryCollector {
  const runs = new Map<string, PipelineRun>();
  const tries = new Map<string, TaskTry>();
  const pools = new Map<string, SlotPool>();
  const dags = new Map<string, boolean>();
  const runClaims: PageClaim[] = [];
  const taskClaims: PageClaim[] = [];
  const warnings: ToolWarning[] = [];
  let unread = 0;
  let repeated = 0;
  /** Pages saved at different times may hold an entry twice: the one that had ended is the later one. */
  const keepLater = <Entry extends { readonly ended_at: string | null }>(kept: Map<string, Entry>, key: string, entry: Entry): void => {
    const before = kept.get(key);
    if (before) repeated++;
    if (!before || before.ended_at === null || entry.ended_at !== null) kept.set(key, entry);
  };
  const take = <Entry>(entry: AirflowEntry, read: (entry: AirflowEntry) => Entry | undefined, keep: (entry: Entry) => void): void => {
    const value = entry !== null && typeof entry === 'object' ? read(entry) : undefined;
    if (value === undefined) unread++;
    else keep(value);
  };
  return {
    addPage: (page) => {
      const lists = listsOf(page);
      if (!lists) return false;
      for (const entry of lists.runs) take(entry, readDagRun, (run) => keepLater(runs, runKey(run), run));
      for (const entry of lists.tries)
        take(entry, readTaskInstance, (one) => keepLater(tries, `${instanceKey(one)}\n${one.try_number}`, one));
      for (const entry of lists.pools) take(entry, readPool, (pool) => pools.set(pool.name, pool));
      for (const entry of lists.dags) take(entry, readDag, ({ pipeline, paused }) => dags.set(pipeline, paused));
      if (lists.stated !== undefined) claimTotals(lists, lists.stated, { runClaims, taskClaims });
      return true;
    },
    warn: (warning) => warnings.push(warning),
    index: () => {
      const list = [...tries.values()];
      const counted = countEntries(runClaims, taskClaims);
      return {
        runs: [...runs.values()],
        tries: list,
        pools: [...pools.values()],
        paused: [...dags].flatMap(([pipeline, isPaused]) => (isPaused ? [pipeline] : [])),
        ...counted,
        everyRunHasTasks: true,
        warnings: [...warnings, ...countWarnings(unread, repeated), ...scheduleWarning(list)],
      };
    },
  };
}

function countWarnings(unread: number, repeated: number): ToolWarning[] {
  const warnings: ToolWarning[] = [];
  if (unread > 0) warnings.push({ code: 'unreadable_entries', message: `${unread} entries lack a dag, run or task id and were left out` });
  if (repeated > 0)
    warnings.push({ code: 'repeated_entries', message: `${repeated} entries come twice in the files and were counted once` });
  return warnings;
}

interface Lists {
  readonly runs: readonly AirflowEntry[];
  readonly tries: readonly AirflowEntry[];
  readonly pools: readonly AirflowEntry[];
  readonly dags: readonly AirflowEntry[];
  readonly stated: number | undefined;
}

/** A page is known by what it holds, not by its file's name; a bare list is taken by the look of its first entry. */
function listsOf(page: unknown): Lists | undefined {
  if (Array.isArray(page)) {
    const first = page[0] as AirflowEntry | undefined;
    if (first === null || typeof first !== 'object') return undefined;
    const none = { runs: [], tries: [], pools: [], dags: [], stated: undefined };
    if ('task_id' in first) return { ...none, tries: page as AirflowEntry[] };
    if (isRun(first)) return { ...none, runs: page as AirflowEntry[] };
    return 'dag_id' in first && 'is_paused' in first ? { ...none, dags: page as AirflowEntry[] } : undefined;
  }
  if (page === null || typeof page !== 'object') return undefined;
  const {
    dag_runs: runs,
    task_instances: tries,
    task_instances_history: history,
    pools,
    dags,
    total_entries: stated,
  } = page as Record<string, unknown>;
  const list = (value: unknown): AirflowEntry[] => (Array.isArray(value) ? (value as AirflowEntry[]) : []);
  if (![runs, tries, history, pools, dags].some(Array.isArray)) return 'dag_id' in page ? listsOf([page]) : undefined;
  return {
    runs: list(runs),
    tries: [...list(tries), ...list(history)],
    pools: list(pools),
    dags: list(dags),
    stated: typeof stated === 'number' ? stated : undefined,
  };
}

/** A run as the API gives it, or as `airflow dags list-runs --output json` prints it. */
function isRun(entry: AirflowEntry): boolean {
  return 'dag_run_id' in entry || ('run_id' in entry && 'dag_id' in entry && 'state' in entry);
}

interface Claims {
  readonly runClaims: PageClaim[];
  readonly taskClaims: PageClaim[];
}

/** `total_entries` counts what its request asked for; the page's entries tell what that was. */
function claimTotals(lists: Lists, total: number, { runClaims, taskClaims }: Claims): void {
  const runs = lists.runs.flatMap((entry) => readDagRun(entry ?? {}) ?? []);
  const tries = lists.tries.flatMap(identityOf);
  if (runs.length > 0) runClaims.push({ scopes: new Set(runs.map((run) => `runs:${run.pipeline}`)), entries: runs.map(runKey), total });
  const entries = tries.map(instanceKey);
  // The answer with the tries of one task has the same shape, but its total counts these tries.
  const triesOfOne = entries.length > 1 && new Set(entries).size === 1;
  if (entries.length > 0 && !triesOfOne) taskClaims.push({ scopes: new Set(tries.map(runKey)), entries, total });
}

/** Which task of which run an entry is about, without reading the rest of it again. */
function identityOf(entry: AirflowEntry): { pipeline: string; run_id: string; task_id: string; map_index: number }[] {
  const { dag_id: pipeline, task_id: task, map_index: index } = entry ?? {};
  const runId = runIdOf(entry ?? {});
  if (typeof pipeline !== 'string' || typeof runId !== 'string' || typeof task !== 'string') return [];
  return [{ pipeline, run_id: runId, task_id: task, map_index: typeof index === 'number' ? index : -1 }];
}

function countEntries(runClaims: readonly PageClaim[], taskClaims: readonly PageClaim[]): Pick<RunIndex, 'totals' | 'unplaced'> {
  const totals = new Map<string, number>();
  const unplaced = { runs: 0, tasks: 0 };
  for (const [kind, claims] of [
    ['runs', runClaims],
    ['tasks', taskClaims],
  ] as const) {
    for (const [scope, coverage] of measureCoverage(claims)) {
      if (!coverage.shared) totals.set(scope, coverage.total);
      else unplaced[kind] = Math.max(unplaced[kind], coverage.missing);
    }
  }
  return { totals, unplaced };
}

function instanceKey(one: {
  readonly pipeline: string;
  readonly run_id: string;
  readonly task_id: string;
  readonly map_index: number;
}): string {
  return `${runKey(one)}\n${one.task_id}\n${one.map_index}`;
}

/** Airflow gives these a start and an end, though they never were scheduled. */
const NEVER_RAN: ReadonlySet<string> = new Set(['upstream_failed', 'skipped', 'removed']);

function scheduleWarning(tries: readonly TaskTry[]): ToolWarning[] {
  const without = tries.filter((one) => one.started_at !== null && one.scheduled_at === null && !NEVER_RAN.has(one.state)).length;
  if (without === 0) return [];
  return [
    {
      code: 'no_scheduled_time',
      message: `${without} task instances do not say when they were scheduled (Airflow 2); their waiting is counted from when they were queued`,
    },
  ];
}
