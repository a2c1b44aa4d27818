import type { Play } from '../../../../src/core/policy.ts';
import { NOTHING, type PartReport, tell } from '../part-report.ts';
import { enumerate } from '../read-data.ts';
import { askSql, isGrouping, isKey, nameOf, quoted } from '../tables/ask-sql.ts';
import { bareName } from '../tables/choose-tables.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const MOST_GROUPS = 30;
const MOST_COLUMNS = 3;

/** Of which values the rows are that one of two tables lacks: the column whose values explain the most, where only some differ. */
export async function compareGroups(play: Play, left: LookedAt, right: LookedAt): Promise<PartReport> {
  const shared = left.profile.columns.filter(
    (column) =>
      !isKey(column) &&
      isGrouping(column, MOST_GROUPS) &&
      right.profile.columns.some((one) => nameOf(one) === nameOf(column) && isGrouping(one, MOST_GROUPS)),
  );
  for (const column of shared.slice(0, MOST_COLUMNS)) {
    const [one, other] = await Promise.all([countBy(play, left, nameOf(column)), countBy(play, right, nameOf(column))]);
    if (!one || !other) continue;
    const values = [...new Set([...one.counts.keys(), ...other.counts.keys()])];
    const apart = values.filter((value) => one.counts.get(value) !== other.counts.get(value));
    if (apart.length === 0 || apart.length === values.length) continue;
    const told = apart.map(
      (value) => `${value} (${rowsOf(one, value, ' rows')} left, ${rowsOf(other, value, one.counts.has(value) ? '' : ' rows')} right)`,
    );
    const claim = `By \`${nameOf(column)}\` only these values differ in number: ${enumerate(told, 6)}; the others hold as many rows on both sides`;
    // Another table that leaves out all of a value may do so by its rule; a copy of the same name may not.
    const isRule =
      bareName(left.table.name) !== bareName(right.table.name) &&
      apart.every((value) => !one.counts.has(value) || !other.counts.has(value));
    const refutation = 'rows of the other values that one side lacks';
    return tell({
      kind: isRule ? 'observation' : 'cause',
      claim: `${claim}.`,
      evidence: [one.id, other.id],
      confidence: 'medium',
      refuted_by: refutation,
    });
  }
  return NOTHING;
}

function rowsOf({ counts }: { readonly counts: ReadonlyMap<string, number> }, value: string, unit: string): string {
  const rows = counts.get(value);
  return rows === undefined ? 'none' : `${rows}${unit}`;
}

async function countBy(play: Play, { table }: LookedAt, column: string) {
  const answered = await askSql(
    play,
    table.source,
    `SELECT ${quoted(column)}, COUNT(*) AS rows FROM ${quoted(table.name)} GROUP BY 1 ORDER BY 1`,
    MOST_GROUPS + 1,
  );
  return answered && { id: answered.id, counts: new Map(answered.rows.map(([value, rows]) => [String(value), Number(rows)])) };
}
