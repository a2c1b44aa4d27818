import type { Play } from '../../../src/core/policy.ts';
import { type FoundArtifacts, holding } from '../investigator/artifacts/found-artifacts.ts';
import { applicationName, failureText, stageName } from '../investigator/artifacts/spark-facts.ts';
import { logSources } from '../investigator/logs/log-sources.ts';
import { callIfOffered, mergeReports, type PartReport, usable } from '../investigator/part-report.ts';
import type { Question } from '../investigator/question/read-question.ts';
import { countsOf, enumerate, figure, type Reading, read } from '../investigator/read-data.ts';
import { answerSparkStages } from './answer-spark.ts';
import { say } from './say.ts';

/** What may be asked of a run. */
export type RunAsk = 'failed' | 'longest' | 'run';

/** When a Spark application ran, what of it failed, and which of its stages took longest. */
export async function answerSpark(play: Play, ask: RunAsk, found: FoundArtifacts): Promise<PartReport | undefined> {
  const [source] = holding(found, 'spark_event_log');
  if (!source) return undefined;
  if (ask === 'longest') return answerSparkStages(play, 'stage', found);
  const result = await callIfOffered(play, 'spark_stages', { source: source.source });
  if (!usable(result)) return undefined;
  const data = read(result.data);
  const name = applicationName(data);
  if (ask === 'run')
    return say(
      `${name} started ${figure(data.text('started_at'))}, ${endText(data)}, duration ${figure(data.number('duration_s'))} s; jobs ${figure(data.number('jobs'))}, failed jobs ${figure(data.number('failed_jobs'))}`,
      result.id,
    );
  const failed = data
    .at('stages')
    .list('items')
    .filter((stage) => stage.text('status') === 'failed');
  const head = `${figure(data.number('failed_tasks'))} tasks and ${figure(data.number('failed_jobs'))} jobs of ${name} failed`;
  const told = failed.map((stage) => `${stageName(stage)} (${failureText(stage).slice(0, 200)})`);
  return say(failed.length === 0 ? head : `${head}, in ${enumerate(told, 3)}`, result.id);
}

function endText(data: Reading): string {
  const ended = data.text('ended_at');
  if (ended !== null) return `ended ${ended}`;
  return `and its log has no end: it still ran, was killed, or the log was cut, the last event being of ${figure(data.text('last_event_at'))}`;
}

/** The newest dbt run whose artifacts lie in a folder of files. */
export async function answerDbtFiles(play: Play, { plain }: Question, ask: RunAsk, found: FoundArtifacts): Promise<PartReport | undefined> {
  const [source] = holding(found, 'dbt_run_results');
  if (!source) return undefined;
  const result = await callIfOffered(play, 'read_dbt_run', { source: source.source });
  if (!usable(result)) return undefined;
  const data = read(result.data);
  const states = countsOf(data.at('by_status'));
  const run = `dbt run of ${figure(data.text('generated_at'))}`;
  const whole = say(`The ${run} took ${figure(data.number('elapsed_s'))} s; its results by status: ${enumerate(states, 12)}`, result.id);
  if (ask === 'run') return whole;
  if (ask === 'failed') {
    const failed = data.at('failed').list('items');
    if (failed.length === 0) return mergeReports([say(`Nothing failed in the ${run}`, result.id), whole]);
    const told = failed.map(
      (one) =>
        `\`${one.text('node') ?? ''}\` (${one.text('status') ?? ''}${one.text('message') === null ? '' : `, ${one.text('message')?.slice(0, 200)}`})`,
    );
    return mergeReports([
      say(`In the ${run} ${figure(data.at('failed').number('total'))} failed: ${enumerate(told, 8)}`, result.id),
      whole,
    ]);
  }
  const kind = / (model|test|seed|snapshot)s? /.exec(plain)?.[1];
  const [longest, ...more] = data.list('slowest').filter((one) => kind === undefined || one.text('node')?.startsWith(`${kind}.`));
  if (!longest) return undefined;
  const seconds = (one: Reading): string => `\`${one.text('node') ?? ''}\` ${figure(one.number('execution_s'))} s`;
  return say(
    `\`${longest.text('node') ?? ''}\` took longest, ${figure(longest.number('execution_s'))} s, in the ${run}${more.length > 0 ? `; next ${enumerate(more.map(seconds), 4)}` : ''}`,
    result.id,
  );
}

/** How many records of each level the logs hold. */
export async function answerLogCount(play: Play, { plain }: Question, found: FoundArtifacts): Promise<PartReport | undefined> {
  const sources = await logSources(play, found);
  const results = await Promise.all(sources.map((source) => callIfOffered(play, 'summarize_log', { source })));
  const told = results.filter(usable).map((result, place) => {
    const totals = read(result.data).at('totals');
    const levels = totals.at('by_level');
    const [, level] = / (error|warning)s? /.exec(plain) ?? [];
    const asked = level === undefined ? 0 : (levels.at(level).value ?? 0);
    const head = level === undefined ? `${figure(totals.number('lines'))} lines` : `${String(asked)} records of level ${level}`;
    return say(
      `The logs of \`${sources[place] ?? ''}\` hold ${head}; ${figure(totals.number('records'))} records in ${figure(totals.number('files'))} files by level: ${enumerate(countsOf(levels), 8)}`,
      result.id,
    );
  });
  return told.length === 0 ? undefined : mergeReports(told);
}
