import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, type Finding, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { plainWords } from '../question/read-question.ts';
import { clock, figure, read } from '../read-data.ts';
import { type ChosenRun, type ListedRun, listingOf, type RunList } from './choose-run.ts';
import { readTask, type TaskFact, taskName } from './run-facts.ts';

/** A task whose work is to wait for something outside of its run, by how such tasks are called. */
const WAITER = /^(wait|await|sense|sensor|poll|check_for|expect)(_|-|$)|(^|_|-)(sensor|wait|waiter|poke)$/i;
/** What is waited for ends at most so many seconds before the wait does: a sensor looks again every few minutes. */
const LOOKS_AGAIN = 900;
const LONGER = 1.2;

export function isWaiter(task: string): boolean {
  return WAITER.test(task);
}

interface Wait {
  readonly task: string;
  /** When it ended; null where that is unknown. */
  readonly endedAt: string | null;
}

interface Waiter extends Wait {
  /** What it took and usually takes, where that is known. */
  readonly took: string;
  readonly evidence: readonly string[];
}

/** What a task waited for: the run of another pipeline that its name names, or that ended just before it did. */
function awaitedRun({ endedAt, task }: Wait, chosen: ChosenRun, list: RunList): ListedRun | undefined {
  const others = list.runs.filter(({ pipeline }) => pipeline !== chosen.run.pipeline);
  const start = chosen.run.startedAt ?? '';
  const near = others.filter((run) => (run.startedAt ?? '') <= (endedAt ?? '9') && (run.endedAt ?? '9') >= start);
  const named = near.find(({ pipeline }) => sharesWord(task, pipeline));
  if (named) return named;
  // Many things end at any time: what ended just before counts only where it took longer than it usually does.
  const justBefore = near.filter((run) => {
    const median = listingOf(list, run)?.median ?? null;
    const longer = median !== null && (run.duration ?? 0) > LONGER * median;
    const { endedAt: end } = run;
    return longer && end !== null && endedAt !== null && end <= endedAt && secondsBetween(end, endedAt) <= LOOKS_AGAIN;
  });
  return justBefore.sort((left, right) => (right.duration ?? 0) - (left.duration ?? 0))[0];
}

/** Why a task that waits for something outside took so long: which other run it waited for, and whether that was late itself. */
export function explainWaiter(
  waiter: Waiter,
  chosen: ChosenRun,
  { list, listed }: { readonly list: RunList; readonly listed: string },
): PartReport {
  const run = awaitedRun(waiter, chosen, list);
  const head = `\`${waiter.task}\` waited for something outside of the run: ${waiter.took}`;
  const usual = (run && listingOf(list, run)?.median) ?? null;
  const claim = run
    ? `${head}; \`${run.pipeline}\` (run \`${run.runId}\`) ended ${run.endedAt === null ? 'not at all' : clock(run.endedAt)} as ${run.state}, duration ${figure(run.duration)} s, the median of its runs ${figure(usual)} s.`
    : `${head}; what it waited for the sources do not say.`;
  const finding: Finding = {
    kind: 'cause',
    claim,
    evidence: [...waiter.evidence, ...(run ? [listed] : [])],
    confidence: run && usual !== null && (run.duration ?? 0) > LONGER * usual ? 'high' : 'medium',
    refuted_by: 'the definition of the task, where it names something else that it waits for',
  };
  return tell(finding);
}

/** Whether what a task waited for in vain waited for this pipeline in turn: then neither could go on. */
export async function explainDeadlock(
  play: Play,
  failed: readonly (Wait & { readonly sensor: boolean })[],
  { chosen, list }: { readonly chosen: ChosenRun; readonly list: RunList },
): Promise<PartReport> {
  const waiter = failed.find(({ task, sensor }) => sensor || isWaiter(task));
  if (!waiter) return NOTHING;
  const other = awaitedRun(waiter, chosen, list);
  if (!other) return NOTHING;
  const source = listingOf(list, other)?.source ?? '';
  const taken = await callIfOffered(play, 'get_run', { run_id: other.runId, pipeline: other.pipeline, ...(source ? { source } : {}) });
  if (!usable(taken)) return NOTHING;
  const theirFailures = read(taken.data).list('failed').map(readTask);
  const theirs = theirFailures.find((one) => one.sensor || isWaiter(one.task));
  const back = theirs?.task ?? null;
  const mutual = back !== null && sharesWord(back, chosen.run.pipeline);
  const claim = mutual
    ? `\`${waiter.task}\` waited in vain for \`${other.pipeline}\`, whose run \`${other.runId}\` waited in vain for this pipeline in \`${back}\`: the two waited for one another, so neither could go on.`
    : `\`${waiter.task}\` waited in vain for \`${other.pipeline}\`: its run \`${other.runId}\` ended ${other.endedAt === null ? 'not at all' : clock(other.endedAt)} as ${other.state}${rootsText(theirFailures)}.`;
  if (!mutual && other.state === 'success') return NOTHING;
  const finding: Finding = {
    kind: 'cause',
    claim,
    evidence: [taken.id],
    confidence: mutual ? 'high' : 'medium',
    refuted_by: 'the definition of the tasks',
  };
  return tell(finding);
}

function rootsText(failures: readonly TaskFact[]): string {
  const roots = failures.filter(({ state }) => state !== 'upstream_failed' && state !== 'skipped').slice(0, 3);
  if (roots.length === 0) return '';
  const told = roots.map(
    (one) =>
      `${taskName(one)} failed at ${clock(one.endedAt)} on try ${figure(one.tryNumber)}${one.message === null ? '' : ` (${one.message.slice(0, 160)})`}`,
  );
  return `: ${told.join(', ')}`;
}

/** Whether two names share a word that says something. */
function sharesWord(left: string, right: string): boolean {
  const words = new Set(plainWords(right).split(' '));
  return plainWords(left)
    .split(' ')
    .some(
      (word) => word.length > 3 && !/^(wait|sensor|task|daily|nightly|hourly|load|data|export|dag|pipeline)$/.test(word) && words.has(word),
    );
}

function secondsBetween(left: string, right: string): number {
  return Math.abs(Date.parse(right) - Date.parse(left)) / 1000;
}
