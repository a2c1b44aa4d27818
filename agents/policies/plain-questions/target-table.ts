import type { Play } from '../../../src/core/policy.ts';
import type { PartReport } from '../investigator/part-report.ts';
import { plainWords, type Question } from '../investigator/question/read-question.ts';
import { enumerate, type Reading } from '../investigator/read-data.ts';
import { isGrouping, isKey, isNumber, isTime, literal, nameOf, quoted, typeOf } from '../investigator/tables/ask-sql.ts';
import { bareName, type ListedTable, namedTables, plainOf, speaksOf, stem, stemsOf } from '../investigator/tables/choose-tables.ts';
import { type LookedAt, lookAtTables } from '../investigator/tables/look-at-tables.ts';
import { columnOf } from './compared-with.ts';
import type { TimeUnit } from './read-plain.ts';
import { say } from './say.ts';
import { lookAtSeries, oneSeries } from './series-looked.ts';

/** What a plain question is asked of: the question and the tables that there are. */
export interface PlainRequest {
  readonly question: Question;
  readonly tables: readonly ListedTable[];
  /** Id of the result that lists the tables. */
  readonly listed: string;
}

/** The one table that is meant, looked at; undefined where none or several may be. */
export async function targetTable(play: Play, { question, tables }: PlainRequest): Promise<LookedAt | undefined> {
  const all = namedTables(question, tables);
  const within = all.filter(
    ({ name }) =>
      question.plain.includes(` in${plainWords(bareName(name))}`) || question.plain.includes(` of${plainWords(bareName(name))}`),
  );
  const named = within.length === 1 ? within : all;
  const series = oneSeries(named.length > 0 ? named : tables);
  if (series.length > 0) return lookAtSeries(play, series);
  if (named.length === 1 || tables.length === 1) return (await lookAtTables(play, named.length === 1 ? named : tables))[0];
  // Several by name, or none: the one that has a column the question speaks of.
  const looked = await lookAtTables(play, named.length > 0 ? named : tables);
  const speaking = looked.filter(({ profile }) =>
    profile.columns.some((column) => speaksOf(question, nameOf(column)) && !isCommon(column)),
  );
  if (speaking.length < 2) return speaking[0];
  // Of several, the one that can answer: it has what is asked for by what it is asked by.
  const fitting = speaking.filter(
    (one) => spokenColumns(question, one).some(isNumber) && (!asksForGroups(question) || groupColumn(question, one) !== undefined),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Columns of these names stand in most tables. */
function isCommon(column: Reading): boolean {
  return /^(id|day|date|time|name|type|status|rows?|value|count)$/i.test(nameOf(column));
}

/** Columns that the question names, the longest names first; of one within another only the longer. */
export function spokenColumns(question: Question, { table, profile }: LookedAt): readonly Reading[] {
  const own = plainWords(bareName(table.name));
  const spoken = profile.columns.filter((column) => speaksOf(question, nameOf(column)) && plainOf(nameOf(column)) !== own);
  const sorted = [...spoken].sort((left, right) => nameOf(right).length - nameOf(left).length);
  return sorted.filter(
    (column, place) => !sorted.slice(0, place).some((longer) => plainOf(nameOf(longer)).includes(plainOf(nameOf(column)))),
  );
}

export interface Grouping {
  readonly group: Reading;
  /** Set where times are grouped by the hour, day, month or year. */
  readonly unit?: TimeUnit;
}

/** The words after `by`, `per` or `for each`; a name stays whole, also one that ends like a word (`placed_on`). */
export function groupWords({ text }: Question): string {
  const spaced = ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim()} `;
  const [, after = ''] = / (?:by|per|for each|for every|in each|of each|across|each) (?:the )?((?:\S+ ){1,3})/.exec(spaced) ?? [];
  const [words = ''] = after.split(/ (?:in|of|from|for|on|have|has|had|is|are|does|do|right|correct|together) /);
  return plainWords(words).trim();
}

export function asksForGroups(question: Question): boolean {
  return groupWords(question) !== '';
}

/** That no column, or more than one, is what the question groups by: no figure of all of them is told in its place. */
export function withoutGroup(question: Question, { table, profile }: LookedAt): PartReport {
  const words = groupWords(question);
  const near = lastWordColumns(words, profile.columns);
  const could = near.length > 1 ? near : profile.columns.filter((column) => isGrouping(column, 60));
  const told =
    could.length === 0
      ? 'none parts its rows'
      : `these could be meant: ${enumerate(
          could.map((column) => `\`${nameOf(column)}\``),
          10,
        )}`;
  return say(`Fixed rules cannot tell which column of \`${table.name}\` "by ${words}" names; ${told}`, profile.result);
}

/** Columns whose name ends with the words (`country`: `BillingCountry`, `payment_method`: `method`). */
export function lastWordColumns(words: string, columns: readonly Reading[]): readonly Reading[] {
  const asked = stemsOf(words).join(' ');
  const ends = columns.filter((column) => ` ${stemsOf(nameOf(column)).join(' ')}`.endsWith(` ${asked}`));
  if (ends.length > 0 || asked.length < 4) return ends;
  return columns.filter((column) => stem(nameOf(column).toLowerCase()).endsWith(asked));
}

/** What the words after `by`, `per` or `for each` name: a column, or a unit of time. */
export function groupColumn(question: Question, { profile, happened }: LookedAt): Grouping | undefined {
  const words = groupWords(question);
  if (words === '') return undefined;
  const asked: Question = { ...question, plain: ` ${words} ` };
  const spoken = profile.columns.filter((column) => speaksOf(asked, nameOf(column)));
  const near = profile.columns.filter((column) => isKey(column) && speaksOf(asked, nameOf(column).replace(/_?(id|key|no|nr|code)$/i, '')));
  const [group] = [...spoken, ...near].sort((left, right) => nameOf(right).length - nameOf(left).length);
  if (group) return { group };
  const unit = /^ (hour|day|date|month|year)s? /.exec(asked.plain)?.[1];
  if (unit) return happened ? { group: happened, unit: unit === 'date' ? 'day' : (unit as TimeUnit) } : undefined;
  const [last, ...others] = lastWordColumns(words, profile.columns);
  return last && others.length === 0 ? { group: last } : undefined;
}

/** The number column that a measure is of: the one named, or the only one that there is. */
export function measureColumn(question: Question, looked: LookedAt, except?: Reading): Reading | undefined {
  const spoken = spokenColumns(question, looked).filter((column) => column !== except);
  const [number] = spoken.filter(isNumber);
  if (number) return number;
  const [time] = spoken.filter(isTime);
  if (time) return time;
  const measures = looked.profile.columns.filter((column) => isNumber(column) && !isKey(column) && column !== except);
  return measures.length === 1 ? measures[0] : columnOf(measures, question.plain);
}

export interface Filter {
  readonly where: string;
  readonly says: string;
}

/** A value of some column, or a day, that the question limits itself to. */
export function filterOf(question: Question, { table, profile, happened }: LookedAt): Filter | undefined {
  const name = plainWords(bareName(table.name));
  for (const column of profile.columns) {
    for (const value of topValues(column)) {
      const plain = plainWords(value);
      if (plain.trim().length < 2 || name.includes(plain) || !question.plain.includes(plain)) continue;
      if (speaksOf({ ...question, plain }, nameOf(column))) continue;
      return { where: `${quoted(nameOf(column))} = ${literal(value)}`, says: `with \`${nameOf(column)}\` ${value}` };
    }
  }
  const year = / (?:in|of|during) ((?:19|20)\d\d) /.exec(question.plain)?.[1];
  if (year !== undefined && happened && question.days.length === 0)
    return {
      where: `SUBSTR(CAST(${quoted(nameOf(happened))} AS VARCHAR), 1, 4) = '${year}'`,
      says: `with \`${nameOf(happened)}\` in ${year}`,
    };
  const [day] = question.days;
  if (day === undefined || !happened || !/^\d{4}/.test(day)) return undefined;
  return {
    where: `SUBSTR(CAST(${quoted(nameOf(happened))} AS VARCHAR), 1, 10) = '${day}'`,
    says: `with \`${nameOf(happened)}\` on ${day}`,
  };
}

/** A column of nothing but 0 and 1, or of truth values, that the question speaks of (`how many survived?`): those that are set. */
export function flagOf(question: Question, { profile }: LookedAt): Filter | undefined {
  const flag = profile.columns.find((column) => {
    const isBit =
      isNumber(column) && Number(column.at('min').value) === 0 && Number(column.at('max').value) === 1 && column.number('distinct') === 2;
    const name = nameOf(column).replace(/^(is|has|was)_?/i, '');
    return (isBit || /bool/i.test(typeOf(column))) && speaksOf(question, name);
  });
  if (!flag || / (not|never|without|no) /.test(question.plain)) return undefined;
  const value = isNumber(flag) ? '1' : 'true';
  return { where: `${quoted(nameOf(flag))} = ${value}`, says: `with \`${nameOf(flag)}\` ${value}` };
}

/** The most frequent values of a column, those that are text. */
function topValues(column: Reading): readonly string[] {
  const tops = column.at('top').value;
  return Array.isArray(tops) ? tops.flatMap((top) => (Array.isArray(top) && typeof top[0] === 'string' ? [top[0]] : [])) : [];
}

const KNOWN_WORDS =
  /^(how|many|much|is|are|was|were|the|a|an|of|in|for|to|by|per|each|every|on|at|there|do|does|did|has|have|had|we|i|you|what|which|rows?|records?|entries|lines?|table|file|files|data|column|columns|field|number|count|total|totals|sum|average|avg|mean|minimum|maximum|min|max|median|smallest|largest|highest|lowest|biggest|altogether|overall|and|it|its|all|with|whose|that|value|values|me|show|give|tell|list|please|currently|now|contain|contains|hold|holds|most|fewest|least|day|days|date|month|year|hour|different|distinct|unique|where|from|s|zero|more|less|than|above|below|over|under|negative|positive|equal|equals|placed|made|came|dated|exist|exists)$/;

/** Words of the question that name neither the table nor a column nor the filter: what it says beyond what was read. */
export function unreadWords(question: Question, looked: LookedAt, filter: Filter | undefined): readonly string[] {
  const known = new Set(
    [bareName(looked.table.name), looked.table.source, ...looked.profile.columns.map(nameOf), filter?.says ?? ''].flatMap(stemsOf),
  );
  const words = question.plain.trim().split(' ');
  const undated = question.days.filter((day) => !filter?.says.includes(day));
  const unread = words.filter((word) => !KNOWN_WORDS.test(word) && !known.has(stem(word)) && !/^\d+$/.test(word));
  return [...undated, ...unread];
}
