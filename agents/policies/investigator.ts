import type { Play, Policy } from '../../src/core/policy.ts';
import { type Account, createAccount } from './investigator/account.ts';
import { type ChosenRun, chooseRun } from './investigator/choose-run.ts';
import { explainFailures } from './investigator/explain-failures.ts';
import { readLogs, tellLogs } from './investigator/explain-logs.ts';
import { explainRun } from './investigator/explain-run.ts';
import { type Question, readQuestion } from './investigator/question.ts';
import type { RunList } from './investigator/shapes.ts';

/**
 * The investigator's rules: takes the runs apart, then the logs, then the tables, over whatever sources exist, and lets
 * what the question asks for lead the answer. All it says is read from tool results.
 */
const investigate: Policy = async (play) => {
  const question = readQuestion(play.task.goal);
  const account = createAccount(play);
  const chosen = await findRunInQuestion(play, question, account);
  if (chosen) {
    if (question.asksFailure && !question.asksSlow) await explainFailures(play, account, chosen);
    else await explainRun(play, account, chosen);
  }
  const logsLead = !chosen || question.asksOrder;
  for (const summary of await readLogs(play, undefined)) tellLogs(account, summary, { leads: logsLead });
  return account.finish();
};

const RUN_KINDS = new Set(['airflow', 'airflow-export', 'dbt', 'openlineage']);

async function findRunInQuestion(play: Play, question: Question, account: Account): Promise<ChosenRun | undefined> {
  if (!play.sources.some((source) => RUN_KINDS.has(source.kind))) return undefined;
  const overview = await play.call<RunList>('list_runs', { limit: 60 });
  if (overview.status === 'error' || overview.status === 'refused') {
    account.find({ kind: 'not_checked', claim: 'The runs could not be listed.', evidence: [overview] });
    return undefined;
  }
  return chooseRun(play, question, overview);
}

export default investigate;
