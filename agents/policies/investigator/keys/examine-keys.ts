import type { Play } from '../../../../src/core/policy.ts';
import { type Finding, idsOf, mergeReports, NOTHING, type PartReport, tell } from '../part-report.ts';
import { askSql, isNumber, isSameCode, isText, nameOf, quoted } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';
import { examineOrphans } from './examine-orphans.ts';

/** Why rows of one table find none in another: they refer to what is not there, or the key is of another type. */
export async function examineKeys(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const pairs = looked.flatMap((left) => looked.flatMap((right) => (left === right ? [] : zerosLost(left, right))));
  const [orphans, ...types] = await Promise.all([
    examineOrphans(play, looked),
    ...pairs.slice(0, 4).map((pair) => examineZeros(play, pair)),
  ]);
  return mergeReports([...types, orphans ?? NOTHING]);
}

interface ZerosLost {
  readonly left: LookedAt;
  readonly right: LookedAt;
  readonly column: string;
}

/** Columns of one name that are text with leading zeros on one side and a number, which has none, on the other. */
function zerosLost(left: LookedAt, right: LookedAt): ZerosLost[] {
  return left.profile.columns.flatMap((column) => {
    const other = right.profile.columns.find((one) => nameOf(one) === nameOf(column));
    if (!other || !isText(column) || !isNumber(other) || !(column.number('leading_zeros') ?? 0) || isSameCode(column, other)) return [];
    return [{ left, right, column: nameOf(column) }];
  });
}

async function examineZeros(play: Play, { left, right, column }: ZerosLost): Promise<PartReport> {
  const name = quoted(column);
  const where = `FROM ${quoted(left.table.name)} WHERE SUBSTR(${name}, 1, 1) = '0' AND LENGTH(${name}) > 1`;
  const [counted, example] = await Promise.all([
    askSql(play, left.table.source, `SELECT COUNT(*) AS rows ${where}`),
    askSql(play, left.table.source, `SELECT MIN(${name}) AS ${name} ${where}`),
  ]);
  const [[rows] = []] = counted?.rows ?? [];
  if (!counted || Number(rows ?? 0) === 0) return NOTHING;
  const shown = String(example?.rows[0]?.[0] ?? '');
  const claim = `\`${column}\` is text with leading zeros in ${String(rows)} rows of \`${left.table.name}\` (e.g. \`${column}\` ${shown}) and a number without them in \`${right.table.name}\`: joined as text these rows find no match; the zeros were lost where \`${right.table.name}\` was written`;
  const finding: Finding = {
    kind: 'cause',
    claim: `${claim}.`,
    evidence: [...idsOf(counted, example), left.profile.result, right.profile.result],
    confidence: 'high',
    refuted_by: 'a join that pads or casts both sides to one form',
  };
  return tell(finding);
}
