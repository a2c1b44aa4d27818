import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { callIfOffered, type Finding, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { clock, countsOf, enumerate, figure, type Reading, read } from '../read-data.ts';
import type { ChosenRun, ListedRun, RunList } from './choose-run.ts';

interface Listed {
  readonly list: RunList;
  readonly listed: ToolResult;
}

/** A run that is due and has not begun: most often another of the same pipeline goes on. */
function notBegun(run: ListedRun, { list, listed }: Listed): PartReport {
  const before = list.runs.find((one) => one.pipeline === run.pipeline && one.state === 'running');
  const why = before
    ? `run \`${before.runId}\` of the same pipeline is running since ${clock(before.startedAt)} and has no end`
    : 'no other run of the pipeline goes on, so it is paused, at a limit, or the scheduler does not take it up';
  const claim = `Run \`${run.runId}\` of \`${run.pipeline}\` has not begun, it is ${run.state} since ${clock(run.queuedAt)}: ${why}.`;
  return tell({ kind: 'cause', claim, evidence: [listed.id], confidence: 'medium', refuted_by: 'a newer state of the run' });
}

/** Why a run has not ended: which of its tasks have not started, and whether their pool has a slot for them. */
export async function explainUnfinished(play: Play, { run, source }: ChosenRun, { list, listed }: Listed): Promise<PartReport> {
  if (run.endedAt !== null || !/running|queued/.test(run.state)) return NOTHING;
  if (run.startedAt === null) return notBegun(run, { list, listed });
  const which = { run_id: run.runId, pipeline: run.pipeline, ...(source === '' ? {} : { source }) };
  const [taken, slots] = await Promise.all([callIfOffered(play, 'get_run', which), callIfOffered(play, 'who_else_ran', which)]);
  if (!usable(taken)) return NOTHING;
  const data = read(taken.data);
  const waiting = data.list('groups').filter((group) => group.text('first_start') === null);
  const name = `Run \`${run.runId}\` of \`${run.pipeline}\``;
  const running = data.list('running');
  if (running.length > 0) return stillRunning(play, { name, which, taken, running: running.slice(0, 4) });
  if (waiting.length === 0) return NOTHING;
  const states = countsOf(data.at('by_state'));
  const pools = read(slots?.data).list('pools');
  const told = waiting.slice(0, 4).map((group) => {
    const pool = group.texts('pools')[0];
    const use = pools.find((one) => one.text('pool') === pool);
    const size = use?.number('slots') ?? null;
    const held = use?.number('others_max_slots') ?? null;
    const room =
      size === null
        ? ''
        : size === 0
          ? ' with slots 0: nothing in it can start'
          : ` with slots ${size}, of which others held at most ${figure(held)}`;
    return `\`${group.text('task_id') ?? ''}\` has not started${pool === undefined ? '' : `; it needs a slot of pool \`${pool}\`${room}`}`;
  });
  const claim = `${name} is not finished: ${enumerate(told, 4)} (tasks by state: ${states.join(', ')}; the run started ${clock(run.startedAt)}).`;
  const evidence = [taken.id, ...(slots ? [slots.id] : [])];
  const finding: Finding = { kind: 'cause', claim, evidence, confidence: 'high', refuted_by: 'a task that started meanwhile' };
  return tell(finding);
}

interface Running {
  readonly name: string;
  readonly which: Readonly<Record<string, unknown>>;
  readonly taken: ToolResult;
  readonly running: readonly Reading[];
}

/** `is running since 02:05`, or that it waits for its next try. */
export function atText(one: Reading): string {
  const state = one.text('state') ?? 'running';
  const since = clock(one.text('started_at'));
  return state === 'up_for_retry'
    ? `is up_for_retry: its try ${figure(one.number('try_number'))} began ${since} and failed`
    : `is ${state} since ${since}`;
}

/** What has started waits for no slot: it is what the run is at, and how long it usually takes says whether it hangs. */
async function stillRunning(play: Play, { name, which, taken, running }: Running): Promise<PartReport> {
  const compared = await callIfOffered(play, 'compare_runs', which);
  const groups = usable(compared) ? read(compared.data).list('groups') : [];
  const told = running.map((one) => {
    const task = one.text('task_id') ?? '';
    const index = one.number('map_index') ?? -1;
    const usual = groups.find((group) => group.text('task_id') === task)?.number('baseline_median_s') ?? null;
    return `\`${task}\`${index >= 0 ? ` index ${index}` : ''} ${atText(one)}${usual === null ? '' : ` (median before: ${usual} s)`}`;
  });
  const claim = `${name} is not finished: ${enumerate(told, 4)}.`;
  const evidence = [taken.id, ...(usable(compared) ? [compared.id] : [])];
  return tell({ kind: 'cause', claim, evidence, confidence: 'high', refuted_by: 'a newer state of the task' });
}
