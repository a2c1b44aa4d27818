import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { examineRedelivery } from '../files/examine-redelivery.ts';
import {
  callIfOffered,
  cite,
  type Finding,
  mergeReports,
  NOTHING,
  notChecked,
  type PartReport,
  tell,
  usable,
  whyUnread,
} from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { enumerate, figure, type Reading, read } from '../read-data.ts';
import { askSql, quoted } from '../tables/ask-sql.ts';
import { type ListedTable, relatives } from '../tables/choose-tables.ts';
import { totalsOf } from './duplicate-totals.ts';
import { tellLoadingRun } from './loading-run.ts';

const MOST_TABLES = 6;

export interface DuplicateRequest {
  readonly question: Question;
  /** Tables to look at. */
  readonly chosen: readonly ListedTable[];
  readonly all: readonly ListedTable[];
}

/** Tells real duplicates from new versions and look-alikes, by which load they came, and what they add to totals. */
export async function examineDuplicates(play: Play, { question, chosen, all }: DuplicateRequest): Promise<PartReport> {
  const tables = chosen.slice(0, MOST_TABLES);
  const results = await Promise.all(
    tables.map((table) => callIfOffered(play, 'find_duplicates', { table: table.name, source: table.source })),
  );
  const reports: PartReport[] = [];
  for (const [index, table] of tables.entries()) {
    const result = results[index];
    if (usable(result)) reports.push(await tellDuplicates(play, { question, table, all, result }));
    else reports.push(notChecked(`Duplicates in \`${table.name}\`: ${whyUnread(result) ?? 'no tool to find them is on offer'}`));
  }
  const left = chosen.slice(MOST_TABLES).map((table) => `\`${table.name}\``);
  if (left.length > 0) reports.push(notChecked(`Duplicates in ${enumerate(left)}.`));
  const told = tables.length > 1 ? copiesFirst(reports) : mergeReports(reports);
  return mergeReports([await examineRedelivery(play, chosen), told]);
}

/** Of several tables, those with copies are told of, and the others named together. */
function copiesFirst(reports: readonly PartReport[]): PartReport {
  const hasCopies = (report: PartReport): boolean => report.findings.some((finding) => finding.kind === 'cause');
  const single = reports.filter((report) => !hasCopies(report) && report.answer.length > 0);
  const names = single.map((report) => /`[^`]*`/.exec(report.answer[0] ?? '')?.[0] ?? '');
  const ids = single.flatMap((report) => report.findings[0]?.evidence ?? []).map((id) => ` [${id}]`);
  const none = names.length === 0 ? [] : [`In ${enumerate(names)} no row is a copy of another${ids.join('')}.`];
  const all = mergeReports(reports);
  return { ...all, answer: [...reports.filter(hasCopies).flatMap((report) => report.answer), ...none] };
}

export interface TableRequest {
  readonly question: Question;
  readonly table: ListedTable;
  readonly all: readonly ListedTable[];
  readonly result: ToolResult;
  /** Which of its rows were looked at, said behind their count; all of them unless given. */
  readonly within?: string;
}

/** Rows that are copies of another, exact or but for how they were loaded. */
export function copiesIn(result: ToolResult): number {
  const data = read(result.data);
  return (data.number('exact_copies') ?? 0) + (data.number('reload_copies') ?? 0);
}

/** What a search for duplicates found in one table. */
export async function tellDuplicates(play: Play, { question, table, all, result, within = '' }: TableRequest): Promise<PartReport> {
  const data = read(result.data);
  const key = data.texts('key').map((name) => `\`${name}\``);
  const [copies, reloads] = [data.number('exact_copies') ?? 0, data.number('reload_copies') ?? 0];
  const base = `of ${figure(data.number('rows'))} rows${within} with ${figure(data.number('distinct_keys'))} distinct values of ${enumerate(key)}`;
  const whole = `\`${table.name}\` has ${base.slice(3).replace(' with ', ' and ')}`;
  const from = data.text('key_from') === 'proposed' ? ', the key that the data suggest' : '';
  if (copies + reloads === 0) return noCopies({ base: `${whole}${from}`, data, table, result });
  const said = [
    ...(copies > 0
      ? [
          `${copies} ${copies === 1 ? 'row' : 'rows'} of \`${table.name}\` ${copies === 1 ? 'is an exact copy' : 'are exact copies'} of another`,
        ]
      : []),
    ...(reloads > 0
      ? [
          `${reloads} ${reloads === 1 ? 'row' : 'rows'} of \`${table.name}\` ${reloads === 1 ? 'is a copy' : 'are copies'} of another but for ${enumerate(data.texts('load_columns').map((name) => `\`${name}\``))}`,
        ]
      : []),
  ];
  const claim = `${enumerate(said)} (${base}${from})${loadText(data)}`;
  const [totals, others, loading] = await Promise.all([
    totalsOf(play, { question, table, result }),
    countRelatives(play, { table, all, data }),
    tellLoadingRun(play, table, result),
  ]);
  const examples = data.list('sample_copies').flatMap((sample) => {
    const values = sample.at('key').value;
    return Array.isArray(values) ? [`${values.join(', ')} (${figure(sample.number('rows'))} rows)`] : [];
  });
  const shown =
    examples.length > 0 ? [`For example ${key.length === 1 ? `${key.join()} ` : ''}${enumerate(examples, 3)}${cite(result)}.`] : [];
  return mergeReports([
    {
      answer: [`${claim}${cite(result)}.`, ...shown],
      detail: [],
      findings: [
        {
          kind: 'cause',
          claim: `${claim}.`,
          evidence: [result.id],
          confidence: 'high',
          refuted_by: 'rows of the two loads that differ in more than how they were loaded',
        },
      ],
    },
    loading,
    totals,
    others,
    notDuplicates(data, result),
  ]);
}

function noCopies({ base, data, table, result }: { base: string; data: Reading; table: ListedTable; result: ToolResult }): PartReport {
  const claim = `${base}: no row is a copy of another`;
  const findings: Finding[] = [
    { kind: 'ruled_out', claim: `Duplicates in \`${table.name}\`: ${claim}.`, evidence: [result.id], confidence: 'high' },
  ];
  return mergeReports([{ answer: [`${claim}${cite(result)}.`], detail: [], findings }, notDuplicates(data, result)]);
}

/** By which load the extra copies came: columns of which some values only ever brought extra copies. */
function loadText(data: Reading): string {
  const columns = data.list('by_load');
  const named = columns.filter((column) => !/_at$|time|date/i.test(column.text('column') ?? ''));
  const told = (named.length > 0 ? named : columns).flatMap((column) => {
    const values = column.list('values').map((one) => ({
      value: String(one.at('value').value),
      kept: one.number('kept') ?? 0,
      extra: one.number('extra') ?? 0,
    }));
    const extra = values.filter((one) => one.extra > 0);
    if (extra.length === 0 || extra.length > 4) return [];
    return [
      enumerate(
        extra.map((one) => `\`${column.text('column')}\` ${one.value}: ${one.extra} extra, ${one.kept} kept`),
        4,
      ),
    ];
  });
  return told.length === 0 ? '' : `; by load: ${told.join('; ')}`;
}

/** New versions of a row and rows that only look alike are no duplicates, and deleting them would lose data. */
function notDuplicates(data: Reading, result: ToolResult): PartReport {
  const [versions, alike] = [data.number('versions') ?? 0, data.at('lookalikes').number('rows') ?? 0];
  const said = [
    ...(versions > 0
      ? [
          `${versions} rows are a second version of a row (${enumerate(data.list('version_columns').map((one) => `\`${one.text('column')}\``))} differ)`,
        ]
      : []),
    ...(alike > 0 ? [`${alike} rows look like another but have a key of their own`] : []),
  ];
  if (said.length === 0) return NOTHING;
  const claim = `Not duplicates: ${enumerate(said)}`;
  return tell({ kind: 'ruled_out', claim: `${claim}.`, evidence: [result.id], confidence: 'high' });
}

/** How many rows a table of kindred name holds, such as the source that it was loaded from. */
async function countRelatives(
  play: Play,
  { table, all, data }: { readonly table: ListedTable; readonly all: readonly ListedTable[]; readonly data: Reading },
): Promise<PartReport> {
  const [key] = data.texts('key');
  if (key === undefined || data.texts('key').length > 1) return NOTHING;
  const kindred = relatives(table, all)
    .filter((other) => other.source === table.source)
    .slice(0, 2);
  const counted = await Promise.all(
    kindred.map(({ source, name }) => askSql(play, source, `SELECT COUNT(*), COUNT(DISTINCT ${quoted(key)}) FROM ${quoted(name)}`)),
  );
  const findings = counted.flatMap((result, index): Finding[] => {
    if (!result) return [];
    const [rows, keys] = result.rows[0] ?? [];
    const claim = `\`${kindred[index]?.name}\` has ${String(rows)} rows and ${String(keys)} distinct values of \`${key}\`.`;
    return [{ kind: 'observation', claim, evidence: [result.id], confidence: 'high' }];
  });
  return { ...NOTHING, findings };
}
