import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { callIfOffered, type Finding, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { countsOf, figure, type Reading, read } from '../read-data.ts';
import { changeText, rowsChanged, rowsText, timesText } from './dbt-changes.ts';

const MOST_NODES = 2;
/** Rows that an incremental model wrote, as a multiple of the run before, from which on it was plainly built anew. */
const ANEW = 10;

/** Why models of a dbt run are slower although their SQL did not change: built anew, or what they read is built otherwise. */
export async function explainSlowerModels(play: Play, compared: ToolResult, source: string): Promise<PartReport> {
  const data = read(compared.data);
  const slower = data.at('slower').list('items');
  const rebuilt = builtAnew(data, slower) ?? fewerThreads(data) ?? allSlower(data, slower);
  if (slower.length === 0 && rebuilt === undefined) return NOTHING;
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
  if (slower.length === 0) return undefined;
  if (data.at('after').flag('full_refresh') !== true || data.at('before').flag('full_refresh') === true)
    return builtAnewAlone(data, slower);
  const grown = slower.filter((one) => {
    const row = rowsChanged(data, one);
    return (row?.number('after') ?? 0) >= ANEW * (row?.number('before') ?? Number.POSITIVE_INFINITY);
  });
  const told = (grown.length > 0 ? grown : slower).slice(0, 3).map((one) => `${timesText(one)}${rowsText(data, one)}`);
  return `The later run was a full refresh and the one before was not, so incremental models were built anew: ${told.join('; ')}`;
}

/** A model that was built anew though the run as a whole was no full refresh: many times the rows, by its settings or by itself. */
function builtAnewAlone(data: Reading, slower: readonly Reading[]): string | undefined {
  const changed = data.at('changed_nodes').list('items');
  const unchanged = data.at('changed_nodes').value === null ? '' : ', though neither its SQL nor its settings changed';
  const told = slower.flatMap((one) => {
    const row = rowsChanged(data, one);
    const change = changed.find((other) => other.text('node') === one.text('node'));
    const before = row?.number('before') ?? 0;
    if (change?.texts('what').includes('sql') || before === 0 || (row?.number('after') ?? 0) < ANEW * before) return [];
    return [`${timesText(one)}${rowsText(data, one)}${change ? `, and its ${changeText(change)}` : unchanged}`];
  });
  if (told.length === 0) return undefined;
  return `What was built anew, as by a full refresh, and not by its newest rows alone: ${told.slice(0, 3).join('; ')}`;
}

const LONGER = 1.2;
const ALIKE = 0.2;

/** The same work, done by fewer threads. */
function fewerThreads(data: Reading): string | undefined {
  const [before, after] = [data.at('before'), data.at('after')];
  const of = (key: string): readonly [number | null, number | null] => [before.number(key), after.number(key)];
  const [[old, now], [took, takes], [worked, works]] = [of('threads'), of('elapsed_s'), of('execution_s_sum')];
  if (old === null || now === null || took === null || takes === null || worked === null || works === null) return undefined;
  if (now >= old || takes <= LONGER * took || Math.abs(works - worked) > ALIKE * worked) return undefined;
  return `The later run had threads ${now}, the one before threads ${old}, so fewer models ran at once: elapsed ${takes} s, before ${took} s, while the models themselves took ${works} s in all, before ${worked} s`;
}

const FEWEST_NODES = 4;
const NEARLY_ALL = 0.8;

/** Where nearly all nodes are slower and none of them changed, what they share is slow. */
function allSlower(data: Reading, slower: readonly Reading[]): string | undefined {
  const [before, after] = [data.at('before'), data.at('after')];
  const nodes = after
    .at('by_status')
    .entries()
    .reduce((sum, [, count]) => sum + Number(count.value), 0);
  const total = data.at('slower').number('total') ?? slower.length;
  if (nodes < FEWEST_NODES || total < NEARLY_ALL * nodes || data.at('changed_nodes').list('items').length > 0) return undefined;
  if (data.at('changed_nodes').value === null) return undefined;
  const [first] = slower;
  return `Nearly all nodes are slower (slower total ${total}; by status ${countsOf(after.at('by_status')).join(', ')}) and the SQL of none changed, so what they share is slow, the database or what else it had to do, and no single model: ${figure(after.number('execution_s_sum'))} s in all, before ${figure(before.number('execution_s_sum'))} s${first ? `; most of it ${timesText(first)}` : ''}`;
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
