import type { Play, Policy } from '../../src/core/policy.ts';
import { examineLogs, type LogReport } from './investigator/examine-logs.ts';
import { examineRuns, type RunExamination } from './investigator/examine-runs.ts';
import { examineTables } from './investigator/examine-tables.ts';
import { mergeReports, NOTHING, notChecked, type PartReport, recordFindings } from './investigator/part-report.ts';
import { type Aim, type Question, readQuestion } from './investigator/read-question.ts';

const RUN_KINDS: ReadonlySet<string> = new Set(['airflow', 'airflow-export', 'dbt', 'openlineage']);
const TABLE_KINDS: ReadonlySet<string> = new Set(['files', 'duckdb', 'sqlite', 'postgres']);
const DATA_AIMS: readonly Aim[] = ['duplicates', 'profile', 'missing', 'drift'];
const RUN_AIMS: readonly Aim[] = ['slow', 'failed', 'order'];

const NO_RUNS: PartReport = {
  ...NOTHING,
  answer: ['What ran, how long and with what outcome is unknown: no source holds runs or logs.'],
  findings: notChecked('Runs and logs: there is no source of them.').findings,
};

/**
 * The investigator's rules: the runs are taken apart, then the logs of that time, then the tables, over whatever sources
 * exist; what the question asks for leads the answer. All it says is read from tool results.
 */
const investigate: Policy = async (play) => {
  const question = readQuestion(play.task.goal);
  const has = (kinds: ReadonlySet<string>): boolean => play.sources.some(({ kind }) => kinds.has(kind));
  const asks = (aims: readonly Aim[]): boolean => aims.some((aim) => question.aims.has(aim));
  const aboutData = asks(DATA_AIMS) && !asks(RUN_AIMS) && has(TABLE_KINDS);
  const runs: RunExamination | undefined = has(RUN_KINDS) && !aboutData ? await examineRuns(play, question) : undefined;
  const logs = await logReports(play, question, { runs, aboutData });
  const lead = asks(DATA_AIMS) || (runs?.chosen === undefined && logs.length === 0);
  const tables = has(TABLE_KINDS) ? [await examineTables(play, question, { lead, texts: logs.flatMap((log) => log.texts ?? []) })] : [];
  const first = runs ? [runs.report] : asks(RUN_AIMS) && logs.length === 0 ? [NO_RUNS] : [];
  const report = mergeReports(aboutData ? [...tables, ...logs] : [...first, ...logs, ...tables]);
  await recordFindings(play, report.findings);
  return textOf(report);
};

function logReports(
  play: Play,
  question: Question,
  { runs, aboutData }: { readonly runs: RunExamination | undefined; readonly aboutData: boolean },
): Promise<LogReport[]> {
  // What a table holds is not in the logs.
  const lead = question.aims.has('order') || (runs?.chosen === undefined && !aboutData);
  const run = runs?.chosen?.run;
  const pool = runs?.pool;
  const explainCopies = question.aims.has('duplicates');
  const helpful = !aboutData || question.aims.size > 1 || !question.aims.has('profile');
  const sources = helpful ? play.sources.filter(({ kind }) => kind === 'logs') : [];
  return Promise.all(
    sources.map(({ name }) =>
      examineLogs(play, { lead, source: name, explainCopies, ...(run ? { run } : {}), ...(pool === undefined ? {} : { pool }) }),
    ),
  );
}

function textOf({ answer, detail }: PartReport): string {
  const text = [answer.join(' '), detail.join('\n')].filter((part) => part !== '').join('\n\n');
  return text === '' ? 'The sources hold nothing that answers the question.' : text;
}

export default investigate;
