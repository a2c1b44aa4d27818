import type { Play } from '../../../../src/core/policy.ts';
import { type Finding, idsOf, mergeReports, NOTHING, type PartReport, tell } from '../part-report.ts';
import type { Reading } from '../read-data.ts';
import { askSql, dayOf, listRows, measuresOf, nameOf, quoted, sumOf } from './ask-sql.ts';
import type { LookedAt } from './look-at-tables.ts';

const MOST_TABLES = 6;
const MOST_PAIRS = 4;
const MOST_MEASURES = 3;
const LEAST_DAYS = 4;
/** A column is a total of another table's rows when it is so on at least this share of the days. */
const MOST_EQUAL = 0.6;
const SHOWN = 6;

interface Pair {
  /** One row a day. */
  readonly totals: LookedAt;
  readonly detail: LookedAt;
}

/** Days on which a table of daily totals does not give what the rows of another add up to, where it does on most. */
export async function examineAggregates(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const dated = looked.filter(({ happened }) => happened !== undefined).slice(0, MOST_TABLES);
  const pairs = dated
    .filter(({ happened, profile }) => happened?.number('distinct') === profile.rows && (profile.rows ?? 0) >= LEAST_DAYS)
    .flatMap((totals) =>
      dated
        .filter((detail) => detail.table.source === totals.table.source && (detail.profile.rows ?? 0) > (totals.profile.rows ?? 0) * 2)
        .map((detail): Pair => ({ totals, detail })),
    );
  const reports = await Promise.all(
    pairs.slice(0, MOST_PAIRS).flatMap((pair) =>
      measuresOf(pair.totals.profile)
        .slice(0, MOST_MEASURES)
        .map((total) => examineTotal(play, pair, total)),
    ),
  );
  return mergeReports(reports);
}

async function examineTotal(play: Play, { totals, detail }: Pair, total: Reading): Promise<PartReport> {
  const [day, ofRow] = [totals.happened, detail.happened];
  if (!day || !ofRow) return NOTHING;
  const amounts = measuresOf(detail.profile).slice(0, MOST_MEASURES);
  const sums = [['COUNT(*)', 'the number of rows'], ...amounts.map((one) => [sumOf(one), `the sum of \`${nameOf(one)}\``])];
  const measured = (sum: string): string =>
    `FROM (SELECT ${dayOf(day)} AS day, ${quoted(nameOf(total))} AS total FROM ${quoted(totals.table.name)}) AS t JOIN (SELECT ${dayOf(ofRow)} AS day, ${sum} AS sum_of_rows FROM ${quoted(detail.table.name)} GROUP BY 1) AS d ON d.day = t.day`;
  const isEqual = 'ABS(total - sum_of_rows) <= 0.006 + ABS(total) * 0.000000001';
  const answers = await Promise.all(
    sums.map(([sum = '']) =>
      askSql(
        play,
        totals.table.source,
        `SELECT SUM(CASE WHEN ${isEqual} THEN 1 ELSE 0 END) AS days_equal, SUM(CASE WHEN ${isEqual} THEN 0 ELSE 1 END) AS days_apart, COUNT(*) AS days ${measured(sum)}`,
      ),
    ),
  );
  const at = answers.findIndex((answer) => {
    const [[equal, , days] = []] = answer?.rows ?? [];
    return Number(days ?? 0) >= LEAST_DAYS && Number(equal) >= Number(days) * MOST_EQUAL;
  });
  const [answer, [sum = '', says = ''] = []] = [answers[at], sums[at]];
  const [[equal, apart, days] = []] = answer?.rows ?? [];
  if (!answer || Number(apart) === 0) return NOTHING;
  const shown = await askSql(
    play,
    totals.table.source,
    `SELECT t.day, total, sum_of_rows ${measured(sum)} WHERE NOT (${isEqual}) ORDER BY 1 LIMIT ${SHOWN}`,
  );
  if (!shown) return NOTHING;
  const claim = `\`${nameOf(total)}\` of \`${totals.table.name}\` is ${says} of \`${detail.table.name}\` on ${String(equal)} of ${String(days)} days (days_equal ${String(equal)}) and another on ${String(apart)} (days_apart ${String(apart)}), as day / total / sum_of_rows: ${listRows(shown.rows)}; ${why(shown.rows)}`;
  const finding: Finding = {
    kind: 'cause',
    claim: `${claim}.`,
    evidence: idsOf(shown, answer),
    confidence: 'high',
    refuted_by: `a rule of \`${totals.table.name}\` that leaves out rows of these days alone`,
  };
  return tell(finding);
}

function why(rows: readonly (readonly unknown[])[]): string {
  const apart = rows.map(([, total, sum]) => ({ total: Number(total), sum: Number(sum) }));
  if (apart.every(({ total, sum }) => Math.abs(total - 2 * sum) <= 0.01))
    return 'the total is twice the sum: rows were counted twice when it was made';
  if (apart.every(({ total, sum }) => total < sum)) return 'the total is too low: rows came or changed after it was made, or were left out';
  if (apart.every(({ total, sum }) => total > sum))
    return 'the total is too high: rows were taken out after it was made, or counted more than once';
  return 'the totals were not made from the rows that are there';
}
