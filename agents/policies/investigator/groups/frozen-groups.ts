import type { Play } from '../../../../src/core/policy.ts';
import { mergeReports, NOTHING, type PartReport, tell } from '../part-report.ts';
import { enumerate } from '../read-data.ts';
import { askSql, measuresOf, nameOf, quoted } from '../tables/ask-sql.ts';
import type { GroupPlace } from './examine-groups.ts';

const MOST_GROUPS = 41;
const MOST_AMOUNTS = 2;
const LEAST_MOVES = 3;
/** Of a single value a day, which may rest, so many days. */
const LEAST_STILL = 4;
/** Values that move on most days rest on some; so many days of rest at the end come less often than this among as many groups. */
const BY_CHANCE = 0.001;

/** Groups of a table of snapshots whose values stand still at the end, where they moved from day to day before. */
export async function frozenGroups(play: Play, { one, group, day, unit }: GroupPlace): Promise<PartReport> {
  const amounts = measuresOf(one.profile)
    .filter((column) => column !== group && (column.number('distinct') ?? 0) > LEAST_MOVES)
    .slice(0, MOST_AMOUNTS);
  const value = quoted(nameOf(group));
  const told = await Promise.all(
    amounts.map(async (amount): Promise<PartReport> => {
      const answered = await askSql(
        play,
        one.table.source,
        `WITH daily AS MATERIALIZED (SELECT ${value} AS value, ${day} AS day, COUNT(*) AS n, ROUND(CAST(SUM(${quoted(nameOf(amount))}) AS DECIMAL(28, 6)), 4) AS total FROM ${quoted(one.table.name)} WHERE ${value} IS NOT NULL AND ${day} IS NOT NULL GROUP BY 1, 2),
steps AS (SELECT value, day, n, total, LAG(total) OVER (PARTITION BY value ORDER BY day) AS earlier FROM daily),
lives AS (SELECT value, COUNT(*) AS days, MIN(n) AS least, MAX(n) AS most, MAX(CASE WHEN earlier IS NULL OR earlier <> total THEN day END) AS last_change, SUM(CASE WHEN earlier <> total THEN 1 ELSE 0 END) AS changes FROM steps GROUP BY 1)
SELECT value, days, least, most, last_change, changes, (SELECT COUNT(*) FROM daily d WHERE d.value = lives.value AND d.day > lives.last_change) AS ${unit}s_same, (SELECT MAX(day) FROM daily) AS last_day, (SELECT d.total FROM daily d WHERE d.value = lives.value AND d.day = lives.last_change) AS total FROM lives ORDER BY 1`,
        MOST_GROUPS,
      );
      if (!answered) return NOTHING;
      const still = answered.rows.filter(([, days, least, most, , changes, same, , total]) => {
        // Nothing but zeros is no snapshot that was written again.
        const isSnapshot = Number(least) === Number(most) && (Number(least) > 1 || Number(same) >= LEAST_STILL) && Number(total) !== 0;
        const rest = 1 - Number(changes) / (Number(days) - Number(same));
        return isSnapshot && Number(changes) >= LEAST_MOVES && Number(same) > 1 && rest ** Number(same) * answered.rows.length < BY_CHANCE;
      });
      if (still.length === 0) return NOTHING;
      const names = still.map(
        ([name, , , , change, , same]) => `${String(name)} since ${String(change)} (${unit}s_same ${String(same)}, the same total on each)`,
      );
      const others = still.length < answered.rows.length ? '; the other values go on changing' : '';
      const claim = `In \`${one.table.name}\` the \`${nameOf(amount)}\` of \`${nameOf(group)}\` ${enumerate(names, 4)} stands still, up to ${String(still[0]?.[7])}, where it changed from ${unit} to ${unit} before${others}: rows of old values were written again, and no new ones came`;
      return tell({
        kind: 'cause',
        claim: `${claim}.`,
        evidence: [answered.id],
        confidence: 'high',
        refuted_by: `${unit}s on which nothing changed in the source`,
      });
    }),
  );
  return mergeReports(told);
}
