import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import type { FoundArtifacts } from '../investigator/artifacts/found-artifacts.ts';
import { callIfOffered, mergeReports, NOTHING, type PartReport, usable } from '../investigator/part-report.ts';
import type { Question } from '../investigator/question/read-question.ts';
import { capital, clock, countsOf, enumerate, figure, type Reading, read } from '../investigator/read-data.ts';
import { type ChosenRun, chooseRun, type ListedRun, type RunList, readRunList } from '../investigator/runs/choose-run.ts';
import { explainFailures } from '../investigator/runs/explain-failures.ts';
import { RUN_KINDS } from '../investigator/source-kinds.ts';
import { answerDbtFiles, answerSpark, type RunAsk } from './answer-artifacts.ts';
import type { PlainAsk } from './read-plain.ts';
import { say } from './say.ts';

const LISTED = 100;
const SHOWN = 8;
const FAILED = /fail|error|abort|fatal/;

/** What failed in a run, what took longest in it, when it ran and how it ended. */
export async function answerRuns(play: Play, question: Question, ask: PlainAsk, found: FoundArtifacts): Promise<PartReport | undefined> {
  const kind = ask.kind as RunAsk;
  const sources = play.sources.filter((source) => RUN_KINDS.has(source.kind));
  if (sources.length === 0) return (await answerSpark(play, kind, found)) ?? (await answerDbtFiles(play, question, kind, found));
  const listed = await callIfOffered(play, 'list_runs', { limit: LISTED });
  if (!usable(listed)) return undefined;
  const list = ofAskedKind(play, question, readRunList(listed.data));
  if (asksForRuns(question, kind)) return answerRunList(list, listed, kind);
  const chosen = chooseRun({ ...question, newest: question.newest || question.days.length + (question.weekday ?? 0) === 0 }, list);
  if (!chosen) return undefined;
  // Whether it ended well is asked: of what did not, what failed in it is the answer.
  if (kind === 'run' && FAILED.test(chosen.run.state) && / (did|has|is|was) /.test(question.plain.slice(0, 5)))
    return mergeReports([await explainFailures(play, { chosen, list, listed }), say(runText(chosen.run, chosen.because), listed.id)]);
  if (kind === 'run') return say(runText(chosen.run, chosen.because), listed.id);
  const { run, source } = chosen;
  const taken = await callIfOffered(play, 'get_run', { run_id: run.runId, pipeline: run.pipeline, ...(source ? { source } : {}) });
  if (!usable(taken)) return undefined;
  return kind === 'failed'
    ? mergeReports([failedIn(question, chosen, taken), otherFailures(list, chosen, listed)])
    : longestIn(question, chosen, taken);
}

/** Models are those of dbt, tasks those of a scheduler, where sources of both are there. */
function ofAskedKind(play: Play, { plain }: Question, list: RunList): RunList {
  const kinds = new Map(play.sources.map(({ name, kind }) => [name, kind]));
  const wanted = / (models?|seeds?|snapshots?|tests?|dbt) /.test(plain)
    ? /^dbt$/
    : / (tasks?|dags?|airflow) /.test(plain)
      ? /^airflow/
      : undefined;
  const pipelines = wanted ? list.pipelines.filter(({ source }) => wanted.test(kinds.get(source) ?? '')) : [];
  if (pipelines.length === 0) return list;
  const names = new Set(pipelines.map(({ pipeline }) => pipeline));
  return { pipelines, runs: list.runs.filter(({ pipeline }) => names.has(pipeline)) };
}

function asksForRuns({ plain }: Question, kind: RunAsk): boolean {
  return kind === 'failed'
    ? / (runs|jobs|pipelines|dags) /.test(plain)
    : kind === 'longest' && / (run|runs|job|jobs|pipeline|dag) /.test(plain);
}

function answerRunList({ runs, pipelines }: RunList, listed: ToolResult, kind: RunAsk): PartReport | undefined {
  const partly = listed.complete ? '' : '; these are the newest runs, not all';
  if (kind === 'longest') {
    const [longest, ...more] = [...runs]
      .filter(({ duration }) => duration !== null)
      .sort((left, right) => (right.duration ?? 0) - (left.duration ?? 0));
    if (!longest) return undefined;
    const next = more.slice(0, 3).map(({ runId, pipeline, duration }) => `\`${runId}\` of \`${pipeline}\` ${figure(duration)} s`);
    return say(
      `The run \`${longest.runId}\` of \`${longest.pipeline}\` took longest: ${figure(longest.duration)} s${next.length > 0 ? `; next ${next.join(', ')}` : ''}${partly}`,
      listed.id,
    );
  }
  const failed = runs.filter(({ state }) => FAILED.test(state));
  const told = failed.map(
    ({ runId, pipeline, state, startedAt }) => `\`${runId}\` of \`${pipeline}\` (${state}, started ${clock(startedAt)})`,
  );
  if (failed.length === 0) return say(`None of the runs listed failed${partly}`, listed.id);
  const counts = pipelines.flatMap(({ pipeline, states }) =>
    Object.entries(states).flatMap(([state, count]) => (FAILED.test(state) ? [`\`${pipeline}\` ${state} ${count}`] : [])),
  );
  return mergeReports([
    say(`Failed runs: ${enumerate(told, SHOWN)}${partly}`, listed.id),
    ...(partly === '' || counts.length === 0 ? [] : [say(`By pipeline, over all runs: ${enumerate(counts, 12)}`, listed.id)]),
  ]);
}

function runText(run: ListedRun, because: string): string {
  const ended = run.endedAt === null ? 'has no end' : `ended ${clock(run.endedAt)}`;
  return `The run \`${run.runId}\` of \`${run.pipeline}\` ${ended} as ${run.state}; it started ${clock(run.startedAt)} and took ${figure(run.duration, ' s')} (${because})`;
}

function failedIn({ plain }: Question, { run, because }: ChosenRun, taken: ToolResult): PartReport {
  const data = read(taken.data);
  const failed = data.list('failed');
  const total = data.list('groups').reduce((sum, group) => sum + (group.number('failed') ?? 0), 0);
  const name = `run \`${run.runId}\` of \`${run.pipeline}\``;
  const states = countsOf(data.at('by_state'));
  const which = say(
    `${capital(name)} was looked at: ${because}; it ended ${clock(run.endedAt)} as ${run.state}, its tasks by state: ${enumerate(states, 12)}`,
    taken.id,
  );
  const retried = data.list('retried').filter((one) => /success|pass/.test(one.text('state') ?? ''));
  const recovered = retried.map((one) => `${taskName(one)} (try ${figure(one.number('try_number'))})`);
  const also = recovered.length === 0 ? [] : [say(`Ended well only after a retry: ${enumerate(recovered, SHOWN)}`, taken.id)];
  if (failed.length === 0)
    return mergeReports([
      say(`No ${/ (model|test|seed|job|node|check)s? /.exec(plain)?.[1] ?? 'task'} failed in the ${name}`, taken.id),
      which,
      ...also,
    ]);
  const told = failed.map((one) => {
    const message = one.text('message');
    return `${taskName(one)} (${one.text('state') ?? 'failed'}${one.text('ended_at') === null ? '' : `, ended ${clock(one.text('ended_at'))}`}${message === null ? '' : `, ${message.slice(0, 200)}`})`;
  });
  const more = total > failed.length ? ` (${total} in all)` : '';
  return mergeReports([say(`In the ${name} failed${more}: ${enumerate(told, SHOWN)}`, taken.id), which, ...also]);
}

/** Other runs of the source that failed: the one that was chosen is not all there is. */
function otherFailures({ runs }: RunList, { run }: ChosenRun, listed: ToolResult): PartReport {
  const others = runs.filter(({ runId, pipeline, state }) => FAILED.test(state) && !(runId === run.runId && pipeline === run.pipeline));
  if (others.length === 0) return NOTHING;
  const told = others
    .slice(0, 4)
    .map(({ runId, pipeline, state, startedAt }) => `\`${runId}\` of \`${pipeline}\` (${state}, started ${clock(startedAt)})`);
  return say(`Other runs of the source failed: ${told.join(', ')}${others.length > told.length ? ' and others' : ''}`, listed.id);
}

function longestIn({ plain }: Question, { run, because }: ChosenRun, taken: ToolResult): PartReport | undefined {
  const kind = / (model|test|seed|snapshot)s? /.exec(plain)?.[1];
  const slowest = read(taken.data).list('slowest');
  const fitting = slowest.filter(
    (one) => kind === undefined || !/^\w+\.\w/.test(one.text('task_id') ?? '') || one.text('task_id')?.startsWith(`${kind}.`),
  );
  const [first, ...more] = fitting;
  if (!first) return undefined;
  const next = more.map((one) => `\`${one.text('task_id') ?? ''}\` ${figure(one.number('duration_s'))} s`);
  return say(
    `${taskName(first)} took longest, ${figure(first.number('duration_s'))} s, in the run \`${run.runId}\` of \`${run.pipeline}\` (${because})${next.length > 0 ? `; next ${enumerate(next, 4)}` : ''}`,
    taken.id,
  );
}

function taskName(one: Reading): string {
  const index = one.number('map_index') ?? -1;
  return `\`${one.text('task_id') ?? ''}\`${index >= 0 ? ` index ${index}` : ''}`;
}
