import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { callIfOffered, cite, type Finding, mergeReports, NOTHING, type PartReport, usable } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { enumerate, figure, type Reading, read } from '../read-data.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const MOST_TABLES = 3;

/** Whether the question is how old the data is. */
export function asksForAge({ text }: Question): boolean {
  return /\b(stale|fresh\w*|up[ -]to[ -]date|out of date|outdated|how old|not (been )?(updated|refreshed|loaded)|last (update|load|refresh)\w*|yesterday's data)\b/i.test(
    text,
  );
}

/** How old the newest plausible value of each table is; what would only make it look fresh is set aside. */
export async function examineFreshness(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const dated = looked.filter(({ happened, loaded }) => (happened ?? loaded) !== undefined).slice(0, MOST_TABLES);
  const reports = await Promise.all(
    dated.map(async ({ table }) => {
      const result = await callIfOffered(play, 'freshness', { table: table.name, source: table.source });
      return usable(result) ? tell(result) : NOTHING;
    }),
  );
  return mergeReports(reports);
}

function tell(result: ToolResult): PartReport {
  const data = read(result.data);
  const told = data.list('columns').map(columnText);
  if (told.length === 0) return NOTHING;
  const claim = `Of \`${data.text('table') ?? ''}\`, as of ${figure(data.text('as_of'))}: ${enumerate(told, 4)}`;
  const finding: Finding = { kind: 'observation', claim: `${claim}.`, evidence: [result.id], confidence: 'high' };
  return { answer: [`${claim}${cite(result)}.`], detail: [], findings: [finding] };
}

function columnText(column: Reading): string {
  const aside = [
    ...(column.at('future').number('rows') === null ? [] : [`${figure(column.at('future').number('rows'))} rows in the future set aside`]),
    ...(column.at('sentinels').number('rows') === null
      ? []
      : [`${figure(column.at('sentinels').number('rows'))} rows with sentinel dates set aside`]),
  ];
  return `the newest \`${column.text('column') ?? ''}\` is ${String(column.at('newest').value)}, age ${figure(column.text('age'))}${aside.length === 0 ? '' : ` (${aside.join(', ')})`}`;
}
