import type { Play } from '../../../../src/core/policy.ts';
import { seriesName } from '../files/series-of.ts';
import { idsOf, mergeReports, NOTHING, type PartReport, tellCause } from '../part-report.ts';
import { figure, type Reading } from '../read-data.ts';
import { askSql, isGrouping, isKey, isTime, isWrittenTime, listRows, nameOf, quoted } from './ask-sql.ts';
import type { LookedAt } from './look-at-tables.ts';

const MOST_TABLES = 6;
const MOST_VALUES = 20;
const SO_TOO = 'versions that the source holds so too';
const BEGINS = /(^|_)(valid|effective|active|start|starts|begin|begins)(_(from|at|on|date|day|time|since|start|begin))?$|_(from|since)$/i;
/** Words that only versions begin with. */
const OF_VERSIONS = /(^|_)(valid|effective|active)(_|$)|_(from|since)$/i;
const ENDS = /(^|_)(end|ends|expires|expired|expiry|superseded)(_(at|on|date|day|time))?$|_(to|till|until|end|thru|through)$/i;
/** Names of what comes before a warehouse; a table that is made of it holds no versions that it should. */
const UPSTREAM = /(^|[^a-z])(raw|source|src|stg|staging|stage|landing|bronze|extract|export)([^a-z]|$)/i;

/** Tables of versions: those of one key that overlap, and rows of another table that are no newest version. */
export async function examineVersions(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const tables = looked.slice(0, MOST_TABLES);
  const reports = await Promise.all([
    ...tables.map((one) => overlaps(play, one, tables)),
    ...tables.flatMap((mart) => tables.map((raw) => olderVersions(play, mart, raw))),
  ]);
  return mergeReports(reports);
}

const isDated = (column: Reading): boolean => isTime(column) || isWrittenTime(column);

/** A key that stands on several rows, as that of a table of versions does. */
function repeatedKey({ profile }: LookedAt): Reading | undefined {
  return profile.columns.find((column) => {
    const distinct = column.number('distinct') ?? 0;
    return isKey(column) && distinct > 1 && distinct < (profile.rows ?? 0);
  });
}

/** Visits, shifts and bookings have a key of their own and times at which they began: that two of one person overlap is no mistake. */
function holdsEvents({ profile }: LookedAt, from: Reading): boolean {
  return !OF_VERSIONS.test(nameOf(from)) && profile.columns.some((column) => isKey(column) && column.number('distinct') === profile.rows);
}

/** Keys of which two versions hold at the same time: a join by key and time finds both. */
async function overlaps(play: Play, one: LookedAt, looked: readonly LookedAt[]): Promise<PartReport> {
  const { table, profile } = one;
  const [from, to] = [BEGINS, ENDS].map((pattern) => profile.columns.find((column) => isDated(column) && pattern.test(nameOf(column))));
  const key = repeatedKey(one);
  if (!from || !to || from === to || !key || holdsEvents(one, from)) return NOTHING;
  const [start, end, id] = [from, to, key].map((column) => quoted(nameOf(column))) as [string, string, string];
  const earlier = `PARTITION BY ${id} ORDER BY ${start}, ${end} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING`;
  const answered = await askSql(
    play,
    table.source,
    `WITH ordered AS (SELECT ${id} AS k, ${start} AS begins, MAX(${end}) OVER (${earlier}) AS ended, SUM(CASE WHEN ${end} IS NULL THEN 1 ELSE 0 END) OVER (${earlier}) AS open_ones FROM ${quoted(table.name)})
SELECT COUNT(DISTINCT k) AS keys_overlapping, MIN(k) AS example_key, MIN(begins) AS first_overlap, MAX(begins) AS last_overlap FROM ordered WHERE begins < ended OR open_ones > 0`,
  );
  const [[keys, example, first, last] = []] = answered?.rows ?? [];
  if (!answered || Number(keys ?? 0) === 0) return NOTHING;
  const [name, begins, ends] = [key, from, to].map((column) => `\`${nameOf(column)}\``);
  const fanned = await fannedOut(play, looked, one);
  const claim = `\`${table.name}\` holds overlapping versions of ${String(keys)} values of ${name} (keys_overlapping ${String(keys)}), where the next ${begins} lies before the ${ends} of the version before it, the overlaps beginning ${String(first)} to ${String(last)}, for example ${name} ${String(example)}: a join by ${name} and time finds two rows for each there, so its result is multiplied${fanned.map(({ says }) => says).join('')}`;
  return tellCause(claim, [answered.id, ...fanned.flatMap(({ ids }) => ids), profile.result], SO_TOO);
}

/** Tables with more rows than keys, of which another table has one row each. */
async function fannedOut(play: Play, looked: readonly LookedAt[], versions: LookedAt) {
  const pairs = looked.flatMap((many) =>
    looked.flatMap((single) => {
      if (many === single || many === versions || single === versions || many.table.source !== single.table.source) return [];
      const key = many.profile.columns.find(
        (column) =>
          isKey(column) &&
          (column.number('distinct') ?? 0) < (many.profile.rows ?? 0) &&
          column.number('distinct') === single.profile.rows &&
          single.profile.columns.some((other) => nameOf(other) === nameOf(column) && other.number('distinct') === single.profile.rows),
      );
      return key ? [{ many, single, key: nameOf(key) }] : [];
    }),
  );
  const told = await Promise.all(
    pairs.slice(0, 2).map(async ({ many, single, key }) => {
      const answered = await askSql(
        play,
        many.table.source,
        `SELECT COUNT(*) - COUNT(DISTINCT ${quoted(key)}) AS extra_rows FROM ${quoted(many.table.name)}`,
      );
      const [[extra] = []] = answered?.rows ?? [];
      if (!answered || Number(extra ?? 0) === 0) return [];
      const says = `; \`${many.table.name}\` has ${figure(many.profile.rows)} rows for the ${figure(single.profile.rows)} \`${key}\` of \`${single.table.name}\`, extra_rows ${String(extra)}`;
      return [{ says, ids: idsOf(answered, { id: many.profile.result }, { id: single.profile.result }) }];
    }),
  );
  return told.flat();
}

/** Rows of one table that are older versions than another one holds of the same key. */
async function olderVersions(play: Play, mart: LookedAt, raw: LookedAt): Promise<PartReport> {
  const time = raw.loaded ?? raw.happened;
  const key = repeatedKey(raw);
  const isSingle = (column: Reading): boolean =>
    nameOf(column) === (key ? nameOf(key) : '') && column.number('distinct') === mart.profile.rows;
  const names = new Set(mart.profile.columns.map(nameOf));
  const shared = raw.profile.columns.filter((column) => names.has(nameOf(column))).length;
  if (UPSTREAM.test(mart.table.name) && !UPSTREAM.test(raw.table.name)) return NOTHING;
  if (!time || !key || mart === raw || mart.table.source !== raw.table.source || seriesName(mart.table) === seriesName(raw.table))
    return NOTHING;
  const dated = mart.profile.columns.filter(isDated);
  const own = dated.find((column) => nameOf(column) === nameOf(time)) ?? (dated.length === 1 ? dated[0] : undefined);
  if (!mart.profile.columns.some(isSingle) || !own || shared * 2 <= names.size) return NOTHING;
  const [id, at, ownTime] = [quoted(nameOf(key)), quoted(nameOf(time)), quoted(nameOf(own))];
  const newest = `(SELECT ${id} AS k, MIN(${at}) AS oldest, MAX(${at}) AS newest FROM ${quoted(raw.table.name)} GROUP BY 1)`;
  const value = mart.profile.columns.find(
    (column) => isGrouping(column, MOST_VALUES) && raw.profile.columns.some((one) => nameOf(one) === nameOf(column)),
  );
  const answered = await askSql(
    play,
    mart.table.source,
    `SELECT SUM(CASE WHEN m.${ownTime} < v.newest THEN 1 ELSE 0 END) AS rows_older, SUM(CASE WHEN m.${ownTime} = v.oldest AND v.oldest < v.newest THEN 1 ELSE 0 END) AS rows_oldest, SUM(CASE WHEN v.oldest < v.newest THEN 1 ELSE 0 END) AS keys_with_versions, COUNT(*) AS rows, SUM(CASE WHEN m.${ownTime} = v.newest THEN 1 ELSE 0 END) AS rows_newest FROM ${quoted(mart.table.name)} m JOIN ${newest} v ON v.k = m.${id}`,
  );
  const [[older, oldest, several, rows, current] = []] = answered?.rows ?? [];
  if (!answered || Number(older ?? 0) === 0) return NOTHING;
  // Times of two names are of one kind where most of them are equal.
  if (nameOf(own) !== nameOf(time) && Number(current) <= Number(older)) return NOTHING;
  const held = value
    ? await askSql(
        play,
        mart.table.source,
        `SELECT m.${quoted(nameOf(value))}, COUNT(*) AS rows FROM ${quoted(mart.table.name)} m JOIN ${newest} v ON v.k = m.${id} WHERE m.${ownTime} < v.newest GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3`,
      )
    : undefined;
  const holds = value && held ? `, by the \`${nameOf(value)}\` that they hold / rows: ${listRows(held.rows)}` : '';
  const times = nameOf(own) === nameOf(time) ? `\`${nameOf(time)}\`` : `\`${nameOf(own)}\` against \`${nameOf(time)}\``;
  const isOldest = Number(oldest) === Number(several);
  const why = isOldest
    ? `, in each of the ${String(several)} with several versions the oldest (rows_oldest ${String(oldest)}, keys_with_versions ${String(several)}): the first row of a key is kept in place of the newest`
    : ` (of ${String(several)} with several versions, keys_with_versions ${String(several)}): what came later is not in it`;
  return tellCause(
    `${String(older)} of the ${String(rows)} rows of \`${mart.table.name}\` are older versions than \`${raw.table.name}\` holds of the same \`${nameOf(key)}\`, by ${times} (rows_older ${String(older)})${holds}${why}`,
    [answered.id, ...(held ? [held.id] : []), mart.profile.result, raw.profile.result],
    SO_TOO,
  );
}
