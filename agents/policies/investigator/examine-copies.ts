import type { Play } from '../../../src/core/policy.ts';
import { askSql, dayOf, isKey, isNumber, LOADED, listRows, measuresOf, nameOf, quoted, sumOf, typeOf } from './ask-sql.ts';
import type { LookedAt } from './look-at-tables.ts';
import { type Finding, idsOf, mergeReports, NOTHING, type PartReport, tell } from './part-report.ts';
import { enumerate, type Reading } from './read-data.ts';

const BATCH = /(^|_)(batch|load|run|job|file|source_file|attempt|delivery|import|source|feed|origin|system|provider|channel)(_|$)/i;

/** Rows that repeat another in all but a number of their own and the load they came by: sent or loaded again under new keys. */
export async function examineCopies(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  return mergeReports(await Promise.all(looked.slice(0, 4).map((one) => examineTable(play, one))));
}

async function examineTable(play: Play, { table, profile, happened }: LookedAt): Promise<PartReport> {
  const own = profile.columns.filter((column) => isKey(column) && column.number('distinct') === profile.rows);
  const loads = profile.columns.filter((column) => !own.includes(column) && (BATCH.test(nameOf(column)) || LOADED.test(nameOf(column))));
  const same = profile.columns.filter((column) => !own.includes(column) && !loads.includes(column));
  // Few columns of few values repeat by chance.
  const telling = same.filter((column) => (column.number('distinct') ?? 0) * 2 > (profile.rows ?? 0));
  if (own.length === 0 || same.length < 2 || telling.length < 2 || !telling.some((column) => column === happened || isNumber(column)))
    return NOTHING;
  const names = same.map((column) => quoted(nameOf(column))).join(', ');
  const rank = `ROW_NUMBER() OVER (PARTITION BY ${names} ORDER BY ${quoted(nameOf(own[0] as Reading))}) AS copy_number`;
  const from = `FROM (SELECT *, ${rank} FROM ${quoted(table.name)}) AS ranked WHERE copy_number > 1`;
  const amounts = measuresOf({ columns: same, rows: profile.rows });
  // Money has decimals, and what is counted in whole numbers may be a name.
  const amount = amounts.find((column) => !/int/i.test(typeOf(column))) ?? amounts[0];
  const worth = amount ? `, ${sumOf(amount)} AS ${quoted(`total ${nameOf(amount)}`)}` : '';
  const [load] = loads;
  const [counted, days, byLoad] = await Promise.all([
    askSql(play, table.source, `SELECT COUNT(*) AS copies${worth} ${from}`),
    happened &&
      askSql(play, table.source, `SELECT ${dayOf(happened)} AS day, COUNT(*) AS copies ${from} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5`),
    load && askSql(play, table.source, `SELECT ${quoted(nameOf(load))}, COUNT(*) AS copies ${from} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5`),
  ]);
  const [[copies, total] = []] = counted?.rows ?? [];
  if (!counted || Number(copies ?? 0) === 0) return NOTHING;
  const when = days && days.rows.length > 0 ? `; by day / copies: ${listRows(days.rows)}` : '';
  const came = load && byLoad && byLoad.rows.length > 0 ? `; by \`${nameOf(load)}\` / copies: ${listRows(byLoad.rows)}` : '';
  const value = amount ? `, \`${nameOf(amount)}\` ${String(total)} in all` : '';
  const apart = [...own, ...loads].map((column) => `\`${nameOf(column)}\``);
  const claim = `${String(copies)} rows of \`${table.name}\` are copies: they repeat an earlier row in everything but ${enumerate(apart)}${value}${when}${came}: the same rows came again under new keys`;
  const finding: Finding = {
    kind: 'cause',
    claim: `${claim}.`,
    evidence: idsOf(counted, days, byLoad),
    confidence: 'high',
    refuted_by: 'two things that really happened alike at the same time',
  };
  return tell(finding);
}
