import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import { changeText, rowsChanged, rowsText, timesText } from './dbt-changes.ts';
import { callIfOffered, type Finding, NOTHING, type PartReport, tell, usable } from './part-report.ts';
import { type Reading, read } from './read-data.ts';

const MOST_NODES = 2;
/** Rows that an incremental model wrote, as a multiple of the run before, from which on it was plainly built anew. */
const ANEW = 10;

/** Why models of a dbt run are slower although their SQL did not change: built anew, or what they read is built otherwise. */
export async function explainSlowerModels(play: Play, compared: ToolResult, source: string): Promise<PartReport> {
  const data = read(compared.data);
  const slower = data.at('slower').list('items');
  if (slower.length === 0) return NOTHING;
  const rebuilt = builtAnew(data, slower);
  const above = rebuilt ? [] : await Promise.all(slower.slice(0, MOST_NODES).map((one) => changedAbove(play, { data, one, source })));
  const told = [...(rebuilt ? [{ claim: rebuilt, evidence: [compared.id] }] : []), ...above.flatMap((one) => one ?? [])];
  const findings = told.map(
    ({ claim, evidence }): Finding => ({
      kind: 'cause',
      claim: `${claim}.`,
      evidence: [...new Set([compared.id, ...evidence])],
      confidence: 'high',
      refuted_by: 'the same run without that change taking as long',
    }),
  );
  return tell(...findings);
}

function builtAnew(data: Reading, slower: readonly Reading[]): string | undefined {
  if (data.at('after').flag('full_refresh') !== true || data.at('before').flag('full_refresh') === true) return undefined;
  const grown = slower.filter((one) => {
    const row = rowsChanged(data, one);
    return (row?.number('after') ?? 0) >= ANEW * (row?.number('before') ?? Number.POSITIVE_INFINITY);
  });
  const told = (grown.length > 0 ? grown : slower).slice(0, 3).map((one) => `${timesText(one)}${rowsText(data, one)}`);
  return `The later run was a full refresh and the one before was not, so incremental models were built anew: ${told.join('; ')}`;
}

/** A node that a slower one is made from and whose definition changed, where its own did not. */
async function changedAbove(play: Play, { data, one, source }: { readonly data: Reading; readonly one: Reading; readonly source: string }) {
  const changed = data.at('changed_nodes').list('items');
  const node = one.text('node') ?? '';
  if (changed.length === 0 || changed.some((other) => other.text('node') === node)) return undefined;
  const path = data.at('after').text('manifest');
  const lineage = await callIfOffered(play, 'lineage', {
    node,
    direction: 'upstream',
    depth: 20,
    source,
    ...(path === null ? {} : { path }),
  });
  if (!usable(lineage)) return undefined;
  const above = new Set(
    read(lineage.data)
      .at('upstream')
      .list('items')
      .map((other) => other.text('id') ?? ''),
  );
  const guilty = changed.find((other) => above.has(other.text('node') ?? ''));
  if (!guilty) return undefined;
  const shifted = guilty.texts('config').some((text) => /^materialized: .*→ (view|ephemeral)$/.test(text))
    ? '; it is no longer stored, so whatever reads it computes it'
    : '';
  const claim = `${timesText(one)}; its own SQL did not change, but \`${guilty.text('node') ?? ''}\`, which it is made from, did: ${changeText(guilty)}${shifted}`;
  return { claim, evidence: [lineage.id] };
}
