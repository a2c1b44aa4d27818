import type { Play } from '../../../src/core/policy.ts';
import { type Reference, references } from '../investigator/keys/references.ts';
import type { PartReport } from '../investigator/part-report.ts';
import type { Question } from '../investigator/question/read-question.ts';
import { enumerate, type Reading } from '../investigator/read-data.ts';
import { askSql, isFloat, isKey, isNumber, nameOf, quoted, typeOf } from '../investigator/tables/ask-sql.ts';
import { type ListedTable, namedTables, ownName, placeInQuestion, plainOf, speaksOf } from '../investigator/tables/choose-tables.ts';
import { describeTables, type LookedAt, lookAtTables } from '../investigator/tables/look-at-tables.ts';
import { trimmed } from './group-figures.ts';
import { say } from './say.ts';
import { groupWords, lastWordColumns, type PlainRequest } from './target-table.ts';

const SHOWN = 10;
const MOST_TABLES = 40;
const MONEY_WORDS = / (revenue|sales|turnover|income|earnings|spent|spend|spends|paid|money|bought) /;
const MONEY = / (total|amount|revenue|sales|turnover|price|value|paid|spent|cost|fare|gross|net|sum) /;
const WHOLE = / (total|amount|revenue|sales|turnover|paid|gross) /;

/** How many rows of one table each row of another has, by the key that joins them and with the name from the other. */
export async function answerPerRow(play: Play, { question, tables }: PlainRequest): Promise<PartReport | undefined> {
  const [, extreme, way = ''] = / (?:which|what) (\S+) (?:has|have|had) (?:the )?(most|fewest|least) /.exec(question.plain) ?? [];
  const words = groupWords(question) || (extreme ?? '');
  const each: Question = { ...question, plain: ` ${words} ` };
  const parents = words === '' ? [] : namedTables(each, tables).filter(({ name }) => speaksOf(each, lastPart(name)));
  const rest: Question = { ...question, plain: question.plain.replace(` ${words} `, ' ') };
  const others = namedTables(rest, tables).filter((table) => !parents.includes(table));
  const whole = others.filter(({ name }) => speaksOf(rest, lastPart(name)));
  const children = whole.length > 0 ? whole : others;
  if (parents.length !== 1 || children.length === 0) return undefined;
  const [child] = [...children].sort((left, right) => placeInQuestion(question, left) - placeInQuestion(question, right));
  const looked = await lookAtTables(play, [...parents, ...(child ? [child] : [])]);
  const reference = references(looked).find(({ left, right }) => left.table === child && right.table === parents[0]);
  if (!reference) return undefined;
  const { left, right } = reference;
  // Ties are told of by the column itself, where there is no name to add.
  if (way !== '' && nameColumns(right).length === 0) return undefined;
  const answered = await askJoined(play, reference, {
    sql: `COUNT(l.${quoted(reference.column)})`,
    title: 'rows',
    from: right,
    least: /fewest|least/.test(way),
  });
  if (!answered) return undefined;
  return say(
    `${way === '' ? 'Rows' : `The ${way} rows`} of \`${left.table.name}\` for each row of \`${right.table.name}\`, joined by \`${reference.column}\`: ${answered.told}`,
    answered.id,
  );
}

/** A total of money by a column, or by the rows of another table, where the question has a word for it that no column has. */
export async function answerMoney(play: Play, { question, tables }: PlainRequest): Promise<PartReport | undefined> {
  const [, money] = MONEY_WORDS.exec(question.plain) ?? [];
  const spender = / (?:which|what|who) (\S+) /.exec(question.plain)?.[1];
  const words = groupWords(question) || (/ (most|least|best|top) /.test(question.plain) ? (spender ?? '') : '');
  if (money === undefined || words === '') return undefined;
  const named = namedTables({ ...question, plain: question.plain.replace(` ${words} `, ' ') }, tables);
  const described = await describeTables(play, (named.length > 0 ? named : tables).slice(0, MOST_TABLES));
  const spoken = (columns: readonly Reading[]): boolean =>
    columns.some((column) => speaksOf({ ...question, plain: ` ${money} ` }, nameOf(column)));
  const amounts = described.map((one) => ({ ...one, money: one.columns.filter((column) => isMoney(column)) }));
  const byColumn = amounts.flatMap((one) => {
    const groups = groupsOf(words, one.columns);
    return one.money.length > 0 && groups.length > 0 ? [{ ...one, groups }] : [];
  });
  // A column that bears the very word of the question needs no assumption.
  if (byColumn.some(({ columns }) => spoken(columns))) return undefined;
  if (byColumn.length > 0) return tellColumns(play, byColumn, { money, words });
  return tellOfParents(play, { question, tables, amounts, money, words });
}

interface Amounts {
  readonly table: ListedTable;
  readonly columns: readonly Reading[];
  readonly money: readonly Reading[];
}

async function tellColumns(
  play: Play,
  found: readonly (Amounts & { readonly groups: readonly Reading[] })[],
  { money, words }: { readonly money: string; readonly words: string },
): Promise<PartReport | undefined> {
  const pairs = found.flatMap(({ table, money: columns, groups }) =>
    bestMoney(columns).flatMap((amount) => groups.map((group) => ({ table, amount, group }))),
  );
  const [pair, ...others] = pairs;
  if (!pair) return undefined;
  const name = (one: (typeof pairs)[number]): string => `\`${nameOf(one.amount)}\` of \`${one.table.name}\` by \`${nameOf(one.group)}\``;
  if (others.length > 0)
    return say(
      `Fixed rules cannot tell which column "${money}" by "${words}" means; these could be meant: ${enumerate(pairs.map(name), 8)}`,
      '',
    );
  const { table, amount, group } = pair;
  const answered = await askSql(
    play,
    table.source,
    `SELECT ${quoted(nameOf(group))}, ${sumOf(amount, '')} AS total FROM ${quoted(table.name)} GROUP BY 1 ORDER BY 2 DESC, 1`,
  );
  if (!answered) return undefined;
  return say(
    `Taking \`${nameOf(amount)}\` of \`${table.name}\` for "${money}", its sum by \`${nameOf(group)}\`: ${tellRows(answered.rows)}`,
    answered.id,
  );
}

/** The money of rows that refer to what the question groups by: invoices to customers. */
async function tellOfParents(
  play: Play,
  request: { question: Question; tables: readonly ListedTable[]; amounts: readonly Amounts[]; money: string; words: string },
): Promise<PartReport | undefined> {
  const { tables, amounts, money, words } = request;
  const each: Question = { ...request.question, plain: ` ${words} ` };
  const parents = namedTables(each, tables).filter(({ name }) => speaksOf(each, lastPart(name)));
  const payers = amounts.filter(({ money: columns, table }) => columns.length > 0 && !parents.includes(table));
  if (parents.length !== 1 || payers.length === 0) return undefined;
  const looked = await lookAtTables(play, [...parents, ...payers.map(({ table }) => table)], SHOWN);
  const found = references(looked).filter(
    ({ left, right }) => right.table === parents[0] && payers.some(({ table }) => table === left.table),
  );
  const sums = found.flatMap((reference) =>
    bestMoney(payers.find(({ table }) => table === reference.left.table)?.money ?? []).map((amount) => ({ reference, amount })),
  );
  const [sum, ...others] = sums;
  if (!sum) return undefined;
  const name = ({ reference, amount }: (typeof sums)[number]): string => `\`${nameOf(amount)}\` of \`${reference.left.table.name}\``;
  if (others.length > 0)
    return say(`Fixed rules cannot tell which column "${money}" means; these could be meant: ${enumerate(sums.map(name), 8)}`, '');
  const least = / least /.test(request.question.plain);
  const answered = await askJoined(play, sum.reference, { sql: sumOf(sum.amount, 'l.'), title: 'total', from: sum.reference.left, least });
  if (!answered) return undefined;
  return say(
    `Taking ${name(sum)} for "${money}", its sum by \`${sum.reference.column}\` of \`${parents[0]?.name}\`, the ${least ? 'least' : 'greatest'} first: ${answered.told}`,
    answered.id,
  );
}

interface Joined {
  readonly sql: string;
  readonly title: string;
  /** The side of which every row counts. */
  readonly from: LookedAt;
  readonly least?: boolean;
}

async function askJoined(play: Play, { left, right, column, key }: Reference, { sql, title, from, least }: Joined) {
  const names = nameColumns(right).map((one) => `r.${quoted(nameOf(one))}`);
  const [child, parent] = [`${quoted(left.table.name)} l`, `${quoted(right.table.name)} r`];
  const on = `l.${quoted(column)} = r.${quoted(key)}`;
  const join = from === right ? `${parent} LEFT JOIN ${child} ON ${on}` : `${child} LEFT JOIN ${parent} ON ${on}`;
  const shown = [from === right ? `r.${quoted(key)}` : `l.${quoted(column)}`, ...names];
  const answered = await askSql(
    play,
    left.table.source,
    `SELECT ${shown.join(', ')}, ${sql} AS ${title} FROM ${join} GROUP BY ${shown.map((_, at) => at + 1).join(', ')} ORDER BY ${shown.length + 1} ${least ? 'ASC' : 'DESC'}, 1 LIMIT ${MOST_TABLES}`,
  );
  return (
    answered && {
      id: answered.id,
      told: tellRows(answered.rows.map((row) => [row.slice(1, -1).map(String).join(' ') || row[0], row.at(-1)])),
    }
  );
}

/** What a row of a table is called by: its name, or first and last name. */
function nameColumns({ profile }: LookedAt): readonly Reading[] {
  const texts = profile.columns.filter((column) => !isNumber(column) && /(name|title|label)$/i.test(nameOf(column)));
  const whole = texts.find((column) => /^(full)?_?(name|title|label)$/i.test(nameOf(column)));
  const parts = texts.filter((column) => /(first|last|given|family)_?name$/i.test(nameOf(column)));
  return whole ? [whole] : parts.length > 0 ? parts : texts.slice(0, 1);
}

function tellRows(rows: readonly (readonly unknown[])[]): string {
  const told = rows.slice(0, SHOWN).map(([value, figure]) => `${value === null ? 'no value' : String(value)} / ${trimmed(figure)}`);
  return `${told.join(', ')}${rows.length > SHOWN ? ', and others' : ''}`;
}

function sumOf(column: Reading, of: string): string {
  const sum = `SUM(${of}${quoted(nameOf(column))})`;
  return isFloat(column) || /numeric/i.test(typeOf(column)) ? `ROUND(CAST(${sum} AS DECIMAL(28, 6)), 2)` : sum;
}

function groupsOf(words: string, columns: readonly Reading[]): readonly Reading[] {
  const exact = columns.filter((column) => nameOf(column).toLowerCase() === words);
  return exact.length > 0 ? exact : lastWordColumns(words, columns);
}

function isMoney(column: Reading): boolean {
  return isNumber(column) && !isKey(column) && MONEY.test(plainOf(nameOf(column)));
}

/** A total or an amount is what a row is worth; a price is that of one piece. */
function bestMoney(columns: readonly Reading[]): readonly Reading[] {
  const whole = columns.filter((column) => WHOLE.test(plainOf(nameOf(column))));
  return whole.length > 0 ? whole : columns;
}

function lastPart(name: string): string {
  return ownName(name).replace(/^(raw|stg|dim|fct|fact)_/, '');
}
