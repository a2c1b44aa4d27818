import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import { type FoundArtifacts, holding } from '../investigator/artifacts/found-artifacts.ts';
import { callIfOffered, mergeReports, type PartReport, usable } from '../investigator/part-report.ts';
import { capital, countsOf, figure, type Reading, read } from '../investigator/read-data.ts';
import type { PipelineAsk } from './read-pipeline.ts';
import { say } from './say.ts';

type LineageAsk = Extract<PipelineAsk, { readonly kind: 'lineage' }>;

const DEPTH = 20;
const SHOWN = 8;
const MOST_NAMESAKES = 4;

/** What a table, model or dataset is made from, what is made from it, which jobs write or read it. */
export async function answerLineage(play: Play, ask: LineageAsk, found: FoundArtifacts): Promise<PartReport | undefined> {
  if (holding(found, 'dbt_manifest', 'openlineage').length === 0) return undefined;
  const first = await callIfOffered(play, 'lineage', { node: ask.name, direction: ask.direction, depth: DEPTH });
  if (!first) return undefined;
  if (usable(first)) return tell(ask, first);
  const message = read(first.data).text('message') ?? first.status;
  const ids = /name one by its id: (.*)$/.exec(message)?.[1]?.split(', ') ?? [];
  if (ids.length === 0) return say(`The sources hold no lineage of \`${ask.name}\`: ${message.replace(/ in \d+ files; /, '; ')}`, first.id);
  const results = await Promise.all(
    ids.slice(0, MOST_NAMESAKES).map((node) => callIfOffered(play, 'lineage', { node, direction: ask.direction, depth: DEPTH })),
  );
  const told = results.filter(usable).map((result) => tell(ask, result));
  return told.length === 0 ? say(`What is called \`${ask.name}\` is not clear: ${message}`, first.id) : mergeReports(told);
}

function tell(ask: LineageAsk, result: ToolResult): PartReport {
  const data = read(result.data);
  const side = data.at(ask.direction);
  const nodes = side.list('items').filter((one) => ask.of === 'nodes' || one.number('depth') === 1);
  const direct = nodes.filter((one) => one.number('depth') === 1);
  const further = nodes.filter((one) => (one.number('depth') ?? 0) > 1);
  const name = `\`${data.text('node') ?? ask.name}\``;
  const place = data.text('from') ?? '';
  const from = / OpenLineage files$/.test(place) ? ' (by OpenLineage events)' : ` (by \`${place}\`)`;
  const total = side.number('total') ?? 0;
  if (total === 0) return say(`${NOTHING_THERE[ask.direction](name)}${from}`, result.id);
  const head =
    ask.of === 'jobs'
      ? `${capital(VERB[ask.direction](name))}${direct.every((one) => one.text('type') === 'job') ? '' : ', or it is made in one step'}: ${list(direct)}`
      : `${MADE[ask.direction](name)} (${ask.direction} total ${total}) directly ${list(direct)}`;
  const more = further.length > 0 ? [say(`Further away: ${list(further)}`, result.id)] : [];
  return mergeReports([say(`${head}${from}`, result.id), ...(ask.of === 'jobs' ? [] : more)]);
}

type Sentence = Readonly<Record<'upstream' | 'downstream', (name: string) => string>>;

const NOTHING_THERE: Sentence = {
  upstream: (name) => `The lineage holds nothing that ${name} is made from`,
  downstream: (name) => `Nothing depends on ${name} in the lineage that the sources hold`,
};
const VERB: Sentence = {
  upstream: (name) => `${name} is written by`,
  downstream: (name) => `${name} is read by`,
};
const MADE: Sentence = {
  upstream: (name) => `${name} is made from`,
  downstream: (name) => `From ${name} are made`,
};

function list(nodes: readonly Reading[]): string {
  const told = nodes.slice(0, SHOWN).map((one) => `\`${one.text('id') ?? ''}\` (${one.text('type') ?? 'unknown'})`);
  return `${told.join(', ')}${nodes.length > SHOWN ? ' and others' : ''}`;
}

/** Which jobs ran, by OpenLineage events: how many runs in which states, and the failed ones. */
export async function answerJobs(play: Play, found: FoundArtifacts): Promise<PartReport | undefined> {
  const sources = holding(found, 'openlineage').slice(0, 2);
  const results = await Promise.all(sources.map(({ source }) => callIfOffered(play, 'read_openlineage', { source, limit: 40 })));
  const told = results.filter(usable).map((result) => {
    const data = read(result.data);
    const states = countsOf(data.at('by_state'));
    const jobs = data
      .at('jobs')
      .entries()
      .filter(([name]) => name !== '(others)' && !name.includes('…'));
    const names = jobs.slice(0, SHOWN).map(([name, runs]) => `\`${name}\` / ${String(runs.value)}`);
    const rest = data.at('jobs').entries().length > names.length ? ' and others' : '';
    const failed = data
      .at('runs')
      .list('items')
      .filter((one) => one.text('state') === 'failed');
    return mergeReports([
      say(
        `OpenLineage events tell of ${figure(result.total)} runs, by state: ${states.join(', ')}; by job, as job / runs: ${names.join(', ')}${rest}`,
        result.id,
      ),
      ...(failed.length > 0
        ? [say(`Failed: ${failed.slice(0, 5).map(failedText).join('; ')}${failed.length > 5 ? ' and others' : ''}`, result.id)]
        : []),
    ]);
  });
  return told.length === 0 ? undefined : mergeReports(told);
}

function failedText(one: Reading): string {
  const error = one.text('error');
  return `\`${one.text('job') ?? ''}\`, ended ${figure(one.text('ended_at'))}${error === null ? '' : `, ${error.slice(0, 160)}`}`;
}
