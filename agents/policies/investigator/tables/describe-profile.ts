import type { Finding } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { enumerate, figure, type Reading, read } from '../read-data.ts';
import { isKey } from './ask-sql.ts';
import { speaksOf } from './choose-tables.ts';

export interface ProfiledTable {
  readonly result: string;
  readonly complete: boolean;
  readonly table: string;
  readonly rows: number | null;
  readonly columns: readonly Reading[];
}

export function readProfile(result: { readonly id: string; readonly complete: boolean; readonly data: unknown }): ProfiledTable {
  const data = read(result.data);
  return {
    result: result.id,
    complete: result.complete,
    table: data.text('table') ?? '',
    rows: data.number('rows'),
    columns: data.list('columns'),
  };
}

const isTime = (column: Reading): boolean => /date|time/i.test(column.text('type') ?? '');
const isNumber = (column: Reading): boolean => /int|decimal|numeric|double|float|real/i.test(column.text('type') ?? '') && !isTime(column);

/** One line: rows, columns with types, ranges and totals. */
export function profileLine(profile: ProfiledTable, question: Question): string {
  const types = profile.columns.map((column) => `${column.text('name')} ${(column.text('type') ?? '').toLowerCase()}`);
  const wanted = columnsInQuestion(profile, question);
  const figures = wanted.map((column) => columnFigures(column));
  return `\`${profile.table}\`: ${figure(profile.rows)} rows, ${profile.columns.length} columns (${enumerate(types, 12)})${figures.length > 0 ? `; ${figures.join('; ')}` : ''}`;
}

/** The columns that the question names, or of the kind it asks for; else those with a range or a total. */
function columnsInQuestion(profile: ProfiledTable, question: Question): readonly Reading[] {
  const { plain } = question;
  const wanted = profile.columns.filter(
    (column) =>
      speaksOf(question, column.text('name') ?? '') ||
      (isTime(column) && / (date|dates|timestamp|timestamps|time|times|range) /.test(plain)) ||
      (isNumber(column) && !isKey(column) && / (total|sum|amount|revenue) /.test(plain)) ||
      (isKey(column) && / (id|ids|distinct|largest|key|keys) /.test(plain)),
  );
  return wanted.length > 0
    ? wanted
    : profile.columns.filter((column) => isTime(column) || (isNumber(column) && !isKey(column))).slice(0, 6);
}

function columnFigures(column: Reading): string {
  const cell = (key: string): string | null => {
    const { value } = column.at(key);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  };
  const parts: string[] = [];
  const distinct = cell('distinct');
  if (distinct !== null) parts.push(`${distinct} distinct${column.flag('distinct_exact') === false ? ' (estimated)' : ''}`);
  const [low, high] = [cell('min'), cell('max')];
  if (low !== null && high !== null) parts.push(`${low} to ${high}`);
  const sum = cell('sum');
  if (sum !== null && !isKey(column)) parts.push(`total ${sum}${column.flag('sum_exact') === false ? ' (rounded)' : ''}`);
  const empty = column.number('null') ?? 0;
  if (empty > 0) parts.push(`${empty} empty`);
  return `\`${column.text('name')}\` ${parts.join(', ')}`;
}

/** What a profile counts of values that are not what they should be, with the words for it. */
export const ODDITIES: readonly (readonly [string, string])[] = [
  ['sentinel_dates', 'sentinel dates'],
  ['placeholder_words', 'placeholder words in place of a value'],
  ['blank', 'blank texts'],
  ['non_finite', 'values that are no number (NaN, infinity)'],
  ['texts_among_numbers', 'texts among numbers'],
  ['padded', 'texts with blanks around them'],
  ['leading_zeros', 'values with leading zeros, which are text and no numbers'],
];

/** What is odd in a table, as findings: empty values, sentinel dates, placeholder words and the like. */
export function oddities(profile: ProfiledTable): Finding[] {
  const found = profile.columns.flatMap((column) => {
    const name = column.text('name') ?? '';
    const empty = column.number('null') ?? 0;
    const list = empty > 0 ? [`\`${name}\` is empty in ${empty} of ${figure(profile.rows)} rows`] : [];
    for (const [key, what] of ODDITIES) {
      const count = column.number(key) ?? 0;
      if (count > 0) list.push(`\`${name}\` has ${count} ${what}`);
    }
    return list;
  });
  if (found.length === 0)
    return [
      {
        kind: 'ruled_out',
        claim: `Empty values, sentinel dates and placeholder words in \`${profile.table}\`: none in the ${profile.columns.length} columns profiled.`,
        evidence: [profile.result],
        confidence: profile.complete ? 'high' : 'medium',
      },
    ];
  return [
    { kind: 'observation', claim: `In \`${profile.table}\` ${enumerate(found, 8)}.`, evidence: [profile.result], confidence: 'high' },
  ];
}
