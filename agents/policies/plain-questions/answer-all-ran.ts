import type { Play } from '../../../src/core/policy.ts';
import { namedPipelines, readRunList } from '../investigator/choose-run.ts';
import { type OpenMatter, overdueRuns, stuckRunsWithTasks, unevenRuns } from '../investigator/open-runs.ts';
import { callIfOffered, type Finding, type PartReport, tell, usable } from '../investigator/part-report.ts';
import { capital, clock, enumerate } from '../investigator/read-data.ts';
import type { Question } from '../investigator/read-question.ts';
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
  const { matters, looked } = await unevenRuns(play, list);
  const all = oneEach([...overdueRuns(listed), ...matters, ...(await stuckRunsWithTasks(play, list, listed))]);
  const asked = all.filter(({ pipeline }) => named.length === 0 || named.includes(pipeline));
  if (asked.length > 0) return mattersTold(asked.slice(0, MOST_MATTERS));
  const told = looked
    .filter(({ pipeline }) => named.length === 0 || named.includes(pipeline))
    .map(({ pipeline, runId, state, endedAt }) => `\`${pipeline}\` (run \`${runId}\`, ${state}, ended ${clock(endedAt)})`);
  if (told.length === 0) return undefined;
  return say(`Nothing is missing, stuck or failed in the newest run of each pipeline: ${enumerate(told, 6)}`, listed.id);
}

/** What is told of the same pipeline twice is told once. */
function oneEach(matters: readonly OpenMatter[]): readonly OpenMatter[] {
  const seen = new Set<string>();
  return matters.filter(({ pipeline }) => !seen.has(pipeline) && seen.add(pipeline));
}

function mattersTold(matters: readonly OpenMatter[]): PartReport {
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
