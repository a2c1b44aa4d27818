import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, mergeReports, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { read } from '../read-data.ts';
import { readRunList } from '../runs/choose-run.ts';
import { changedModels } from './dbt-changes.ts';
import { type FoundArtifacts, holding } from './found-artifacts.ts';

const LISTED = 100;
const MOST_SOURCES = 2;

/** What changed between the runs of dbt before and after a day on which data break, where these are not its two newest. */
export async function dbtAtMoment(play: Play, found: FoundArtifacts, days: readonly string[]): Promise<PartReport> {
  const sources = holding(found, 'dbt_run_results').filter(({ files }) => files > 2);
  const reports = days.length === 0 ? [] : sources.slice(0, MOST_SOURCES).map(({ source }) => examineSource(play, source, days));
  return mergeReports(await Promise.all(reports));
}

async function examineSource(play: Play, source: string, days: readonly string[]): Promise<PartReport> {
  const listed = await callIfOffered(play, 'list_runs', { source, limit: LISTED });
  if (!usable(listed)) return NOTHING;
  const runs = [...readRunList(listed.data).runs].sort((left, right) => (left.startedAt ?? '').localeCompare(right.startedAt ?? ''));
  const at = runs.findLastIndex(({ startedAt }) => days.some((day) => startedAt?.slice(0, 10).endsWith(day)));
  const [before, after] = [runs[at - 1], runs[at]];
  if (!before || !after || at === runs.length - 1 || before.pipeline !== after.pipeline) return NOTHING;
  const compared = await callIfOffered(play, 'compare_dbt_runs', { source, a: before.runId, b: after.runId });
  if (!usable(compared)) return NOTHING;
  const data = read(compared.data);
  const sides = `between the dbt runs of ${data.at('before').text('generated_at') ?? ''} and ${data.at('after').text('generated_at') ?? ''}`;
  const changed = changedModels(data, { sides, leads: true });
  return changed ? tell({ ...changed.finding, evidence: [compared.id] }) : NOTHING;
}
