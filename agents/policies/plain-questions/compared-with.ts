import type { Question } from '../investigator/question/read-question.ts';
import type { Reading } from '../investigator/read-data.ts';
import { isKey, isNumber, nameOf, quoted } from '../investigator/tables/ask-sql.ts';
import { plainOf, speaksOf } from '../investigator/tables/choose-tables.ts';
import type { LookedAt } from '../investigator/tables/look-at-tables.ts';
import type { Filter } from './target-table.ts';

const NUMBER = String.raw`(-?\d+(?:\.\d+)?|zero|no)`;
const OPERATORS: readonly (readonly [pattern: string, sql: string, says: string])[] = [
  ['(?:at least|from)', '>=', 'at least'],
  ['(?:at most|up to|no more than)', '<=', 'at most'],
  ['(?:more than|greater than|higher than|larger than|over|above|beyond|exceeding|>)', '>', 'above'],
  ['(?:less than|fewer than|lower than|smaller than|under|below|<)', '<', 'below'],
];

/** A number that the question compares a column with: "zero passengers", "amount above 100", "more than 3 items", "negative fares". */
export function comparedWith(question: Question, looked: LookedAt): Filter | undefined {
  // What is counted is not what is compared, though a column may bear its name (trips, `trip_distance`).
  const text = ` ${question.text
    .toLowerCase()
    .replace(/[?!]|\.(?=\s|$)/g, '')
    .replace(/^how many [\p{L}_]+ /u, '')} `;
  const words = String.raw`((?:[\p{L}_]+ ){1,3})`;
  for (const [pattern, sql, says] of OPERATORS) {
    const after = new RegExp(`${words}(?:is |are |was |were |of )?${pattern} ${NUMBER} (?!%)`, 'u').exec(text);
    const before = new RegExp(`${pattern} ${NUMBER} ${words}`, 'u').exec(text);
    const found =
      comparison(looked, { words: after?.[1], number: after?.[2], sql, says }) ??
      comparison(looked, { words: before?.[2], number: before?.[1], sql, says });
    if (found) return found;
  }
  const signed = new RegExp(`(negative|positive) ${words}`, 'u').exec(text);
  const [sql, says] = signed?.[1] === 'positive' ? ['>', 'above'] : ['<', 'below'];
  const below = comparison(looked, { words: signed?.[2], number: signed ? '0' : undefined, sql: sql ?? '', says: says ?? '' });
  if (below) return below;
  const equal = new RegExp(`${words}(?:is |are |was |were |of |= |equals? )(?:to )?${NUMBER} `, 'u').exec(text);
  const leading = new RegExp(` ${NUMBER} ${words}`, 'u').exec(text);
  return (
    comparison(looked, { words: equal?.[1], number: equal?.[2], sql: '=', says: '' }) ??
    comparison(looked, { words: leading?.[2], number: leading?.[1], sql: '=', says: '' })
  );
}

interface Compared {
  readonly words: string | undefined;
  readonly number: string | undefined;
  readonly sql: string;
  readonly says: string;
}

function comparison({ profile }: LookedAt, { words, number, sql, says }: Compared): Filter | undefined {
  if (words === undefined || number === undefined) return undefined;
  const column = columnOf(profile.columns.filter(isNumber), words);
  if (!column) return undefined;
  const value = /^(zero|no)$/.test(number) ? '0' : number;
  const name = nameOf(column);
  return { where: `${quoted(name)} ${sql} ${value}`, says: `with \`${name}\`${says === '' ? '' : ` ${says}`} ${value}` };
}

/** The one number column of which these words speak: by its whole name, else by a word of it (passengers, `passenger_count`). */
export function columnOf(columns: readonly Reading[], words: string): Reading | undefined {
  const asked: Question = {
    text: words,
    plain: ` ${words.trim()} `,
    aims: new Set(),
    days: [],
    weekday: null,
    direction: undefined,
    newest: false,
  };
  const whole = columns.filter((column) => speaksOf(asked, nameOf(column)));
  if (whole.length > 0) return [...whole].sort((left, right) => nameOf(right).length - nameOf(left).length)[0];
  const partly = columns.filter((column) => !isKey(column) && wordsOf(column).some((word) => speaksOf(asked, word)));
  return partly.length === 1 ? partly[0] : undefined;
}

function wordsOf(column: Reading): string[] {
  return plainOf(nameOf(column))
    .trim()
    .split(' ')
    .filter((word) => word.length > 2 && !/^(count|number|total|amount|value|sum|the|and|per)$/.test(word));
}
