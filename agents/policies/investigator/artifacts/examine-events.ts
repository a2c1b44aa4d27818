import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { callIfOffered, cite, type Finding, mergeReports, NOTHING, type PartReport, usable } from '../part-report.ts';
import { countsOf, enumerate, figure, type Reading, read } from '../read-data.ts';
import { type FoundArtifacts, holding } from './found-artifacts.ts';

/** Runs that OpenLineage events tell of: which failed and with what, and which assertions of the data did not hold. */
export async function examineEvents(play: Play, found: FoundArtifacts): Promise<PartReport> {
  const sources = holding(found, 'openlineage').slice(0, 2);
  const reports = await Promise.all(
    sources.map(async ({ source }) => {
      const result = await callIfOffered(play, 'read_openlineage', { source, limit: 10 });
      return usable(result) ? tell(result) : NOTHING;
    }),
  );
  return mergeReports(reports);
}

function tell(result: ToolResult): PartReport {
  const data = read(result.data);
  const runs = data.at('runs').list('items');
  const states = countsOf(data.at('by_state'));
  const failed = runs.filter((one) => one.text('state') === 'failed' || one.texts('failed_assertions').length > 0);
  const head = `OpenLineage events tell of ${figure(result.total)} runs: ${enumerate(states, 6)}`;
  const findings: Finding[] = [];
  const evidence = [result.id];
  const bad = data.at('bad_events').number('total') ?? 0;
  if (failed.length > 0)
    findings.push({ kind: 'cause', claim: `${failed.slice(0, 4).map(runText).join('; ')}. ${head}.`, evidence, confidence: 'high' });
  else findings.push({ kind: 'observation', claim: `${head}.`, evidence, confidence: 'high' });
  if (bad > 0) findings.push({ kind: 'observation', claim: `${bad} OpenLineage events could not be read.`, evidence, confidence: 'high' });
  return {
    answer: failed.length > 0 || bad > 0 ? findings.map(({ claim }) => `${claim.replace(/\.$/, '')}${cite(result)}.`) : [],
    detail: [],
    findings,
  };
}

function runText(one: Reading): string {
  const asserted = one.texts('failed_assertions');
  const why = one.text('error') ?? (asserted.length > 0 ? `assertions that did not hold: ${enumerate(asserted, 4)}` : '');
  return `\`${one.text('job') ?? ''}\` ${one.text('state') ?? ''} at ${figure(one.text('ended_at'))}${why === '' ? '' : ` (${why.slice(0, 300)})`}`;
}
