import type { Play } from '../../../../src/core/policy.ts';
import { onlyGroup } from '../groups/only-group.ts';
import { type Finding, idsOf, mergeReports, NOTHING, type PartReport, tell } from '../part-report.ts';
import { askSql, dayOf, isGrouping, nameOf, quoted, secondsBetween } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

/** Rows whose later time comes before their earlier one in a few of them only: a clock that is off. */
const FEW = 0.3;

/** Times of one row in the wrong order: received before sent, loaded before it happened, as clocks of hosts that differ write them. */
export async function examineLags(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const reports = await Promise.all(looked.map((one) => examineTable(play, one)));
  return mergeReports(reports);
}

async function examineTable(play: Play, { table, profile, happened, loaded }: LookedAt): Promise<PartReport> {
  if (!happened || !loaded || happened === loaded) return NOTHING;
  const seconds = secondsBetween(play, table.source, [quoted(nameOf(loaded)), quoted(nameOf(happened))]);
  const where = `FROM ${quoted(table.name)} WHERE ${seconds} > 0`;
  const groups = profile.columns.filter((column) => isGrouping(column, 60) && column !== happened && column !== loaded).slice(0, 3);
  const [counted, lone] = await Promise.all([
    askSql(
      play,
      table.source,
      `SELECT COUNT(*) AS rows, MIN(${dayOf(happened)}) AS first_day, MAX(${dayOf(happened)}) AS last_day, MIN(${seconds}) AS least_seconds, MAX(${seconds}) AS most_seconds ${where}`,
    ),
    onlyGroup(play, { source: table.source, rows: where, columns: groups }),
  ]);
  const [[rows, first, last, least, most] = []] = counted?.rows ?? [];
  if (!counted || Number(rows ?? 0) === 0 || Number(rows) > (profile.rows ?? 0) * FEW) return NOTHING;
  const whose = lone ? `, all of ${lone.says}` : '';
  const claim = `In ${String(rows)} rows of \`${table.name}\`${whose}, \`${nameOf(loaded)}\` lies before \`${nameOf(happened)}\`, first_day ${String(first)}, last_day ${String(last)}, by least_seconds ${String(least)} to most_seconds ${String(most)}: a clock that is off${lone ? ' there' : ''}, not rows that came from the future`;
  const finding: Finding = {
    kind: 'cause',
    claim: `${claim}.`,
    evidence: idsOf(counted, ...(lone?.results ?? [])),
    confidence: 'high',
    refuted_by: 'the same order of times by a clock that all share',
  };
  return tell(finding);
}
