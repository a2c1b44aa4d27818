import type { Play } from '../../../src/core/policy.ts';
import { usable } from '../investigator/part-report.ts';
import { read } from '../investigator/read-data.ts';
import type { TableFact } from './table-facts.ts';

/** What is missing in more than this part of all places is no gap: the table is not meant to be full. */
const FULL_FROM = 0.8;

export interface GapRequest {
  readonly table: string;
  readonly source?: string | undefined;
  readonly day: string | null;
  readonly pair: readonly [string, string] | undefined;
}

/** Days without rows, and pairs of a two-column key that almost all others have: what did not come. */
export async function findGaps(play: Play, request: GapRequest): Promise<TableFact[]> {
  if (!play.tools.has('query_sql')) return [];
  const ask = async (sql: string) => {
    const result = await play.call('query_sql', { sql, ...(request.source ? { source: request.source } : {}), max_rows: 3 });
    return usable(result) ? { id: result.id, rows: rowsOf(result.data) } : undefined;
  };
  const [days, pairs] = await Promise.all([
    request.day === null ? undefined : ask(daysSql(request.table, request.day)),
    request.pair ? ask(pairsSql(request.table, request.pair)) : undefined,
  ]);
  const odd: TableFact[] = [];
  const [missingDays = 0, allDays = 0] = (days?.rows[0] ?? []).map(Number);
  if (days && isGap(missingDays, allDays))
    odd.push({
      text: `in \`${request.table}\` ${missingDays} of ${allDays} days ${missingDays === 1 ? 'has' : 'have'} no row (\`${request.day}\`)`,
      evidence: [days.id],
      remedy: `\`${request.table}\`: ask the sender for the days without rows and load them`,
    });
  const [missing = 0, all = 0] = (pairs?.rows[0] ?? []).map(Number);
  if (!pairs || !request.pair || !isGap(missing, all)) return odd;
  const example = await ask(missingSql(request.table, request.pair));
  const [first] = example?.rows ?? [];
  const name = request.pair.join(', ');
  return [
    ...odd,
    {
      text: `in \`${request.table}\` ${missing} of ${all} pairs of \`${name}\` ${missing === 1 ? 'is' : 'are'} missing${first ? `, e.g. ${first.join(' / ')}` : ''}`,
      evidence: [pairs.id, example?.id ?? ''],
      remedy: `\`${request.table}\`: ask the sender for the missing pairs of \`${name}\` and load them`,
    },
  ];
}

function isGap(missing: number, all: number): boolean {
  return missing > 0 && all > 0 && missing <= all * (1 - FULL_FROM);
}

function daysSql(table: string, day: string): string {
  const date = `CAST(${quote(day)} AS DATE)`;
  const span = `MAX(${date}) - MIN(${date}) + 1`;
  return `SELECT ${span} - COUNT(DISTINCT ${date}) AS missing, ${span} AS days FROM ${quoteTable(table)}`;
}

function pairsSql(table: string, [first, second]: readonly [string, string]): string {
  const all = `COUNT(DISTINCT ${quote(first)}) * COUNT(DISTINCT ${quote(second)})`;
  const present = `(SELECT COUNT(*) FROM (SELECT DISTINCT ${quote(first)}, ${quote(second)} FROM ${quoteTable(table)}) AS present)`;
  return `SELECT ${all} - ${present} AS missing, ${all} AS pairs FROM ${quoteTable(table)}`;
}

function missingSql(table: string, [first, second]: readonly [string, string]): string {
  const distinct = (column: string): string => `(SELECT DISTINCT ${quote(column)} AS value FROM ${quoteTable(table)})`;
  const same = `present.${quote(first)} = one.value AND present.${quote(second)} = two.value`;
  return `SELECT one.value, two.value FROM ${distinct(first)} AS one CROSS JOIN ${distinct(second)} AS two WHERE NOT EXISTS (SELECT 1 FROM ${quoteTable(table)} AS present WHERE ${same}) ORDER BY 1, 2`;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Plain names, with or without a schema, stand as they are; all others (files among them) are one name. */
export function quoteTable(table: string): string {
  return /^[A-Za-z_]\w*\.[A-Za-z_]\w*$/.test(table) ? table : quote(table);
}

function rowsOf(data: unknown): readonly (readonly string[])[] {
  const { value } = read(data).at('rows');
  return Array.isArray(value) ? value.map((row) => (Array.isArray(row) ? row.map(String) : [])) : [];
}
