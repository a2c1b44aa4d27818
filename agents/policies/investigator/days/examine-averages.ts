import type { Play } from '../../../../src/core/policy.ts';
import { idsOf, mergeReports, NOTHING, type PartReport, tell, tellCause } from '../part-report.ts';
import { plainWords, type Question } from '../question/read-question.ts';
import type { Reading } from '../read-data.ts';
import { type Answered, askSql, isKey, isNumber, listRows, measuresOf, nameOf, quoted, typeOf } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';
import { bothBy, MEAN_NAME, type Means, meansOf, rounded } from './take-means.ts';

const MOST_STATED = 3;
const MOST_PAIRS = 4;
const SHOWN = 6;
/** A stated figure is a mean where it is so on at least this share of the rows. */
const MOST_EQUAL = 0.6;
/** Means that lie closer together than this explain no difference. */
const APART = 0.005;
const REFUTATION = 'a definition of the figure that counts each group the same on purpose';

const MEAN_WORDS = / (avg|average|averages|averaged|(?:the|a) mean|means of|aov|durchschnitt\w*|mittelwert\w*|moyenne\w*|promedio\w*) /;
/** What asks for two means to be set side by side. */
const COMPARES = /\b(differ\w*|match\w*|agree\w*|discrepan\w*|mismatch\w*|not the (?:same|average)|average of (?:the )?av\w+)\b/i;

/** Whether the question is of an average, by its words or by the name of the column that it names. */
export function asksOfAverage({ plain }: Question): boolean {
  return MEAN_WORDS.test(plain);
}

/**
 * Where an average differs: whether what a table or the question states is the average of the averages of groups, each counted the same however many rows
 * it has, while the average over all rows is another.
 */
export async function examineAverages(play: Play, question: Question, looked: readonly LookedAt[]): Promise<PartReport> {
  const means = looked.map((of) => meansOf(of));
  const stated = looked.flatMap((totals) =>
    looked.flatMap((detail, at) =>
      detail !== totals && detail.table.source === totals.table.source && (detail.profile.rows ?? 0) > (totals.profile.rows ?? 0)
        ? [{ totals, means: means[at] ?? [] }]
        : [],
    ),
  );
  const reports = await Promise.all(
    stated
      .filter((pair) => pair.means.length > 0)
      .slice(0, MOST_PAIRS)
      .map((pair) => tellStated(play, pair)),
  );
  const told = mergeReports(reports);
  if (told.answer.length > 0) return told;
  const known = await Promise.all(means.filter((list) => list.length > 0).map((list) => overAll(play, list)));
  return tellNamed(question, known.flat()) ?? tellApart(question, looked, known.flat()) ?? NOTHING;
}

interface Period {
  /** In SQL on the side of the totals and on that of the rows. */
  readonly totals: string;
  readonly rows: string;
}

/** What a row of totals stands for: a day, a month, a value of a column that both have, or all rows. */
function periodsOf(totals: LookedAt, detail: LookedAt): readonly Period[] {
  const rows = totals.profile.rows ?? 0;
  if (rows === 1) return [{ totals: "''", rows: "''" }];
  const cut = (column: Reading, letters: number): string => `SUBSTR(CAST(${quoted(nameOf(column))} AS VARCHAR), 1, ${letters})`;
  const single = totals.profile.columns.filter((one) => one.number('distinct') === rows);
  const month = single.find((one) => /^\d{4}-\d\d$/.test(one.text('min') ?? ''));
  const { happened } = totals;
  const times: Period[] = [];
  if (detail.happened && month) times.push({ totals: cut(month, 7), rows: cut(detail.happened, 7) });
  else if (detail.happened && happened && single.includes(happened)) {
    const letters = daysBetween(happened) >= (rows - 1) * 27 ? 7 : 10;
    times.push({ totals: cut(happened, letters), rows: cut(detail.happened, letters) });
  }
  const shared = single.filter((one) => !isNumber(one) || isKey(one));
  const named = shared.filter((one) => detail.profile.columns.some((other) => nameOf(other) === nameOf(one)));
  const text = (name: string): string => `CAST(${quoted(name)} AS VARCHAR)`;
  return [...times, ...named.map((one) => ({ totals: text(nameOf(one)), rows: text(nameOf(one)) }))].slice(0, 2);
}

function daysBetween(column: Reading): number {
  const at = (key: string): number => Date.parse((column.text(key) ?? '').slice(0, 10));
  return (at('max') - at('min')) / 86_400_000;
}

interface Stated {
  readonly totals: LookedAt;
  readonly means: readonly Means[];
}

/** Whether a column of one table is the mean of group means of another, row by row. */
async function tellStated(play: Play, { totals, means }: Stated): Promise<PartReport> {
  const [first] = means;
  const columns = measuresOf(totals.profile).filter((one) => !/int/i.test(typeOf(one)));
  const stated = [...columns].sort((one, other) => Number(MEAN_NAME.test(nameOf(other))) - Number(MEAN_NAME.test(nameOf(one))));
  const tries = (first ? periodsOf(totals, first.of) : []).flatMap((period) =>
    means.flatMap((mean) => stated.slice(0, MOST_STATED).map((column) => ({ period, mean, column }))),
  );
  if (tries.length === 0) return NOTHING;
  const near = (value: string): string => `ABS(s - ${value}) <= 0.006`;
  const joined = ({ period, mean, column }: (typeof tries)[number]): string =>
    `(SELECT ${period.totals} AS p, ${quoted(nameOf(column))} AS s FROM ${quoted(totals.table.name)}) AS t JOIN ${bothBy(mean, period.rows)} ON m.p = t.p`;
  const looked = await askSql(
    play,
    totals.table.source,
    tries
      .map(
        (one, at) =>
          `SELECT ${at} AS way, COUNT(*) AS rows_compared, SUM(CASE WHEN ${near('u')} THEN 1 ELSE 0 END) AS rows_equal, SUM(CASE WHEN ${near('w')} THEN 1 ELSE 0 END) AS rows_right FROM ${joined(one)}`,
      )
      .join(' UNION ALL '),
  );
  const found = looked?.rows.find(
    ([, rows, equal, right]) => Number(rows) > 0 && Number(equal) >= Number(rows) * MOST_EQUAL && Number(right) < Number(equal),
  );
  const way = tries[Number(found?.[0])];
  if (!looked || !found || !way) return NOTHING;
  const shown = await askSql(
    play,
    totals.table.source,
    `SELECT m.p AS row_of, ${rounded('s')} AS stated, ${rounded('w')} AS over_all_rows FROM ${joined(way)} WHERE NOT (${near('w')}) ORDER BY 1 LIMIT ${SHOWN}`,
  );
  if (!shown) return NOTHING;
  const name = `\`${nameOf(way.column)}\` of \`${totals.table.name}\``;
  const claim = `${name} is an average of averages: that of ${way.mean.says}, in which each ${way.mean.unit}, counts the same (rows_equal ${String(found[2])} of rows_compared ${String(found[1])}), and not the average over all rows; ${wordsOf(shown.rows)}`;
  return tellCause(claim, idsOf(shown, looked), REFUTATION);
}

/** A row of all rows bears no name. */
function wordsOf(rows: Answered['rows']): string {
  const [first] = rows;
  if (rows.length === 1 && first?.[0] === '') return `it states ${String(first[1])} where over all rows it is ${String(first[2])}`;
  return `as row / stated / over all rows: ${listRows(rows)}`;
}

interface Known {
  readonly mean: Means;
  readonly id: string;
  /** As the query gave them. */
  readonly over: string;
  readonly groups: string;
}

async function overAll(play: Play, means: readonly Means[]): Promise<readonly Known[]> {
  const [first] = means;
  const answered = await askSql(
    play,
    first?.of.table.source ?? '',
    means
      .map((mean, at) => `SELECT ${at} AS way, ${rounded('w')} AS over_all_rows, ${rounded('u')} AS over_groups FROM ${bothBy(mean, "''")}`)
      .join(' UNION ALL '),
  );
  return (answered?.rows ?? []).flatMap(([at, over, groups]) => {
    const mean = means[Number(at)];
    return mean && answered && over !== null && groups !== null
      ? [{ mean, id: answered.id, over: String(over), groups: String(groups) }]
      : [];
  });
}

/** The question states the mean of group means. */
function tellNamed({ text }: Question, known: readonly Known[]): PartReport | undefined {
  const figures = [...text.matchAll(/(?<![\w.,-])\d+(?:[.,]\d+)?(?![\w-]|[.,]\d)/g)].map(([figure]) => figure);
  const places = (figure: string): number => /[.,](\d+)$/.exec(figure)?.[1]?.length ?? 0;
  const isFigure = (figure: string, value: string): boolean => Number(value).toFixed(places(figure)) === figure.replace(',', '.');
  for (const one of known) {
    const figure = figures.find((said) => isFigure(said, one.groups) && !isFigure(said, one.over));
    if (figure !== undefined) return tellCause(`${figure} is an average of averages: ${bothText(one)}`, [one.id], REFUTATION);
  }
  return undefined;
}

/** Nothing is stated: where averages of groups stand in a table, or the group is named, both means are told. */
function tellApart(question: Question, looked: readonly LookedAt[], known: readonly Known[]): PartReport | undefined {
  if (!COMPARES.test(question.text) || question.days.length > 0 || question.direction !== undefined) return undefined;
  const holdsAverages = ({ profile }: LookedAt): boolean => profile.columns.some((one) => MEAN_NAME.test(nameOf(one)));
  const named = ({ mean }: Known): boolean => {
    const { group } = mean;
    if (group === undefined) return true;
    const isSpoken = plainWords(group)
      .trim()
      .split(' ')
      .some((word) => word.length > 2 && word !== 'name' && question.plain.includes(` ${word}`));
    return (
      isSpoken ||
      looked.some((one) => one !== mean.of && holdsAverages(one) && one.profile.columns.some((column) => nameOf(column) === group))
    );
  };
  const one = known.find((each) => named(each) && isApart(each));
  if (!one) return undefined;
  return tell({
    kind: 'cause',
    claim: `An average of averages is another than the average over all rows: ${bothText(one)}.`,
    evidence: [one.id],
    confidence: 'medium',
    refuted_by: REFUTATION,
  });
}

function isApart({ over, groups }: Known): boolean {
  return Math.abs(Number(over) - Number(groups)) > APART * Math.abs(Number(over));
}

function bothText({ mean, over, groups }: Known): string {
  return `of ${mean.says} it is ${groups} (over_groups ${groups}) where each ${mean.unit}, counts the same, and ${over} (over_all_rows ${over}) over all rows`;
}
