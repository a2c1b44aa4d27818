import type { Play } from '../../../../src/core/policy.ts';
import { type Finding, idsOf, mergeReports, NOTHING, type PartReport, tell, tellCause } from '../part-report.ts';
import { enumerate, type Reading } from '../read-data.ts';
import {
  askSql,
  dayOf,
  isGrouping,
  isKey,
  isNumber,
  isTime,
  isWrittenTime,
  LOADED,
  listRows,
  literal,
  measuresOf,
  nameOf,
  quoted,
  sumOf,
  typeOf,
} from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

/** A column parts the rows of a table into so many parts, of at least so many things. */
const LEAST_PARTS = 4;
const MOST_PARTS = 60;
const LEAST_THINGS = 10;

const BATCH = /(^|_)(batch|load|run|job|file|source_file|attempt|delivery|import|source|feed|origin|system|provider|channel)(_|$)/i;

/** Rows that repeat another in all but a number of their own and the load they came by: sent or loaded again under new keys. */
export async function examineCopies(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const few = looked.slice(0, 4);
  return mergeReports(
    await Promise.all(
      few.map(async (one) => {
        const copies = await examineTable(play, one);
        return copies.answer.length > 0 ? copies : doubledPart(play, one);
      }),
    ),
  );
}

/** One value of a column, such as a month, all of whose rows are there so many times, but for their number and time; those of others once. */
async function doubledPart(play: Play, { table, profile }: LookedAt): Promise<PartReport> {
  const own = profile.columns.filter((column) => isKey(column) && column.number('distinct') === profile.rows);
  const times = profile.columns.filter((column) => isTime(column) || isWrittenTime(column));
  const same = profile.columns.filter((column) => !own.includes(column) && !times.includes(column));
  const written = times.find((column) => (column.text('min') ?? '').length > 'YYYY-MM-DD'.length);
  if (own.length === 0 || same.length < 2 || !written) return NOTHING;
  const names = same.map((column) => quoted(nameOf(column))).join(', ');
  const parts = same.filter((column) => isGrouping(column, MOST_PARTS) && (column.number('distinct') ?? 0) >= LEAST_PARTS).slice(0, 3);
  const reports = await Promise.all(
    parts.map(async (part): Promise<PartReport> => {
      const value = quoted(nameOf(part));
      const counted = await askSql(
        play,
        table.source,
        `WITH each_thing AS (SELECT ${names}, COUNT(*) AS n FROM ${quoted(table.name)} GROUP BY ${names}), parts AS (SELECT ${value} AS part, COUNT(*) AS things, SUM(n) AS rows, MIN(n) AS least, MAX(n) AS most FROM each_thing WHERE ${value} IS NOT NULL GROUP BY 1)
SELECT part, things, rows, least, most, (SELECT COUNT(*) FROM parts) AS all_parts, (SELECT COUNT(*) FROM parts WHERE most > 1) AS parts_with_copies FROM parts WHERE least > 1 ORDER BY 1`,
      );
      const [row] = counted?.rows ?? [];
      const [, things, rows, least, most, , withCopies] = (row ?? []).map(Number);
      if (!counted || !row || Number(withCopies) !== 1 || least !== most || Number(things) < LEAST_THINGS) return NOTHING;
      const days = await askSql(
        play,
        table.source,
        `SELECT ${dayOf(written)} AS day, COUNT(*) AS rows FROM ${quoted(table.name)} WHERE CAST(${value} AS VARCHAR) = ${literal(String(row[0]))} GROUP BY 1 ORDER BY 1 LIMIT 5`,
      );
      const when = days && days.rows.length > 0 ? `; by day of \`${nameOf(written)}\` / rows: ${listRows(days.rows)}` : '';
      const apart = [...own, ...times].map((column) => `\`${nameOf(column)}\``);
      return tellCause(
        `In \`${table.name}\` all rows of \`${nameOf(part)}\` ${String(row[0])} are there more than once, and those of no other: ${rows} rows of ${things} things (rows ${rows}, things ${things}), each ${least} times, the same in everything but ${enumerate(apart)}${when}: they were written again`,
        idsOf(counted, days),
        'things that really happened more than once then',
      );
    }),
  );
  return reports.find(({ answer }) => answer.length > 0) ?? NOTHING;
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
