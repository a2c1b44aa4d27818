import type { Play } from '../../../../src/core/policy.ts';
import { askChildren } from '../../data-quality/ask-children.ts';
import type { Finding, PartReport } from '../part-report.ts';
import type { ListedRun } from '../runs/choose-run.ts';

/** From so many sources of logs on, readers of their own pay: each long summary stays with its child, ten lines come up. */
const MANY_SOURCES = 3;
const READER = 'log_reader';
const BEGINNING = /^(?:It began|First error)[^:]*: (\d{4}-\d\d-\d\dT\S+)/;
const CITED = / \[[^\]]*\]$/;

export function readersPay(play: Play, sources: readonly string[]): boolean {
  return sources.length >= MANY_SOURCES && play.tools.has(READER);
}

/** Reads several sources of logs, each by a reader of its own in parallel; what came first in time leads. */
export async function delegateLogs(play: Play, sources: readonly string[], run: ListedRun | undefined): Promise<PartReport> {
  const window = { ...(run?.startedAt ? { since: run.startedAt } : {}), ...(run?.endedAt ? { until: run.endedAt } : {}) };
  const tasks = sources.map((source) => ({
    goal: `Find what led to what in the logs of the source ${source}.`,
    inputs: { source, ...window },
    expect:
      'At most ten lines in the order of time: where it began, the first error, its consequences, how the tasks ended; each with the id of its result.',
  }));
  const because = `${sources.length} sources of logs that are read apart from one another, each with a long summary and a conclusion of a few lines.`;
  const answers = await askChildren(play, READER, tasks, because);
  const told = answers.map((answer, index) => ({
    ...answer,
    source: sources[index] ?? '',
    lines: answer.text.split('\n').filter((line) => line !== ''),
  }));
  const beginnings = told.flatMap(({ lines, evidence, source }) =>
    lines.flatMap((line) => {
      const time = BEGINNING.exec(line)?.[1];
      return time === undefined ? [] : [{ time, line, evidence, source }];
    }),
  );
  const [first] = beginnings.sort((left, right) => (left.time < right.time ? -1 : 1));
  const findings: Finding[] = told.flatMap(({ gap, source, evidence, lines }): Finding[] => {
    if (gap !== undefined) return [{ kind: 'not_checked', claim: `The logs of \`${source}\`: ${gap}`, evidence: [], confidence: 'low' }];
    return lines.slice(0, 3).map((line) => ({
      kind: 'observation',
      claim: `In the logs of \`${source}\`: ${line.replace(CITED, '')}.`,
      evidence,
      confidence: 'high',
    }));
  });
  const cause: Finding[] = first
    ? [
        {
          kind: 'cause',
          claim: `First in time, in the logs of \`${first.source}\`: ${first.line.replace(CITED, '')}.`,
          evidence: first.evidence,
          confidence: 'medium',
          refuted_by: 'an earlier event that the logs do not hold',
        },
      ]
    : [];
  const answer = first ? [`First in time, in the logs of \`${first.source}\`: ${first.line}.`] : ['None of the logs holds an error.'];
  const detail = told.flatMap(({ source, lines }) =>
    lines.length === 0 ? [] : [`By the logs of \`${source}\`:`, ...lines.map((line) => `- ${line}`)],
  );
  return { answer, detail, findings: [...cause, ...findings] };
}
