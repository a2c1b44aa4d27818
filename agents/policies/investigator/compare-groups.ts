import type { Play } from '../../../src/core/policy.ts';
import { askSql, isKey, isNumber, isTime, nameOf, quoted } from './ask-sql.ts';
import type { LookedAt } from './look-at-tables.ts';
import { cite, NOTHING, type PartReport } from './part-report.ts';
import { enumerate } from './read-data.ts';

const MOST_GROUPS = 30;
const MOST_COLUMNS = 3;

/** Of which values the rows are that one of two tables lacks: the column whose values explain the most, where only some differ. */
export async function compareGroups(play: Play, left: LookedAt, right: LookedAt): Promise<PartReport> {
  const shared = left.profile.columns.filter(
    (column) => isGrouping(column) && right.profile.columns.some((one) => nameOf(one) === nameOf(column) && isGrouping(one)),
  );
  for (const column of shared.slice(0, MOST_COLUMNS)) {
    const [one, other] = await Promise.all([countBy(play, left, nameOf(column)), countBy(play, right, nameOf(column))]);
    if (!one || !other) continue;
    const values = [...new Set([...one.counts.keys(), ...other.counts.keys()])];
    const apart = values.filter((value) => one.counts.get(value) !== other.counts.get(value));
    if (apart.length === 0 || apart.length === values.length) continue;
    const told = apart.map((value) => `${value} (${one.counts.get(value) ?? 0} rows left, ${other.counts.get(value) ?? 0} right)`);
    const claim = `By \`${nameOf(column)}\` only these values differ in number: ${enumerate(told, 6)}; the others hold as many rows on both sides`;
    return {
      answer: [`${claim}${cite(one, other)}.`],
      detail: [],
      findings: [
        {
          kind: 'cause',
          claim: `${claim}.`,
          evidence: [one.id, other.id],
          confidence: 'medium',
          refuted_by: 'rows of the other values that one side lacks',
        },
      ],
    };
  }
  return NOTHING;
}

function isGrouping(column: Parameters<typeof nameOf>[0]): boolean {
  const distinct = column.number('distinct') ?? 0;
  return distinct >= 2 && distinct <= MOST_GROUPS && !isTime(column) && !isKey(column) && !isNumber(column);
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
