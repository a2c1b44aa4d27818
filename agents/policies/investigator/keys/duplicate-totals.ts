import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { callIfOffered, idsOf, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { type Reading, read } from '../read-data.ts';
import { askSql, literal, quoted } from '../tables/ask-sql.ts';
import type { ListedTable } from '../tables/choose-tables.ts';

interface TotalsRequest {
  readonly question: Question;
  readonly table: ListedTable;
  /** That of the copies in all of the table. */
  readonly result: ToolResult;
}

const MOST_SUMS = 4;

/** What the copies add to totals; of the one load that the question dates, where a load column tells. */
export async function totalsOf(play: Play, { question, table, result }: TotalsRequest): Promise<PartReport> {
  const data = read(result.data);
  const where = datedLoad(question, data);
  const narrowed = where
    ? await callIfOffered(play, 'find_duplicates', { table: table.name, source: table.source, key: data.texts('key'), where })
    : undefined;
  const measured = usable(narrowed) ? narrowed : result;
  const told = await Promise.all(
    read(measured.data)
      .list('sums')
      .slice(0, MOST_SUMS)
      .map((sum) => tellSum(play, table, sum)),
  );
  if (told.length === 0) return NOTHING;
  const claim = `Totals${where ? ` where ${where}` : ''}: ${told.map(({ text }) => text).join('; ')}.`;
  return tell({ kind: 'observation', claim, evidence: idsOf(measured, ...told.map(({ right }) => right)), confidence: 'high' });
}

async function tellSum(play: Play, { source }: ListedTable, sum: Reading) {
  const [all, extra] = [String(sum.at('all_rows').value), String(sum.at('extra_copies').value)];
  const isPlain = [all, extra].every((text) => /^-?\d+(\.\d+)?$/.test(text));
  const right = isPlain ? await askSql(play, source, `SELECT ${all} - (${extra})`) : undefined;
  const without = right?.rows[0]?.[0];
  const text = `\`${sum.text('column')}\` ${all} in all, of which ${extra} by the extra copies${without === undefined ? '' : `, ${String(without)} without them`}`;
  return { text, right };
}

/** A predicate for the load of the day that the question names. */
function datedLoad(question: Question, data: Reading): string | undefined {
  for (const day of question.days) {
    for (const column of data.list('by_load')) {
      const name = column.text('column') ?? '';
      const fitting = column.list('values').filter((one) => holdsDay(one.text('value') ?? '', day));
      const value = fitting[0]?.text('value');
      if (fitting.length === 1 && value && !/_at$|time/i.test(name)) return `${quoted(name)} = ${literal(value)}`;
    }
  }
  return undefined;
}

/** Whether a text holds a date of that day, which is named without a year or a month, perhaps. */
function holdsDay(text: string, day: string): boolean {
  return (text.match(/(?:\d{4})?-?\d\d-\d\d(?!\d)/g) ?? []).some((date) => date.endsWith(day));
}
