import type { Finding } from '../part-report.ts';
import { enumerate, figure } from '../read-data.ts';
import { waitText } from './describe-group.ts';
import { type Cause, mostWaiting } from './find-causes.ts';
import { type RunFacts, taskName } from './run-facts.ts';
import type { SlotFacts } from './slot-facts.ts';

export interface Observed {
  readonly facts: RunFacts;
  readonly slots: SlotFacts;
  /** Id of `get_run` of the same run. */
  readonly detail: string;
}

/** What is worth knowing beside the causes, what the figures rule out, and what was not looked at. */
export function observeRun(evidence: Observed, causes: readonly Cause[]): Finding[] {
  const { facts, slots, detail } = evidence;
  const here = [facts.result];
  const found: Finding[] = [];
  const inCause = new Set(causes.flatMap((cause) => ('group' in cause ? [cause.group.task] : [])));
  const elsewhere = mostWaiting(facts).filter((group) => !inCause.has(group.task) && !causes.some((cause) => cause.kind === 'work_grew'));
  for (const group of elsewhere.slice(0, 3))
    found.push({
      kind: 'observation',
      claim: `Apart from that, ${waitText(group)} before it started.`,
      evidence: here,
      confidence: 'high',
    });
  if (facts.retried.length > 0) {
    const tries = facts.retried.map((task) => `${taskName(task)} was on try ${figure(task.tryNumber)}`);
    found.push({ kind: 'observation', claim: `Retries: ${enumerate(tries)}.`, evidence: [...here, detail], confidence: 'high' });
  }
  if (facts.failed.length > 0) {
    const failed = facts.failed.map((task) => `${taskName(task)} (${figure(task.state)}${task.message ? `: ${task.message}` : ''})`);
    found.push({ kind: 'observation', claim: `Failed tasks: ${enumerate(failed)}.`, evidence: [...here, detail], confidence: 'high' });
  }
  if (facts.goneTasks.length > 0)
    found.push({
      kind: 'observation',
      claim: `Tasks of earlier runs that this one lacks: ${enumerate(facts.goneTasks)}.`,
      evidence: here,
      confidence: 'high',
    });
  return [...found, ...ruledOut(facts, slots, causes), ...gaps(facts, causes, slots)];
}

/** The middle task of the largest group, beside the middle one before. */
function eachTask({ groups }: RunFacts): string {
  const [largest] = [...groups].sort((left, right) => (right.count ?? 0) - (left.count ?? 0));
  if (!largest || (largest.count ?? 0) < 3 || largest.median === null || largest.medianBefore === null) return '';
  return `; the median \`${largest.task}\` took ${largest.median} s, before ${largest.medianBefore} s`;
}

function ruledOut(facts: RunFacts, slots: SlotFacts, causes: readonly Cause[]): Finding[] {
  const evidence = [facts.result];
  const rule = (claim: string, ids: readonly string[] = evidence): Finding => ({
    kind: 'ruled_out',
    claim,
    evidence: ids,
    confidence: 'high',
  });
  const found: Finding[] = [];
  const { working, waiting } = facts;
  if (working.changed === false)
    found.push(
      rule(
        `Slower work: the tasks worked ${figure(working.seconds)} s, the median before is ${figure(working.before)} s${eachTask(facts)}.`,
      ),
    );
  if (waiting.changed === false)
    found.push(rule(`Longer waiting: the tasks waited ${figure(waiting.seconds)} s, the median before is ${figure(waiting.before)} s.`));
  if (facts.failed.length === 0 && facts.state === 'success') found.push(rule('Failed tasks: none failed in this run.'));
  if (facts.retried.length === 0) found.push(rule('Retries: no task needed a second try.'));
  if (facts.newTasks.length === 0 && facts.withDetail > 0) found.push(rule('New tasks: the run had none that earlier runs lack.'));
  const taken = causes.some((cause) => cause.kind === 'pool_taken');
  if (!taken && slots.looked && slots.complete && slots.holders.length === 0)
    found.push(rule('Another run in the same pools: none overlapped this run in the source.', [slots.result]));
  else if (!taken && slots.looked && slots.complete)
    found.push(rule('Slots taken by others: no other run held more of a pool that this run waited for than usual.', [slots.result]));
  return found;
}

function gaps(facts: RunFacts, causes: readonly Cause[], slots: SlotFacts): Finding[] {
  const gap = (claim: string): Finding => ({ kind: 'not_checked', claim, evidence: [], confidence: 'low' });
  const found: Finding[] = [];
  const taken = causes.find((cause) => cause.kind === 'pool_taken');
  if (taken) found.push(gap(`Why ${enumerate(taken.holders.map((one) => `\`${one.pipeline}\``))} ran at that time, and who started it.`));
  if (causes.some((cause) => cause.kind === 'work_grew'))
    found.push(gap('Why those tasks took longer: code, data volume and the load of the database.'));
  if (!slots.looked) found.push(gap('What else ran at the time: the source of runs could not say.'));
  if (facts.withDetail < facts.baselineRuns)
    found.push(
      gap(`Waiting and working of the baseline runs without task detail: only ${facts.withDetail} of ${facts.baselineRuns} have it.`),
    );
  return found;
}
