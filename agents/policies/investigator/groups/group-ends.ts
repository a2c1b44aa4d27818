import type { Play } from '../../../../src/core/policy.ts';
import { idsOf, mergeReports, NOTHING, type PartReport, tellCause } from '../part-report.ts';
import { enumerate } from '../read-data.ts';
import { askSql, literal, nameOf, quoted } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';
import type { GroupPlace } from './examine-groups.ts';

const MOST_GROUPS = 41;
/** A value is one of every day when it is there on such a share of the days between its first and its last. */
const EVERY_DAY = 0.8;
const LEAST_ROWS = 8;
const LEAST_SILENT = 3;
/** Between the end of one name and the beginning of the next lie at most so many days. */
const SOON = 3;
/** Both names have about as many rows a day, the closer the less their letters have in common. */
const ALIKE = 1.25;
const ALIKE_IN_NAME = 2;
const SAME_BEGINNING = 3;

/** Columns whose values a row goes through, one after the other. */
const STATE = /(^|_)(status|state|stage|phase|step)(_|$)/i;

/** Columns whose values follow one another by their nature. */
const PASSING =
  /(^|_)(version|release|period|quarter|month|week|year|season|cohort|wave|batch|run|load|file|partition|campaign|day|date)s?(_|$)/i;

interface Life {
  readonly value: string;
  readonly rows: number;
  readonly first: string;
  readonly last: string;
  /** Days with rows, and days of the table before the first, between both and after the last. */
  readonly held: number;
  readonly earlier: number;
  readonly within: number;
  readonly later: number;
}

/** Values of every day that end while the others go on, and those that go on under another name. */
export async function groupEnds(play: Play, { one, group, day, unit }: GroupPlace, looked: readonly LookedAt[]): Promise<PartReport> {
  const { table } = one;
  if (PASSING.test(nameOf(group))) return NOTHING;
  const value = quoted(nameOf(group));
  const answered = await askSql(
    play,
    table.source,
    `WITH held AS MATERIALIZED (SELECT ${value} AS value, ${day} AS day, COUNT(*) AS n FROM ${quoted(table.name)} WHERE ${value} IS NOT NULL AND ${day} IS NOT NULL GROUP BY 1, 2),
days AS MATERIALIZED (SELECT DISTINCT day FROM held), lives AS (SELECT value, SUM(n) AS rows, MIN(day) AS first_day, MAX(day) AS last_day, COUNT(*) AS days_with_rows FROM held GROUP BY 1)
SELECT value, rows, first_day, last_day, days_with_rows, (SELECT COUNT(*) FROM days WHERE day < first_day) AS days_before, (SELECT COUNT(*) FROM days WHERE day BETWEEN first_day AND last_day) AS days_between, (SELECT COUNT(*) FROM days WHERE day > last_day) AS ${unit}s_after_last FROM lives ORDER BY 1`,
    MOST_GROUPS,
  );
  if (!answered) return NOTHING;
  const lives = answered.rows.map(readLife).filter(isOfEveryDay);
  const ended = lives.filter(({ later, rows, held }) => later >= LEAST_SILENT && (rows / held) * later >= LEAST_ROWS);
  const begun = lives.filter(({ earlier, rows, held }) => earlier >= LEAST_SILENT && (rows / held) * earlier >= LEAST_ROWS);
  // Where many come and go, coming and going is their nature.
  if (ended.length === 0 || ended.length * 3 > answered.rows.length) return NOTHING;
  const isState = STATE.test(nameOf(group));
  const renamed = ended.flatMap((old) =>
    begun.filter((now) => isSuccessor(old, now, isState) && !isWrittenOtherwise(old, now)).map((now) => ({ old, now })),
  );
  const column = `\`${nameOf(group)}\``;
  // A state passes into the next one: rows of old days have come to its end, and those of new days have not.
  const gone = ended.filter((life) => !isState && !begun.some((now) => isSuccessor(life, now, isState) || isWrittenOtherwise(life, now)));
  const names = await Promise.all(
    renamed.slice(0, 3).map(async ({ old, now }) => {
      const beside = await holdsNew(play, looked, { one, column: nameOf(group), old: old.value, now: now.value });
      return tellCause(
        `In \`${table.name}\` ${column} ${old.value} ends on ${old.last} (${old.rows} rows until then) and ${now.value} begins on ${now.first} (${now.rows} rows since), with about as many rows ${unit === 'hour' ? 'an hour' : 'a day'}: one thing under another name, so what asks for ${old.value} alone finds none from then on${beside?.says ?? ''}`,
        idsOf(answered, beside),
      );
    }),
  );
  const told = gone.map(
    ({ value: name, last, rows, held, later }) =>
      `${name} ends on ${last}, with no row on the ${later} ${unit}s after it (${unit}s_after_last ${later}), and ${rows} rows on ${held} ${unit}s until then`,
  );
  const ends =
    gone.length === 0
      ? NOTHING
      : tellCause(
          `In \`${table.name}\` rows of ${gone.length === 1 ? 'one value' : 'some values'} of ${column} end while the others go on: ${enumerate(told, 4)}`,
          [answered.id],
        );
  return mergeReports([...names, ends]);
}

function readLife([value, rows, first, last, held, earlier, within, later]: readonly unknown[]): Life {
  return {
    value: String(value),
    rows: Number(rows),
    first: String(first),
    last: String(last),
    held: Number(held),
    earlier: Number(earlier),
    within: Number(within),
    later: Number(later),
  };
}

function isOfEveryDay({ held, within }: Life): boolean {
  return held >= LEAST_SILENT && held >= within * EVERY_DAY;
}

function isSuccessor(old: Life, now: Life, isState: boolean): boolean {
  const apart = (Date.parse(now.first) - Date.parse(old.last)) / 86_400_000;
  const [before, since] = [old.rows / old.held, now.rows / now.held];
  const letters = ({ value }: Life): string =>
    value
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
      .slice(0, SAME_BEGINNING);
  const isLike = letters(old) === letters(now);
  if (isState && !isLike) return false;
  const most = isLike ? ALIKE_IN_NAME : ALIKE;
  return apart > 0 && apart <= SOON && Math.max(before, since) <= Math.min(before, since) * most;
}

/** The same word in another case, with blanks or with damaged letters is told of as that. */
function isWrittenOtherwise(old: Life, now: Life): boolean {
  const plain = ({ value }: Life): string => value.trim().toLowerCase();
  return plain(old) === plain(now) || Buffer.from(old.value, 'utf8').toString('latin1') === now.value;
}

interface Renamed {
  readonly one: LookedAt;
  readonly column: string;
  readonly old: string;
  readonly now: string;
}

/** A table that leaves out the old name wholly and holds the new one: it filters by the name. */
async function holdsNew(play: Play, looked: readonly LookedAt[], { one, column, old, now }: Renamed) {
  const other = looked.find(
    ({ table, profile }) =>
      table !== one.table && table.source === one.table.source && profile.columns.some((candidate) => nameOf(candidate) === column),
  );
  if (!other) return undefined;
  const is = (name: string): string => `SUM(CASE WHEN ${quoted(column)} = ${literal(name)} THEN 1 ELSE 0 END)`;
  const answered = await askSql(
    play,
    one.table.source,
    `SELECT ${is(now)} AS rows_new, ${is(old)} AS rows_old FROM ${quoted(other.table.name)}`,
  );
  const [[fresh, kept] = []] = answered?.rows ?? [];
  if (!answered || Number(fresh ?? 0) === 0 || Number(kept ?? 0) > 0) return undefined;
  return {
    id: answered.id,
    says: `; \`${other.table.name}\` holds no row of ${old} and ${String(fresh)} of ${now} (rows_new ${String(fresh)})`,
  };
}
