import type { Play } from '../../../../src/core/policy.ts';
import { type Finding, NOTHING, type PartReport, tell } from '../part-report.ts';
import { askSql, nameOf, quoted } from '../tables/ask-sql.ts';
import type { Pair } from './examine-differences.ts';

const FLAG =
  /(^|_)(is_?)?(deleted?|removed?|inactive|archived?|cancell?ed|void(ed)?|closed|test|blocked|obsolete|tombstone)(_at|_on|_flag|_date)?$/i;

/** Rows that one table marks as deleted, cancelled or void, and that the other holds as if they were not. */
export async function examineFlags(play: Play, { left, right, key }: Pair): Promise<PartReport> {
  for (const [marked, plain] of [
    [left, right],
    [right, left],
  ] as const) {
    const flag = marked.profile.columns.find(
      (column) => FLAG.test(nameOf(column)) && !plain.profile.columns.some((one) => nameOf(one) === nameOf(column)),
    );
    if (!flag || marked.table.source !== plain.table.source) continue;
    const name = `m.${quoted(nameOf(flag))}`;
    const isSet = /_(at|on|date)$/i.test(nameOf(flag))
      ? `${name} IS NOT NULL`
      : `LOWER(CAST(${name} AS VARCHAR)) IN ('true', '1', 't', 'y', 'yes', 'deleted', 'x')`;
    const answered = await askSql(
      play,
      plain.table.source,
      `SELECT COUNT(*) AS rows, SUM(CASE WHEN ${isSet} THEN 1 ELSE 0 END) AS marked_rows FROM ${quoted(plain.table.name)} p JOIN ${quoted(marked.table.name)} m ON m.${quoted(key)} = p.${quoted(key)}`,
    );
    const [[rows, flagged] = []] = answered?.rows ?? [];
    if (!answered || Number(flagged ?? 0) === 0) continue;
    const claim = `${String(flagged)} of the ${String(rows)} rows of \`${plain.table.name}\` that \`${marked.table.name}\` holds too are marked there by \`${nameOf(flag)}\` (marked_rows ${String(flagged)}), a column that \`${plain.table.name}\` has not: what was deleted or cancelled is still counted`;
    const finding: Finding = {
      kind: 'cause',
      claim: `${claim}.`,
      evidence: [answered.id],
      confidence: 'high',
      refuted_by: 'a rule that such rows are to be counted',
    };
    return tell(finding);
  }
  return NOTHING;
}
