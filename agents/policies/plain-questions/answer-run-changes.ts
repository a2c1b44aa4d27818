import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import { changeTexts } from '../investigator/artifacts/dbt-changes.ts';
import { renamedModels, silencedTests } from '../investigator/artifacts/dbt-hidden.ts';
import { type FoundArtifacts, holding } from '../investigator/artifacts/found-artifacts.ts';
import { callIfOffered, mergeReports, type PartReport, usable } from '../investigator/part-report.ts';
import { capital, countsOf, figure, type Reading, read } from '../investigator/read-data.ts';
import { say } from './say.ts';

/** What changed from one dbt run to the next: what is new, gone, slower, failing, and what of it could not be compared. */
export async function answerRunChanges(play: Play, found: FoundArtifacts): Promise<PartReport | undefined> {
  const sources = holding(found, 'dbt_run_results').filter(({ files }) => files > 1);
  const results = await Promise.all(sources.slice(0, 3).map(({ source }) => callIfOffered(play, 'compare_dbt_runs', { source })));
  const told = results.filter(usable).map(tell);
  return told.length === 0 ? undefined : mergeReports(told);
}

function tell(result: ToolResult): PartReport {
  const data = read(result.data);
  const [before, after] = [data.at('before'), data.at('after')];
  const silenced = silencedTests(data).map((text) => `a test was made milder: ${text}`);
  const renamed = renamedModels(data);
  const changes = [...silenced, ...(renamed === undefined ? [] : [renamed]), ...changeTexts(data), ...listedOnly(data)];
  const sides = `from the dbt run of ${figure(before.text('generated_at'))} (${before.text('path') ?? ''}) to that of ${figure(after.text('generated_at'))} (${after.text('path') ?? ''})`;
  const head =
    changes.length === 0
      ? say(`Nothing that can be compared changed ${sides}`, result.id)
      : mergeReports([
          say(`What changed ${sides}: ${changes[0]}`, result.id),
          ...changes.slice(1).map((text) => say(capital(text), result.id)),
        ]);
  const states = say(
    `Before: duration ${seconds(before)}, by status ${byStatus(before)}; after: duration ${seconds(after)}, by status ${byStatus(after)}`,
    result.id,
  );
  const unread =
    data.at('changed_nodes').value === null ? [say('SQL and settings were not compared: no manifest belongs to both runs', result.id)] : [];
  return mergeReports([head, states, ...unread]);
}

function listedOnly(data: Reading): string[] {
  const names = (key: string): readonly string[] => data.at(key).texts('items');
  const told = (key: string, what: string): string[] => {
    const items = names(key);
    if (items.length === 0) return [];
    const shown = items.slice(0, 8).map((name) => `\`${name}\``);
    return [
      `${what}, total ${figure(data.at(key).number('total'))}: ${shown.join(', ')}${items.length > shown.length ? ' and others' : ''}`,
    ];
  };
  return [...told('only_after', 'results that only the later run has'), ...told('only_before', 'results that only the earlier run has')];
}

function seconds(side: Reading): string {
  const value = side.at('elapsed_s').value;
  return typeof value === 'number' ? `${Math.round(value * 100) / 100} s` : 'unknown';
}

function byStatus(side: Reading): string {
  return countsOf(side.at('by_status')).join(', ');
}
