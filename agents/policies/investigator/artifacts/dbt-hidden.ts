import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { type Finding, NOTHING, type PartReport, tell } from '../part-report.ts';
import { asksFor, namedOf, type Question } from '../question/read-question.ts';
import { countsOf, enumerate, figure, type Reading, read } from '../read-data.ts';
import { changeText } from './dbt-changes.ts';

/** Sources whose newest rows are older than they may be, by dbt's own check. */
export function tellStaleSources(question: Question, run: ToolResult): PartReport {
  const fresh = read(run.data).at('source_freshness');
  const stale = fresh.list('stale');
  if (stale.length === 0 || asksFor(question, 'slow')) return NOTHING;
  const told = stale.map((one) => {
    const error = one.text('error_after');
    const limit = error ?? one.text('warn_after');
    return `the newest row of \`${one.text('source') ?? ''}\` is of ${figure(one.text('newest_row_at'))}, age ${figure(one.number('age_s'))} s when checked at ${figure(one.text('checked_at'))} (${one.text('status') ?? ''}${limit === null ? '' : `, ${error === null ? 'warn' : 'error'} after ${limit}`})`;
  });
  const claim = `A source was stale before the run, so what is made from it holds nothing newer: ${enumerate(told, 4)}.`;
  return tell({ kind: 'cause', claim, evidence: [run.id], confidence: 'high', refuted_by: 'a load of the source after that check' });
}

/** Tests that find what they found, but no longer fail the run. */
export function tellSilenced(compared: ToolResult): PartReport {
  const told = silencedTests(read(compared.data));
  if (told.length === 0) return NOTHING;
  const claim = `The data is not mended, a test was made milder: ${enumerate(told, 4)}.`;
  return tell({
    kind: 'cause',
    claim,
    evidence: [compared.id],
    confidence: 'high',
    refuted_by: 'the same test at its old severity passing',
  });
}

export function silencedTests(data: Reading): readonly string[] {
  const changed = data.at('changed_nodes').list('items');
  return data
    .at('changed_status')
    .list('items')
    .flatMap((one) => {
      const change = changed.find((other) => other.text('node') === one.text('node'));
      const severity = change?.texts('config').find((text) => /^(severity|error_if|warn_if|where|limit)\b/.test(text));
      if (!severity || !/^warn/i.test(one.text('after') ?? '')) return [];
      return [
        `\`${one.text('node') ?? ''}\` only warns now, with failures ${figure(one.number('failures'))}, because its settings changed (${severity}); before its status was ${one.text('before') ?? ''}`,
      ];
    });
}

/** Models that are no longer in the project, and what read them. */
export function tellRenamed(question: Question, compared: ToolResult): PartReport {
  if (!(question.aims.size === 0 || asksFor(question, 'wrong', 'missing', 'drift', 'order', 'checks'))) return NOTHING;
  const told = renamedModels(read(compared.data));
  if (told === undefined) return NOTHING;
  const finding: Finding = {
    kind: 'cause',
    claim: `${told}.`,
    evidence: [compared.id],
    confidence: 'medium',
    refuted_by: 'nothing that reads that table',
  };
  return tell(finding);
}

export function renamedModels(data: Reading): string | undefined {
  const removed = data.at('nodes_removed').texts('items').filter(isBuilt);
  if (removed.length === 0) return undefined;
  const added = data.at('nodes_added').texts('items').filter(isBuilt);
  const readers = data
    .at('changed_nodes')
    .list('items')
    .filter((one) => one.texts('parents').some((line) => removed.some((node) => line.includes(node))));
  const names = (nodes: readonly string[]): string =>
    enumerate(
      nodes.map((node) => `\`${node}\``),
      4,
    );
  const instead = added.length === 0 ? '' : `; in the later run ${names(added)} came instead`;
  const by = readers.slice(0, 3).map((one) => `; \`${one.text('node') ?? ''}\`, which was made from it: ${changeText(one)}`);
  return `${names(removed)} ${removed.length > 1 ? 'are' : 'is'} no longer built, so whatever reads its table by name gets old rows${instead}${by.join('')}`;
}

/** Models that the run before built and the later one was not asked to. */
export function tellLeftOut(question: Question, compared: ToolResult): PartReport {
  const data = read(compared.data);
  const named = namedOf(question, leftOut(data).map(shortName));
  const meant = leftOut(data).filter((node) => named.includes(shortName(node)));
  if (meant.length === 0 && !asksFor(question, 'missing')) return NOTHING;
  const text = leftOutText(data, meant);
  if (text === undefined) return NOTHING;
  return tell({ kind: 'cause', claim: `${text}.`, evidence: [compared.id], confidence: 'high', refuted_by: 'another run that built them' });
}

export function leftOutText(data: Reading, first: readonly string[] = []): string | undefined {
  const left = leftOut(data);
  if (left.length === 0) return undefined;
  const others = left.filter((node) => !first.includes(node));
  const [before, after] = [data.at('before').at('by_status'), data.at('after').at('by_status')];
  const told = [...first, ...others].map((node) => `\`${node}\``);
  return `The later run did not build what the run before it built: ${enumerate(told, 6)}; it has results only for a part, as where nodes are selected (by status ${countsOf(after).join(', ')}; in the run before by status ${countsOf(before).join(', ')})`;
}

function leftOut(data: Reading): readonly string[] {
  const gone = new Set(data.at('nodes_removed').texts('items'));
  const same = data.at('before').text('command') === data.at('after').text('command');
  return same && data.at('changed_nodes').value !== null
    ? data
        .at('only_before')
        .texts('items')
        .filter((node) => isBuilt(node) && !gone.has(node))
    : [];
}

/** The name of a node without what it is and whose: `orders` of `model.shop.orders`. */
export function shortName(node: string): string {
  return node.split('.').at(-1) ?? node;
}

function isBuilt(node: string): boolean {
  return /^(model|seed|snapshot)\./.test(node);
}
