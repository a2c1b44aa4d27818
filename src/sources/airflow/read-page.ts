import type { PipelineRun, SlotPool, TaskTry } from '../../core/source.ts';
import { type Fields, isFields, numberOf, textOf, toPipelineRun, toSlotPool, toTaskTry } from './airflow-entries.ts';

/** One page of a listing, whatever it lists. */
export type AirflowPage =
  | { readonly lists: 'runs'; readonly runs: readonly PipelineRun[]; readonly total: number | null; readonly bad: number }
  | { readonly lists: 'tries'; readonly tries: readonly TaskTry[]; readonly total: number | null; readonly bad: number }
  | { readonly lists: 'pools'; readonly pools: readonly SlotPool[]; readonly total: number | null; readonly bad: number };

/**
 * The pages that a JSON value holds, told by content: an answer of the REST API, a list of such answers, or entries
 * without the envelope. Empty when it holds none.
 */
export function readPages(value: unknown): readonly AirflowPage[] {
  if (Array.isArray(value)) {
    const entries = value.filter(isFields);
    const pages = entries.flatMap((entry) => readEnvelope(entry));
    return pages.length > 0 ? pages : readBare(entries);
  }
  if (!isFields(value)) return [];
  const pages = readEnvelope(value);
  return pages.length > 0 ? pages : readBare([value]);
}

function readEnvelope(value: Fields): AirflowPage[] {
  const total = numberOf(value, 'total_entries');
  const pages: AirflowPage[] = [];
  if (Array.isArray(value.dag_runs)) pages.push(runsPage(value.dag_runs, total));
  if (Array.isArray(value.task_instances)) pages.push(triesPage(value.task_instances, total));
  if (Array.isArray(value.pools)) pages.push(poolsPage(value.pools, total));
  return pages;
}

/** Entries saved one by one, without `total_entries`. */
function readBare(entries: readonly Fields[]): AirflowPage[] {
  const named = entries.filter((entry) => textOf(entry, 'dag_id') !== null);
  const tasks = named.filter((entry) => textOf(entry, 'task_id') !== null && (entry.dag_run_id ?? entry.run_id) !== undefined);
  const runs = named.filter((entry) => textOf(entry, 'task_id') === null && (entry.dag_run_id ?? entry.run_id) !== undefined);
  const pages: AirflowPage[] = [];
  if (runs.length > 0) pages.push(runsPage(runs, null));
  if (tasks.length > 0) pages.push(triesPage(tasks, null));
  return pages;
}

function runsPage(entries: readonly unknown[], total: number | null): AirflowPage {
  const { kept, bad } = convert(entries, toPipelineRun);
  return { lists: 'runs', runs: kept, total, bad };
}

function triesPage(entries: readonly unknown[], total: number | null): AirflowPage {
  const { kept, bad } = convert(entries, toTaskTry);
  return { lists: 'tries', tries: kept, total, bad };
}

function poolsPage(entries: readonly unknown[], total: number | null): AirflowPage {
  const { kept, bad } = convert(entries, toSlotPool);
  return { lists: 'pools', pools: kept, total, bad };
}

function convert<Item>(entries: readonly unknown[], to: (entry: Fields) => Item | undefined): { kept: Item[]; bad: number } {
  const kept = entries.map((entry) => (isFields(entry) ? to(entry) : undefined)).filter((item): item is Item => item !== undefined);
  return { kept, bad: entries.length - kept.length };
}
