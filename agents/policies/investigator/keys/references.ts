import { seriesName } from '../files/series-of.ts';
import type { Reading } from '../read-data.ts';
import { isFloat, isKey, isNumber, isTime, isWrittenTime, nameOf, quoted, withoutMatch } from '../tables/ask-sql.ts';
import { bareName, ownName, stemsOf } from '../tables/choose-tables.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

/** A column whose values name rows of another table. */
export interface Reference {
  readonly left: LookedAt;
  readonly right: LookedAt;
  readonly column: string;
  readonly key: string;
  /** Whether the table is named after its key (`customers.customer_id`); else only the values can tell. */
  readonly named: boolean;
}

/** The rows that refer to what is not there, as `l`: `FROM … WHERE …`; without a value, a row refers to nothing. */
export function lostRows({ left, right, column, key }: Pick<Reference, 'left' | 'right' | 'column' | 'key'>): string {
  return `${withoutMatch({ table: left.table.name, column, other: right.table.name, key })} AND l.${quoted(column)} IS NOT NULL`;
}

/** Columns of these names stand in most tables and refer to none. */
const ANY_TABLE =
  /^(name|title|label|description|comment|note|text|value|type|kind|status|state|level|position|rank|source|url|path|column\d+)$/i;
/** Tables with this share of their columns in common hold the same kind of rows. */
const ALIKE = 0.6;

/**
 * Columns that hold the key of another table: one of that name which tells the rows of a table apart, or the table's name before
 * `id` (`customers.id`). Where some table is named after the key, others that hold it refer to that one alone.
 */
export function references(looked: readonly LookedAt[]): Reference[] {
  const all = looked.flatMap((right) =>
    right.profile.columns
      .filter((key) => isLookedUp(key) && isUnique(key, right))
      .flatMap((key) => looked.flatMap((left) => referenceOf(left, right, key))),
  );
  return all
    .filter((one) => one.named || !all.some((other) => other.named && other.left === one.left && other.column === one.column))
    .filter((one) => isOwnSchema(one) || !all.some((other) => isOwnSchema(other) && other.left === one.left && other.column === one.column))
    .sort((left, right) => Number(right.named) - Number(left.named));
}

/** A copy of the database in another schema is not what a table refers to where its own schema has the like. */
function isOwnSchema({ left, right }: Reference): boolean {
  const schema = ({ table }: LookedAt): string => table.name.split(/[./]/).slice(0, -1).join('.');
  return schema(left) === schema(right);
}

function referenceOf(left: LookedAt, right: LookedAt, key: Reading): Reference[] {
  if (left === right || left.table.source !== right.table.source || areAlike(left, right)) return [];
  const named = isNamedAfter(right, nameOf(key));
  // Also a word that no name calls a key is one where it stands first and tells the rows apart: `sku`.
  if (!named && !isKey(key) && key !== right.profile.columns[0]) return [];
  const fitting = (refers: typeof refersTo): Reading | undefined =>
    left.profile.columns.find((one) => refers(nameOf(one), nameOf(key), right) && sameKind(one, key));
  const column = fitting(refersTo) ?? fitting((one, other) => refersTo(withoutPrefix(one, left), withoutPrefix(other, right), right));
  if (!column && named) return aliasOf({ left, right, key }, fitting(refersByAlias));
  // Of two tables with a row for each value, none of them named after it, none refers to the other.
  if (!column || (isUnique(column, left) && !named) || isNamedAfter(left, nameOf(column))) return [];
  return [{ left, right, column: nameOf(column), key: nameOf(key), named }];
}

/** A column's name without what each column of its table begins with: `ma_` of `ma_nr`, `ma_name` and `ma_dept`. */
function withoutPrefix(name: string, { profile }: LookedAt): string {
  const [prefix = ''] = /^\p{L}+_/u.exec(name) ?? [];
  const own = prefix !== '' && profile.columns.length > 2 && profile.columns.every((column) => nameOf(column).startsWith(prefix));
  return own ? name.slice(prefix.length) : name;
}

/** Words for one who does business: a `user_id` may name a row of `customers` where there are no users. */
const PARTIES: ReadonlySet<string> = new Set([
  'user',
  'customer',
  'client',
  'member',
  'account',
  'buyer',
  'person',
  'contact',
  'subscriber',
]);

function refersByAlias(column: string, key: string, { table }: LookedAt): boolean {
  const thing = (name: string): string => stemsOf(name.replace(/[_ -]?(id|key|no|nr|number)$/i, '')).at(-1) ?? '';
  const isOfTable = key.toLowerCase() === 'id' || thing(key) === thingOf(table.name).last;
  return (
    isOfTable && /[_ -]?(id|key|no|nr|number)$/i.test(column) && PARTIES.has(thing(column)) && PARTIES.has(thingOf(table.name).last ?? '')
  );
}

/** Only the values can tell whether another word for the thing means its rows. */
function aliasOf({ left, right, key }: { left: LookedAt; right: LookedAt; key: Reading }, column: Reading | undefined): Reference[] {
  if (!column || isUnique(column, left)) return [];
  return [{ left, right, column: nameOf(column), key: nameOf(key), named: false }];
}

/** Files of one series, and tables with the same columns, hold different rows by their nature: none is the other's reference. */
export function areAlike(left: LookedAt, right: LookedAt): boolean {
  if (seriesName(left.table) === seriesName(right.table) || lastPart(left) === lastPart(right)) return true;
  const names = left.profile.columns.map(nameOf);
  const shared = right.profile.columns.filter((column) => names.includes(nameOf(column))).length;
  return shared > 1 && shared >= ALIKE * Math.max(names.length, right.profile.columns.length);
}

function lastPart({ table }: LookedAt): string {
  return bareName(table.name).replace(/\d+/g, '#');
}

function isUnique(column: Reading, { profile }: LookedAt): boolean {
  return (profile.rows ?? 0) > 1 && column.number('distinct') === profile.rows;
}

/** A key, or a word or code that a table is looked up by; not a measure or a time. */
function isLookedUp(column: Reading): boolean {
  return isKey(column) || (!isNumber(column) && !isTime(column) && !isWrittenTime(column) && !ANY_TABLE.test(nameOf(column)));
}

/** Numbers and texts may be the same key written in two ways, but a measure is none. */
function sameKind(column: Reading, key: Reading): boolean {
  return !isTime(column) && isFloat(column) === isFloat(key);
}

/** Words that say of a table how it came about, and not what its rows are. */
const NO_THING = /^(\d+|table|tbl|dim|dimension|list|master|clean|raw|stg|current|all)$/;

/** Whether the words of the table's name hold what the key is of: `customer_id` of `dim_customer`, `code` of `codes`. */
export function isNamedAfter({ table }: Pick<LookedAt, 'table'>, key: string): boolean {
  if (key.toLowerCase() === 'id') return true;
  const thing = stemsOf(key.replace(/[_ -]?(id|key|no|nr|code|number|uuid|guid)$/i, '') || key).join('');
  const { last, whole, words } = thingOf(table.name);
  // In `order_lines` what the rows are stands last.
  return last === thing || whole === thing || (words > 1 && whole.endsWith(thing));
}

/** What the rows of a table are by its name: its last telling word, and all its words as one. */
function thingOf(name: string) {
  const words = stemsOf(ownName(name));
  return { last: words.filter((word) => !NO_THING.test(word)).at(-1), whole: words.join(''), words: words.length };
}

function refersTo(column: string, key: string, { table }: LookedAt): boolean {
  const flat = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (key.toLowerCase() !== 'id') return flat(column) === flat(key);
  const [, before = ''] = /^(.*?)[_ -]?id$/i.exec(column) ?? [];
  const thing = stemsOf(before).join('');
  const { last, whole } = thingOf(table.name);
  return thing !== '' && (thing === last || thing === whole);
}
