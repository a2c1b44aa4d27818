import type { Play } from '../../../src/core/policy.ts';
import type { FoundArtifacts } from '../investigator/artifacts/found-artifacts.ts';
import { callIfOffered, mergeReports, type PartReport, usable } from '../investigator/part-report.ts';
import type { Question } from '../investigator/question/read-question.ts';
import { namedTables, readTables } from '../investigator/tables/choose-tables.ts';
import { failedSources } from '../investigator/tables/failed-sources.ts';
import type { LookedAt } from '../investigator/tables/look-at-tables.ts';
import { answerAllRan } from './answer-all-ran.ts';
import { answerLogCount } from './answer-artifacts.ts';
import { answerBroadly, asksBroadly } from './answer-broadly.ts';
import { answerCommon, answerCount, answerDistinct, answerExtreme, answerFigure, answerNulls } from './answer-figures.ts';
import { answerOrphans } from './answer-orphans.ts';
import { answerPipeline } from './answer-pipeline.ts';
import { answerRuns } from './answer-runs.ts';
import { answerColumns, answerTables } from './answer-tables.ts';
import { answerChanged, answerComplete, answerLast } from './answer-times.ts';
import { type PlainAsk, readPlain } from './read-plain.ts';
import { type PlainRequest, targetTable } from './target-table.ts';

const LISTED = 200;

/** The answer to a plain question, one figure, list or time, without an investigation; undefined where it is none that can be read. */
export async function answerPlainly(play: Play, question: Question, found: FoundArtifacts): Promise<PartReport | undefined> {
  const ofPipeline = await answerPipeline(play, question.text, found);
  if (ofPipeline) return ofPipeline;
  const asks = readPlain(question.text);
  for (const ask of asks.filter(isOfRuns)) {
    const told = await ofRuns(play, question, { ask, found });
    if (told) return told;
  }
  const rest = asks.filter((ask) => !isOfRuns(ask));
  if (rest.length === 0 && !asksBroadly(question.text)) return undefined;
  const listed = await callIfOffered(play, 'list_tables', { limit: LISTED });
  if (!usable(listed)) return undefined;
  const tables = readTables(listed.data).filter(({ name }) => ![...found.paths].includes(name));
  const request: PlainRequest = { question, tables, listed: listed.id };
  const told = tables.length === 0 ? undefined : ((await answerBroadly(play, request)) ?? (await ofTables(play, request, rest)));
  return told && mergeReports([told, failedSources(listed)]);
}

async function ofRuns(
  play: Play,
  question: Question,
  { ask, found }: { readonly ask: PlainAsk; readonly found: FoundArtifacts },
): Promise<PartReport | undefined> {
  if (ask.kind === 'logCount') return answerLogCount(play, question, found);
  if (ask.kind === 'allRan') return answerAllRan(play, question);
  return answerRuns(play, question, ask, found);
}

function isOfRuns({ kind }: PlainAsk): boolean {
  return kind === 'failed' || kind === 'longest' || kind === 'run' || kind === 'logCount' || kind === 'allRan';
}

async function ofTables(play: Play, request: PlainRequest, asks: readonly PlainAsk[]): Promise<PartReport | undefined> {
  const { question, tables } = request;
  let looked: LookedAt | undefined;
  for (const ask of asks) {
    if (ask.kind === 'tables' && namedTables(question, tables).length === 0) return answerTables(request);
    if (ask.kind === 'orphans') {
      const told = await answerOrphans(play, request);
      if (told) return told;
      continue;
    }
    looked ??= await targetTable(play, request);
    const told = looked && (await ofTable(play, question, { looked, ask }));
    if (told) return told;
  }
  return undefined;
}

/** What is asked of one table. */
async function ofTable(
  play: Play,
  question: Question,
  { looked, ask }: { readonly looked: LookedAt; readonly ask: PlainAsk },
): Promise<PartReport | undefined> {
  // What is asked of one file holds of no series.
  if (looked.together && (ask.kind === 'columns' || ask.kind === 'last' || ask.kind === 'complete' || ask.kind === 'changed'))
    return undefined;
  switch (ask.kind) {
    case 'columns':
      return answerColumns(play, question, looked);
    case 'last':
      return answerLast(play, looked);
    case 'complete':
      return answerComplete(play, looked);
    case 'changed':
      return answerChanged(play, looked);
    case 'nulls':
      return answerNulls(play, question, looked);
    case 'distinct':
      return answerDistinct(play, question, looked);
    case 'common':
      return answerCommon(play, question, looked);
    case 'count':
      return answerCount(play, question, looked);
    case 'figure':
      return answerFigure(play, question, looked, ask.measure);
    case 'extreme':
      return answerExtreme(play, question, looked, ask);
    default:
      return undefined;
  }
}
