import type { Play } from '../../../../src/core/policy.ts';
import { idsOf, mergeReports, NOTHING, type PartReport, tellCause } from '../part-report.ts';
import { askSql, dayOf, isGrouping, nameOf, quoted } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const MOST_TABLES = 3;
const MOST_GROUPS = 30;
const MOST_COLUMNS = 3;
/** What lies so many days from the other days, and further than those lie apart, is none of theirs. */
const STRAY_DAYS = 366;
const LEAST_ROWS = 5;
const LEAST_DAYS = 5;
const MOST_SPARSE = 1.5;
const MOST_SHARE = 0.4;

/** Rows whose dates lie years from those of the others, and whose they are: a clock that was never set, another unit of time. */
export async function examineStrayDates(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const dated = looked.filter(({ happened }) => isFar(happened?.text('min'), happened?.text('max')));
  return mergeReports(await Promise.all(dated.slice(0, MOST_TABLES).map((one) => examineTable(play, one))));
}

function isFar(from: string | null | undefined, to: string | null | undefined): boolean {
  return Date.parse(to?.slice(0, 10) ?? '') - Date.parse(from?.slice(0, 10) ?? '') > STRAY_DAYS * DAY;
}

const DAY = 86_400_000;

async function examineTable(play: Play, { table, profile, happened, loaded }: LookedAt): Promise<PartReport> {
  if (!happened) return NOTHING;
  const day = dayOf(happened);
  const answered = await askSql(
    play,
    table.source,
    `SELECT ${day} AS day, COUNT(*) AS rows FROM ${quoted(table.name)} WHERE ${day} IS NOT NULL GROUP BY 1 ORDER BY 1`,
  );
  const days = (answered?.rows ?? []).map(([date, rows]) => ({ day: String(date), rows: Number(rows) }));
  const cut = widestGap(days.map((one) => one.day));
  if (!answered || cut === undefined) return NOTHING;
  const [early, late] = [days.slice(0, cut), days.slice(cut)];
  const rowsIn = (part: typeof days): number => part.reduce((sum, { rows }) => sum + rows, 0);
  const stray = rowsIn(early) < rowsIn(late) ? early : late;
  const all = stray === early ? late : early;
  const [first, last] = [stray[0]?.day ?? '', stray.at(-1)?.day ?? ''];
  if (rowsIn(stray) < LEAST_ROWS || rowsIn(stray) > MOST_SHARE * rowsIn(all) || all.length < stray.length || !isDaily(all)) return NOTHING;
  const within = `${day} BETWEEN '${first}' AND '${last}'`;
  const since = loaded && loaded !== happened ? `, MIN(${dayOf(loaded)}) AS first_loaded, MAX(${dayOf(loaded)}) AS last_loaded` : '';
  const counted = await askSql(play, table.source, `SELECT COUNT(*) AS stray_rows${since} FROM ${quoted(table.name)} WHERE ${within}`);
  const [[count, from, to] = []] = counted?.rows ?? [];
  const groups = profile.columns.filter((column) => isGrouping(column, MOST_GROUPS) && column !== happened).slice(0, MOST_COLUMNS);
  const owners = await Promise.all(
    groups.map(async (group) => {
      const values = await askSql(
        play,
        table.source,
        `SELECT ${quoted(nameOf(group))} AS value, COUNT(*) AS rows FROM ${quoted(table.name)} WHERE ${within} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2`,
      );
      return values?.rows.length === 1 ? [{ id: values.id, says: `\`${nameOf(group)}\` ${String(values.rows[0]?.[0])}` }] : [];
    }),
  );
  const [owner] = owners.flat();
  const whose = owner ? `, all of ${owner.says}` : '';
  const loads = since === '' ? '' : `, loaded from ${String(from)} to ${String(to)} by \`${nameOf(loaded ?? happened)}\``;
  const dates = first === last ? `on ${first}` : `between ${first} and ${last}`;
  return tellCause(
    `${String(count)} rows of \`${table.name}\` (stray_rows ${String(count)})${whose} are dated ${dates} by \`${nameOf(happened)}\`, years ${stray === early ? 'before' : 'after'} the others${loads}: ${/^19(70|69)/.test(first) ? 'a clock that was not set, or times in another unit' : 'a wrong clock, or times in another unit'}, so that they are missing on their days`,
    idsOf(answered, counted, owner),
    'things that happened then',
  );
}

/** A table that is written day by day; of others, as of versions or of births, some dates lie far apart by their nature. */
function isDaily(days: readonly { readonly day: string }[]): boolean {
  const span = (Date.parse(days.at(-1)?.day ?? '') - Date.parse(days[0]?.day ?? '')) / DAY + 1;
  return days.length >= LEAST_DAYS && span <= days.length * MOST_SPARSE;
}

/** Where the days part at a gap of years; undefined where they do not. */
function widestGap(days: readonly string[]): number | undefined {
  const gaps = days.map((day, at) => (at === 0 ? 0 : Date.parse(day) - Date.parse(days[at - 1] ?? '')));
  const widest = Math.max(0, ...gaps);
  const rest = gaps.reduce((sum, gap) => sum + gap, 0) - widest;
  return widest > STRAY_DAYS * DAY && widest > rest ? gaps.indexOf(widest) : undefined;
}
