import type { Play, Policy } from '../../src/core/policy.ts';
import { dbtAtMoment } from './investigator/artifacts/dbt-at-moment.ts';
import { examineArtifacts } from './investigator/artifacts/examine-artifacts.ts';
import { type FoundArtifacts, findArtifacts, holding } from './investigator/artifacts/found-artifacts.ts';
import { joinReasons } from './investigator/join-reasons.ts';
import { delegateLogs, readersPay } from './investigator/logs/delegate-logs.ts';
import { examineLogs, type LogReport } from './investigator/logs/examine-logs.ts';
import { logSources } from './investigator/logs/log-sources.ts';
import { daysOf, logsAtMoment } from './investigator/logs/logs-at-moment.ts';
import { type Finding, mergeReports, NOTHING, notChecked, type PartReport, recordFindings, tell } from './investigator/part-report.ts';
import { type Aim, asksFor, ofTables, type Question, readQuestion } from './investigator/question/read-question.ts';
import { enumerate } from './investigator/read-data.ts';
import { rememberCalls } from './investigator/remember-calls.ts';
import { examineRuns, type RunExamination } from './investigator/runs/examine-runs.ts';
import { failedNearDay } from './investigator/runs/failed-near-day.ts';
import { overdueLoads } from './investigator/runs/overdue-loads.ts';
import { RUN_KINDS, TABLE_KINDS } from './investigator/source-kinds.ts';
import { examineTables } from './investigator/tables/examine-tables.ts';
import { answerPlainly } from './plain-questions/answer-plainly.ts';

const DATA_AIMS: readonly Aim[] = ['duplicates', 'profile', 'missing', 'drift', 'wrong', 'hours'];
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
const investigate: Policy = async (asked) => {
  const play = rememberCalls(asked);
  const read = readQuestion(play.task.goal);
  const has = (kinds: ReadonlySet<string>): boolean => play.sources.some(({ kind }) => kinds.has(kind));
  const found = await findArtifacts(play);
  const onlyTables = found.paths.size === 0 && play.sources.every(({ kind }) => TABLE_KINDS.has(kind));
  const question = onlyTables && (await logSources(play, found)).length === 0 ? ofTables(read) : read;
  const asks = (aims: readonly Aim[]): boolean => asksFor(question, ...aims);
  const plain = await answerPlainly(play, question, found);
  if (plain) {
    await recordFindings(play, plain.findings);
    return textOf(plain);
  }
  const aboutData = asks(DATA_AIMS) && !asks(RUN_AIMS) && has(TABLE_KINDS);
  const runs: RunExamination | undefined = has(RUN_KINDS) && !aboutData ? await examineRuns(play, question) : undefined;
  const [logs, artifacts] = await Promise.all([
    logReports(play, question, { runs, aboutData, found }),
    examineArtifacts(play, question, found),
  ]);
  const failed =
    aboutData && has(RUN_KINDS) ? mergeReports(await Promise.all([failedNearDay(play, question), overdueLoads(play, question)])) : NOTHING;
  const lead = asks(DATA_AIMS) || (runs?.chosen === undefined && logs.length === 0 && artifacts.answer.length === 0);
  const texts = logs.flatMap((log) => log.texts ?? []);
  const tables = has(TABLE_KINDS) ? [await examineTables(play, question, { lead, texts, except: found.paths })] : [];
  const nothingRan = asks(RUN_AIMS) && !asks(DATA_AIMS) && logs.length === 0 && artifacts.answer.length === 0;
  const sources = aboutData || lead ? await logSources(play, found) : [];
  const moments = await Promise.all(
    tables.map(async (report) => {
      const days = daysOf(report, question);
      const isOpen = aboutData && report.findings.every(({ kind }) => kind !== 'cause');
      const models = report.findings.some(({ kind }) => kind === 'cause') ? dbtAtMoment(play, found, days) : NOTHING;
      const logged = days.length > 0 || isOpen ? logsAtMoment(play, sources, { days, text: question.text }) : NOTHING;
      return mergeReports(await Promise.all([models, logged]));
    }),
  );
  const first = runs ? [runs.report] : nothingRan ? [NO_RUNS] : [];
  const checksFirst = asks(['checks']) && artifacts.answer.length > 0;
  const ordered = checksFirst || explainsBetter(play, artifacts, runs) ? [artifacts, ...first] : [...first, artifacts];
  // Of a run that is as it should be nothing is to be told before what is wrong with the data, unless the question is of runs.
  const dataFirst = !asks(RUN_AIMS) && tables.some(isExplained) && ![...ordered, ...logs].some(isExplained);
  const parts =
    aboutData || dataFirst
      ? [failed, ...tables, ...moments, artifacts, ...logs, ...(aboutData ? [] : first)]
      : [...ordered, ...logs, ...tables, ...moments];
  const report = mergeReports(joinReasons(parts, { ofData: aboutData || dataFirst }));
  await recordFindings(play, report.findings);
  return `${isUnknownKind(question) ? UNKNOWN_KIND : ''}${textOf(report)}`;
};

function isExplained({ findings }: PartReport): boolean {
  return findings.some(({ kind }) => kind === 'cause');
}

/** Whether what artifacts say changed explains what the length of the run as a whole does not. */
function explainsBetter(play: Play, artifacts: PartReport, runs: RunExamination | undefined): boolean {
  // Of a run of dbt the artifacts say all that the run says, and what changed beside it.
  const ofArtifacts = play.sources.some(
    ({ name, kind }) => name === runs?.chosen?.source && kind === 'dbt' && runs.chosen.run.state === 'success',
  );
  const explained = runs?.report.findings.some(({ kind }) => kind === 'cause') ?? false;
  return (ofArtifacts || !explained) && artifacts.answer.length > 0 && artifacts.findings.some(({ kind }) => kind === 'cause');
}

const UNKNOWN_KIND = 'Fixed rules cannot answer a question of this kind; this is what they looked at.\n\n';

/** A question of which no word says what is asked for. */
function isUnknownKind({ aims, newest, days, weekday, text }: Question): boolean {
  return (
    aims.size === 0 &&
    !newest &&
    days.length === 0 &&
    weekday === null &&
    /^(who|whose|where|how|what|which|when|can|could|should|does|do|is|are|will)\b/i.test(text.trim())
  );
}

interface LogQuestion {
  readonly runs: RunExamination | undefined;
  readonly aboutData: boolean;
  readonly found: FoundArtifacts;
}

async function logReports(play: Play, question: Question, { runs, aboutData, found }: LogQuestion): Promise<LogReport[]> {
  // What a table holds is not in the logs.
  const lead = question.aims.has('order') || (runs?.chosen === undefined && !aboutData);
  const run = runs?.chosen?.run;
  const pool = runs?.pool;
  const explainCopies = question.aims.has('duplicates');
  const slower = runs?.slower ?? [];
  const explainFailure = run?.state === 'failed';
  // A run that did not end well, or did something twice, may have left rows out or brought them twice.
  const findTables = run !== undefined && (run.state !== 'success' || runs?.repeated === true);
  const helpful = !aboutData || question.aims.size > 1 || !question.aims.has('profile');
  const sources = helpful ? await logSources(play, found) : [];
  if (lead && readersPay(play, sources)) return [await delegateLogs(play, sources, run)];
  return Promise.all(
    sources.map((source) =>
      examineLogs(play, {
        lead,
        source,
        explainCopies,
        explainFailure,
        findTables,
        slower,
        retried: runs?.retried ?? [],
        artifacts: holding(found, 'spark_event_log').find((one) => one.source === source)?.files ?? 0,
        ...(run ? { run } : {}),
        ...(pool === undefined ? {} : { pool }),
      }),
    ),
  );
}

function textOf({ answer, detail, findings }: PartReport): string {
  const causes = tell(...findings.filter(({ kind }) => kind === 'cause'));
  const text = [(answer.length > 0 ? answer : causes.answer).join(' '), detail.join('\n')].filter((part) => part !== '').join('\n\n');
  return text === '' ? withoutAnswer(findings) : text;
}

/** What was looked at in vain, and why, is the answer where there is no other. */
function withoutAnswer(findings: readonly Finding[]): string {
  const unread = [...new Set(findings.filter(({ kind }) => kind === 'not_checked').map(({ claim }) => claim.replace(/\.$/, '')))];
  if (unread.length === 0) return 'The sources hold nothing that answers the question.';
  return `Nothing that answers the question could be looked at. Not checked: ${enumerate(unread, 8)}.`;
}

export default investigate;
