import type { Play } from '../../../src/core/policy.ts';
import { cite, recordFindings } from '../investigator/part-report.ts';
import { enumerate } from '../investigator/read-data.ts';
import type { NamedTable } from '../table-profiler/examine-table.ts';
import type { TableList } from '../table-profiler/list-tables.ts';

/** What a design found of one table: plain facts, the first of them the table's summary. */
export interface TableReport {
  readonly table: string;
  readonly facts: readonly string[];
  readonly evidence: readonly string[];
  readonly remedies: readonly string[];
  /** Why this table's facts are not whole, if so. */
  readonly gap?: string;
}

/** The most tables that one run looks at. */
export const MOST_TABLES = 60;

/** The tables to look at, and how many are left out. */
export function chosenTables<Table extends NamedTable>(tables: readonly Table[], left: number) {
  return { chosen: tables.slice(0, MOST_TABLES), left: left + Math.max(0, tables.length - MOST_TABLES) };
}

/** Records each fact as a finding and answers the report: counts, what is odd, what can be done, what was not looked at. */
export async function concludeReport(
  play: Play,
  reports: readonly TableReport[],
  { left, failed, result }: Pick<TableList, 'left' | 'failed' | 'result'>,
): Promise<string> {
  const gaps = reports.flatMap(({ table, gap }) => (gap === undefined ? [] : [`\`${table}\`: ${gap}`]));
  const missing = [
    ...failed.map((why) => `a source that gave no table: ${why}`),
    ...gaps,
    ...(left > 0 ? [`${left} tables that one run does not reach`] : []),
  ];
  await recordFindings(play, [
    ...reports.flatMap(({ facts, evidence }) =>
      facts.map((claim) => ({ kind: 'observation' as const, claim: `${claim}.`, evidence, confidence: 'high' as const })),
    ),
    ...missing.map((claim) => ({
      kind: 'not_checked' as const,
      claim: `${claim}.`,
      evidence: failed.length > 0 ? [result] : [],
      confidence: 'low' as const,
    })),
  ]);
  const odd = reports.filter(({ facts }) => facts.length > 1);
  const clean = reports.filter(({ facts, gap }) => facts.length <= 1 && gap === undefined).map(({ table }) => `\`${table}\``);
  const told = odd.flatMap(({ facts, evidence }) => facts.slice(1).map((fact) => `- ${fact} [${evidence.join(', ')}]`));
  const todo = reports.flatMap(({ remedies }) => remedies);
  return [
    headline(reports.filter(({ facts }) => facts.length > 0).length, odd.length, missing.length),
    ...told,
    ...(todo.length > 0 ? ['', 'What can be done:', ...todo.map((remedy) => `- ${remedy}`)] : []),
    ...(clean.length > 0 ? ['', `Nothing odd in ${enumerate(clean, MOST_TABLES)}.`] : []),
    ...(missing.length > 0 ? ['', `Not checked: ${missing.join('; ')}${failed.length > 0 ? cite({ id: result }) : ''}.`] : []),
  ].join('\n');
}

function headline(profiled: number, odd: number, missing: number): string {
  if (profiled === 0) return missing === 0 ? 'The sources hold no table: nothing was checked.' : 'No table could be looked at.';
  const tables = profiled === 1 ? 'One table was profiled' : `${profiled} tables were profiled`;
  if (odd === 0 && missing > 0) return `${tables}; not all could be read, see below.`;
  if (odd === 0) return `${tables}; ${profiled === 1 ? 'it holds nothing odd' : 'none holds anything odd'}.`;
  return `${tables}; ${odd === 1 ? `${profiled === 1 ? 'it' : 'one'} holds` : `${odd} hold`} something odd.`;
}
