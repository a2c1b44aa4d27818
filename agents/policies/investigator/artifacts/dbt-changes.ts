import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { cite, type Finding, type PartReport } from '../part-report.ts';
import { asksFor, type Question } from '../question/read-question.ts';
import { enumerate, figure, type Reading, read } from '../read-data.ts';

/** What `compare_dbt_runs` says: tests that are gone, models that are slower and what changed in their SQL, new failures. */
export function tellDbtChanges(question: Question, result: ToolResult): PartReport {
  const data = read(result.data);
  const sides = `between the dbt runs of ${figure(data.at('before').text('generated_at'))} and ${figure(data.at('after').text('generated_at'))}`;
  const parts = [
    goneTests(data, { sides, leads: asksFor(question, 'checks', 'wrong', 'duplicates', 'missing') || question.aims.size === 0 }),
    slowerModels(data, { sides, leads: asksFor(question, 'slow') }),
    changedModels(data, { sides, leads: asksFor(question, 'drift', 'wrong', 'duplicates', 'missing', 'failed') }),
    newFailures(data, { sides, leads: asksFor(question, 'failed', 'checks') }),
  ];
  const findings = parts.flatMap((part) => (part ? [{ ...part.finding, evidence: [result.id] }] : []));
  const answer = parts.flatMap((part) => (part?.leads ? [`${part.finding.claim.replace(/\.$/, '')}${cite(result)}.`] : []));
  if (findings.length === 0)
    findings.push({
      kind: 'ruled_out',
      claim: `A change ${sides}: no node is slower, newly failing, gone or changed.`,
      evidence: [result.id],
      confidence: result.complete ? 'high' : 'medium',
    });
  return { answer, detail: [], findings };
}

/** All that `compare_dbt_runs` says changed, one sentence each, the weightiest first. */
export function changeTexts(data: Reading): readonly string[] {
  const telling = { sides: 'between them', leads: true };
  const parts = [goneTests, newFailures, changedModels, slowerModels].map((part) => part(data, telling));
  return [...settingTexts(data), ...parts.flatMap((part) => (part ? [part.finding.claim.replace(/\.$/, '')] : []))];
}

/** How the run itself was called otherwise. */
function settingTexts(data: Reading): string[] {
  const [before, after] = [data.at('before'), data.at('after')];
  const [old, now] = [before.number('threads'), after.number('threads')];
  const anew = [before.flag('full_refresh'), after.flag('full_refresh')];
  return [
    ...(old !== null && now !== null && old !== now ? [`the later run had threads ${now}, the earlier one threads ${old}`] : []),
    ...(anew[0] === false && anew[1] === true ? ['the later run was a full refresh, the earlier one was not'] : []),
    ...(anew[0] === true && anew[1] === false ? ['the earlier run was a full refresh, the later one was not'] : []),
  ];
}

interface Told {
  readonly leads: boolean;
  readonly finding: Omit<Finding, 'evidence'>;
}

interface Telling {
  readonly sides: string;
  readonly leads: boolean;
}

function goneTests(data: Reading, { sides, leads }: Telling): Told | undefined {
  const gone = data.at('tests_disappeared').list('items');
  if (gone.length === 0) return undefined;
  const failing = gone.filter((one) => one.text('status_before') !== null && one.text('status_before') !== 'pass');
  const told = gone.map((one) => {
    const before = one.text('status_before');
    const failures = one.at('failures_before').value;
    const last =
      before === null ? '' : `, was ${before}${failures === undefined || failures === 0 ? '' : ` with ${String(failures)} failures`}`;
    const place = [one.text('of'), one.text('column')].filter((part) => part !== null).join('.');
    return `\`${one.text('test') ?? ''}\` (${place === '' ? '' : `on ${place}, `}${one.text('why') ?? ''}${last})`;
  });
  const green =
    failing.length > 0 ? ' That a run is green now does not mean that the data is: a test that did not pass is no longer asked.' : '';
  const total = data.at('tests_disappeared').number('total') ?? gone.length;
  const claim = `${figure(total)} tests disappeared ${sides}: ${enumerate(told, 6, total)}.${green}`;
  return {
    leads: leads || failing.length > 0,
    finding: {
      kind: leads || failing.length > 0 ? 'cause' : 'observation',
      claim,
      confidence: 'high',
      refuted_by: 'another run that asks the same under another name',
    },
  };
}

function slowerModels(data: Reading, { sides, leads }: Telling): Told | undefined {
  const slower = data.at('slower').list('items');
  if (slower.length === 0) return undefined;
  const changed = data.at('changed_nodes').list('items');
  const unchanged = data.at('changed_nodes').value === null ? '' : ', its SQL did not change';
  const told = slower.slice(0, 5).map((one) => {
    const change = changed.find((other) => other.text('node') === one.text('node'));
    return `${timesText(one)}${rowsText(data, one)}${change ? `, and its ${changeText(change)}` : unchanged}`;
  });
  const known = slower.some((one) =>
    changed.some((other) => other.text('node') === one.text('node') && other.texts('what').includes('sql')),
  );
  return {
    leads,
    finding: {
      kind: leads ? 'cause' : 'observation',
      claim: `Slower ${sides}: ${enumerate(told, 5)}.`,
      confidence: known ? 'high' : 'medium',
      refuted_by: 'the old SQL taking as long on the same data',
    },
  };
}

/** What a slower node took, and what it took before. */
export function timesText(slower: Reading): string {
  const seconds = (key: string): string => String(Math.round(Number(slower.at(key).value) * 1000) / 1000);
  return `\`${slower.text('node') ?? ''}\` took ${seconds('after_s')} s, before ${seconds('before_s')} s`;
}

/** How many rows the node of a change wrote before and after, where that changed too. */
export function rowsChanged(data: Reading, change: Reading): Reading | undefined {
  const rows = data.at('rows_changed').list('items');
  return rows.find((one) => one.text('node') === change.text('node'));
}

export function rowsText(data: Reading, change: Reading): string {
  const row = rowsChanged(data, change);
  return row ? `, its rows went from ${String(row.at('before').value)} to ${String(row.at('after').value)}` : '';
}

/** Models whose definition changed. */
export function changedModels(data: Reading, { sides, leads }: Telling): Told | undefined {
  const changed = data.at('changed_nodes').list('items');
  if (changed.length === 0) return undefined;
  const told = changed.slice(0, 5).map((one) => `\`${one.text('node') ?? ''}\`: ${changeText(one)}`);
  return {
    leads,
    finding: {
      kind: leads ? 'cause' : 'observation',
      claim: `Changed ${sides}, ${figure(data.at('changed_nodes').number('total'))} nodes: ${enumerate(told, 5)}.`,
      confidence: 'medium',
      refuted_by: 'the same result with the old definition',
    },
  };
}

/** `SQL changed (- old line, + new line)`; as they stand. */
export function changeText(one: Reading): string {
  const parts: string[] = [];
  const lines = one.texts('diff');
  if (one.texts('what').includes('sql'))
    parts.push(
      `${/^seed\./.test(one.text('node') ?? '') ? 'its file' : 'SQL'} changed${
        lines.length === 0
          ? ''
          : `: ${lines
              .slice(0, 8)
              .map((line) => `"${line.replace(/\s+/g, ' ').trim()}"`)
              .join(' ; ')}`
      }`,
    );
  const config = one.texts('config');
  if (config.length > 0) parts.push(`settings changed: ${config.slice(0, 4).join('; ')}`);
  const parents = one.texts('parents');
  if (parents.length > 0) parts.push(`inputs changed: ${parents.slice(0, 4).join('; ')}`);
  return parts.join(', ');
}

function newFailures(data: Reading, { sides, leads }: Telling): Told | undefined {
  const failing = data.at('newly_failing').list('items');
  if (failing.length === 0) return undefined;
  const told = failing
    .slice(0, 6)
    .map(
      (one) =>
        `\`${one.text('node') ?? ''}\` (${one.text('before') ?? ''}, now ${one.text('after') ?? ''}${one.text('message') === null ? '' : `: ${one.text('message')?.slice(0, 160)}`})`,
    );
  return {
    leads,
    finding: {
      kind: 'observation',
      claim: `Newly failing ${sides}: ${enumerate(told, 6, data.at('newly_failing').number('total') ?? told.length)}.`,
      confidence: 'high',
    },
  };
}
