import type { ChangeReport, RunChange, RunControl } from '../../core/run-control.ts';
import type { Scope } from '../../core/scope.ts';
import type { AirflowAnswer, AirflowClient } from './airflow-client.ts';

const MOST_LINES = 40;
const FINISHED = new Set(['success', 'failed']);

/** Changes at a running Airflow 3, by its REST API v2. */
export function createAirflowControl(client: AirflowClient): RunControl {
  return {
    plan: async (change, scope) => wrongName(change) ?? plan(client, change, scope),
    apply: async (change, scope) => wrongName(change) ?? apply(client, change, scope),
  };
}

/** In an address, dots alone would name another place. */
function wrongName(change: RunChange): ChangeReport | undefined {
  const names = 'runId' in change ? [change.pipeline, change.runId] : [change.pipeline];
  const wrong = names.find((name) => /^\.*$/.test(name));
  return wrong === undefined ? undefined : { ok: false, code: 'not_found', message: `"${wrong}" is no name of a pipeline or run` };
}

async function plan(client: AirflowClient, change: RunChange, scope: Scope): Promise<ChangeReport> {
  if (change.kind === 'clear') return clear(client, change, { dryRun: true, scope });
  if (change.kind === 'cancel') return planCancel(client, change, scope);
  const answer = await client.get(dagPath(change.pipeline), {}, scope);
  if (!answer.ok) return refusal(answer);
  const isPaused = fieldOf(answer.value, 'is_paused') === true;
  if (change.kind === 'pause') {
    if (isPaused === change.paused) return nothing(`${change.pipeline} ${isPaused ? 'is paused already' : 'is not paused'}`);
    return report([`${change.paused ? 'pause' : 'unpause'} ${change.pipeline}`]);
  }
  const date = change.logicalDate === undefined ? 'without a logical date' : `for logical date ${change.logicalDate}`;
  const waits = isPaused ? [`${change.pipeline} is paused: the run would wait until it is unpaused`] : [];
  return report([`start a run of ${change.pipeline} ${date}`, ...waits]);
}

async function planCancel(client: AirflowClient, change: RunChange & { kind: 'cancel' }, scope: Scope): Promise<ChangeReport> {
  const answer = await client.get(runPath(change), {}, scope);
  if (!answer.ok) return refusal(answer);
  const state = String(fieldOf(answer.value, 'state'));
  if (FINISHED.has(state)) return nothing(`run ${change.runId} has ended already: ${state}`);
  return report([`mark run ${change.runId} of ${change.pipeline}, now ${state}, as failed; its running tasks are stopped`]);
}

async function apply(client: AirflowClient, change: RunChange, scope: Scope): Promise<ChangeReport> {
  switch (change.kind) {
    case 'clear':
      return clear(client, change, { dryRun: false, scope });
    case 'trigger': {
      const { pipeline, logicalDate, conf, note } = change;
      const body = { logical_date: logicalDate ?? null, ...(conf ? { conf } : {}), ...(note === undefined ? {} : { note }) };
      const answer = await client.change('POST', `${dagPath(pipeline)}/dagRuns`, body, scope);
      if (!answer.ok) return refusal(answer);
      const runId = String(fieldOf(answer.value, 'dag_run_id') ?? '');
      return { ...report([`started run ${runId} of ${pipeline}`]), runId };
    }
    case 'pause': {
      const { pipeline, paused } = change;
      const answer = await client.change('PATCH', `${dagPath(pipeline)}?update_mask=is_paused`, { is_paused: paused }, scope);
      return answer.ok ? report([`${paused ? 'paused' : 'unpaused'} ${pipeline}`]) : refusal(answer);
    }
    case 'cancel': {
      const answer = await client.change('PATCH', `${runPath(change)}?update_mask=state`, { state: 'failed' }, scope);
      return answer.ok ? report([`marked run ${change.runId} of ${change.pipeline} as failed`]) : refusal(answer);
    }
  }
}

async function clear(
  client: AirflowClient,
  { pipeline, runId, taskIds, onlyFailed, downstream }: RunChange & { kind: 'clear' },
  { dryRun, scope }: { readonly dryRun: boolean; readonly scope: Scope },
): Promise<ChangeReport> {
  const body = {
    dry_run: dryRun,
    dag_run_id: runId,
    only_failed: onlyFailed,
    include_downstream: downstream,
    reset_dag_runs: true,
    ...(taskIds ? { task_ids: taskIds } : {}),
  };
  const answer = await client.change('POST', `${dagPath(pipeline)}/clearTaskInstances`, body, scope);
  if (!answer.ok) return refusal(answer);
  const instances = fieldOf(answer.value, 'task_instances');
  const cleared = Array.isArray(instances) ? instances : [];
  if (cleared.length === 0)
    return nothing(`no task of run ${runId} would be cleared${onlyFailed ? ': none of those asked for has failed' : ''}`);
  const lines = cleared.map((one) => `${dryRun ? 'clear' : 'cleared'} ${describeInstance(one)}`);
  return { ok: true, changes: lines.slice(0, MOST_LINES), total: cleared.length };
}

function describeInstance(instance: unknown): string {
  const index = fieldOf(instance, 'map_index');
  const mapped = typeof index === 'number' && index >= 0 ? ` index ${index}` : '';
  return `${fieldOf(instance, 'task_id')}${mapped}, now ${fieldOf(instance, 'state') ?? 'without a state'}, try ${fieldOf(instance, 'try_number')}`;
}

function fieldOf(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function report(changes: readonly string[]): ChangeReport & { ok: true } {
  return { ok: true, changes, total: changes.length };
}

function nothing(message: string): ChangeReport {
  return { ok: false, code: 'nothing_to_change', message };
}

function refusal({ reason, message }: AirflowAnswer & { ok: false }): ChangeReport {
  return { ok: false, code: reason, message };
}

function dagPath(pipeline: string): string {
  return `/dags/${encodeURIComponent(pipeline)}`;
}

function runPath({ pipeline, runId }: { readonly pipeline: string; readonly runId: string }): string {
  return `${dagPath(pipeline)}/dagRuns/${encodeURIComponent(runId)}`;
}
