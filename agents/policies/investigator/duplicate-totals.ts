import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import type { ListedTable } from './choose-tables.ts';
import { callIfOffered, type PartReport, usable } from './part-report.ts';
import { type Reading, read } from './read-data.ts';
import type { Question } from './read-question.ts';

interface TotalsRequest {
  readonly question: Question;
  readonly table: ListedTable;
  readonly data: Reading;
}

/** What the copies add to totals; of the one load that the question dates, where a load column tells. */
export async function totalsOf(play: Play, { question, table, data }: TotalsRequest): Promise<PartReport> {
  const where = datedLoad(question, data);
  const narrowed = where
    ? await callIfOffered(play, 'find_duplicates', { table: table.name, source: table.source, key: data.texts('key'), where })
    : undefined;
  const measured = usable(narrowed) ? read(narrowed.data) : data;
  const sums = measured.list('sums').slice(0, 4);
  const told = await Promise.all(
    sums.map(async (sum) => {
      const [all, extra] = [String(sum.at('all_rows').value), String(sum.at('extra_copies').value)];
      const plain = /^-?\d+(\.\d+)?$/;
      const right =
        plain.test(all) && plain.test(extra)
          ? await callIfOffered(play, 'query_sql', { source: table.source, sql: `SELECT ${all} - (${extra})` })
          : undefined;
      const value = usable(right) ? firstRow(right)[0] : undefined;
      const without = value === undefined ? '' : `, ${value} without them`;
      return {
        text: `\`${sum.text('column')}\` ${all} in all, of which ${extra} by the extra copies${without}`,
        id: usable(right) ? right.id : '',
      };
    }),
  );
  if (told.length === 0) return { answer: [], detail: [], findings: [] };
  const scope = where ? ` where ${where}` : '';
  const claim = `Totals${scope}: ${told.map(({ text }) => text).join('; ')}`;
  const evidence = [...(usable(narrowed) ? [narrowed.id] : []), ...told.map(({ id }) => id)].filter((id) => id !== '');
  return {
    answer: [`${claim}${evidence.map((id) => ` [${id}]`).join('')}.`],
    detail: [],
    findings: evidence.length === 0 ? [] : [{ kind: 'observation', claim: `${claim}.`, evidence, confidence: 'high' }],
  };
}

/** A predicate for the load of the day that the question names. */
function datedLoad(question: Question, data: Reading): string | undefined {
  for (const day of question.days) {
    for (const column of data.list('by_load')) {
      const name = column.text('column') ?? '';
      const fitting = column
        .list('values')
        .filter((one) => typeof one.at('value').value === 'string' && String(one.at('value').value).includes(day));
      const value = fitting[0]?.text('value');
      if (fitting.length === 1 && value && !/_at$|time/i.test(name))
        return `"${name.replaceAll('"', '""')}" = '${value.replaceAll("'", "''")}'`;
    }
  }
  return undefined;
}

/** The first row that a query answered, as text. */
export function firstRow(result: ToolResult): readonly string[] {
  const rows = read(result.data).at('rows').value;
  const [row] = Array.isArray(rows) ? rows : [];
  return Array.isArray(row) ? row.map(String) : [];
}
