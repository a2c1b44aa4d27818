import type { Play } from '../../../src/core/policy.ts';
import type { FoundArtifacts } from '../investigator/artifacts/found-artifacts.ts';
import { describeEvent, type LogEvent, readLogFacts } from '../investigator/logs/log-facts.ts';
import { logSources } from '../investigator/logs/log-sources.ts';
import { callIfOffered, mergeReports, type PartReport, type UsableResult, usable } from '../investigator/part-report.ts';
import { clock, figure, type Reading, read } from '../investigator/read-data.ts';
import { say } from './say.ts';

/** When the logs first tell of a failure. */
export async function answerFirstFailure(play: Play, found: FoundArtifacts): Promise<PartReport | undefined> {
  return ofLogs(play, found, (result) => {
    const facts = readLogFacts(result.data);
    const { firstError, firstQuietError } = facts;
    const first = [firstError, firstQuietError]
      .filter((one) => one !== null)
      .sort((left, right) => ((left.time ?? '9') < (right.time ?? '9') ? -1 : 1))[0];
    if (!first)
      return say(`Nothing failed by the logs: no error in ${figure(facts.files)} files with ${figure(facts.lines)} lines`, result.id);
    const when = first.time === null ? 'at a time that the log does not give' : `at ${clock(first.time)}`;
    return mergeReports([
      say(`It first failed ${when}: ${describeEvent(first)}`, result.id),
      ...repeated(facts.timeline, first).map((text) => say(text, result.id)),
    ]);
  });
}

function repeated(timeline: readonly LogEvent[], first: LogEvent): string[] {
  const same = timeline.find((one) => one.time === first.time && one.line === first.line && one.file === first.file);
  return same?.times !== null && same !== undefined && same.times > 1 ? [`The same was logged times ${same.times}`] : [];
}

/** Which task failed most often, by its attempts in the logs; without one, which error came most often. */
export async function answerFailsMost(play: Play, found: FoundArtifacts): Promise<PartReport | undefined> {
  return ofLogs(play, found, (result) => {
    const data = read(result.data);
    const executions = data.at('executions').list('items');
    const counts = new Map<string, number>();
    for (const one of executions)
      if (/fail|error|killed|zombie|retry/i.test(one.text('outcome') ?? '')) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1);
    const [first, ...more] = [...counts].sort((left, right) => right[1] - left[1]);
    const partly = data.at('executions').number('total') === executions.length ? '' : '; not all attempts are listed';
    if (first) {
      const next = more.slice(0, 4).map(([task, times]) => `${task} ${times}`);
      return say(
        `${first[0]} failed most often: failed attempts ${first[1]}${next.length > 0 ? `; next ${next.join(', ')}` : ''}${partly}`,
        result.id,
      );
    }
    const tasks = data
      .at('tasks')
      .list('items')
      .map((one) => `\`${one.text('task') ?? ''}\` (${one.text('final_state') ?? 'unknown'})`);
    const none = `No task failed by the logs${tasks.length > 0 ? `, which tell of ${tasks.slice(0, 6).join(', ')}${tasks.length > 6 ? ' and others' : ''}` : ''}${partly}`;
    return mergeReports([say(none, result.id), ...commonestError(data, result)]);
  });
}

function commonestError(data: Reading, result: UsableResult): PartReport[] {
  const [first] = [...data.at('exceptions').list('items')].sort(
    (left, right) => (right.number('times') ?? 0) - (left.number('times') ?? 0),
  );
  if (!first) return [];
  return [
    say(
      `The error that came most often belongs to no task: "${(first.text('root') ?? '').slice(0, 200)}", times ${figure(first.number('times'))}, first ${clock(first.text('first'))}, last ${clock(first.text('last'))} (${first.text('file')?.split('/').slice(-3).join('/') ?? ''})`,
      result.id,
    ),
  ];
}

function nameOf(one: Reading): string {
  const task = one.text('task');
  return task === null ? `the ${one.text('kind') ?? ''} run` : `\`${task}\``;
}

/** Durations by their size: the longest that any line gives is found without reading all lines. */
const SIZES = ['[0-9]{4,}', '[0-9]{3}', '[0-9]{2}', '[1-9]', '0[.][5-9]', '0'];

/** Which dbt model, test, seed or snapshot took longest, by the durations that dbt logs. */
export async function answerLongestLogged(play: Play, found: FoundArtifacts): Promise<PartReport | undefined> {
  const sources = await logSources(play, found);
  const told = await Promise.all(sources.map((source) => longestIn(play, source)));
  const known = told.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : mergeReports(known);
}

async function longestIn(play: Play, source: string): Promise<PartReport | undefined> {
  for (const size of SIZES) {
    const pattern = `("execution_time": ?${size}[.0-9]*[,}]|\\d+ of \\d+ [A-Z].* in ${size}[.0-9]*s\\])`;
    const result = await callIfOffered(play, 'search_logs', { source, pattern, limit: 100 });
    if (!usable(result)) continue;
    const lines = read(result.data)
      .list('matches')
      .flatMap((match) => durationOf(match) ?? []);
    const [first, ...more] = lines.sort((left, right) => right.seconds - left.seconds);
    if (!first) continue;
    const others = more.filter(({ name }) => name !== first.name).slice(0, 3);
    const next = others.length > 0 ? `; next ${others.map(({ name, said }) => `\`${name}\` ${said}`).join(', ')}` : '';
    const partly = result.complete ? '' : '; not all lines of this length could be listed';
    return say(
      `\`${first.name}\` took longest by the logs: ${first.said}, in seconds, logged at ${clock(first.time)} (${first.file}:${first.line})${next}${partly}`,
      result.id,
    );
  }
  return undefined;
}

function durationOf(match: Reading) {
  const text = match.text('text') ?? '';
  const seconds = /"execution_time": ?([\d.]+)/.exec(text)?.[1] ?? /\bin ([\d.]+)s\]/.exec(text)?.[1];
  if (seconds === undefined) return undefined;
  const named =
    /\d+ of \d+ [A-Z][A-Z ]*(?:\d+ )?(?:(?:created|loaded|snapshotted|creating) )?(?:sql |python )?(?:\w+ )?(?:model|file|seed|snapshot|test|hook)? ?([\w.]+) \.+/.exec(
      text,
    )?.[1];
  const name = match.text('task') ?? /"node_name": ?"([^"]+)"/.exec(text)?.[1] ?? named;
  if (name === undefined) return undefined;
  const said = /"execution_time"/.test(text) ? `\`"execution_time": ${seconds}\`` : `\`in ${seconds}s]\``;
  return {
    name,
    said,
    seconds: Number(seconds),
    time: match.text('time'),
    file: match.text('file') ?? '',
    line: match.number('line') ?? 0,
  };
}

async function ofLogs(play: Play, found: FoundArtifacts, tell: (result: UsableResult) => PartReport): Promise<PartReport | undefined> {
  const sources = await logSources(play, found);
  const results = await Promise.all(sources.map((source) => callIfOffered(play, 'summarize_log', { source })));
  const told = results.filter(usable).map(tell);
  return told.length === 0 ? undefined : mergeReports(told);
}
