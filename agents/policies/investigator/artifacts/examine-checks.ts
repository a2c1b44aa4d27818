import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { callIfOffered, cite, type Finding, mergeReports, NOTHING, type PartReport, usable } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { countsOf, enumerate, figure, type Reading, read } from '../read-data.ts';
import { checkText } from './check-text.ts';
import { type FoundArtifacts, holding } from './found-artifacts.ts';

/** Results of Great Expectations and Soda: what failed, what was not evaluated, what is no longer checked. */
export async function examineChecks(play: Play, question: Question, found: FoundArtifacts): Promise<PartReport> {
  const sources = holding(found, 'great_expectations', 'soda_scan').slice(0, 3);
  const reports = await Promise.all(
    sources.map(async ({ source }) => {
      const result = await callIfOffered(play, 'read_checks', { source });
      return usable(result) ? tell(question, result) : NOTHING;
    }),
  );
  return mergeReports(reports);
}

function tell(question: Question, result: ToolResult): PartReport {
  const data = read(result.data);
  // dbt tests stand in the same result; they are told of with the dbt run.
  const mine = (one: Reading): boolean => !(one.text('suite') ?? '').startsWith('dbt project');
  const suites = data.at('suites').list('items').filter(mine);
  const failed = data.at('failed').list('items').filter(mine);
  const waiting = data.at('not_evaluated').list('items').filter(mine);
  const gone = data.at('disappeared').list('items').filter(mine);
  const evidence = [result.id];
  const findings: Finding[] = [];
  const answer: string[] = [];
  const say = (finding: Omit<Finding, 'evidence'>): void => {
    findings.push({ ...finding, evidence });
    answer.push(`${finding.claim.replace(/\.$/, '')}${cite(result)}.`);
  };
  const held = suites.map(suiteText);
  if (failed.length === 0 && held.length > 0)
    say({ kind: 'observation', claim: `No check failed of those that were evaluated: ${some(held, 4)}.`, confidence: 'high' });
  if (failed.length > 0)
    say({
      kind: 'cause',
      claim: `Checks that did not pass, total ${figure(data.at('failed').number('total'))}: ${some(failed.map(checkText), 8)}.`,
      confidence: 'high',
    });
  if (waiting.length > 0)
    say({
      kind: 'observation',
      claim: `Checks that were not evaluated, and so did not pass: ${some(waiting.map(checkText), 6)}.`,
      confidence: 'high',
    });
  if (gone.length > 0)
    say({
      kind: 'cause',
      claim: `Checks that disappeared since the run before: ${some(gone.map(goneText), 6)}.`,
      confidence: 'high',
      refuted_by: 'another suite that asks the same',
    });
  if (failed.length > 0 && held.length > 0) say({ kind: 'observation', claim: `What holds checks: ${some(held, 4)}.`, confidence: 'high' });
  const places = data
    .at('non_finite')
    .texts('places')
    .filter((place) => !place.startsWith('run_results'));
  if (places.length > 0)
    say({
      kind: 'observation',
      claim: `Places that hold NaN or Infinity, not a number and not zero: ${enumerate(places, 20)}.`,
      confidence: 'high',
    });
  for (const { message } of result.warnings.filter(({ code }) => code === 'contradiction').slice(0, 3))
    say({ kind: 'observation', claim: `${message}.`, confidence: 'high' });
  const leads = question.aims.size === 0 || failed.length + gone.length + waiting.length > 0;
  return { answer: leads || question.aims.has('checks') || question.aims.has('failed') ? answer : [], detail: [], findings };
}

function suiteText(suite: Reading): string {
  const states = countsOf(suite.at('by_status'));
  return `${toolName(suite.text('tool'))} suite ${suite.text('suite') ?? ''} (${suite.text('path') ?? ''}) with ${figure(suite.number('checks'))} checks: ${enumerate(states, 8)}`;
}

/** The first of several, each once however often a file repeats it. */
function some(items: readonly string[], most: number): string {
  const once = [...new Set(items)];
  return once.length > most ? `${once.slice(0, most).join('; ')}; and others` : once.join('; ');
}

function toolName(tool: string | null): string {
  return tool === 'soda' ? 'Soda' : tool === 'great_expectations' ? 'Great Expectations' : 'dbt';
}

function goneText(one: Reading): string {
  const on = [one.text('target'), one.text('column')].filter((part) => part !== null).join('.');
  const rows = one.at('failing_rows_before').value;
  const replaced = one.text('replaced_by') === null ? '' : `, in its place ${one.text('replaced_by')}`;
  return `\`${one.text('check') ?? ''}\`${on === '' ? '' : ` on ${on}`} (was ${one.text('status_before') ?? 'unknown'}${rows === undefined ? '' : ` with ${String(rows)} rows`}${replaced})`;
}
