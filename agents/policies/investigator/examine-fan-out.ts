import type { Play } from '../../../src/core/policy.ts';
import { askSql, isKey, isNumber, nameOf, quoted } from './ask-sql.ts';
import type { LookedAt } from './look-at-tables.ts';
import { cite, type Finding, mergeReports, NOTHING, type PartReport } from './part-report.ts';
import { enumerate, figure, type Reading } from './read-data.ts';

interface Join {
  readonly left: LookedAt;
  readonly right: LookedAt;
  readonly on: string;
}

const MOST_JOINS = 6;

/** A join that multiplies: what a result holds too much of is what joining two tables on a key that is not single gives. */
export async function examineFanOut(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const joins = candidates(looked).slice(0, MOST_JOINS);
  const reports = await Promise.all(joins.map((join) => examineJoin(play, join, looked)));
  return mergeReports(reports);
}

/** Pairs with a key in common of which the right one holds some value more than once although nearly all are single. */
function candidates(looked: readonly LookedAt[]): Join[] {
  return looked.flatMap((left) =>
    looked.flatMap((right) => {
      if (left === right || left.table.source !== right.table.source) return [];
      return right.profile.columns.flatMap((column) => {
        const distinct = column.number('distinct') ?? 0;
        const rows = right.profile.rows ?? 0;
        const shared = left.profile.columns.find((one) => nameOf(one) === nameOf(column));
        if (!shared || !isKey(column) || distinct === 0 || distinct >= rows || distinct * 2 < rows) return [];
        // The left side is what the join multiplies: it has a key of its own besides.
        const own = left.profile.columns.some(
          (one) => isKey(one) && nameOf(one) !== nameOf(column) && one.number('distinct') === left.profile.rows,
        );
        return own ? [{ left, right, on: nameOf(column) }] : [];
      });
    }),
  );
}

async function examineJoin(play: Play, join: Join, looked: readonly LookedAt[]): Promise<PartReport> {
  const { left, right, on } = join;
  const source = left.table.source;
  const amounts = left.profile.columns.filter((column) => isNumber(column) && !isKey(column)).slice(0, 3);
  const sums = amounts.map((column) => `, SUM(l.${quoted(nameOf(column))})`).join('');
  const names = { left: quoted(left.table.name), right: quoted(right.table.name), on: quoted(on) };
  const [joined, repeated] = await Promise.all([
    askSql(play, source, `SELECT COUNT(*)${sums} FROM ${names.left} l JOIN ${names.right} r ON r.${names.on} = l.${names.on}`),
    askSql(
      play,
      source,
      `SELECT COUNT(*), SUM(n) FROM (SELECT ${names.on}, COUNT(*) AS n FROM ${names.right} WHERE ${names.on} IS NOT NULL GROUP BY 1 HAVING COUNT(*) > 1) AS repeated`,
    ),
  ]);
  const [row] = joined?.rows ?? [];
  const [again] = repeated?.rows ?? [];
  if (!joined || !repeated || !row || !again || Number(again[0]) === 0) return NOTHING;
  const rows = String(row[0]);
  if (Number(rows) <= (left.profile.rows ?? 0)) return NOTHING;
  const matches = looked.filter((one) => one !== left && one !== right).flatMap((one) => matchOf(one, { row, amounts, left }));
  const claim = `\`${right.table.name}\` holds ${String(again[0])} values of \`${on}\` more than once (${String(again[1])} of its ${figure(right.profile.rows)} rows), so joining \`${left.table.name}\` (${figure(left.profile.rows)} rows) to it gives ${rows} rows${matches.length === 0 ? '' : `: ${enumerate(matches, 3)}`}`;
  const finding: Finding = {
    kind: matches.length > 0 ? 'cause' : 'observation',
    claim: `${claim}.`,
    evidence: [joined.id, repeated.id, left.profile.result, right.profile.result],
    confidence: matches.length > 0 ? 'high' : 'low',
    refuted_by: `the same result after \`${right.table.name}\` is reduced to one row a \`${on}\``,
  };
  return { answer: matches.length > 0 ? [`${claim}${cite(joined, repeated)}.`] : [], detail: [], findings: [finding] };
}

interface Joined {
  readonly row: readonly unknown[];
  readonly amounts: readonly Reading[];
  readonly left: LookedAt;
}

/** Whether a third table holds as many rows, or as great a total, as the join gives and the left side does not. */
function matchOf({ table, profile }: LookedAt, { row, amounts, left }: Joined): string[] {
  const said: string[] = [];
  if (profile.rows === Number(row[0]) && profile.rows !== left.profile.rows)
    said.push(`exactly the ${profile.rows} rows of \`${table.name}\``);
  for (const [index, amount] of amounts.entries()) {
    const total = String(row[1 + index]);
    const plain = String(amount.at('sum').value);
    const same = profile.columns.find(
      (column) => isNumber(column) && sameNumber(String(column.at('sum').value), total) && !sameNumber(total, plain),
    );
    if (same)
      said.push(
        `the total of \`${nameOf(same)}\` in \`${table.name}\`, ${String(same.at('sum').value)}, is that of \`${nameOf(amount)}\` after the join, where \`${left.table.name}\` holds ${plain}`,
      );
  }
  return said;
}

function sameNumber(left: string, right: string): boolean {
  const [one, other] = [Number(left), Number(right)];
  return Number.isFinite(one) && Number.isFinite(other) && one !== 0 && Math.abs(one - other) <= Math.abs(one) * 1e-9;
}
