import type { Play } from '../../../src/core/policy.ts';
import type { ListedRun } from './choose-run.ts';
import { windowOf } from './examine-logs.ts';
import { describeEvent, type LogEvent, type LogFacts, readLogFacts } from './log-facts.ts';
import { originOf } from './log-origin.ts';
import { callIfOffered, usable } from './part-report.ts';
import type { TaskFact } from './run-facts.ts';

/** What the logs of a run's time say of why its tasks failed: their own first error, else the first that belongs to no task. */
export async function reasonInLogs(play: Play, run: ListedRun, failed: readonly TaskFact[]) {
  if (run.startedAt === null || failed.length === 0) return undefined;
  const sources = play.sources.filter(({ kind }) => kind === 'logs');
  const results = await Promise.all(sources.map(({ name }) => callIfOffered(play, 'summarize_log', { source: name, ...windowOf(run) })));
  const found = results.filter(usable).flatMap((result) => {
    const event = reasonOf(readLogFacts(result.data), new Set(failed.map(({ task }) => task)));
    return event ? [{ text: describeEvent(event), evidence: [result.id], own: event.task !== null }] : [];
  });
  return found.find(({ own }) => own) ?? found[0];
}

function reasonOf(facts: LogFacts, tasks: ReadonlySet<string>): LogEvent | undefined {
  const own = facts.timeline.find(
    ({ kind, task, consequence }) => task !== null && tasks.has(task) && !consequence && /^(error|error_text|exception)$/.test(kind),
  );
  if (own) return own;
  const { origin } = originOf(facts);
  return origin && (origin.task === null || tasks.has(origin.task)) ? origin : undefined;
}
