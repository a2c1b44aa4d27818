import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import type { ChosenRun } from './choose-run.ts';
import { callIfOffered, type Finding, NOTHING, type PartReport, tell, usable } from './part-report.ts';
import { clock, countsOf, enumerate, figure, type Reading, read } from './read-data.ts';

/** Why a run has not ended: which of its tasks have not started, and whether their pool has a slot for them. */
export async function explainUnfinished(play: Play, { run, source }: ChosenRun): Promise<PartReport> {
  if (run.endedAt !== null || !/running|queued/.test(run.state)) return NOTHING;
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

/** What has started waits for no slot: it is what the run is at, and how long it usually takes says whether it hangs. */
async function stillRunning(play: Play, { name, which, taken, running }: Running): Promise<PartReport> {
  const compared = await callIfOffered(play, 'compare_runs', which);
  const groups = usable(compared) ? read(compared.data).list('groups') : [];
  const told = running.map((one) => {
    const task = one.text('task_id') ?? '';
    const index = one.number('map_index') ?? -1;
    const usual = groups.find((group) => group.text('task_id') === task)?.number('baseline_median_s') ?? null;
    return `\`${task}\`${index >= 0 ? ` index ${index}` : ''} is running since ${clock(one.text('started_at'))}${usual === null ? '' : ` (median before: ${usual} s)`}`;
  });
  const claim = `${name} is not finished: ${enumerate(told, 4)}.`;
  const evidence = [taken.id, ...(usable(compared) ? [compared.id] : [])];
  return tell({ kind: 'cause', claim, evidence, confidence: 'high', refuted_by: 'a newer state of the task' });
}
