import type { Play } from '../../../../src/core/policy.ts';
import { idsOf, mergeReports, NOTHING, type PartReport, tellCause } from '../part-report.ts';
import type { Reading } from '../read-data.ts';
import { askSql, isGrouping, isKey, isNumber, listRows, measuresOf, nameOf, quoted, sumOf } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const MOST_PAIRS = 6;
const MOST_PARTS = 60;
/** Sums of groups that are rounded each differ from the sum of all by so much a group. */
const ROUNDED = 0.006;

interface Pair {
  readonly totals: LookedAt;
  readonly detail: LookedAt;
  /** The column of the detail that has no value in some rows, and in the totals in none. */
  readonly key: Reading;
}

/** A table of totals by group that lacks exactly what the rows without a group add up to. */
export async function examineNullKeys(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const pairs = looked.flatMap((totals) =>
    looked.flatMap((detail) =>
      totals.table.source === detail.table.source && (detail.profile.rows ?? 0) > (totals.profile.rows ?? 0)
        ? detail.profile.columns.flatMap((key): Pair[] => {
            const same = totals.profile.columns.find((column) => nameOf(column) === nameOf(key));
            return same && (key.number('null') ?? 0) > 0 && (same.number('null') ?? 0) === 0 ? [{ totals, detail, key }] : [];
          })
        : [],
    ),
  );
  return mergeReports(await Promise.all(pairs.slice(0, MOST_PAIRS).map((pair) => examinePair(play, pair))));
}

async function examinePair(play: Play, { totals, detail, key }: Pair): Promise<PartReport> {
  const amounts = measuresOf(detail.profile);
  const name = quoted(nameOf(key));
  if (amounts.length === 0) return NOTHING;
  const without = `FROM ${quoted(detail.table.name)} WHERE ${name} IS NULL`;
  const answered = await askSql(
    play,
    detail.table.source,
    `SELECT COUNT(*) AS rows, ${amounts.map((amount, at) => `${sumOf(amount)} AS lost_${at}`).join(', ')} ${without}`,
  );
  const [row = []] = answered?.rows ?? [];
  const found = amounts.flatMap((amount, at) =>
    totals.profile.columns.filter(isSum).flatMap((total) => {
      const lacks = sumIn(amount) - sumIn(total);
      const tolerance = ROUNDED * Math.max(1, totals.profile.rows ?? 1);
      const lost = Number(row[at + 1]);
      // Nothing is lacking where the difference is nearer to none.
      return Math.abs(lacks - lost) <= Math.min(tolerance, Math.abs(lacks) / 2) && lost !== 0 ? [{ amount, total }] : [];
    }),
  );
  const [match] = found;
  if (!answered || !match) return NOTHING;
  const other = detail.profile.columns.find(
    (column) => column !== key && isGrouping(column, MOST_PARTS) && totals.profile.columns.some((one) => nameOf(one) === nameOf(column)),
  );
  const [counted, parts] = await Promise.all([
    askSql(
      play,
      detail.table.source,
      `SELECT COUNT(*) AS rows_without, ${sumOf(match.amount)} AS their_total, (SELECT ${sumOf(match.amount)} FROM ${quoted(detail.table.name)}) AS whole_total, (SELECT ${sumOf(match.total)} FROM ${quoted(totals.table.name)}) AS reported_total ${without}`,
    ),
    other &&
      askSql(
        play,
        detail.table.source,
        `SELECT ${quoted(nameOf(other))}, COUNT(*) AS rows ${without} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 4`,
      ),
  ]);
  const [[rows, theirs, whole, reported] = []] = counted?.rows ?? [];
  if (!counted) return NOTHING;
  const where = other && parts ? `, by \`${nameOf(other)}\` / rows: ${listRows(parts.rows)}` : '';
  const [column, amount, total] = [key, match.amount, match.total].map((one) => `\`${nameOf(one)}\``);
  return tellCause(
    `\`${detail.table.name}\` holds rows without ${column} (rows_without ${String(rows)}${where}), whose ${amount} comes to their_total ${String(theirs)}: just what ${total} of \`${totals.table.name}\` (reported_total ${String(reported)}) lacks of ${amount} (whole_total ${String(whole)}), as its groups leave out rows without ${column}`,
    idsOf(counted, parts),
    'totals that hold a group for rows without one',
  );
}

/** A total by group may be another in each group. */
const isSum = (column: Reading): boolean => isNumber(column) && !isKey(column);
const sumIn = (column: Reading): number => Number(column.at('sum').value ?? Number.NaN);
