import type { Play } from '../../../src/core/policy.ts';
import { leftOutText } from '../investigator/artifacts/dbt-hidden.ts';
import { callIfOffered, type Finding, type PartReport, tell, usable } from '../investigator/part-report.ts';
import { asksFor, type Question } from '../investigator/question/read-question.ts';
import { capital, clock, enumerate, read } from '../investigator/read-data.ts';
import { namedPipelines, readRunList } from '../investigator/runs/choose-run.ts';
import { extraRuns, type OpenMatter, overdueRuns, stuckRunsWithTasks, unevenRuns } from '../investigator/runs/open-runs.ts';
import { RUN_KINDS } from '../investigator/source-kinds.ts';
import { say } from './say.ts';

const LISTED = 200;
const MOST_MATTERS = 6;

/** Whether all that was due ran to its end: what is overdue, stuck, failed, or left some of its tasks out. */
export async function answerAllRan(play: Play, question: Question): Promise<PartReport | undefined> {
  if (!play.sources.some(({ kind }) => RUN_KINDS.has(kind))) return undefined;
  const listed = await callIfOffered(play, 'list_runs', { limit: LISTED });
  if (!usable(listed)) return undefined;
  const list = readRunList(listed.data);
  const named = namedPipelines(question, list);
  const { matters, looked, retried } = await unevenRuns(play, list);
  const all = oneEach([
    ...(asksFor(question, 'duplicates') ? extraRuns(listed) : []),
    ...overdueRuns(listed),
    ...matters,
    ...(await stuckRunsWithTasks(play, list, listed)),
    ...(await leftOutOfDbt(play)),
  ]);
  const asked = all.filter(({ pipeline }) => named.length === 0 || named.includes(pipeline) || pipeline.endsWith(' dbt'));
  if (asked.length > 0) return mattersTold(asked.slice(0, MOST_MATTERS));
  const told = looked
    .filter(({ pipeline }) => named.length === 0 || named.includes(pipeline))
    .map(({ pipeline, runId, state, endedAt }) => `\`${pipeline}\` (run \`${runId}\`, ${state}, ended ${clock(endedAt)})`);
  if (told.length === 0) return undefined;
  const again = retried.filter(({ pipeline }) => named.length === 0 || named.includes(pipeline));
  const but =
    again.length === 0
      ? ''
      : `, though ${enumerate(
          again.map(({ claim }) => claim),
          4,
        )}`;
  const evidence = [listed.id, ...again.flatMap((one) => one.evidence)];
  return say(`Nothing is missing, stuck or failed in the newest run of each pipeline${but}: ${enumerate(told, 6)}`, ...evidence);
}

/** What is told of the same pipeline twice is told once. */
function oneEach(matters: readonly OpenMatter[]): readonly OpenMatter[] {
  const seen = new Set<string>();
  return matters.filter(({ pipeline }) => !seen.has(pipeline) && seen.add(pipeline));
}

/** Models of the run of dbt before that the newest did not build, though they are still there. */
async function leftOutOfDbt(play: Play): Promise<readonly OpenMatter[]> {
  const sources = play.sources.filter(({ kind }) => kind === 'dbt');
  const results = await Promise.all(sources.map(({ name }) => callIfOffered(play, 'compare_dbt_runs', { source: name })));
  return results.filter(usable).flatMap((result) => {
    const claim = leftOutText(read(result.data));
    return claim === undefined ? [] : [{ pipeline: `${result.id} dbt`, claim, evidence: [result.id] }];
  });
}

function mattersTold(matters: readonly OpenMatter[]): PartReport {
  if (matters.length > 1) {
    const claim = `Not all is well: ${matters.map((one) => one.claim).join('; ')}.`;
    const evidence = [...new Set(matters.flatMap((one) => one.evidence))];
    return tell({ kind: 'cause', claim, evidence, confidence: 'high', refuted_by: 'a newer state of the source' });
  }
  const findings = matters.map(
    ({ claim, evidence }): Finding => ({
      kind: 'cause',
      claim: `${capital(claim)}.`,
      evidence,
      confidence: 'high',
      refuted_by: 'a newer state of the source',
    }),
  );
  return tell(...findings);
}
