import type { Play } from '../../../../src/core/policy.ts';
import { seriesName } from '../files/series-of.ts';
import { callIfOffered, cite, type Finding, mergeReports, NOTHING, type PartReport, usable } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { enumerate, figure, type Reading, read } from '../read-data.ts';
import { isKey, isNumber, isText, isWrittenTime, nameOf } from '../tables/ask-sql.ts';
import { namedTables } from '../tables/choose-tables.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

interface Join {
  readonly left: LookedAt;
  readonly right: LookedAt;
  readonly on: string;
}

const MOST_JOINS = 6;
/** A kind has fewer values than a code. */
const MOST_NAMES = 30;

/** A join that multiplies: what a result holds too much of is what joining two tables on a key that is not single gives. */
export async function examineFanOut(play: Play, question: Question, looked: readonly LookedAt[]): Promise<PartReport> {
  const joins = candidates(looked).slice(0, MOST_JOINS);
  const reports = await Promise.all(joins.map((join) => examineJoin(play, { ...join, asked: isAsked(question, join) }, looked)));
  return mergeReports(reports);
}

/** Pairs with a key in common of which the right one holds some value more than once although nearly all are single. */
function candidates(looked: readonly LookedAt[]): Join[] {
  return looked.flatMap((left) =>
    looked.flatMap((right) => {
      if (left === right || seriesName(left.table) === seriesName(right.table)) return [];
      return right.profile.columns.flatMap((column) => {
        const distinct = column.number('distinct') ?? 0;
        const rows = right.profile.rows ?? 0;
        const shared = left.profile.columns.find((one) => nameOf(one) === nameOf(column));
        if (!shared || !(isKey(column) || isCode(column)) || distinct === 0 || distinct >= rows || distinct * 2 < rows) return [];
        // The left side is what the join multiplies: it has a key of its own besides.
        const own = left.profile.columns.find(
          (one) => isKey(one) && nameOf(one) !== nameOf(column) && one.number('distinct') === left.profile.rows,
        );
        // What holds the same key, each once, is a table of the same things.
        const same = right.profile.columns.some((one) => nameOf(one) === (own ? nameOf(own) : '') && one.number('distinct') === rows);
        return own && !same ? [{ left, right, on: nameOf(column) }] : [];
      });
    }),
  );
}

/** A text of many values, of which each stands for one thing: a name under which two tables know it. */
const isCode = (column: Reading): boolean => isText(column) && !isWrittenTime(column) && (column.number('distinct') ?? 0) > MOST_NAMES;

/** Whether the question speaks of joining, or of the table that is joined to. */
function isAsked(question: Question, { right }: Join): boolean {
  return / (join|joins|joined|joining|lookup|enrich\w*) /.test(question.plain) || namedTables(question, [right.table]).length > 0;
}

async function examineJoin(play: Play, join: Join & { readonly asked: boolean }, looked: readonly LookedAt[]): Promise<PartReport> {
  const { left, right, on, asked } = join;
  const result = await callIfOffered(play, 'join_multiplicity', {
    left: left.table.name,
    left_source: left.table.source,
    right: right.table.name,
    right_source: right.table.source,
    on: [on],
  });
  const data = read(result?.data);
  if (!usable(result) || data.flag('multiplies') !== true) return NOTHING;
  const rows = data.at('rows_after').text('inner_join') ?? '';
  const sums = data.list('sums').map((one) => ({
    column: one.text('column') ?? '',
    before: String(one.at('before').value),
    after: String(one.at('after_left_join').value),
  }));
  const matches = looked.filter((one) => one !== left && one !== right).flatMap((one) => matchOf(one, { rows, sums, left }));
  const versions = right.profile.columns.some((column) => /valid|version|current|effective/i.test(nameOf(column)))
    ? ', as it holds several versions of a key,'
    : '';
  const moved = sums.filter(({ before, after }) => before !== after);
  const totals = asked && moved.length > 0 ? `, and \`${moved[0]?.column}\` goes from ${moved[0]?.before} to ${moved[0]?.after}` : '';
  const claim = `\`${right.table.name}\` holds ${figure(data.at('right').number('double_keys'))} double keys \`${on}\` in ${figure(right.profile.rows)} rows${versions === '' ? ',' : versions} so joining \`${left.table.name}\` (${figure(left.profile.rows)} rows) to it gives ${rows} rows${totals}${matches.length === 0 ? '' : `: ${enumerate(matches, 3)}`}`;
  const finding: Finding = {
    kind: matches.length > 0 || asked ? 'cause' : 'observation',
    claim: `${claim}.`,
    evidence: [result.id, left.profile.result, right.profile.result],
    confidence: matches.length > 0 ? 'high' : 'low',
    refuted_by: `the same result after \`${right.table.name}\` is reduced to one row a \`${on}\``,
  };
  return { answer: matches.length > 0 || asked ? [`${claim}${cite(result)}.`] : [], detail: [], findings: [finding] };
}

interface Joined {
  readonly rows: string;
  readonly sums: readonly { readonly column: string; readonly before: string; readonly after: string }[];
  readonly left: LookedAt;
}

/** Whether a third table holds as many rows, or as great a total, as the join gives and the left side does not. */
function matchOf({ table, profile }: LookedAt, { rows, sums, left }: Joined): string[] {
  const said: string[] = [];
  if (profile.rows === Number(rows) && profile.rows > (left.profile.rows ?? 0))
    said.push(`exactly the ${profile.rows} rows of \`${table.name}\``);
  for (const { column, before, after } of sums) {
    const same = profile.columns.find(
      (one) => isNumber(one) && sameNumber(String(one.at('sum').value), after) && !sameNumber(after, before),
    );
    if (same)
      said.push(
        `the total of \`${nameOf(same)}\` in \`${table.name}\`, ${String(same.at('sum').value)}, is that of \`${column}\` after the join, where \`${left.table.name}\` holds ${before}`,
      );
  }
  return said;
}

function sameNumber(left: string, right: string): boolean {
  const [one, other] = [Number(left), Number(right)];
  return Number.isFinite(one) && Number.isFinite(other) && one !== 0 && Math.abs(one - other) <= Math.abs(one) * 1e-9;
}
