import { type Finding, type PartReport, tell } from '../part-report.ts';
import { capital, clock, enumerate, figure } from '../read-data.ts';
import { type ListedRun, listingOf, type RunList } from './choose-run.ts';
import type { Cause } from './find-causes.ts';
import type { IdleTask, RunFacts, SlowHost } from './run-facts.ts';

/** Most of what a run waited, from which on it is what it waited for. */
const MOST_OF_WAITING = 0.7;
/** A run that began later than this is late, if it is late by a weighty part of its length too. */
const LEAST_DELAY = 300;
const DELAY_SHARE = 0.2;
const LONGER = 1.2;
/** What blocked the start of a run ended at most so many seconds before it. */
const JUST_BEFORE = 180;

export function idleTaskText({ task, state, note }: IdleTask): string {
  const how = state === 'skipped' ? 'was skipped' : `is ${state} but never started`;
  return `\`${task}\` ${how}${note === null ? '' : `, with the note "${note}"`}`;
}

/** Tasks that did no work in this run although they do in every like run. */
export function notStarted({ notStarted: tasks, runId, pipeline, state, withDetail, result }: RunFacts): PartReport | undefined {
  if (tasks.length === 0) return undefined;
  const told = enumerate(tasks.map(idleTaskText), 6);
  const byHand = tasks.some((one) => one.state !== 'skipped') ? '; so their state was set by hand or by a rule, and not by their work' : '';
  const claim = `Not all tasks of run \`${runId}\` of \`${pipeline}\` did their work, though it ended as ${state}: ${told}; in each of the ${withDetail} like runs they ran${byHand}.`;
  const finding: Finding = {
    kind: 'cause',
    claim,
    evidence: [result],
    confidence: 'high',
    refuted_by: 'a reason to leave them out that night',
  };
  return tell(finding);
}

export function slowHostsText(hosts: readonly SlowHost[]): string {
  const told = hosts.map(
    ({ task, host, tasks, median, others }) =>
      `tasks of \`${task}\` took far longer on host \`${host}\` than anywhere else: tasks there ${figure(tasks)} with a median of ${figure(median)} s, others with a median of ${figure(others)} s`,
  );
  return `${capital(enumerate(told, 3))}; so the machine is slow, not the work.`;
}

export function idleText({ task, after, seconds }: Extract<Cause, { kind: 'idle' }>, facts: RunFacts): string {
  const tried = facts.retried.find((one) => one.task === task);
  const gap = `between the end of \`${after}\` and`;
  return tried
    ? `\`${task}\` was on try ${figure(tried.tryNumber)}: idle ${seconds} s ${gap} its last try, the time of its earlier tries and of the delays between them.`
    : `The run stood idle for ${seconds} s ${gap} when \`${task}\` was scheduled: what held it up the source does not say.`;
}

/** Where tasks waited for a worker and not for a slot. */
export function queuedText({ queued, waiting }: RunFacts): string | undefined {
  const { seconds, before } = queued;
  if (seconds === null || waiting.seconds === null || seconds < MOST_OF_WAITING * waiting.seconds) return undefined;
  if (before !== null && seconds <= LONGER * before) return undefined;
  return `The tasks had their slots and waited in the queue of the executor for a worker: queued ${seconds} s of ${waiting.seconds} s of waiting (queued before: ${figure(before)} s)`;
}

/** Why a run began long after it was due: most often the run before it was not done. */
export function lateStart(
  facts: RunFacts,
  run: ListedRun,
  { list, listed }: { readonly list: RunList; readonly listed: string },
): PartReport | undefined {
  const { seconds, before } = facts.startDelay;
  if (seconds === null || seconds < LEAST_DELAY || seconds < DELAY_SHARE * (facts.baselineMedian ?? 0) || seconds <= LONGER * (before ?? 0))
    return undefined;
  const blocker = list.runs.find((one) => one.pipeline === run.pipeline && one.runId !== run.runId && endedJustBefore(one, run));
  const median = listingOf(list, run)?.median ?? null;
  const why = blocker
    ? `the run before it, \`${blocker.runId}\`, ended only at ${clock(blocker.endedAt)}, duration ${figure(blocker.duration)} s, the median of its runs ${figure(median)} s`
    : 'what it waited for the source does not say: a limit of runs at once, a paused pipeline, or a scheduler that stood still';
  const claim = `The run \`${run.runId}\` of \`${run.pipeline}\` began late, at ${clock(run.startedAt)}, ${seconds} s after it was due (before: ${figure(before)} s): ${why}.`;
  const finding: Finding = {
    kind: 'cause',
    claim,
    evidence: [facts.result, ...(blocker ? [listed] : [])],
    confidence: blocker ? 'high' : 'medium',
    refuted_by: 'a run that began at its time while the one before it went on',
  };
  return tell(finding);
}

function endedJustBefore({ endedAt }: ListedRun, { startedAt }: ListedRun): boolean {
  if (endedAt === null || startedAt === null) return false;
  const gap = (Date.parse(startedAt) - Date.parse(endedAt)) / 1000;
  return gap >= 0 && gap <= JUST_BEFORE;
}
