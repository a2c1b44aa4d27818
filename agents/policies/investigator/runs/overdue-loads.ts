import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { tellingWords } from '../question/telling-words.ts';
import { capital } from '../read-data.ts';
import { overdueRuns } from './open-runs.ts';

const LISTED = 100;

/** Where data are old: a pipeline that bears a word of the question or of a table in it, and has not run when it was due. */
export async function overdueLoads(play: Play, question: Question): Promise<PartReport> {
  const listed = await callIfOffered(play, 'list_runs', { limit: LISTED });
  if (!usable(listed)) return NOTHING;
  const spoken = new Set(tellingWords(question));
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
