import type { Play } from '../../../src/core/policy.ts';
import { askSql, isKey, isNumber, isTime, nameOf, quoted, typeOf } from '../investigator/ask-sql.ts';
import type { LookedAt } from '../investigator/look-at-tables.ts';
import { mergeReports, type PartReport } from '../investigator/part-report.ts';
import { enumerate, type Reading } from '../investigator/read-data.ts';
import type { Question } from '../investigator/read-question.ts';
import { silentDays } from './answer-times.ts';
import type { Measure, TimeUnit } from './read-plain.ts';
import { say } from './say.ts';
import { type Filter, filterOf, groupColumn, measureColumn, spokenColumns, unreadWords } from './target-table.ts';

const SHOWN = 8;
const MOST_GROUPS = 400;

/** How many rows, of one value or day where the question limits itself to it, and by group where it asks for that. */
export async function answerCount(play: Play, question: Question, looked: LookedAt): Promise<PartReport | undefined> {
  const { table } = looked;
  const filter = filterOf(question, looked);
  const by = groupColumn(question, looked);
  const where = filter ? ` WHERE ${filter.where}` : '';
  const beyond = unreadWords(question, looked, filter);
  if (by) return groupFigures(play, looked, { ...by, sql: 'COUNT(*) AS rows', filter, says: 'rows' });
  const answered = await askSql(play, table.source, `SELECT COUNT(*) AS rows FROM ${quoted(table.name)}${where}`);
  const [[rows] = []] = answered?.rows ?? [];
  if (!answered || rows === undefined) return undefined;
  const head = filter ? `\`${table.name}\` has ${String(rows)} rows ${filter.says}` : `\`${table.name}\` has ${String(rows)} rows`;
  if (beyond.length === 0) return say(head, answered.id);
  return say(
    `${head} in all; fixed rules cannot read what the question says beyond that (${enumerate(beyond.map((word) => `"${word}"`))})`,
    answered.id,
  );
}

/** How many values of a column are empty, and of each column where none is named. */
export async function answerNulls(play: Play, question: Question, looked: LookedAt): Promise<PartReport | undefined> {
  const { table, profile } = looked;
  const spoken = spokenColumns(question, looked);
  const [column] = spoken;
  if (!column) {
    if (!/ (null|nulls|empty|missing|blank) /.test(question.plain)) return undefined;
    const empty = profile.columns.filter((one) => (one.number('null') ?? 0) > 0);
    if (empty.length === 0)
      return say(`No column of \`${table.name}\` is empty in any of its ${String(profile.rows)} rows`, profile.result);
    const told = empty.map((one) => `\`${nameOf(one)}\` in ${String(one.number('null'))}`);
    return say(`Of ${String(profile.rows)} rows of \`${table.name}\` these columns are empty: ${enumerate(told, 12)}`, profile.result);
  }
  const name = quoted(nameOf(column));
  const isText = /char|text|string/i.test(typeOf(column));
  const blank = isText ? `, SUM(CASE WHEN TRIM(${name}) = '' THEN 1 ELSE 0 END) AS blank` : '';
  const answered = await askSql(
    play,
    table.source,
    `SELECT COUNT(*) - COUNT(${name}) AS nulls, COUNT(*) AS rows${blank} FROM ${quoted(table.name)}`,
  );
  const [[nulls, rows, blanks] = []] = answered?.rows ?? [];
  if (!answered || nulls === undefined) return undefined;
  const also = Number(blanks ?? 0) > 0 ? `; ${String(blanks)} more hold only blanks` : '';
  const words = column.number('placeholder_words') ?? 0;
  const placeholders = words > 0 ? `; ${words} more hold a placeholder word such as N/A` : '';
  return say(
    `\`${nameOf(column)}\` is empty in ${String(nulls)} of ${String(rows)} rows of \`${table.name}\`${also}${placeholders}`,
    answered.id,
    words > 0 ? profile.result : '',
  );
}

/** How many values a column has that differ. */
export async function answerDistinct(play: Play, question: Question, looked: LookedAt): Promise<PartReport | undefined> {
  const [, noun = ''] = / (?:distinct|different|unique) (?:values of |values in )?(?:the )?(?:column )?(\S+) /.exec(question.plain) ?? [];
  const counted = looked.profile.columns.filter((one) => spokenIn({ ...question, plain: ` ${noun} ` }, one));
  const column = spokenColumns(question, looked)[0] ?? counted[0];
  if (!column) return undefined;
  const answered = await askSql(
    play,
    looked.table.source,
    `SELECT COUNT(DISTINCT ${quoted(nameOf(column))}) AS distinct_values FROM ${quoted(looked.table.name)}`,
  );
  const [[count] = []] = answered?.rows ?? [];
  if (!answered || count === undefined) return undefined;
  return say(`\`${nameOf(column)}\` of \`${looked.table.name}\` has ${String(count)} distinct values`, answered.id);
}

/** The values of a column, the most frequent first. */
export async function answerCommon(play: Play, question: Question, looked: LookedAt): Promise<PartReport | undefined> {
  const [group] = spokenColumns(question, looked);
  return group ? groupFigures(play, looked, { group, sql: 'COUNT(*) AS rows', filter: undefined, says: 'rows' }) : undefined;
}

/** Average, sum, least, greatest or middle value of a column, by group where the question asks for it. */
export async function answerFigure(play: Play, question: Question, looked: LookedAt, measure: Measure): Promise<PartReport | undefined> {
  const by = groupColumn(question, looked);
  const column = measureColumn(question, looked, by?.group);
  if (!column || (isTime(column) && measure !== 'min' && measure !== 'max')) return undefined;
  const { table, profile } = looked;
  const filter = filterOf(question, looked);
  const says = `${SAYS[measure]} \`${nameOf(column)}\``;
  if (measure === 'median') {
    const quantiles = column.at('quantiles').value;
    if (by || filter || !Array.isArray(quantiles)) return undefined;
    return say(
      `The ${says} of \`${table.name}\` is ${String(quantiles[2])}${column.flag('quantiles_exact') === false ? ' (an estimate)' : ''}`,
      profile.result,
    );
  }
  const sql = measureSql(measure, column);
  if (by) return groupFigures(play, looked, { ...by, sql, filter, says });
  const answered = await askSql(
    play,
    table.source,
    `SELECT ${sql}, COUNT(${quoted(nameOf(column))}) AS rows FROM ${quoted(table.name)}${filter ? ` WHERE ${filter.where}` : ''}`,
  );
  const [[value, rows] = []] = answered?.rows ?? [];
  if (!answered || value === undefined || value === null) return undefined;
  return say(
    `The ${says} of \`${table.name}\`${filter ? ` ${filter.says}` : ''} is ${trimmed(value)}, over ${String(rows)} rows that have a value`,
    answered.id,
  );
}

/** The value of a column, or the day, that has the most or the fewest rows, or the greatest or least total. */
export async function answerExtreme(
  play: Play,
  question: Question,
  looked: LookedAt,
  { least, unit }: { readonly least: boolean; readonly unit: TimeUnit | undefined },
): Promise<PartReport | undefined> {
  const { happened } = looked;
  const [, wanted = ''] = / (?:which|what) (\w+)/.exec(question.plain) ?? [];
  const asked: Question = { ...question, plain: ` ${wanted} ` };
  const fitting = looked.profile.columns.filter((column) => spokenIn(asked, column));
  const group = unit === undefined ? fitting[0] : undefined;
  if (!group && (unit === undefined || !happened)) return undefined;
  const measured = measureOfExtreme(question, looked, group ?? happened);
  const sql = measured ? measureSql('sum', measured) : 'COUNT(*) AS rows';
  const says = measured ? `total \`${nameOf(measured)}\`` : 'rows';
  const order = least ? 'ASC' : 'DESC';
  if (group) return groupFigures(play, looked, { group, sql, filter: undefined, says, order });
  if (!happened || !unit) return undefined;
  const told = await groupFigures(play, looked, { group: happened, unit, sql, filter: undefined, says, order });
  const silent = least && !measured && unit === 'day' ? await silentDays(play, looked) : undefined;
  return told && mergeReports([...(silent ? [silent] : []), told]);
}

function spokenIn(asked: Question, column: Reading): boolean {
  const [word = ''] = asked.plain.trim().split(' ');
  const parts = nameOf(column)
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return word.length > 2 && parts.some((part) => part === word || `${part}s` === word || part === `${word}s`) && !isTime(column);
}

function measureOfExtreme(question: Question, looked: LookedAt, group: Reading | undefined): Reading | undefined {
  const spoken = spokenColumns(question, looked).find((column) => isNumber(column) && !isKey(column) && column !== group);
  const ofMoney = / (revenue|sales|turnover|money|value|amount|total) /.test(question.plain);
  return spoken ?? (ofMoney ? measureColumn(question, looked, group) : undefined);
}

const SAYS = { average: 'average', sum: 'sum of', min: 'smallest', max: 'largest', median: 'median' } as const;

function measureSql(measure: Exclude<Measure, 'median'>, column: Reading): string {
  const name = quoted(nameOf(column));
  if (measure === 'average') return `ROUND(CAST(AVG(${name}) AS DECIMAL(28, 6)), 4) AS ${quoted(`average ${nameOf(column)}`)}`;
  if (measure === 'sum')
    return `${/double|float|real/i.test(typeOf(column)) ? `ROUND(CAST(SUM(${name}) AS DECIMAL(28, 6)), 6)` : `SUM(${name})`} AS ${quoted(`sum of ${nameOf(column)}`)}`;
  const wanted = `${measure.toUpperCase()}(${name})`;
  return `${isTime(column) ? `CAST(${wanted} AS VARCHAR)` : wanted} AS ${quoted(`${SAYS[measure]} ${nameOf(column)}`)}`;
}

interface Grouped {
  readonly group: Reading;
  readonly unit?: TimeUnit;
  readonly sql: string;
  readonly filter: Filter | undefined;
  readonly says: string;
  readonly order?: 'ASC' | 'DESC';
}

const LENGTH = { hour: 13, day: 10, month: 7, year: 4 } as const;

async function groupFigures(
  play: Play,
  looked: LookedAt,
  { group, unit, sql, filter, says, order }: Grouped,
): Promise<PartReport | undefined> {
  const { table } = looked;
  const name = quoted(nameOf(group));
  const length = unit ? LENGTH[unit] : undefined;
  const key = length === undefined ? name : `SUBSTR(CAST(${name} AS VARCHAR), 1, ${length})`;
  const text = `SELECT ${key} AS ${name}, ${sql} FROM ${quoted(table.name)}${filter ? ` WHERE ${filter.where}` : ''} GROUP BY 1 ORDER BY 2 ${order ?? 'DESC'}, 1 LIMIT ${MOST_GROUPS}`;
  const answered = await askSql(play, table.source, text, MOST_GROUPS);
  const [first, ...more] = (answered?.rows ?? []).map(([value, figure]) => ({
    value: value === null ? 'no value' : String(value),
    figure: figure === null ? 'no value' : String(figure),
  }));
  if (!answered || !first) return undefined;
  const rows = [first, ...more].map(({ value, figure }) => `${value} / ${figure}`);
  const limited = filter ? ` ${filter.says}` : '';
  const by = `by ${unit ? `${unit} of ` : ''}\`${nameOf(group)}\``;
  if (order === undefined) {
    const told = rows.slice(0, SHOWN).join(', ');
    return say(`${capital(says)} of \`${table.name}\`${limited} ${by}: ${told}${rows.length > SHOWN ? ', and others' : ''}`, answered.id);
  }
  const same = more.filter(({ figure }) => figure === first.figure).length;
  const tied = same > 0 ? `, and as many ${rows.slice(1, 1 + Math.min(same, 3)).join(', ')}${same > 3 ? ', and others' : ''}` : '';
  const next = rows.slice(1 + same, 4 + same);
  const fewest = order === 'ASC' ? (says === 'rows' ? 'fewest' : 'least') : says === 'rows' ? 'most' : 'greatest';
  return say(
    `The ${fewest} ${says} of \`${table.name}\` ${by}: ${rows[0]}${tied}${next.length > 0 ? `; next ${next.join(', ')}` : ''}`,
    answered.id,
  );
}

/** A figure without the zeros that a decimal of a fixed scale ends with. */
function trimmed(value: unknown): string {
  const text = value === null ? 'no value' : String(value);
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : text;
}

function capital(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}
