import type { Play } from '../../../../src/core/policy.ts';
import { mergeReports, type PartReport } from '../part-report.ts';
import { asksFor, type Question } from '../question/read-question.ts';
import { examineChecks } from './examine-checks.ts';
import { examineCode } from './examine-code.ts';
import { examineDbt } from './examine-dbt.ts';
import { examineEvents } from './examine-events.ts';
import { examineInputs } from './examine-inputs.ts';
import { examineSpark } from './examine-spark.ts';
import type { FoundArtifacts } from './found-artifacts.ts';

/** Files of runs, checks and code, whatever source they are in; those of sources of runs were told of with their runs. */
export async function examineArtifacts(play: Play, question: Question, found: FoundArtifacts): Promise<PartReport> {
  const ofKind = (kind: string): Set<string> => new Set(play.sources.filter((source) => source.kind === kind).map(({ name }) => name));
  // Why a run failed stands in its events; a source of runs tells of its tasks.
  const told = asksFor(question, 'failed') ? new Set<string>() : ofKind('openlineage');
  const events = { ...found, kinds: found.kinds.filter(({ source }) => !told.has(source)) };
  const reports = await Promise.all([
    examineInputs(play, question, found),
    examineSpark(play, question, found),
    examineDbt(play, question, { found, told: ofKind('dbt') }),
    examineChecks(play, question, found),
    examineEvents(play, events),
    examineCode(play, question, found),
  ]);
  return mergeReports(reports);
}
