import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, type Finding, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { enumerate, figure } from '../read-data.ts';
import { type ChosenRun, listingOf, type RunList } from './choose-run.ts';
import { readRunFacts, rose } from './run-facts.ts';

const MOST = 4;

/** Whether all that ran at the time of a run waited as it did: then the scheduler or the workers are where to look, and no pool or task. */
export async function examineNeighbours(play: Play, chosen: ChosenRun, list: RunList): Promise<PartReport> {
  const { run, source } = chosen;
  if (run.startedAt === null || run.endedAt === null) return NOTHING;
  const [from, to] = [run.startedAt, run.endedAt];
  const beside = list.runs.filter(
    (one) =>
      one.pipeline !== run.pipeline &&
      (listingOf(list, one)?.source ?? '') === source &&
      one.startedAt !== null &&
      one.startedAt <= to &&
      (one.endedAt ?? to) >= from,
  );
  const compared = await Promise.all(
    beside.slice(0, MOST).map((one) => callIfOffered(play, 'compare_runs', { run_id: one.runId, pipeline: one.pipeline, source })),
  );
  const known = compared.filter(usable).map((result) => ({ result, facts: readRunFacts(result) }));
  const judged = known.filter(({ facts }) => facts.waiting.changed !== null);
  const waited = judged.filter(({ facts }) => rose(facts.waiting));
  if (judged.length === 0 || waited.length < judged.length) return NOTHING;
  const told = waited.map(
    ({ facts }) =>
      `\`${facts.pipeline}\` waited ${figure(facts.waiting.seconds)} s in all (median before: ${figure(facts.waiting.before)} s)`,
  );
  const claim = `Everything that ran at that time waited, not this pipeline alone: ${enumerate(told, MOST)}; so the scheduler or its workers started nothing for a while, and no task or pool of this pipeline held it up.`;
  const evidence = waited.map(({ result }) => result.id);
  const finding: Finding = {
    kind: 'cause',
    claim,
    evidence,
    confidence: 'medium',
    refuted_by: 'logs of the scheduler that show it starting tasks in that time',
  };
  return tell(finding);
}
