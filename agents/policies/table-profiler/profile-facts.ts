import { figure, type Reading, read } from '../investigator/read-data.ts';
import { sentinelsOf } from '../investigator/tables/examine-sentinels.ts';
import type { TableFact } from './table-facts.ts';

/** The most odd things told of one profile. */
const MOST_ODD = 8;
/** A largest value so many times the value below which 95 per cent lie stands apart. */
const FAR = 100;

interface ProfileResult {
  readonly id: string;
  readonly data: unknown;
  /** Of columns, also where the result shows a part of them. */
  readonly total?: number;
}

/** How many rows and columns a table has, and when it is of. */
export function summaryOf(result: ProfileResult): TableFact {
  const data = read(result.data);
  const columns = result.total ?? data.list('columns').length + data.texts('not_profiled').length;
  const time = data.list('columns').find((column) => isTime(column) && !column.number('sentinel_dates') && column.text('min') !== null);
  const span = time ? `, ${named(time)} from ${time.text('min')} to ${time.text('max')}` : '';
  return { text: `\`${data.text('table')}\` has ${figure(data.number('rows'))} rows in ${columns} columns${span}`, evidence: [result.id] };
}

/** What stands out in a profile: empty and placeholder values, sentinel dates, values far from all others. */
export function oddInProfile(result: ProfileResult): TableFact[] {
  const data = read(result.data);
  const table = data.text('table') ?? '';
  const rows = data.number('rows');
  const found = data.list('columns').flatMap((column) => oddInColumn(column, rows));
  return found.slice(0, MOST_ODD).map(({ says, remedy }) => ({
    text: `in \`${table}\` ${says}`,
    evidence: [result.id],
    remedy: `\`${table}\`: ${remedy}`,
    about: 'column',
  }));
}

interface Odd {
  readonly says: string;
  readonly remedy: string;
}

const COUNTED: readonly (readonly [key: string, what: string, remedy: string])[] = [
  ['sentinel_dates', 'sentinel dates', 'store NULL in place of the sentinel dates of'],
  ['placeholder_words', 'placeholder words in place of a value', 'store NULL in place of the placeholder words of'],
  ['blank', 'blank texts', 'store NULL in place of the blank texts of'],
  ['non_finite', 'values that are no number (NaN, infinity)', 'find out which step writes NaN or infinity to'],
  ['texts_among_numbers', 'texts among numbers', 'find out which step writes texts to'],
  ['padded', 'texts with blanks around them', 'trim, at load, the texts of'],
];

function oddInColumn(column: Reading, rows: number | null): Odd[] {
  const name = named(column);
  const odd: Odd[] = [];
  const empty = column.number('null') ?? 0;
  if (empty > 0) {
    const remedy = `decide whether ${name} may be empty; if not, refuse such rows at load`;
    odd.push({ says: `${name} is empty in ${empty} of ${figure(rows)} rows`, remedy });
  }
  for (const [key, what, remedy] of COUNTED) {
    const count = column.number(key) ?? 0;
    if (count > 0) odd.push({ says: `${name} has ${count} ${what}`, remedy: `${remedy} ${name}` });
  }
  return [...odd, ...farFromOthers(column)];
}

/** Quantiles are the values at 5, 25, 50, 75 and 95 per cent of the rows. */
function farFromOthers(column: Reading): Odd[] {
  const name = named(column);
  const quantiles = column.at('quantiles').value;
  if (!Array.isArray(quantiles) || isTime(column) || isKey(column)) return [];
  const [low, high] = [cell(column, 'min'), cell(column, 'max')];
  const [fifth, most] = [Number(quantiles[0]), Number(quantiles.at(-1))];
  const sentinels = sentinelsOf(column);
  const odd: Odd[] = sentinels.map((value) => ({
    says: `${name} holds ${value}, likely a sentinel in place of a value`,
    remedy: `store NULL in place of ${value} in ${name}`,
  }));
  if (low !== null && !sentinels.includes(low) && Number(low) < 0 && fifth >= 0)
    odd.push({
      says: `the smallest ${name} is ${low}, below zero, where nearly all are not`,
      remedy: `look at the rows with ${name} below zero`,
    });
  if (high !== null && !sentinels.includes(high) && most > 0 && Number(high) > most * FAR)
    odd.push({
      says: `the largest ${name} is ${high}, while nearly all are at most ${String(quantiles.at(-1))}`,
      remedy: `look at the rows with the largest ${name}`,
    });
  return odd;
}

/** The first column of days or times that has no sentinel dates, for gaps in time. */
export function dayColumn(result: ProfileResult): string | null {
  const columns = read(result.data).list('columns');
  const usable = columns.filter((column) => isTime(column) && !column.number('sentinel_dates') && column.text('min') !== null);
  return usable[0]?.text('name') ?? null;
}

function isTime(column: Reading): boolean {
  return /^(date|timestamp)/i.test(column.text('type') ?? '');
}

function isKey(column: Reading): boolean {
  return /(^|_)(id|key|no|nr|code)$/i.test(column.text('name') ?? '');
}

function cell(column: Reading, key: string): string | null {
  const { value } = column.at(key);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

function named(column: Reading): string {
  return `\`${column.text('name')}\``;
}
