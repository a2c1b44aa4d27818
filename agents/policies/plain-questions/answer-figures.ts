import type { Play } from '../../../src/core/policy.ts';
import { mergeReports, type PartReport } from '../investigator/part-report.ts';
import type { Question } from '../investigator/question/read-question.ts';
import { enumerate, type Reading, read } from '../investigator/read-data.ts';
import { askSql, isFloat, isKey, isNumber, isText, isTime, nameOf, quoted, typeOf } from '../investigator/tables/ask-sql.ts';
import { stem } from '../investigator/tables/choose-tables.ts';
import type { LookedAt } from '../investigator/tables/look-at-tables.ts';
import { silentDays } from './answer-times.ts';
import { comparedWith } from './compared-with.ts';
import { groupFigures, trimmed } from './group-figures.ts';
import type { Measure, TimeUnit } from './read-plain.ts';
import { say } from './say.ts';
import { FILE_COLUMN, fromOf, rowsOf, titleOf } from './series-looked.ts';
import { asksForGroups, filterOf, flagOf, groupColumn, measureColumn, spokenColumns, unreadWords, withoutGroup } from './target-table.ts';

/** How many rows, of one value or day where the question limits itself to it, and by group where it asks for that. */
export async function answerCount(play: Play, question: Question, looked: LookedAt): Promise<PartReport | undefined> {
  const { table } = looked;
  const filter = comparedWith(question, looked) ?? filterOf(question, looked) ?? flagOf(question, looked);
  const by = groupColumn(question, looked);
  if (!by && asksForGroups(question)) return withoutGroup(question, looked);
  const where = filter ? ` WHERE ${filter.where}` : '';
  const beyond = unreadWords(question, looked, filter);
  // Each row alone is no answer to how many there are of each.
  if (by && !by.unit && by.group.number('distinct') === looked.profile.rows) return undefined;
  if (by) return groupFigures(play, looked, { ...by, sql: 'COUNT(*) AS rows', filter, says: 'rows' });
  const answered = await askSql(play, table.source, `SELECT COUNT(*) AS rows FROM ${rowsOf(looked)}${where}`);
  const [[rows] = []] = answered?.rows ?? [];
  if (!answered || rows === undefined) return undefined;
  const limited = filter ? ` ${filter.says}` : '';
  const head = looked.together
    ? `${String(rows)} rows${limited} stand in ${titleOf(looked)}`
    : `\`${table.name}\` has ${String(rows)} rows${limited}`;
  const byFile =
    looked.together && filter
      ? await groupFigures(play, looked, { group: fileColumn(), sql: 'COUNT(*) AS rows', filter, says: 'rows' })
      : undefined;
  if (beyond.length === 0) return mergeReports([say(head, answered.id), ...(byFile ? [byFile] : [])]);
  return say(
    `${head}${filter ? '' : ' in all'}; fixed rules cannot read what the question says beyond that (${enumerate(beyond.map((word) => `"${word}"`))})`,
    answered.id,
  );
}

const fileColumn = (): Reading => read({ name: FILE_COLUMN, type: 'VARCHAR' });

/** How many values of a column are empty, and of each column where none is named. */
export async function answerNulls(play: Play, question: Question, looked: LookedAt): Promise<PartReport | undefined> {
  const { table, profile } = looked;
  const spoken = spokenColumns(question, looked);
  const [column] = spoken;
  if (!column) {
    if (looked.together || !/ (null|nulls|empty|missing|blank) /.test(question.plain)) return undefined;
    const empty = profile.columns.filter((one) => (one.number('null') ?? 0) > 0);
    if (empty.length === 0)
      return say(`No column of \`${table.name}\` is empty in any of its ${String(profile.rows)} rows`, profile.result);
    const told = empty.map((one) => `\`${nameOf(one)}\` in ${String(one.number('null'))}`);
    return say(`Of ${String(profile.rows)} rows of \`${table.name}\` these columns are empty: ${enumerate(told, 12)}`, profile.result);
  }
  const name = quoted(nameOf(column));
  const blank = isText(column) ? `, SUM(CASE WHEN TRIM(${name}) = '' THEN 1 ELSE 0 END) AS blank` : '';
  const answered = await askSql(
    play,
    table.source,
    `SELECT COUNT(*) - COUNT(${name}) AS nulls, COUNT(*) AS rows${blank} FROM ${fromOf(looked)}`,
  );
  const [[nulls, rows, blanks] = []] = answered?.rows ?? [];
  if (!answered || nulls === undefined) return undefined;
  const also = Number(blanks ?? 0) > 0 ? `; ${String(blanks)} more hold only blanks` : '';
  const words = looked.together ? 0 : (column.number('placeholder_words') ?? 0);
  const placeholders = words > 0 ? `; ${words} more hold a placeholder word such as N/A` : '';
  return say(
    `\`${nameOf(column)}\` is empty in ${String(nulls)} of ${String(rows)} rows of ${titleOf(looked)}${also}${placeholders}`,
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
    `SELECT COUNT(DISTINCT ${quoted(nameOf(column))}) AS distinct_values FROM ${fromOf(looked)}`,
  );
  const [[count] = []] = answered?.rows ?? [];
  if (!answered || count === undefined) return undefined;
  return say(`\`${nameOf(column)}\` of ${titleOf(looked)} has ${String(count)} distinct values`, answered.id);
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
  if (!by && asksForGroups(question)) return withoutGroup(question, looked);
  const filter = comparedWith(question, looked) ?? filterOf(question, looked);
  const says = `${SAYS[measure]} \`${nameOf(column)}\``;
  if (measure === 'median') {
    const quantiles = column.at('quantiles').value;
    if (by || filter || looked.together || !Array.isArray(quantiles)) return undefined;
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
    `SELECT ${sql}, COUNT(${quoted(nameOf(column))}) AS rows FROM ${fromOf(looked)}${filter ? ` WHERE ${filter.where}` : ''}`,
  );
  const [[value, rows] = []] = answered?.rows ?? [];
  if (!answered || value === undefined || value === null) return undefined;
  return say(
    `The ${says} of ${titleOf(looked)}${filter ? ` ${filter.says}` : ''} is ${trimmed(value)}, over ${String(rows)} rows that have a value`,
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
  return word.length > 2 && parts.some((part) => stem(part) === stem(word)) && !isTime(column);
}

function measureOfExtreme(question: Question, looked: LookedAt, group: Reading | undefined): Reading | undefined {
  const spoken = spokenColumns(question, looked).find((column) => isNumber(column) && !isKey(column) && column !== group);
  const ofMoney = / (revenue|sales|turnover|money|value|amount|total) /.test(question.plain);
  return spoken ?? (ofMoney ? measureColumn(question, looked, group) : undefined);
}

const SAYS = { average: 'average', sum: 'sum of', min: 'smallest', max: 'largest', median: 'median' } as const;

function measureSql(measure: Exclude<Measure, 'median'>, column: Reading): string {
  const name = quoted(nameOf(column));
  if (measure === 'average')
    return `ROUND(CAST(AVG(${name}) AS DECIMAL(28, 8)), ${placesOf(column)}) AS ${quoted(`average ${nameOf(column)}`)}`;
  if (measure === 'sum')
    return `${isFloat(column) ? `ROUND(CAST(SUM(${name}) AS DECIMAL(28, 6)), 6)` : exactSum(column)} AS ${quoted(`sum of ${nameOf(column)}`)}`;
  const wanted = `${measure.toUpperCase()}(${name})`;
  return `${isTime(column) ? `CAST(${wanted} AS VARCHAR)` : wanted} AS ${quoted(`${SAYS[measure]} ${nameOf(column)}`)}`;
}

/** An engine without decimals adds them as floats; the sum has no more places than the values. */
function exactSum(column: Reading): string {
  const places = /\(\d+, ?(\d+)\)/.exec(typeOf(column))?.[1];
  const sum = `SUM(${quoted(nameOf(column))})`;
  return places === undefined ? sum : `ROUND(${sum}, ${places})`;
}

/** An average of money is told to the cent where the values have no more places; of whole numbers to four places. */
function placesOf(column: Reading): number {
  const places = /\((?:\d+), ?(\d+)\)/.exec(typeOf(column))?.[1];
  return places === undefined || Number(places) === 0 ? 4 : Math.max(2, Number(places));
}
