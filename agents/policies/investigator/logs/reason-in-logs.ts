import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, usable } from '../part-report.ts';
import type { ListedRun } from '../runs/choose-run.ts';
import type { TaskFact } from '../runs/run-facts.ts';
import { windowOf } from './examine-logs.ts';
import { describeEvent, type LogEvent, type LogFacts, readLogFacts } from './log-facts.ts';
import { originOf } from './log-origin.ts';

/** What the logs of a run's time say of why its tasks failed: their own first error, else the first that belongs to no task. */
export async function reasonInLogs(play: Play, run: ListedRun, failed: readonly TaskFact[]) {
  if (run.startedAt === null || failed.length === 0) return undefined;
  const sources = play.sources.filter(({ kind }) => kind === 'logs');
  const results = await Promise.all(sources.map(({ name }) => callIfOffered(play, 'summarize_log', { source: name, ...windowOf(run) })));
  const found = results.filter(usable).flatMap((result) => {
    const facts = readLogFacts(result.data);
    const event = reasonOf(facts, new Set(failed.map(({ task }) => task)));
    if (!event) return [];
    const next = saidNext(facts, event);
    const text = next ? `${describeEvent(event)}, and next "${next.text.replaceAll('\n', ' ').slice(0, 160)}"` : describeEvent(event);
    return [{ text, evidence: [result.id], own: event.task !== null }];
  });
  return found.find(({ own }) => own) ?? found[0];
}

/** A message of several lines may be logged line by line: the first says that it failed, the next says why. */
const LINES_OF_ONE = 2;

function saidNext({ timeline }: LogFacts, event: LogEvent): LogEvent | undefined {
  const at = event.line ?? 0;
  return timeline.find(
    ({ file, line, kind, text }) =>
      file === event.file && line !== null && line > at && line - at <= LINES_OF_ONE && ERRORS.test(kind) && text !== event.text,
  );
}

const ERRORS = /^(error|error_text|exception)$/;

function reasonOf(facts: LogFacts, tasks: ReadonlySet<string>): LogEvent | undefined {
  const own = facts.timeline.find(({ kind, task, consequence }) => task !== null && tasks.has(task) && !consequence && ERRORS.test(kind));
  if (own) return own;
  const { origin } = originOf(facts);
  return origin && (origin.task === null || tasks.has(origin.task)) ? origin : undefined;
}
