import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { callIfOffered, cite, type Finding, mergeReports, NOTHING, type PartReport, usable } from '../part-report.ts';
import { asksFor, type Question } from '../question/read-question.ts';
import { countsOf, enumerate, figure, type Reading, read } from '../read-data.ts';
import { tellDbtChanges } from './dbt-changes.ts';
import { tellLeftOut, tellRenamed, tellSilenced, tellStaleSources } from './dbt-hidden.ts';
import { explainSlowerModels } from './dbt-slowness.ts';
import { type FoundArtifacts, holding } from './found-artifacts.ts';

const MOST_SOURCES = 3;

export interface DbtRequest {
  /** Sources whose runs were told of already. */
  readonly told: ReadonlySet<string>;
}

/** Runs of dbt by their artifacts: how the newest ended, and what changed since the one before it. */
export async function examineDbt(
  play: Play,
  question: Question,
  { found, told }: DbtRequest & { readonly found: FoundArtifacts },
): Promise<PartReport> {
  const sources = holding(found, 'dbt_run_results').slice(0, MOST_SOURCES);
  const reports = await Promise.all(
    sources.map(async ({ source, files }) => {
      const comparing = files > 1 ? callIfOffered(play, 'compare_dbt_runs', { source }) : undefined;
      // How the run ended the source of runs has told, and why it took long its results do not say where none of them failed.
      const isTold = told.has(source) && asksFor(question, 'slow') && !leadsWithRun(question) && noneFailed(await comparing);
      const [run, compared] = await Promise.all([isTold ? undefined : callIfOffered(play, 'read_dbt_run', { source }), comparing]);
      const changes = usable(compared) ? tellDbtChanges(question, compared) : NOTHING;
      const newest = usable(run) ? tellRun(question, run, told.has(source)) : NOTHING;
      const touched = usable(run) ? await madeFromFailed(play, run, source) : NOTHING;
      const slow = usable(compared) && asksOfLength(question, compared) ? await explainSlowerModels(play, compared, source) : NOTHING;
      const hidden = mergeReports([
        usable(run) ? tellStaleSources(question, run) : NOTHING,
        usable(compared) ? tellSilenced(compared) : NOTHING,
        usable(compared) ? tellRenamed(question, compared) : NOTHING,
        usable(compared) ? tellLeftOut(question, compared) : NOTHING,
      ]);
      if (
        hidden.answer.length > 0 ||
        (slow.answer.length > 0 && (isTold || (usable(run) && read(run.data).at('failed').number('total') === 0)))
      )
        return mergeReports([hidden, slow, changes, newest, touched]);
      return mergeReports(asksFor(question, 'checks', 'slow', 'drift') ? [slow, changes, newest, touched] : [newest, changes, touched]);
    }),
  );
  return mergeReports(reports);
}

/** Whether the newest run by its own results belongs into the answer. */
function leadsWithRun(question: Question): boolean {
  return question.aims.size === 0 || asksFor(question, 'failed', 'checks', 'order', 'profile', 'wrong');
}

function noneFailed(compared: ToolResult | undefined): boolean {
  const states = usable(compared) ? countsOf(read(compared.data).at('after').at('by_status')) : [];
  return states.length > 0 && states.every((state) => /^(success|pass|warn|skipped|no-op) /.test(state));
}

const LONGER = 1.2;

/** Why a run took long is asked for, or so generally that it is worth telling where it did. */
function asksOfLength(question: Question, compared: ToolResult): boolean {
  if (asksFor(question, 'slow')) return true;
  const data = read(compared.data);
  const [before, after] = [data.at('before').number('elapsed_s'), data.at('after').number('elapsed_s')];
  return !asksFor(question, 'checks', 'missing', 'profile') && before !== null && after !== null && after > LONGER * before;
}

/** What is made from the first model that failed: what is not to be trusted now. */
async function madeFromFailed(play: Play, run: ToolResult, source: string): Promise<PartReport> {
  const data = read(run.data);
  const failed = data
    .at('failed')
    .list('items')
    .find((one) => /^(model|seed|snapshot|source)\./.test(one.text('node') ?? ''));
  if (!failed || data.at('manifest').text('path') === null) return NOTHING;
  const node = failed.text('node') ?? '';
  const result = await callIfOffered(play, 'lineage', {
    node,
    direction: 'downstream',
    depth: 20,
    source,
    path: data.at('manifest').text('path') ?? '',
  });
  const down = read(result?.data).at('downstream');
  const total = down.number('total') ?? 0;
  if (!usable(result) || total === 0) return NOTHING;
  const names = down.list('items').map((one) => `\`${one.text('id') ?? ''}\``);
  const claim = `Made from \`${node}\`, which failed: ${total} nodes downstream (${enumerate(names, 8)}).`;
  return { ...NOTHING, findings: [{ kind: 'observation', claim, evidence: [result.id], confidence: 'high' }] };
}

/** The newest run: failures, warnings, what was slow, and whether its file is sound. */
function tellRun(question: Question, result: ToolResult, told: boolean): PartReport {
  const data = read(result.data);
  const leads = leadsWithRun(question);
  const failed = data.at('failed').list('items');
  const name = `The dbt run of ${data.text('generated_at') ?? 'unknown time'} (${data.text('path') ?? ''}, schema ${figure(data.text('schema_version'))}, dbt ${figure(data.text('dbt_version'))})`;
  const states = countsOf(data.at('by_status'));
  const head = `${name} holds ${figure(data.number('results'))} results: ${enumerate(states, 12)}`;
  const answer: string[] = [];
  const total = figure(data.at('failed').number('total'));
  if (!told) answer.push(`${head}${cite(result)}.`);
  if (!told && failed.length > 0) answer.push(`Failed, ${total} in all: ${enumerate(failed.map(nodeText), 8)}${cite(result)}.`);
  const warned = data.at('warned').list('items');
  if (warned.length > 0) answer.push(`Only warned: ${enumerate(warned.map(nodeText), 4)}${cite(result)}.`);
  const skipped = data.at('skipped').list('items');
  if (!told && skipped.length > 0)
    answer.push(
      `Skipped: ${enumerate(
        skipped.map((one) => `\`${one.text('node') ?? ''}\``),
        6,
      )}${cite(result)}.`,
    );
  const [slowest] = data.list('slowest');
  if (!told && slowest)
    answer.push(
      `Slowest was \`${slowest.text('node') ?? ''}\` with ${value(slowest, 'execution_s')} s; all results took ${figure(data.number('execution_s_sum'))} s${cite(result)}.`,
    );
  answer.push(...soundness(data, result));
  const findings: Finding[] = [];
  if (failed.length > 0)
    findings.push({
      kind: leads ? 'cause' : 'observation',
      claim: `${head}; failed: ${enumerate(failed.map(nodeText), 8)}.`,
      evidence: [result.id],
      confidence: 'high',
    });
  else if (!told) findings.push({ kind: 'ruled_out', claim: `${head}; none failed.`, evidence: [result.id], confidence: 'high' });
  const without = data.at('manifest').number('tests_without_result') ?? 0;
  if (without > 0 && data.text('command') === 'build')
    findings.push({
      kind: 'observation',
      claim: `${without} tests of its manifest have no result in the dbt run ${data.text('path') ?? ''}.`,
      evidence: [result.id],
      confidence: 'medium',
    });
  return { answer: leads ? answer : [], detail: [], findings };
}

/** What in the file itself is odd: numbers that are none, statuses that dbt does not list, results without an id. */
function soundness(data: Reading, result: ToolResult): string[] {
  const count = data.at('non_finite').number('count') ?? 0;
  const places = data.at('non_finite').texts('places');
  const said: string[] = [];
  if (count > 0)
    said.push(
      `The file can be read but is not sound JSON: ${count} places hold NaN or Infinity, not a number and not zero: ${enumerate(places, 20)}${cite(result)}.`,
    );
  const unknown = data.texts('unknown_statuses');
  if (unknown.length > 0) said.push(`Statuses that are not known, kept as they stand: ${enumerate(unknown)}${cite(result)}.`);
  const rows = result.warnings.find(({ code }) => code === 'rows_unknown');
  if (rows) said.push(`${rows.message}${cite(result)}.`);
  return said;
}

function value(one: Reading, key: string): string {
  const found = one.at(key).value;
  return typeof found === 'number' || typeof found === 'string' ? String(found) : 'unknown';
}

function nodeText(one: Reading): string {
  const failures = one.at('failures').value;
  const parts = [
    one.text('status') ?? '',
    ...(failures === undefined ? [] : [`${String(failures)} failures`]),
    ...(one.text('message') === null ? [] : [(one.text('message') ?? '').slice(0, 240)]),
  ];
  return `\`${one.text('node') ?? ''}\` (${parts.join(', ')})`;
}
