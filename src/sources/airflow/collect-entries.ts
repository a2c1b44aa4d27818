import type { PipelineRun, SlotPool, TaskTry } from '../../core/source.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import { type RunIndex, runKey } from '../runs/run-index.ts';
import { type AirflowEntry, readDagRun, readPool, readTaskInstance } from './read-entry.ts';

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
  const totals = new Map<string, number>();
  const warnings: ToolWarning[] = [];
  let unread = 0;
  const take = <Entry>(entry: AirflowEntry, read: (entry: AirflowEntry) => Entry | undefined, keep: (entry: Entry) => void): void => {
    const value = entry !== null && typeof entry === 'object' ? read(entry) : undefined;
    if (value === undefined) unread++;
    else keep(value);
  };
  return {
    addPage: (page) => {
      const lists = listsOf(page);
      if (!lists) return false;
      for (const entry of lists.runs) take(entry, readDagRun, (run) => runs.set(runKey(run), run));
      for (const entry of lists.tries)
        take(entry, readTaskInstance, (one) => tries.set(`${runKey(one)}\n${one.task_id}\n${one.map_index}\n${one.try_number}`, one));
      for (const entry of lists.pools) take(entry, readPool, (pool) => pools.set(pool.name, pool));
      keepTotals(lists, totals);
      return true;
    },
    warn: (warning) => warnings.push(warning),
    index: () => {
      const told =
        unread > 0
          ? [...warnings, { code: 'unreadable_entries', message: `${unread} entries lack a dag, run or task id and were left out` }]
          : warnings;
      const list = [...tries.values()];
      return { runs: [...runs.values()], tries: list, pools: [...pools.values()], totals, warnings: [...told, ...scheduleWarning(list)] };
    },
  };
}

interface Lists {
  readonly runs: readonly AirflowEntry[];
  readonly tries: readonly AirflowEntry[];
  readonly pools: readonly AirflowEntry[];
  readonly stated: number | undefined;
}

/** A page is known by what it holds, not by its file's name; a bare list is taken by the look of its first entry. */
function listsOf(page: unknown): Lists | undefined {
  if (Array.isArray(page)) {
    const first = page[0] as AirflowEntry | undefined;
    if (first === null || typeof first !== 'object') return undefined;
    const none = { runs: [], tries: [], pools: [], stated: undefined };
    if ('task_id' in first) return { ...none, tries: page as AirflowEntry[] };
    return 'dag_run_id' in first ? { ...none, runs: page as AirflowEntry[] } : undefined;
  }
  if (page === null || typeof page !== 'object') return undefined;
  const {
    dag_runs: runs,
    task_instances: tries,
    task_instances_history: history,
    pools,
    total_entries: stated,
  } = page as Record<string, unknown>;
  const list = (value: unknown): AirflowEntry[] => (Array.isArray(value) ? (value as AirflowEntry[]) : []);
  if (![runs, tries, history, pools].some(Array.isArray)) return undefined;
  return {
    runs: list(runs),
    tries: [...list(tries), ...list(history)],
    pools: list(pools),
    stated: typeof stated === 'number' ? stated : undefined,
  };
}

/** `total_entries` counts what its request asked for: the runs of one dag, or the task instances of one run. Pages that mix several say nothing of each. */
function keepTotals(lists: Lists, totals: Map<string, number>): void {
  if (lists.stated === undefined) return;
  const pipelines = new Set(lists.runs.map((run) => run.dag_id));
  if (pipelines.size === 1) totals.set(`runs:${[...pipelines][0]}`, lists.stated);
  const owners = new Set(lists.tries.map((one) => runKey({ pipeline: String(one.dag_id), run_id: String(one.dag_run_id) })));
  if (owners.size === 1) totals.set([...owners][0] ?? '', lists.stated);
}

function scheduleWarning(tries: readonly TaskTry[]): ToolWarning[] {
  const without = tries.filter((one) => one.started_at !== null && one.scheduled_at === null).length;
  if (without === 0) return [];
  return [
    {
      code: 'no_scheduled_time',
      message: `${without} task instances do not say when they were scheduled (Airflow 2); their waiting is counted from when they were queued`,
    },
  ];
}
