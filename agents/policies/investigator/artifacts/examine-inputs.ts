import { groupBy } from '../../../../src/core/group-by.ts';
import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { callIfOffered, cite, type Finding, mergeReports, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { asksFor, namedOf, type Question } from '../question/read-question.ts';
import { clock, enumerate, figure, type Reading, read } from '../read-data.ts';
import { type FoundArtifacts, holding } from './found-artifacts.ts';

const MOST_RUNS = 200;

/** By OpenLineage events: whether the newest run of a job reads or writes other datasets than the one before it. */
export async function examineInputs(play: Play, question: Question, found: FoundArtifacts): Promise<PartReport> {
  const asked = asksFor(question, 'wrong', 'missing', 'drift', 'duplicates');
  // What became of a dataset that is named may be asked in any words.
  if (!asked && asksFor(question, 'slow', 'failed', 'checks')) return NOTHING;
  const sources = holding(found, 'openlineage').slice(0, 2);
  const reports = await Promise.all(
    sources.map(async ({ source }) => {
      const result = await callIfOffered(play, 'read_openlineage', { source, limit: MOST_RUNS });
      return usable(result) && (asked || namesOutput(question, result)) ? tellChanges(question, result) : NOTHING;
    }),
  );
  return mergeReports(reports);
}

function namesOutput(question: Question, result: ToolResult): boolean {
  const runs = read(result.data).at('runs').list('items');
  return namedOf(question, [...new Set(runs.flatMap((run) => namesOf(run, 'outputs').map(shortName)))]).length > 0;
}

interface Pair {
  readonly now: Reading;
  readonly before: Reading;
}

function tellChanges(question: Question, result: ToolResult): PartReport {
  const pairs = pairsOf(read(result.data).at('runs').list('items'));
  if (pairs.length === 0) return tell(...schemaFindings(question, result));
  const told = pairs.flatMap((pair) => changeOf(pair) ?? []);
  const named = told.filter(({ names }) => namedOf(question, names).length > 0);
  const chosen = (named.length > 0 ? named : told).slice(0, 3);
  const columns = [...schemaFindings(question, result), ...rowFindings(question, pairs, result)];
  if (chosen.length === 0 && columns.length > 0) return tell(...columns);
  if (chosen.length === 0) {
    const jobs = pairs.slice(0, 6).map(({ now }) => `\`${now.text('job') ?? ''}\``);
    const claim = `Another input or output of a job: none; the newest run of each job reads and writes what the run before it did (${jobs.join(', ')}${pairs.length > jobs.length ? ' and others' : ''}).`;
    return {
      answer: [`No job reads or writes other datasets than in its run before: looked at ${jobs.join(', ')}${cite(result)}.`],
      detail: [],
      findings: [{ kind: 'ruled_out', claim, evidence: [result.id], confidence: result.complete ? 'high' : 'medium' }],
    };
  }
  const findings = chosen.map(
    ({ claim }): Finding => ({
      kind: 'cause',
      claim: `${claim}.`,
      evidence: [result.id],
      confidence: named.length > 0 ? 'high' : 'medium',
      refuted_by: 'a run before these two that did not read it either',
    }),
  );
  return tell(...findings, ...columns);
}

/** The newest change of the columns of a dataset, of those that the question names or whose jobs it names, else of any. */
function schemaFindings(question: Question, result: ToolResult): Finding[] {
  const changes = read(result.data)
    .at('schema_changes')
    .list('items')
    .filter((one) => one.flag('newest') === true);
  const named = changes.filter((one) => namedOf(question, [shortName(one.text('dataset')), shortName(one.text('job'))]).length > 0);
  return (named.length > 0 ? named : changes).slice(0, 3).map((one) => ({
    kind: 'cause',
    claim: `The columns of \`${one.text('dataset') ?? ''}\` changed between ${clock(one.text('last_seen_before_at'))} and ${clock(one.text('seen_at'))}, by the events of \`${one.text('job') ?? ''}\`: ${columnsText(one)}.`,
    evidence: [result.id],
    confidence: named.length > 0 ? 'high' : 'medium',
    refuted_by: 'a job that reads none of these columns',
  }));
}

/** So many times the rows of the run before, or so small a part of them, is another amount. */
const FAR_OFF = 1.8;
/** So many runs before a step are alike, so that no weekend is one, and it came at most so many runs ago. */
const ALIKE = 7;
const LONGEST_AGO = 10;

/** Jobs that wrote far other numbers of rows than in the run before, where what they read was not off itself. */
function rowFindings(question: Question, pairs: readonly Pair[], result: ToolResult): Finding[] {
  const off = [...pairs, ...stepsOf(read(result.data).at('runs').list('items'))].flatMap((pair) => {
    const outputs = pair.now.list('outputs').filter((output) => isFarOff(output, pair.before));
    return outputs.length > 0 ? [{ ...pair, outputs }] : [];
  });
  const wrote = new Set(off.flatMap(({ outputs }) => outputs.map((output) => output.text('name') ?? '')));
  const roots = off.filter(({ now }) => !namesOf(now, 'inputs').some((name) => wrote.has(name)));
  const named = off.filter(
    ({ outputs }) =>
      namedOf(
        question,
        outputs.map((output) => shortName(output.text('name'))),
      ).length > 0,
  );
  if (question.direction === undefined && named.length === 0 && !asksFor(question, 'wrong', 'missing', 'drift')) return [];
  return (roots.length > 0 ? roots : off).slice(0, 3).map(({ now, before, outputs }) => ({
    kind: 'cause',
    claim: `\`${now.text('job') ?? ''}\` wrote another amount than before in its run \`${now.text('run_id') ?? ''}\`, started ${clock(now.text('started_at'))}${codeText(now, before)}, as dataset / rows: ${enumerate(
      outputs.flatMap((output) => rowsText(output, before) ?? []),
      3,
    )}.`,
    evidence: [result.id],
    confidence: 'medium',
    refuted_by: 'a day on which the source had that many rows',
  }));
}

/** Jobs whose runs write far other numbers of rows since a run that is not the newest, and wrote about as many in each of those before. */
function stepsOf(runs: readonly Reading[]): Pair[] {
  return [...runsOfJobs(runs).values()].flatMap((list) => {
    const at = list
      .slice(0, LONGEST_AGO)
      .findIndex((run, place) => place > 0 && run.list('outputs').some((output) => isFarOff(output, list[place + 1] ?? run)));
    const [now, before] = [list[at], list[at + 1]];
    if (!now || !before) return [];
    const earlier = list.slice(at + 1, at + 1 + ALIKE);
    const stays = (all: readonly Reading[], like: Reading): boolean =>
      all.every((run) => !run.list('outputs').some((output) => isFarOff(output, like)));
    return earlier.length === ALIKE && stays(earlier, before) && stays(list.slice(0, at), now) ? [{ now, before }] : [];
  });
}

function codeText(now: Reading, before: Reading): string {
  const [code, old] = [now.text('code'), before.text('code')];
  return code === null || old === null || code === old ? '' : `, with the code \`${code}\` in place of \`${old}\``;
}

function isFarOff(output: Reading, before: Reading): boolean {
  const old = before
    .list('outputs')
    .find((one) => one.text('name') === output.text('name'))
    ?.text('rows');
  const rows = output.text('rows');
  if (old === null || old === undefined || rows === null) return false;
  return Number(rows) * FAR_OFF < Number(old) || Number(rows) > FAR_OFF * Number(old);
}

function columnsText(one: Reading): string {
  const quoted = (key: string): string => enumerate(one.texts(key).map((name) => `\`${name}\``));
  return [
    ...(one.texts('removed').length > 0 ? [`removed ${quoted('removed')}`] : []),
    ...(one.texts('added').length > 0 ? [`added ${quoted('added')}`] : []),
    ...(one.texts('retyped').length > 0 ? [`of another type ${quoted('retyped')}`] : []),
  ].join(', ');
}

function shortName(name: string | null): string {
  return (name ?? '').replace(/^.*\//, '');
}

/** The newest run of each job with the one before it. */
function pairsOf(runs: readonly Reading[]): Pair[] {
  return [...runsOfJobs(runs).values()].flatMap(([now, before]) => (now && before ? [{ now, before }] : []));
}

/** The runs of each job that went well, the newest first. */
function runsOfJobs(runs: readonly Reading[]): ReadonlyMap<string, readonly Reading[]> {
  const newest = runs
    .filter((run) => run.text('state') === 'success')
    .sort((left, right) => ((left.text('started_at') ?? '') < (right.text('started_at') ?? '') ? 1 : -1));
  return groupBy(newest, (run) => run.text('job') ?? '');
}

function changeOf({ now, before }: Pair) {
  const [lost, added, unwritten] = [missing(before, now, 'inputs'), missing(now, before, 'inputs'), missing(before, now, 'outputs')];
  if (lost.length + added.length + unwritten.length === 0 || (now.number('datasets_left_out') ?? 0) > 0) return undefined;
  const parts = [
    ...(lost.length > 0 ? [`no longer reads ${enumerate(lost, 4)}`] : []),
    ...(added.length > 0 ? [`reads ${enumerate(added, 4)}, which it did not before`] : []),
    ...(unwritten.length > 0 ? [`no longer writes ${enumerate(unwritten, 4)}`] : []),
  ];
  const rows = now.list('outputs').flatMap((output) => rowsText(output, before) ?? []);
  const sides = `its run \`${now.text('run_id') ?? ''}\` started ${clock(now.text('started_at'))}, the run before it \`${before.text('run_id') ?? ''}\` ${clock(before.text('started_at'))}`;
  const names = [now.text('job') ?? '', ...namesOf(now, 'outputs'), ...namesOf(before, 'outputs')].flatMap((name) => [
    name,
    name.replace(/^.*\//, ''),
  ]);
  return {
    claim: `\`${now.text('job') ?? ''}\` ${parts.join(', ')} (${sides})${rows.length > 0 ? `; it wrote, as dataset / rows, ${enumerate(rows, 3)}` : ''}`,
    names,
  };
}

function rowsText(output: Reading, before: Reading): string | undefined {
  const name = output.text('name') ?? '';
  const old = before.list('outputs').find((one) => one.text('name') === name);
  if (output.text('rows') === null || !old || old.text('rows') === null) return undefined;
  return `\`${name}\` / ${figure(output.text('rows'))}, the run before it \`${name}\` / ${figure(old.text('rows'))}`;
}

function missing(here: Reading, there: Reading, side: 'inputs' | 'outputs'): string[] {
  const known = new Set(namesOf(there, side));
  // A run that tells of no datasets at all does not say that it read none.
  return known.size === 0 ? [] : namesOf(here, side).flatMap((name) => (known.has(name) ? [] : [`\`${name}\``]));
}

function namesOf(run: Reading, side: 'inputs' | 'outputs'): string[] {
  return run.list(side).map((one) => one.text('name') ?? '');
}
