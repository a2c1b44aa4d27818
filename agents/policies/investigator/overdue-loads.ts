import type { Play } from '../../../src/core/policy.ts';
import { overdueRuns } from './open-runs.ts';
import { callIfOffered, NOTHING, type PartReport, tell, usable } from './part-report.ts';
import { capital } from './read-data.ts';
import type { Question } from './read-question.ts';

const LISTED = 100;
const LEAST_LETTERS = 3;
/** Words that many pipelines and tables bear. */
const OF_MANY = new Set([
  'load',
  'data',
  'daily',
  'sync',
  'dag',
  'job',
  'table',
  'report',
  'the',
  'new',
  'raw',
  'etl',
  'hourly',
  'nightly',
]);

/** Where data are old: a pipeline that bears a word of the question or of a table in it, and has not run when it was due. */
export async function overdueLoads(play: Play, question: Question): Promise<PartReport> {
  const listed = await callIfOffered(play, 'list_runs', { limit: LISTED });
  if (!usable(listed)) return NOTHING;
  const spoken = new Set(question.plain.split(' ').filter((word) => word.length >= LEAST_LETTERS && !OF_MANY.has(word)));
  const meant = overdueRuns(listed).filter(({ pipeline }) =>
    pipeline
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .some((word) => spoken.has(word)),
  );
  return tell(
    ...meant.slice(0, 2).map(
      ({ claim, evidence }) =>
        ({
          kind: 'cause',
          claim: `${capital(claim)}.`,
          evidence,
          confidence: 'medium',
          refuted_by: 'another pipeline that loads these data, or a newer state of the source',
        }) as const,
    ),
  );
}
