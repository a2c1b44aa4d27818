import type { Play } from '../../../src/core/policy.ts';
import { callIfOffered, type PartReport, usable } from '../investigator/part-report.ts';
import type { Question } from '../investigator/question/read-question.ts';
import { capital, enumerate, type Reading, read } from '../investigator/read-data.ts';
import type { LookedAt } from '../investigator/tables/look-at-tables.ts';
import { say } from './say.ts';
import { type PlainRequest, spokenColumns } from './target-table.ts';

const SHOWN = 40;

/** Which tables there are, by source. */
export function answerTables({ tables, listed }: PlainRequest): PartReport {
  const sources = [...new Set(tables.map(({ source }) => source))];
  const told = sources.map((source) => {
    const own = tables.filter((table) => table.source === source);
    const named = own.map(({ name, rows }) => `\`${name}\`${rows === null ? '' : ` (${rows} rows)`}`);
    return `source \`${source}\` holds ${own.length === 1 ? 'one table' : `${own.length} tables`}: ${enumerate(named, SHOWN)}`;
  });
  return say(capital(told.join('; ')), listed);
}

/** The columns of a table with their types; of one column its type alone. */
export async function answerColumns(play: Play, question: Question, { table, ...looked }: LookedAt): Promise<PartReport | undefined> {
  const described = await callIfOffered(play, 'describe_table', { table: table.name, source: table.source });
  if (!usable(described)) return undefined;
  const columns = read(described.data).list('columns');
  const typed = (column: Reading): string => `\`${column.text('name') ?? ''}\` ${(column.text('type') ?? 'unknown').toLowerCase()}`;
  const [asked] = / types? /.test(question.plain) ? spokenColumns(question, { table, ...looked }) : [];
  const one = asked && columns.find((column) => column.text('name') === asked.text('name'));
  if (one) return say(`${typed(one)} is the type of that column of \`${table.name}\``, described.id);
  const total = described.total ?? columns.length;
  return say(
    `\`${table.name}\` has ${total === 1 ? 'one column' : `${total} columns`}: ${enumerate(columns.map(typed), SHOWN)}`,
    described.id,
  );
}
