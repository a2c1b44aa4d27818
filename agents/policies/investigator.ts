import type { Policy } from '../../src/core/policy.ts';
import { examineLogs } from './investigator/examine-logs.ts';
import { examineRuns } from './investigator/examine-runs.ts';
import { mergeReports, recordFindings } from './investigator/part-report.ts';
import { readQuestion } from './investigator/read-question.ts';

const RUN_KINDS = new Set(['airflow', 'airflow-export', 'dbt', 'openlineage']);

const investigate: Policy = async (play) => {
  const question = readQuestion(play.task.goal);
  const runs = play.sources.some(({ kind }) => RUN_KINDS.has(kind)) ? await examineRuns(play, question) : undefined;
  const logs = await Promise.all(
    play.sources
      .filter(({ kind }) => kind === 'logs')
      .map(({ name }) =>
        examineLogs(play, { lead: question.aims.has('order') || !runs, source: name, ...(runs?.chosen ? { run: runs.chosen.run } : {}) }),
      ),
  );
  const report = mergeReports([...(runs ? [runs.report] : []), ...logs]);
  await recordFindings(play, report.findings);
  return [report.answer.join(' '), report.detail.join('\n')].filter((text) => text !== '').join('\n\n');
};

export default investigate;
