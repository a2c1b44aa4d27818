import type { Play } from '../../../src/core/policy.ts';
import type { FoundArtifacts } from '../investigator/artifacts/found-artifacts.ts';
import type { PartReport } from '../investigator/part-report.ts';
import { RUN_KINDS } from '../investigator/source-kinds.ts';
import { answerJobs, answerLineage } from './answer-lineage.ts';
import { answerFailsMost, answerFirstFailure, answerLongestLogged } from './answer-logged.ts';
import { answerRunChanges } from './answer-run-changes.ts';
import { answerSparkStages } from './answer-spark.ts';
import { type PipelineAsk, readPipeline } from './read-pipeline.ts';

/** The answer to a question about stages, lineage, changes between runs or logs that one look gives; undefined where none does. */
export async function answerPipeline(play: Play, text: string, found: FoundArtifacts): Promise<PartReport | undefined> {
  for (const ask of readPipeline(text)) {
    const told = await answer(play, ask, found);
    if (told) return told;
  }
  return undefined;
}

async function answer(play: Play, ask: PipelineAsk, found: FoundArtifacts): Promise<PartReport | undefined> {
  // What a source of runs says of its tasks is surer than what logs say of them.
  const onlyLogs = !play.sources.some(({ kind }) => RUN_KINDS.has(kind));
  switch (ask.kind) {
    case 'lineage':
      return answerLineage(play, ask, found);
    case 'jobs':
      return answerJobs(play, found);
    case 'runChanges':
      return answerRunChanges(play, found);
    case 'firstFailure':
      return onlyLogs ? answerFirstFailure(play, found) : undefined;
    case 'failsMost':
      return onlyLogs ? answerFailsMost(play, found) : undefined;
    case 'longestLogged':
      return onlyLogs && !found.kinds.some(({ kind }) => kind === 'dbt_run_results') ? answerLongestLogged(play, found) : undefined;
    default:
      return answerSparkStages(play, ask.kind, found);
  }
}
