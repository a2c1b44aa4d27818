import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { reasonInLogs } from '../logs/reason-in-logs.ts';
import { callIfOffered, cite, type Finding, notChecked, type PartReport, sourceWarnings, usable } from '../part-report.ts';
import { clock, countsOf, enumerate, figure, type Reading, read } from '../read-data.ts';
import type { ChosenRun, RunList } from './choose-run.ts';
import { othersThatFailed } from './failed-night.ts';
import { readTask, type TaskFact, taskName } from './run-facts.ts';
import { explainDeadlock } from './waits-outside.ts';

interface Request {
  readonly chosen: ChosenRun;
  readonly list: RunList;
  readonly listed: ToolResult;
}

/** States of tasks that failed only because another did. */
const CONSEQUENCES = new Set(['upstream_failed', 'skipped']);

/** What failed in the run, how it ended, what was slowest; and, where nothing failed in it, which other runs did. */
export async function explainFailures(play: Play, { chosen, list, listed }: Request): Promise<PartReport> {
  const { run, source } = chosen;
  const which = { run_id: run.runId, pipeline: run.pipeline, ...(source === '' ? {} : { source }) };
  const taken = await callIfOffered(play, 'get_run', which);
  if (!usable(taken)) return notChecked(`What failed in run \`${run.runId}\`: its tasks could not be read.`);
  const data = read(taken.data);
  const failed = data.list('failed').map(readTask);
  const causes = failed.filter((task) => !CONSEQUENCES.has(task.state ?? ''));
  const name = `Run \`${run.runId}\` of \`${run.pipeline}\``;
  const state = data.at('run').text('state') ?? run.state;
  const known = (data.number('task_instances') ?? 0) > 0;
  const head = !known
    ? `${name} ended as ${state}; which of its tasks failed is unknown, since the source holds none of them`
    : failed.length === 0
      ? (cutOffText(name, data, state) ??
        `${name} ended as ${state}, and none of its ${figure(data.number('task_instances'))} tasks ${state === 'failed' ? 'is said to have failed' : 'failed'}`)
      : `${name} ended as ${state}; failed: ${enumerate(failed.map(failureText), 8)}`;
  const states = known ? [`By state: ${statesText(data)}${cite(taken)}.`] : [];
  const waited = await explainDeadlock(play, causes, { chosen, list });
  const night = await othersThatFailed(play, chosen, list);
  const reason = failed.some(({ message }) => message !== null) ? undefined : await reasonInLogs(play, run, causes);
  const said = reason
    ? `${head}; the log says why: ${reason.text}${cite(taken, ...reason.evidence.map((id) => ({ id })))}.`
    : `${head}${cite(taken)}.`;
  const answer = [...night.answer, ...waited.answer, said, ...states, ...slowestText(data, taken)];
  // Places without a number are told of with the file, where it is read.
  const told = play.tools.has('read_dbt_run') ? / NaN or Infinity/ : /^$/;
  for (const message of sourceWarnings(taken, 3).filter((text) => !told.test(text)))
    answer.push(`About its files: ${message}${cite(taken)}.`);
  return {
    answer: [...answer, ...otherFailures(chosen, list, listed)],
    detail: [`The run was chosen because ${chosen.because}.`],
    findings: [...night.findings, ...waited.findings, ...failureFindings({ name, failed, causes, data, taken })],
  };
}

/** A run that failed though none of its tasks did: it was ended while they worked. */
function cutOffText(name: string, data: Reading, state: string): string | undefined {
  const cut = data.list('cut_off');
  if (state !== 'failed' || cut.length === 0) return undefined;
  const told = cut.map(
    (one) =>
      `\`${one.text('task_id') ?? ''}\` had worked ${figure(one.number('duration_s'))} s and was ${one.text('state') ?? ''}, ended ${clock(one.text('ended_at'))}`,
  );
  return `${name} ended as ${state} though none of its tasks is said to have failed: ${enumerate(told, 4)}, as when a whole run is ended by its time limit or by hand; the run took a duration of ${figure(data.at('run').number('duration_s'))} s`;
}

interface Told {
  readonly name: string;
  readonly failed: readonly TaskFact[];
  readonly causes: readonly TaskFact[];
  readonly data: Reading;
  readonly taken: ToolResult;
}

function failureFindings({ name, failed, causes, data, taken }: Told): Finding[] {
  const evidence = [taken.id];
  const found: Finding[] = [];
  const first = [...causes].sort((left, right) => ((left.endedAt ?? '9') < (right.endedAt ?? '9') ? -1 : 1));
  if (first.length > 0)
    found.push({ kind: 'cause', claim: `${name}: ${enumerate(first.map(failureText), 8)}.`, evidence, confidence: 'high' });
  const after = failed.filter((task) => !causes.includes(task));
  if (after.length > 0)
    found.push({
      kind: 'observation',
      claim: `Only a consequence: ${enumerate(after.map(failureText), 8)}.`,
      evidence,
      confidence: 'high',
    });
  const cut = failed.length === 0 ? cutOffText(name, data, data.at('run').text('state') ?? '') : undefined;
  if (cut !== undefined)
    found.push({ kind: 'cause', claim: `${cut}.`, evidence, confidence: 'medium', refuted_by: 'the log of the scheduler' });
  if (failed.length === 0 && cut === undefined && taken.complete)
    found.push({
      kind: 'ruled_out',
      claim: `Failed tasks in ${name.replace('Run', 'run')}: none; by state: ${statesText(data)}.`,
      evidence,
      confidence: 'high',
    });
  const retried = data.list('retried').map(readTask);
  if (retried.length > 0)
    found.push({
      kind: 'observation',
      claim: `Retries: ${enumerate(retried.map((task) => `${taskName(task)} was on try ${figure(task.tryNumber)} (${figure(task.state)})`))}.`,
      evidence,
      confidence: 'high',
    });
  if (!taken.complete)
    found.push({
      kind: 'not_checked',
      claim: `${name}: not all of its tasks could be read, so others may have failed.`,
      evidence,
      confidence: 'low',
    });
  return found;
}

function failureText(task: TaskFact): string {
  const when = task.endedAt === null ? '' : ` at ${clock(task.endedAt)}`;
  return `${taskName(task)} (${figure(task.state)}${when}${task.message ? `: ${oneLine(task.message)}` : ''})`;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= 240 ? line : `${line.slice(0, 240)}…`;
}

function statesText(data: Reading): string {
  return enumerate(countsOf(data.at('by_state')), 12);
}

function slowestText(data: Reading, taken: ToolResult): string[] {
  const [slowest] = data.list('slowest');
  const task = slowest?.text('task_id');
  if (!task) return [];
  return [
    `Slowest was \`${task}\` with ${figure(slowest?.number('duration_s'))} s; all tasks worked ${figure(data.number('working_s'))} s${cite(taken)}.`,
  ];
}

function otherFailures(chosen: ChosenRun, list: RunList, listed: ToolResult): string[] {
  const good = new Set(['success', 'running', 'queued']);
  const others = list.runs.filter((run) => !good.has(run.state) && run.runId !== chosen.run.runId).slice(0, 20);
  if (others.length === 0) return [];
  const told = others.map((run) => `\`${run.runId}\` of \`${run.pipeline}\` (${run.state}, started ${clock(run.startedAt)})`);
  return [`Other runs that did not succeed: ${enumerate(told, 4)}${cite(listed)}.`];
}
