import type { Play } from '../../../../src/core/policy.ts';
import { mergeReports, NOTHING, type PartReport, tellCause } from '../part-report.ts';
import type { Reading } from '../read-data.ts';
import { askSql, dayOf, isKey, isNumber, nameOf, quoted } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const MOST_TABLES = 3;
const MOST_COLUMNS = 3;
/** A measure of fewer values has a highest one by its nature. */
const LEAST_VALUES = 20;
const LEAST_DAYS = 3;
const LEAST_ROWS = 5;
/** So many of the rows have a number of their own, but for those at the highest. */
const COUNTED = 0.95;

/** Values that from one day on never go beyond one, which many of them have, where they did before: cut off at a limit of a type or a form. */
export async function examineCeilings(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const dated = looked.filter(({ happened }) => happened !== undefined).slice(0, MOST_TABLES);
  const places = dated.flatMap((one) =>
    one.profile.columns
      .filter((column) => isNumber(column) && !isKey(column) && (column.number('distinct') ?? 0) >= LEAST_VALUES)
      .slice(0, MOST_COLUMNS)
      .map((column) => ({ one, column })),
  );
  const keys = looked
    .slice(0, MOST_TABLES)
    .flatMap((one) =>
      one.profile.columns
        .filter(
          (column) =>
            isNumber(column) && HIGHEST[String(column.at('max').value)] !== undefined && (column.number('distinct') ?? 0) >= LEAST_VALUES,
        )
        .map((column) => stuckAtHighest(play, one, column)),
    );
  const stuck = await Promise.all(keys);
  const told = await Promise.all(places.map(({ one, column }) => examineColumn(play, one, column)));
  return mergeReports([...stuck, ...told]);
}

async function examineColumn(play: Play, { table, happened }: LookedAt, column: Reading): Promise<PartReport> {
  if (!happened) return NOTHING;
  const [name, day] = [quoted(nameOf(column)), dayOf(happened)];
  const answered = await askSql(
    play,
    table.source,
    `WITH daily AS (SELECT ${day} AS day, MAX(${name}) AS highest FROM ${quoted(table.name)} WHERE ${name} IS NOT NULL AND ${quoted(nameOf(happened))} IS NOT NULL GROUP BY 1),
newest AS (SELECT highest AS ceiling FROM daily ORDER BY day DESC LIMIT 1),
since AS (SELECT ceiling, (SELECT MAX(day) FROM daily WHERE highest > ceiling) AS last_beyond FROM newest)
SELECT ceiling, last_beyond, (SELECT MAX(highest) FROM daily) AS highest_before, (SELECT COUNT(*) FROM daily WHERE day > last_beyond AND highest = ceiling) AS days_at, (SELECT COUNT(*) FROM daily WHERE day > last_beyond AND highest < ceiling) AS days_below, (SELECT COUNT(*) FROM ${quoted(table.name)} WHERE ${name} = ceiling AND ${day} > last_beyond) AS rows_at, (SELECT COUNT(*) FROM ${quoted(table.name)} WHERE ${name} > ceiling) AS rows_beyond, (SELECT MIN(day) FROM daily WHERE day > last_beyond) AS first_day FROM since`,
  );
  const [[ceiling, lastBeyond, highest, at, below, rows, beyond, first] = []] = answered?.rows ?? [];
  if (!answered || lastBeyond === null || lastBeyond === undefined || Number(at) < LEAST_DAYS || Number(below) > 0) return NOTHING;
  if (Number(rows) < LEAST_ROWS || Number(rows) < Number(at) * 2) return NOTHING;
  return tellCause(
    `From ${String(first)} on no \`${nameOf(column)}\` of \`${table.name}\` lies above ${String(ceiling)}, and ${String(rows)} rows hold just that (rows_at ${String(rows)}), on each of the days (days_at ${String(at)}); until ${String(lastBeyond)} rows went beyond it (rows_beyond ${String(beyond)}, up to highest_before ${String(highest)}): values are cut off at a limit${HIGHEST[String(ceiling)] === undefined ? '' : `, the highest that \`${HIGHEST[String(ceiling)]}\` holds`}`,
    [answered.id],
    'a source in which no value goes beyond it either',
  );
}

/** Numbers that count up to the highest that their type holds, and stay there. */
async function stuckAtHighest(play: Play, { table, happened, profile }: LookedAt, column: Reading): Promise<PartReport> {
  const [name, highest] = [quoted(nameOf(column)), String(column.at('max').value)];
  const since = happened ? `, MIN(${dayOf(happened)}) AS first_day` : '';
  const answered = await askSql(
    play,
    table.source,
    `SELECT MAX(${name}) AS highest, COUNT(*) AS rows_at${since}, (SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM ${quoted(table.name)} WHERE ${name} < ${highest} GROUP BY ${name}) AS others) AS most_of_another FROM ${quoted(table.name)} WHERE ${name} = ${highest}`,
  );
  const [row = []] = answered?.rows ?? [];
  const [rows, others] = [Number(row[1]), Number(row.at(-1))];
  const isCounted = (column.number('distinct') ?? 0) + rows - 1 >= (profile.rows ?? 0) * COUNTED;
  if (!answered || !isCounted || rows < LEAST_ROWS * 2 || rows < others * LEAST_ROWS) return NOTHING;
  return tellCause(
    `\`${nameOf(column)}\` of \`${table.name}\` is ${String(row[0])}, the highest that \`${HIGHEST[highest]}\` holds, in ${rows} rows (rows_at ${rows})${happened ? ` from ${String(row[2])} on` : ''}, where others have a number of their own: it cannot count further, so what came since bears one and the same number`,
    [answered.id],
    'a source in which these rows have that number too',
  );
}

/** The types of whole numbers by the highest that they hold. */
const HIGHEST: Readonly<Record<string, string>> = {
  '127': 'TINYINT',
  '255': 'UTINYINT',
  '32767': 'SMALLINT',
  '65535': 'USMALLINT',
  '2147483647': 'INTEGER',
  '4294967295': 'UINTEGER',
};
