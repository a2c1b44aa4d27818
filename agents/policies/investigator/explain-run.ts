import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import type { Account } from './account.ts';
import type { ChosenRun } from './choose-run.ts';
import { explainWaiting } from './explain-waiting.ts';
import type { Comparison, Group, TaskRef } from './shapes.ts';

/** From here on a run counts as slower than its like. */
const SLOWER_FROM = 1.2;
const MOST_NAMED = 5;

/** Takes the run apart against like runs: is it slower, did the work change or the waiting, and who is to blame. */
export async function explainRun(play: Play, account: Account, chosen: ChosenRun): Promise<void> {
  const { pipeline, run_id } = chosen.run;
  const compared = await play.call<Comparison>('compare_runs', { run_id, pipeline });
  if (compared.status === 'error' || compared.status === 'refused') {
    account.find({
      kind: 'not_checked',
      claim: `Run ${run_id} of ${pipeline} could not be compared: ${messageOf(compared)}`,
      evidence: [compared],
    });
    return;
  }
  sayDuration(account, compared, chosen.why);
  const { waiting, working } = compared.data;
  if (waiting.changed) await explainWaiting(play, account, compared);
  if (working.changed) explainWorking(account, compared);
  sayUnchanged(account, compared);
  sayTasks(account, compared);
  sayCompleteness(account, compared);
}

function messageOf(result: ToolResult): string {
  return (result.data as { message?: string }).message ?? result.status;
}

function sayDuration(account: Account, compared: ToolResult<Comparison>, why: string): void {
  const { run, baseline, duration_ratio: times } = compared.data;
  const name = `Run \`${run.run_id}\` of \`${run.pipeline}\``;
  if (run.duration_s === null) account.say(`${name} (${why}) is ${run.state}; its duration is unknown.`, compared);
  else if (baseline.median_duration_s === null)
    account.say(`${name} (${why}) took ${run.duration_s} s; there are no like runs to compare it with.`, compared);
  else {
    const verdict = times !== null && times >= SLOWER_FROM ? '' : ', which is within the usual';
    account.say(
      `${name} (${why}) took ${run.duration_s} s against a median of ${baseline.median_duration_s} s over ${baseline.runs} like runs: ${times} times${verdict}.`,
      compared,
    );
    account.find({
      kind: 'observation',
      claim: `${run.run_id} took ${run.duration_s} s; ${baseline.runs} like runs took ${baseline.min_duration_s} to ${baseline.max_duration_s} s, median ${baseline.median_duration_s} s (${times} times)${excludedText(baseline.excluded)}.`,
      evidence: [compared],
    });
  }
}

function excludedText(excluded: Readonly<Record<string, number>>): string {
  const parts = Object.entries(excluded).map(([reason, count]) => `${count} of ${reason}`);
  return parts.length > 0 ? `; left out of the baseline: ${parts.join(', ')}` : '';
}

function explainWorking(account: Account, compared: ToolResult<Comparison>): void {
  const { working, groups } = compared.data;
  const grown = groups
    .filter((group) => group.baseline_working_s !== null && group.working_s > group.baseline_working_s * SLOWER_FROM)
    .sort((left, right) => right.working_s - (right.baseline_working_s ?? 0) - (left.working_s - (left.baseline_working_s ?? 0)))
    .slice(0, 3);
  const direction = (working.ratio ?? 1) > 1 ? 'longer' : 'less';
  account.say(
    `The tasks themselves worked ${direction}: ${working.seconds} s in all against a median of ${working.baseline_median_s} s${grown.length > 0 ? `; ${grown.map(describeGrowth).join('; ')}` : ''}.`,
    compared,
  );
  for (const group of grown) {
    account.find({
      kind: 'cause',
      claim: `Task ${describeGrowth(group)}.`,
      evidence: [compared],
      confidence: compared.data.waiting.changed ? 'medium' : 'high',
      refutedBy: 'an earlier run in which the same task worked as long and the run was not slow',
    });
  }
}

function describeGrowth(group: Group): string {
  const more =
    group.baseline_count !== null && group.count !== group.baseline_count
      ? ` in ${group.count} instances instead of ${group.baseline_count}`
      : '';
  const each = group.count > 1 ? ` (median of one: ${group.median_s} s against ${group.baseline_median_s} s)` : '';
  return `\`${group.task_id}\` worked ${group.working_s} s against ${group.baseline_working_s} s${more}${each}`;
}

function sayUnchanged(account: Account, compared: ToolResult<Comparison>): void {
  const { working, waiting } = compared.data;
  if (working.changed === false) {
    account.find({
      kind: 'ruled_out',
      claim: `The work itself did not change: tasks worked ${working.seconds} s in all against a median of ${working.baseline_median_s} s.`,
      evidence: [compared],
      refutedBy: 'task durations that leave out part of the work',
    });
  }
  if (waiting.changed === false) {
    account.find({
      kind: 'ruled_out',
      claim: `Waiting for slots did not change: ${waiting.seconds} s in all against a median of ${waiting.baseline_median_s} s.`,
      evidence: [compared],
    });
  }
  if (working.changed === null && waiting.changed === null) {
    account.find({
      kind: 'not_checked',
      claim: 'Waiting and working could not be compared: no like run has task instances.',
      evidence: [compared],
    });
  }
}

function sayTasks(account: Account, compared: ToolResult<Comparison>): void {
  const { retried, failed, new_tasks, gone_tasks } = compared.data;
  if (retried.length > 0) {
    const claim = `${retried.length} task instance${retried.length > 1 ? 's' : ''} needed another try: ${retried.slice(0, MOST_NAMED).map(describeTry).join(', ')}.`;
    account.say(claim, compared);
    account.find({ kind: 'observation', claim, evidence: [compared] });
  } else account.find({ kind: 'ruled_out', claim: 'No task instance of the run was retried.', evidence: [compared] });
  if (failed.length > 0) {
    const claim = `${failed.length} task instance${failed.length > 1 ? 's' : ''} failed: ${failed.slice(0, MOST_NAMED).map(describeFailure).join('; ')}.`;
    account.say(claim, compared);
    account.find({ kind: 'cause', claim, evidence: [compared] });
  } else if (compared.complete) account.find({ kind: 'ruled_out', claim: 'No task instance of the run failed.', evidence: [compared] });
  if (new_tasks.length > 0)
    account.find({
      kind: 'observation',
      claim: `Tasks that like runs do not have: ${new_tasks.slice(0, MOST_NAMED).join(', ')}.`,
      evidence: [compared],
    });
  if (gone_tasks.length > 0)
    account.find({
      kind: 'observation',
      claim: `Tasks that like runs have and this one lacks: ${gone_tasks.slice(0, MOST_NAMED).join(', ')}.`,
      evidence: [compared],
    });
}

export function describeTry(task: TaskRef): string {
  return `\`${task.task_id}\`${task.map_index >= 0 ? ` index ${task.map_index}` : ''} (try ${task.try_number}, ${task.state})`;
}

export function describeFailure(task: TaskRef): string {
  return `\`${task.task_id}\`${task.map_index >= 0 ? ` index ${task.map_index}` : ''} (${task.state}${task.message ? `: ${task.message}` : ''})`;
}

function sayCompleteness(account: Account, compared: ToolResult<Comparison>): void {
  const told = compared.warnings.filter((warning) =>
    ['pages_missing', 'runs_missing', 'incomplete_baseline', 'no_task_detail', 'no_task_instances', 'small_baseline'].includes(
      warning.code,
    ),
  );
  for (const warning of told) account.find({ kind: 'not_checked', claim: `${warning.message}.`, evidence: [compared] });
  if (!compared.complete) account.say('Not everything could be read, so absence proves nothing here.', compared);
}
