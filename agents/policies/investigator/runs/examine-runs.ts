import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import {
  callIfOffered,
  cite,
  type Finding,
  mergeReports,
  NOTHING,
  notChecked,
  type PartReport,
  sourceWarnings,
  tell,
  usable,
} from '../part-report.ts';
import { asksFor, type Question } from '../question/read-question.ts';
import { capital, figure, read } from '../read-data.ts';
import { type ChosenRun, chooseRun, type ListedRun, namedPipelines, type RunList, readRunList } from './choose-run.ts';
import { examineCompanions } from './examine-companions.ts';
import { examineNeighbours } from './examine-neighbours.ts';
import { explainFailures } from './explain-failures.ts';
import { explainRun, type RunReport } from './explain-run.ts';
import { explainSkipped } from './explain-skipped.ts';
import { explainUnfinished } from './explain-unfinished.ts';
import { lateStart } from './odd-run.ts';
import { extraRuns, overdueRuns, stuckRuns } from './open-runs.ts';
import { type RunFacts, readRetries, readRunFacts, readSlowest } from './run-facts.ts';
import { readSlotFacts } from './slot-facts.ts';
import { explainWaiter, isWaiter } from './waits-outside.ts';

const LISTED = 100;
const ENDED_WELL = new Set(['success', 'running', 'queued']);

export interface RunExamination {
  readonly report: PartReport;
  /** The run that is meant, for the other parts to look at its time. */
  readonly chosen?: ChosenRun;
  /** The pool that others held while it waited. */
  readonly pool?: string;
  /** Its tasks whose own work took longer than usual. */
  readonly slower?: readonly string[];
  /** Its tasks that were tried again, which made it longer. */
  readonly retried?: readonly string[];
  /** Whether tasks of it ran more than once: what they write may be there twice. */
  readonly repeated?: boolean;
}

/** Finds the run that is meant and takes it apart: length, waiting, work, holders of slots, retries, failures. */
export async function examineRuns(play: Play, question: Question): Promise<RunExamination> {
  const listed = await callIfOffered(play, 'list_runs', { limit: LISTED });
  if (!listed) return { report: notChecked('The runs: no tool to list them is on offer.') };
  if (!usable(listed)) return { report: withoutRuns(listed) };
  const list = await completeList(play, question, listed);
  const chosen = chooseRun(question, list);
  if (!chosen) return { report: withoutRuns(listed) };
  const asked = question.aims;
  const parts: PartReport[] = [aboutSources(listed)];
  const onlyFailed = asked.has('failed') && !asked.has('slow');
  if (asked.has('failed') || !ENDED_WELL.has(chosen.run.state)) parts.push(await explainFailures(play, { chosen, list, listed }));
  if (chosen.run.state !== 'success') parts.unshift(await explainSkipped(play, question, chosen));
  if (onlyFailed && chosen.run.state !== 'success') return { report: mergeReports(parts), chosen };
  const unfinished = await explainUnfinished(play, chosen, { list, listed });
  if (unfinished !== NOTHING) return { report: mergeReports([unfinished, ...parts]), chosen };
  const length = await examineLength(play, chosen, { list, listed: listed.id });
  // What is wrong with a run that ended well may be that it took longer, or that it left something out.
  const explained = length.findings.some(({ kind }) => kind === 'cause');
  parts.unshift(explained ? NOTHING : openMatters(question, { list, listed }));
  if (onlyFailed && !explained) return { report: mergeReports(parts), chosen };
  const explainsMore = asked.has('failed') && explained && chosen.run.state === 'success';
  if (onlyFailed || explainsMore) parts.unshift(length);
  else parts.push(length);
  parts.push(await examineCompanions(play, chosen, { list, listed: listed.id }));
  const { slower = [], retried = [], repeated = false, pool } = length;
  return { report: mergeReports(parts), chosen, slower, retried, repeated, ...(pool === undefined ? {} : { pool }) };
}

/** Where the run in question is like its like: what did not run at all, or has no end, of what is asked for or of all. */
function openMatters(question: Question, { list, listed }: { readonly list: RunList; readonly listed: ToolResult }): PartReport {
  const named = namedPipelines(question, list);
  const ofSurplus =
    asksFor(question, 'duplicates') || question.direction === 'up' || / by hand | manual(ly)? | some(one|body) /.test(question.plain);
  const surplus = ofSurplus && !asksFor(question, 'slow') ? extraRuns(listed) : [];
  const open = [...surplus, ...overdueRuns(listed), ...stuckRuns(list, listed)];
  const meant = open.filter(({ pipeline }) => named.includes(pipeline));
  if (meant.length === 0 && named.length > 0 && asksFor(question, 'slow')) return NOTHING;
  const findings = (meant.length > 0 ? meant : open).slice(0, 3).map(
    ({ claim, evidence }): Finding => ({
      kind: 'cause',
      claim: `${capital(claim)}.`,
      evidence,
      confidence: meant.length > 0 ? 'high' : 'medium',
      refuted_by: 'a newer state of the source, or that what is asked about does not come from it',
    }),
  );
  return tell(...findings);
}

/** The runs of the pipeline in question may lie beyond the newest of all. */
async function completeList(play: Play, question: Question, listed: ToolResult): Promise<RunList> {
  const list = readRunList(listed.data);
  const cut =
    !listed.complete || list.pipelines.some(({ pipeline, runs }) => list.runs.filter((run) => run.pipeline === pipeline).length < runs);
  const [pipeline] = namedPipelines(question, list);
  if (!cut) return list;
  if (pipeline === undefined) return withFailed(play, question, list);
  const own = await play.call('list_runs', { pipeline, limit: LISTED });
  const others = list.runs.filter((run) => run.pipeline !== pipeline);
  return usable(own) ? { ...list, runs: [...readRunList(own.data).runs, ...others] } : list;
}

/** The newest of all need not hold the run that failed, where that is what is asked for. */
async function withFailed(play: Play, question: Question, list: RunList): Promise<RunList> {
  const failed = ({ state }: { readonly state: string }): boolean => /fail|error|abort/.test(state);
  if (!question.aims.has('failed') || list.runs.some(failed)) return list;
  const older = await play.call('list_runs', { state: 'failed', limit: LISTED });
  if (!usable(older)) return list;
  const { runs, pipelines } = readRunList(older.data);
  const known = new Set(list.pipelines.map(({ pipeline }) => pipeline));
  return { runs: [...list.runs, ...runs], pipelines: [...list.pipelines, ...pipelines.filter(({ pipeline }) => !known.has(pipeline))] };
}

function withoutRuns(listed: ToolResult): PartReport {
  const message = read(listed.data).text('message') ?? listed.warnings[0]?.message;
  const beside = sourceWarnings(listed, 2).join('; ');
  const none = `the sources hold no runs${beside === '' ? '' : ` that can be read (${beside})`}`;
  const why = listed.status === 'no_data' ? none : `the runs could not be read (${message ?? listed.status})`;
  return {
    answer: [`What ran is unknown: ${why}${cite(listed)}.`],
    detail: [],
    findings: [{ kind: 'not_checked', claim: `Runs: ${why}.`, evidence: [listed.id], confidence: 'low' }],
  };
}

function aboutSources(listed: ToolResult): PartReport {
  const findings = sourceWarnings(listed, 4).map(
    (message): Finding => ({
      kind: 'observation',
      claim: `About the source of runs: ${message}.`.replace(/\.\.$/, '.'),
      evidence: [listed.id],
      confidence: 'high',
    }),
  );
  return { ...NOTHING, findings };
}

interface Listing {
  readonly list: RunList;
  /** Id of the result that listed them. */
  readonly listed: string;
}

async function examineLength(
  play: Play,
  chosen: ChosenRun,
  { list, listed }: Listing,
): Promise<RunReport & { readonly repeated?: boolean }> {
  const { run, source } = chosen;
  const which = { run_id: run.runId, pipeline: run.pipeline, ...(source === '' ? {} : { source }) };
  const before = usualRun(run, list);
  const [compared, taken, slots, usual] = await Promise.all([
    callIfOffered(play, 'compare_runs', which),
    callIfOffered(play, 'get_run', which),
    callIfOffered(play, 'who_else_ran', which),
    before ? callIfOffered(play, 'who_else_ran', { ...which, run_id: before.runId }) : undefined,
  ]);
  if (!usable(compared)) {
    const message = read(compared?.data).text('message') ?? 'no tool to compare runs is on offer';
    return {
      answer: [`The run \`${run.runId}\` of \`${run.pipeline}\` took ${figure(run.duration, ' s')}; it could not be compared: ${message}.`],
      detail: [],
      findings: notChecked(`How long run \`${run.runId}\` took beside others: ${message}.`).findings,
    };
  }
  const facts = { ...readRunFacts(compared), slowest: readSlowest(taken?.data), retries: readRetries(taken?.data) };
  const report = explainRun({
    facts,
    slots: readSlotFacts(slots),
    ...(usual ? { usual: readSlotFacts(usual) } : {}),
    because: chosen.because,
    detail: taken?.id ?? '',
  });
  const late = lateStart(facts, run, { list, listed });
  const outside = waitersOf(facts, report.slower ?? []).map((waiter) => explainWaiter(waiter, chosen, { list, listed }));
  const beside = report.unexplained ? [await examineNeighbours(play, chosen, list)] : [];
  return {
    ...mergeReports([...(late ? [late] : []), ...outside, ...beside, report, incomplete([compared, taken])]),
    slower: report.slower ?? [],
    retried: report.retried ?? [],
    repeated: facts.retried.length > 0,
    ...(report.pool === undefined ? {} : { pool: report.pool }),
  };
}

/** Of the tasks that took longer, those whose work is to wait. */
function waitersOf(facts: RunFacts, slower: readonly string[]) {
  return facts.groups
    .filter(({ task }) => slower.includes(task) && (isWaiter(task) || facts.sensors.includes(task)))
    .map((group) => ({
      task: group.task,
      endedAt: facts.pathEnds.get(group.task) ?? null,
      took: `it worked ${figure(group.working)} s (before: ${figure(group.workingBefore)} s)`,
      evidence: [facts.result],
    }));
}

/** Says which pages or figures are missing, where the tools say so. */
function incomplete(results: readonly (ToolResult | undefined)[]): PartReport {
  const lacking = results.filter((result) => result !== undefined && !result.complete && result.omitted === undefined);
  const findings = lacking.flatMap((result) =>
    (result?.warnings ?? []).slice(0, 3).map(
      ({ message }): Finding => ({
        kind: 'not_checked',
        claim: `Not all of the run could be read: ${message}.`,
        evidence: result ? [result.id] : [],
        confidence: 'low',
      }),
    ),
  );
  return { ...NOTHING, findings };
}

/** The newest earlier run of the same kind that went well. */
function usualRun(run: ListedRun, list: RunList): ListedRun | undefined {
  return list.runs.find(
    (one) =>
      one.pipeline === run.pipeline &&
      one.type === run.type &&
      one.state === 'success' &&
      one.runId !== run.runId &&
      (one.startedAt ?? '') < (run.startedAt ?? ''),
  );
}
