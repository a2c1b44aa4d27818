import { suggestName } from '../../core/nearest.ts';
import type { Scope } from '../../core/scope.ts';
import { type PipelineRun, type RunDetail, type RunHistory, RunNotFoundError, type TaskTry } from '../../core/source.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import type { AirflowClient } from './airflow-client.ts';
import { readDagRun, readPool, readTaskInstance } from './read-entry.ts';
import { AirflowRequestError, type ListingRequest, readListing } from './read-listing.ts';

/** Past runs asked from a running Airflow, every page of every listing. Failures throw {@link AirflowRequestError}. */
export function createAirflowHistory(client: AirflowClient): RunHistory {
  return {
    async listRuns(filter, scope) {
      const query: Record<string, string> = { order_by: '-start_date' };
      if (filter.since !== undefined) query.start_date_gte = filter.since;
      if (filter.until !== undefined) query.start_date_lt = filter.until;
      if (filter.type !== undefined) query.run_type = filter.type;
      if (filter.state !== undefined) query.state = filter.state;
      const listing = await readListing(
        client,
        { path: `/dags/${segment(filter.pipeline ?? '~')}/dagRuns`, field: 'dag_runs', query },
        scope,
      );
      const runs = listing.entries.map(readDagRun).filter((run): run is PipelineRun => run !== undefined);
      const kept = runs.filter((run) => fits(run, filter));
      // A server that does not know a filter answers more than was asked for.
      const total = kept.length === listing.entries.length ? listing.total : kept.length;
      return { runs: kept, total, complete: listing.complete, warnings: listing.warnings };
    },
    getRun: (runId, pipeline, scope) => readRun(client, { runId, pipeline }, scope),
    triesBetween: (from, to, scope) => readTriesBetween(client, { from, to }, scope),
    async pools(scope) {
      const listing = await readListing(client, { path: '/pools', field: 'pools' }, scope);
      return listing.entries.map(readPool).filter((pool) => pool !== undefined);
    },
  };
}

function fits(run: PipelineRun, filter: Parameters<RunHistory['listRuns']>[0]): boolean {
  return (
    (filter.pipeline === undefined || run.pipeline === filter.pipeline) &&
    (filter.type === undefined || run.type === filter.type) &&
    (filter.state === undefined || run.state === filter.state)
  );
}

interface WantedRun {
  readonly runId: string;
  readonly pipeline: string | undefined;
}

async function readRun(client: AirflowClient, wanted: WantedRun, scope: Scope): Promise<RunDetail> {
  const run = wanted.pipeline === undefined ? await searchRun(client, wanted.runId, scope) : await fetchRun(client, wanted, scope);
  const path = `/dags/${segment(run.pipeline)}/dagRuns/${segment(run.run_id)}/taskInstances`;
  const listing = await readListing(client, { path, field: 'task_instances' }, scope);
  const last = triesOf(listing.entries);
  const earlier = await readEarlierTries(client, { path, last }, scope);
  const tries = [...earlier.tries, ...last];
  const warnings = [...listing.warnings, ...earlier.warnings];
  return { run, tries, total: listing.total + earlier.tries.length, complete: listing.complete, warnings };
}

async function fetchRun(client: AirflowClient, { runId, pipeline = '' }: WantedRun, scope: Scope): Promise<PipelineRun> {
  const answer = await client.get(`/dags/${segment(pipeline)}/dagRuns/${segment(runId)}`, {}, scope);
  if (answer.ok) {
    const run = readDagRun(answer.value as Readonly<Record<string, unknown>>);
    if (run) return run;
  } else if (answer.reason !== 'not_found') throw new AirflowRequestError(answer);
  throw new RunNotFoundError(`there is no run "${runId}" of "${pipeline}"; list_runs shows which there are`);
}

/** Run ids repeat between pipelines, and the API looks them up by pipeline only. */
async function searchRun(client: AirflowClient, runId: string, scope: Scope): Promise<PipelineRun> {
  const request: ListingRequest = { path: '/dags/~/dagRuns', field: 'dag_runs', query: { order_by: '-start_date', run_id_pattern: runId } };
  const listing = await readListing(client, request, scope);
  const runs = listing.entries.map(readDagRun).filter((run): run is PipelineRun => run !== undefined);
  const found = runs.filter((run) => run.run_id === runId);
  const [run] = found;
  if (run && found.length === 1) return run;
  if (run)
    throw new RunNotFoundError(`run "${runId}" exists in several pipelines; say which: ${found.map((one) => one.pipeline).join(', ')}`);
  const seen = runs.slice(0, 200).map((one) => one.run_id);
  throw new RunNotFoundError(`there is no run "${runId}"; ${suggestName(runId, seen)}`);
}

const MOST_RETRIED = 50;

/** Listings give the last try only; the tries before it are asked for one by one, for a bounded number of tasks. */
async function readEarlierTries(
  client: AirflowClient,
  { path, last }: { readonly path: string; readonly last: readonly TaskTry[] },
  scope: Scope,
): Promise<{ readonly tries: readonly TaskTry[]; readonly warnings: readonly ToolWarning[] }> {
  const retried = last.filter((one) => one.try_number > 1);
  const tries: TaskTry[] = [];
  let unread = Math.max(0, retried.length - MOST_RETRIED);
  for (const one of retried.slice(0, MOST_RETRIED)) {
    const index = one.map_index < 0 ? '' : `/${one.map_index}`;
    const answer = await client.get(`${path}/${segment(one.task_id)}${index}/tries`, {}, scope);
    const entries = answer.ok ? (answer.value as { task_instances?: unknown } | null)?.task_instances : undefined;
    if (Array.isArray(entries)) tries.push(...triesOf(entries).filter((before) => before.try_number < one.try_number));
    else unread++;
  }
  const message = `the earlier tries of ${unread} retried tasks were not read; their last try is known`;
  return { tries, warnings: unread > 0 ? [{ code: 'earlier_tries_missing', message }] : [] };
}

async function readTriesBetween(
  client: AirflowClient,
  { from, to }: { readonly from: string; readonly to: string },
  scope: Scope,
): ReturnType<RunHistory['triesBetween']> {
  const path = '/dags/~/dagRuns/~/taskInstances';
  const ended = await readListing(client, { path, field: 'task_instances', query: { start_date_lte: to, end_date_gte: from } }, scope);
  // A filter on the end leaves out what has none yet.
  const running = await readListing(client, { path, field: 'task_instances', query: { start_date_lte: to, state: 'running' } }, scope);
  const byKey = new Map<string, TaskTry>();
  for (const one of triesOf([...running.entries, ...ended.entries])) {
    const overlaps = one.started_at !== null && one.started_at < to && (one.ended_at === null || one.ended_at > from);
    if (overlaps) byKey.set(JSON.stringify([one.pipeline, one.run_id, one.task_id, one.map_index, one.try_number]), one);
  }
  return { tries: [...byKey.values()], complete: ended.complete && running.complete, warnings: [...ended.warnings, ...running.warnings] };
}

function triesOf(entries: readonly Readonly<Record<string, unknown>>[]): TaskTry[] {
  return entries.map(readTaskInstance).filter((one): one is TaskTry => one !== undefined);
}

function segment(text: string): string {
  return text === '~' ? text : encodeURIComponent(text);
}
