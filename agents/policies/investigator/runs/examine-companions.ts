import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { callIfOffered, type Finding, NOTHING, type PartReport, usable } from '../part-report.ts';
import { figure, lasting } from '../read-data.ts';
import { type ChosenRun, listingOf, type RunList, tookAsLong } from './choose-run.ts';
import { readRunFacts } from './run-facts.ts';

const MOST_COMPANIONS = 3;

/** Runs that other sources saw within this one, such as its dbt part: were they slower too? What the list itself rules out is not compared. */
export async function examineCompanions(
  play: Play,
  chosen: ChosenRun,
  { list, listed }: { readonly list: RunList; readonly listed: string },
): Promise<PartReport> {
  const { run, source } = chosen;
  if (run.startedAt === null || run.endedAt === null) return NOTHING;
  const [from, to] = [run.startedAt, run.endedAt];
  const inside = list.runs.filter((one) => {
    const owner = listingOf(list, one)?.source;
    return owner !== source && one.startedAt !== null && one.startedAt >= from && one.startedAt <= to;
  });
  const looked = inside.slice(0, MOST_COMPANIONS);
  const usual = looked.filter((one) => tookAsLong(one, list));
  const compared = await Promise.all(
    looked
      .filter((one) => !usual.includes(one))
      .map((one) => callIfOffered(play, 'compare_runs', { run_id: one.runId, pipeline: one.pipeline })),
  );
  const ruledOut = usual.map((one): Finding => {
    const of = listingOf(list, one);
    const claim = `A slower inner run: \`${one.pipeline}\` ran within it and took ${lasting(one.duration)}, the median of its ${figure(of?.runs)} runs is ${lasting(of?.median)}.`;
    return { kind: 'ruled_out', claim, evidence: [listed], confidence: 'high' };
  });
  return { ...NOTHING, findings: [...ruledOut, ...compared.filter(usable).flatMap(companionFinding)] };
}

function companionFinding(result: ToolResult): Finding[] {
  const facts = readRunFacts(result);
  if (facts.ratio === null) return [];
  const beside = `\`${facts.pipeline}\` ran within it and took ${lasting(facts.duration)}, the median of ${facts.baselineRuns} like runs is ${lasting(facts.baselineMedian)} (${facts.ratio} times)`;
  const slower = facts.ratio > 1 + facts.threshold;
  const evidence = [result.id];
  if (!slower) return [{ kind: 'ruled_out', claim: `A slower inner run: ${beside}.`, evidence, confidence: 'high' }];
  return [{ kind: 'observation', claim: `An inner run was slower: ${beside}.`, evidence, confidence: 'medium' }];
}
