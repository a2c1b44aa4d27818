import type { Play } from '../../../../src/core/policy.ts';
import { type Finding, idsOf, mergeReports, NOTHING, type PartReport, tell } from '../part-report.ts';
import { figure } from '../read-data.ts';
import { askSql, dayOf, isKey, isNumber, isTime, isWrittenTime, listRows, nameOf, quoted } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const VERSIONED = /valid|version|current|effective|superseded|(^|_)(start|end)(_|$)/i;

/** Keys that stand on several rows which tell of different things: given out again, or of two sources that count alike. */
export async function examineKeyReuse(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  return mergeReports(await Promise.all(looked.slice(0, 4).map((one) => examineTable(play, one))));
}

async function examineTable(play: Play, { table, profile, happened }: LookedAt): Promise<PartReport> {
  const rows = profile.rows ?? 0;
  const key = profile.columns.find((column) => {
    const distinct = column.number('distinct') ?? 0;
    return isKey(column) && distinct < rows && distinct * 2 > rows;
  });
  // What differs on the rows of one key has to be as telling as a name, not a state that changes.
  const apart = profile.columns.find(
    (column) =>
      column !== key &&
      !isKey(column) &&
      !isNumber(column) &&
      !isTime(column) &&
      !isWrittenTime(column) &&
      column.number('distinct') === rows,
  );
  // Versions of one thing are meant to share its key.
  if (!key || !apart || profile.columns.some((column) => VERSIONED.test(nameOf(column)))) return NOTHING;
  const [id, other] = [quoted(nameOf(key)), quoted(nameOf(apart))];
  const twice = `SELECT ${id} FROM ${quoted(table.name)} WHERE ${id} IS NOT NULL GROUP BY 1 HAVING COUNT(DISTINCT ${other}) > 1`;
  const days = happened
    ? `, MIN(first_day) AS first_from, MAX(first_day) AS first_to, MIN(last_day) AS last_from, MAX(last_day) AS last_to`
    : '';
  const each = happened ? `, MIN(${dayOf(happened)}) AS first_day, MAX(${dayOf(happened)}) AS last_day` : '';
  const [counted, examples] = await Promise.all([
    askSql(
      play,
      table.source,
      `SELECT COUNT(*) AS keys_used_again${days} FROM (SELECT ${id}${each} FROM ${quoted(table.name)} WHERE ${id} IN (${twice}) GROUP BY 1) AS used`,
    ),
    askSql(play, table.source, `SELECT ${id}, ${other} FROM ${quoted(table.name)} WHERE ${id} IN (${twice}) ORDER BY 1, 2 LIMIT 4`),
  ]);
  const [[count, firstFrom, firstTo, lastFrom, lastTo] = []] = counted?.rows ?? [];
  if (!counted || Number(count ?? 0) === 0) return NOTHING;
  const when =
    happened && String(firstTo) < String(lastFrom)
      ? `; the first row of each is dated first_from ${String(firstFrom)} to first_to ${String(firstTo)}, the last one last_from ${String(lastFrom)} to last_to ${String(lastTo)} by \`${nameOf(happened)}\`: old keys were given out again`
      : '';
  const claim = `Values of \`${nameOf(key)}\` name more than one thing in \`${table.name}\` (${figure(rows)} rows), keys_used_again ${String(count)}, as their rows differ in \`${nameOf(apart)}\`${when}; for example ${listRows(examples?.rows ?? [])}`;
  const finding: Finding = {
    kind: 'cause',
    claim: `${claim}.`,
    evidence: [...idsOf(counted, examples), profile.result],
    confidence: 'high',
    refuted_by: `a source in which the rows of one \`${nameOf(key)}\` are the same thing`,
  };
  return tell(finding);
}
