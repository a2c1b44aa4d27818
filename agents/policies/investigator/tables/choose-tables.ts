import { namedOf, plainWords, type Question } from '../question/read-question.ts';
import { type Reading, read } from '../read-data.ts';

export interface ListedTable {
  readonly source: string;
  readonly name: string;
  readonly kind: string;
  readonly rows: string | null;
  readonly bytes: number | null;
}

export function readTables(data: unknown): readonly ListedTable[] {
  return read(data)
    .list('tables')
    .map((one: Reading) => ({
      source: one.text('source') ?? '',
      name: one.text('name') ?? '',
      kind: one.text('kind') ?? '',
      rows: one.text('rows'),
      bytes: one.number('bytes'),
    }));
}

/**
 * The tables that the question is about: those it names in full; else those of whose names it says a word, such as
 * `mart` or `raw`. Empty where it names none.
 */
export function namedTables(question: Question, tables: readonly ListedTable[]): readonly ListedTable[] {
  const whole = fullyNamed(question, tables);
  if (whole.length > 0) return whole;
  const spoken = new Set(wordsOf(question.plain).map(stem));
  const scored = tables.map((table) => ({
    table,
    score: wordsOf(plainOf(bareName(table.name))).filter((word) => isTelling(word) && spoken.has(stem(word))).length,
  }));
  const most = Math.max(0, ...scored.map(({ score }) => score));
  return most === 0 ? [] : scored.filter(({ score }) => score === most).map(({ table }) => table);
}

/** The tables whose whole names stand in the question, the longest where one is part of another. */
export function fullyNamed(question: Question, tables: readonly ListedTable[]): readonly ListedTable[] {
  const bare = tables.map(({ name }) => bareName(name));
  const named = new Set(namedOf(question, bare));
  // A name in humps is said in words, and one of one thing in the plural: the lines of `OrderLine`.
  const spoken = bare.filter((name) => [plainOf(name), plainOf(name).replace(/ $/, 's ')].some((plain) => question.plain.includes(plain)));
  const all = [...new Set([...named, ...spoken])];
  const longest = all.filter((name) => !all.some((other) => other !== name && plainOf(other).includes(plainOf(name).trimEnd())));
  return tables.filter((table) => longest.includes(bareName(table.name)));
}

/** Tables whose names hold the name of this one, or the other way round: what it was made of, or what is made of it. */
export function relatives(table: ListedTable, tables: readonly ListedTable[]): readonly ListedTable[] {
  const own = plainWords(bareName(table.name));
  return tables.filter((other) => {
    const name = plainWords(bareName(other.name));
    return other !== table && (name.includes(own) || own.includes(name));
  });
}

/** The table's name without its schema, folder and ending. */
export function bareName(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return last.replace(/\.(csv|tsv|json|jsonl|ndjson|parquet|txt)(\.gz)?$/i, '').replace(/^(main|public)\./, '');
}

/** The same without any schema. */
export function ownName(name: string): string {
  const bare = bareName(name);
  return bare.slice(bare.lastIndexOf('.') + 1);
}

/** Words that questions about any table use say nothing of which one is meant. */
const ANY_TABLE = new Set([
  'data',
  'table',
  'file',
  'row',
  'column',
  'record',
  'value',
  'test',
  'the',
  'and',
  'for',
  'all',
  'new',
  'old',
  'duplicate',
  'type',
  'date',
  'day',
  'time',
]);

function isTelling(word: string): boolean {
  return word.length > 2 && /\p{L}/u.test(word) && !ANY_TABLE.has(stem(word));
}

/** Where in the question a word of the table's name stands first; beyond its end where none does. */
export function placeInQuestion(question: Question, { name }: ListedTable): number {
  const own = new Set(
    wordsOf(plainOf(bareName(name)))
      .filter(isTelling)
      .map(stem),
  );
  const words = wordsOf(question.plain);
  const [before, ...behind] = question.plain.split(plainOf(bareName(name)));
  if (behind.length > 0) return before?.trim() === '' ? 0 : wordsOf(before ?? '').length;
  const at = words.findIndex((word) => own.has(stem(word)) || stem(word) === stem(plainWords(bareName(name)).trim()));
  return at < 0 ? words.length : at;
}

function wordsOf(plain: string): string[] {
  return plain.trim().split(' ');
}

/** One form for singular and plural alike (`movies` and `movie`, `boxes` and `box`, `warehouses` and `warehouse`), to compare and not to show. */
export function stem(word: string): string {
  if (word.length < 3) return word;
  return word
    .replace(/(?<=ss|[^ao]us|x|ch|sh)es$/, '')
    .replace(/(?<=[^s])s$/, '')
    .replace(/ie$/, 'y');
}

/** The words of a name, each in one form for singular and plural. */
export function stemsOf(name: string): readonly string[] {
  return wordsOf(plainOf(name)).map(stem);
}

/** Whether the question speaks of the column: every word of its name, singular or plural. */
export function speaksOf(question: Question, column: string): boolean {
  const spoken = new Set(wordsOf(question.plain).map(stem));
  const words = wordsOf(plainOf(column));
  return words.every((word) => spoken.has(stem(word))) || spoken.has(stem(words.join('')));
}

/** The words of a name, also of one that is written in humps (`orderDate`). */
export function plainOf(name: string): string {
  return plainWords(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
}

/** Tables that the texts name beyond doubt: with their schema (`warehouse.orders`), or by a name of several words. */
export function mentionedTables(tables: readonly ListedTable[], texts: readonly string[]): readonly ListedTable[] {
  const said = new Set(texts.flatMap((text) => text.toLowerCase().match(/[a-z][\w]*(?:\.[a-z][\w]*)*/g) ?? []));
  const parts = new Set([...said].flatMap((name) => (name.includes('.') ? [name.slice(name.lastIndexOf('.') + 1)] : [])));
  return tables.filter(({ name }) => {
    const bare = bareName(name).toLowerCase();
    return parts.has(bare) || (bare.includes('_') && said.has(bare));
  });
}
