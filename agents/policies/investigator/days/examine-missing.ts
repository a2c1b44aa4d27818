import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { seriesName } from '../files/series-of.ts';
import { callIfOffered, cite, type Finding, mergeReports, NOTHING, type PartReport, usable } from '../part-report.ts';
import { enumerate, figure, type Reading, read } from '../read-data.ts';
import { dayOf, isKey, isTime, nameOf, quoted, withoutMatch } from '../tables/ask-sql.ts';
import type { ListedTable } from '../tables/choose-tables.ts';
import { type ProfiledTable, readProfile } from '../tables/describe-profile.ts';
import { examineLateness } from './examine-lateness.ts';
import { findElsewhere } from './find-elsewhere.ts';

interface Pair {
  readonly whole: ProfiledTable;
  readonly part: ProfiledTable;
  readonly key: string;
  readonly source: string;
}

/** Rows of one table that another lacks: how many, of which days, worth what, and whether they came late. */
export async function examineMissing(
  play: Play,
  tables: readonly ListedTable[],
  all: readonly ListedTable[] = tables,
): Promise<PartReport> {
  const pair = await findPair(play, tables);
  if (!pair) return NOTHING;
  const { whole, part, key, source } = pair;
  const without = withoutMatch({ table: whole.table, column: key, other: part.table, key });
  const amounts = whole.columns.filter(
    (column) => column.at('sum').value !== null && column.at('sum').value !== undefined && nameOf(column) !== key,
  );
  const times = whole.columns.filter(isTime);
  const loaded = times.find((column) => /load|arriv|ingest|insert|receiv/i.test(nameOf(column)));
  const happened = times.find((column) => column !== loaded);
  const sums = amounts.map((column) => `, SUM(l.${quoted(nameOf(column))})`).join('');
  const sql = (text: string): Promise<ToolResult | undefined> => callIfOffered(play, 'query_sql', { source, sql: text, max_rows: 100 });
  const late = loaded && happened ? `l.${quoted(nameOf(loaded))} - l.${quoted(nameOf(happened))}` : undefined;
  const [counted, days, lateness, present] = await Promise.all([
    sql(`SELECT COUNT(*)${sums} ${without}`),
    happened && sql(`SELECT ${dayOf(happened, 'l.')}, COUNT(*) ${without} GROUP BY 1 ORDER BY 1`),
    late === undefined ? undefined : sql(`SELECT CAST(MIN(${late}) AS VARCHAR), CAST(MAX(${late}) AS VARCHAR) ${without}`),
    late === undefined ? undefined : sql(`SELECT CAST(MAX(${late}) AS VARCHAR) ${without.replace('NOT EXISTS', 'EXISTS')}`),
  ]);
  if (!usable(counted)) return NOTHING;
  const [[lacking = 0] = []] = rowsOf(counted);
  if (Number(lacking) === 0) return nothingMissing(pair, counted);
  // Tables that share few rows are not one made of the other.
  const [wholeRows, partRows] = [whole.rows ?? 0, part.rows ?? 0];
  if ((wholeRows - Number(lacking)) * 2 < Math.min(wholeRows, partRows)) return NOTHING;
  const report = tell(pair, { counted, days, lateness, present, amounts: amounts.map(nameOf), happened: happened && nameOf(happened) });
  const table = tables.find(({ name, source: owner }) => name === whole.table && owner === source);
  const elsewhere = await findElsewhere(play, { all, whole, part, key, source });
  const behind = table ? await examineLateness(play, { whole: table, all, missing: String(lacking) }) : NOTHING;
  return mergeReports([report, elsewhere, behind]);
}

function nothingMissing({ whole, part, key }: Pair, counted: { readonly id: string }): PartReport {
  const claim = `Rows of \`${whole.table}\` that \`${part.table}\` lacks by \`${key}\`: none.`;
  return { ...NOTHING, findings: [{ kind: 'ruled_out', claim, evidence: [whole.result, part.result, counted.id], confidence: 'high' }] };
}

interface Told {
  readonly counted: ToolResult;
  readonly days: ToolResult | undefined;
  readonly lateness: ToolResult | undefined;
  readonly present: ToolResult | undefined;
  readonly amounts: readonly string[];
  readonly happened: string | undefined;
}

function tell({ whole, part, key }: Pair, told: Told): PartReport {
  const [row = []] = rowsOf(told.counted);
  const worth = told.amounts.map((name, index) => `total of \`${name}\` ${String(row[index + 1])}`);
  const head = `\`${whole.table}\` has ${figure(whole.rows)} rows and \`${part.table}\` ${figure(part.rows)}; ${String(row[0])} rows of \`${whole.table}\` are not in \`${part.table}\` by \`${key}\`${worth.length > 0 ? ` (${worth.join(', ')})` : ''}`;
  const days = rowsOf(told.days).map(([day, count]) => `${String(day)}: ${String(count)}`);
  const byDay = days.length === 0 ? [] : [`By day of \`${told.happened}\`: ${enumerate(days, 40)}${cite(told.days)}.`];
  const findings: Finding[] = [
    { kind: 'observation', claim: `${head}.`, evidence: [whole.result, part.result, told.counted.id], confidence: 'high' },
    ...(days.length > 0
      ? [
          {
            kind: 'observation',
            claim: `Missing rows by day of \`${told.happened}\`: ${enumerate(days, 40)}.`,
            evidence: [told.days?.id ?? ''],
            confidence: 'high',
          } as const,
        ]
      : []),
    ...lateFindings(told),
  ];
  const late = findings.find((finding) => finding.kind === 'cause');
  const answer = [`${head}${cite({ id: whole.result }, { id: part.result }, told.counted)}.`, ...byDay];
  return { answer: late ? [...answer, `${late.claim}${cite(told.lateness, told.present)}`] : answer, detail: [], findings };
}

function lateFindings({ lateness, present }: Told): Finding[] {
  if (!usable(lateness)) return [];
  const [[low, high] = []] = rowsOf(lateness);
  const [[usual] = []] = rowsOf(present);
  if (low === null || low === undefined) return [];
  return [
    {
      kind: 'cause',
      claim: `The missing rows came between ${String(low)} and ${String(high)} after the time they are of; of the rows that are there the latest came ${String(usual ?? 'unknown')} after it. A load that takes only rows newer than the newest it has leaves such late rows out, and running it again brings none back.`,
      evidence: [lateness.id, present?.id ?? ''],
      confidence: 'medium',
      refuted_by: 'missing rows that arrived before the load that should have taken them',
    },
  ];
}

function rowsOf(result: ToolResult | undefined): readonly (readonly unknown[])[] {
  const rows = read(result?.data).at('rows').value;
  return Array.isArray(rows) ? rows.filter(Array.isArray) : [];
}

/** Two of the tables that share a key: a column of the same name that tells the rows of the larger one apart. */
async function findPair(play: Play, tables: readonly ListedTable[]): Promise<Pair | undefined> {
  const results = await Promise.all(
    tables.slice(0, 6).map((table) => callIfOffered(play, 'profile_table', { table: table.name, source: table.source })),
  );
  const profiles = results.flatMap((result, index) =>
    usable(result) ? [{ profile: readProfile(result), source: tables[index]?.source ?? '' }] : [],
  );
  const bySize = profiles.sort((left, right) => (right.profile.rows ?? 0) - (left.profile.rows ?? 0));
  for (const { profile: whole, source } of bySize) {
    for (const { profile: part, source: other } of bySize) {
      if (
        part === whole ||
        source !== other ||
        seriesName({ source, name: part.table }) === seriesName({ source, name: whole.table }) ||
        (part.rows ?? 0) > (whole.rows ?? 0)
      )
        continue;
      const key = whole.columns.find(
        (column) =>
          column.number('distinct') === whole.rows &&
          !isTime(column) &&
          (isKey(column) || sharedColumns(whole, part) > 1) &&
          (!/^id$/i.test(nameOf(column)) || sharedColumns(whole, part) * 2 > part.columns.length) &&
          part.columns.some((one) => nameOf(one) === nameOf(column) && !isChild({ whole, part, key: one })),
      );
      if (key) return { whole, part, key: nameOf(key), source };
    }
  }
  return undefined;
}

function sharedColumns(whole: ProfiledTable, part: ProfiledTable): number {
  return part.columns.filter((column) => whole.columns.some((one) => nameOf(one) === nameOf(column))).length;
}

/** A table of something else that refers to the whole (lines to products) need not hold each of its keys, and may hold one often. */
function isChild({ whole, part, key }: { readonly whole: ProfiledTable; readonly part: ProfiledTable; readonly key: Reading }): boolean {
  const distinct = key.number('distinct') ?? 0;
  const own = part.columns.some((column) => column !== key && isKey(column) && column.number('distinct') === part.rows);
  const few = sharedColumns(whole, part) * 2 < part.columns.length;
  return few && (own || distinct * 1.2 < (part.rows ?? 0));
}
