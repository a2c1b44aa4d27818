import type { Play } from '../../../src/core/policy.ts';
import type { Account } from './account.ts';
import type { ChosenRun } from './choose-run.ts';
import { describeFailure } from './explain-run.ts';
import type { RunDetailView } from './shapes.ts';

const MOST_NAMED = 8;

/** What failed in a run, what was slowest, and whether its record is sound. */
export async function explainFailures(play: Play, account: Account, chosen: ChosenRun): Promise<void> {
  const { run_id, pipeline } = chosen.run;
  const detail = await play.call<RunDetailView>('get_run', { run_id, pipeline });
  if (detail.status === 'error' || detail.status === 'refused') {
    account.find({ kind: 'not_checked', claim: `Run ${run_id} could not be read.`, evidence: [detail] });
    return;
  }
  const { run, by_state: states, failed, slowest, working_s, task_instances } = detail.data;
  const counts = Object.entries(states)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
  account.say(`Run \`${run_id}\` of \`${pipeline}\` (${chosen.why}) is ${run.state}: ${task_instances} tasks (${counts}).`, detail);
  if (failed.length > 0) {
    const claim = `Failed: ${failed.slice(0, MOST_NAMED).map(describeFailure).join('; ')}${failed.length > MOST_NAMED ? `; and ${failed.length - MOST_NAMED} more` : ''}.`;
    account.say(claim, detail);
    account.find({ kind: 'cause', claim, evidence: [detail] });
  } else if (detail.complete) {
    account.find({ kind: 'ruled_out', claim: `No task of run ${run_id} failed.`, evidence: [detail] });
  }
  const [first] = slowest;
  if (first) {
    const claim = `Slowest: \`${first.task_id}\`${first.map_index >= 0 ? ` index ${first.map_index}` : ''} with ${first.duration_s} s of ${working_s} s in all.`;
    account.say(claim, detail);
    account.find({ kind: 'observation', claim, evidence: [detail] });
  }
  for (const warning of detail.warnings.filter(({ code }) =>
    ['not_a_number', 'no_run_results', 'broken_file', 'pages_missing'].includes(code),
  )) {
    account.say(`About the record itself: ${warning.message}.`, detail);
    account.find({ kind: 'observation', claim: `${warning.message}.`, evidence: [detail] });
  }
}
