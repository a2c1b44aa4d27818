import type { Play } from '../../../../src/core/policy.ts';
import { NOTHING, type PartReport, tellCause } from '../part-report.ts';
import { enumerate, type Reading } from '../read-data.ts';
import { askSql, dayOf, isGrouping, isKey, literal, nameOf, quoted, sumOf } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';
import type { DayChange } from './day-levels.ts';

/** A column is a grouping one from two values on, and up to so many. */
const MOST_GROUPS = 30;
const MOST_COLUMNS = 4;
/** What remains is at the old level when it is within this share of it. */
const SAME = 0.3;
/** A group moved when its average is so many times what it was, or the reverse. */
const MOVED = 1.5;
/** One value of a key stands out with so many times the rows of the next. */
const MUCH_MORE = 4;
const REFUTATION = 'rows of the other values that changed as much';

interface Place {
  readonly one: LookedAt;
  readonly day: string;
  readonly moved: string;
  readonly from: string;
}

/** Whose rows moved a level: values of a grouping column that are new from that day on, or one group that alone changed. */
export async function explainLevel(play: Play, one: LookedAt, change: DayChange): Promise<PartReport> {
  const { happened, profile } = one;
  if (!change.at || !happened) return NOTHING;
  const { column: moved, day: from } = change.at;
  const groups = profile.columns.filter((column) => isGrouping(column, MOST_GROUPS) && nameOf(column) !== moved);
  for (const column of groups.slice(0, MOST_COLUMNS)) {
    const told = await explainBy(play, nameOf(column), { one, day: dayOf(happened), moved, from });
    if (told.answer.length > 0) return told;
  }
  const keys = profile.columns.filter((column) => isKey(column) && !groups.includes(column) && column.number('distinct') !== profile.rows);
  const told = await Promise.all(
    keys.slice(0, MOST_COLUMNS).map((column) => explainByKey(play, column, { one, day: dayOf(happened), moved, from })),
  );
  return told.find(({ answer }) => answer.length > 0) ?? NOTHING;
}

/** One value of a key with many values whose rows begin on that day and are far more than any other's: an account, a device, a script. */
async function explainByKey(play: Play, column: Reading, place: Place): Promise<PartReport> {
  const { one, day, moved, from } = place;
  const key = quoted(nameOf(column));
  const amount = one.profile.columns.find((candidate) => nameOf(candidate) === moved);
  const total = amount ? sumOf(amount) : `SUM(${quoted(moved)})`;
  const answered = await askSql(
    play,
    one.table.source,
    `SELECT ${key}, COUNT(*) AS rows, MIN(${day}) AS first_day, ${total} AS total FROM ${quoted(one.table.name)} WHERE ${key} IS NOT NULL AND ${day} >= '${from}' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2`,
  );
  const [top, next] = answered?.rows ?? [];
  if (!answered || !top || !next || Number(top[1]) < Number(next[1]) * MUCH_MORE) return NOTHING;
  const [value, rows] = [String(top[0]), Number(top[1])];
  return explainOne(play, nameOf(column), place, { value, rows, total: String(top[3]), id: answered.id });
}

interface One {
  readonly value: string;
  readonly rows: number;
  readonly total: string;
  readonly id: string;
}

/** Without the rows of one value, is the level what it was? */
async function explainOne(play: Play, column: string, place: Place, { value, rows, total, id }: One): Promise<PartReport> {
  const { one, moved, from } = place;
  const rest = await levelWithout(play, column, place, [value]);
  if (!rest) return NOTHING;
  const claim = `In \`${one.table.name}\` ${rows} rows from ${from} on are those of one \`${column}\`, ${value}, with a total \`${moved}\` of ${total}; without them the average of \`${moved}\` is ${rest.after} from then on and was ${rest.before} before`;
  return tellCause(claim, [id, rest.id], REFUTATION);
}

interface Group {
  readonly value: unknown;
  readonly rowsBefore: number;
  readonly rows: number;
  readonly before: number | null;
  readonly after: number | null;
  readonly beforeText: string;
  readonly afterText: string;
}

/** Which groups of a column moved the average of another from a day on, where the rest stayed. */
export async function explainBy(play: Play, column: string, place: Place): Promise<PartReport> {
  const { one, day, moved, from } = place;
  const counted = (side: string): string => `SUM(CASE WHEN ${day} ${side} '${from}' THEN 1 ELSE 0 END)`;
  const answered = await askSql(
    play,
    one.table.source,
    `SELECT ${quoted(column)}, ${average(place, '<')} AS ${quoted(`${moved}_before`)}, ${average(place, '>=')} AS ${quoted(moved)}, ${counted('<')} AS rows_before, ${counted('>=')} AS rows FROM ${quoted(one.table.name)} WHERE ${quoted(column)} IS NOT NULL GROUP BY 1 ORDER BY 1`,
    MOST_GROUPS + 1,
  );
  const groups = (answered?.rows ?? []).map(readGroup);
  if (!answered || groups.length < 2) return NOTHING;
  const fresh = groups.filter(({ rowsBefore, rows }) => rowsBefore === 0 && rows > 0);
  if (fresh.length > 0 && fresh.length < groups.length) {
    const told = await explainFresh(play, column, place, { fresh, id: answered.id });
    if (told.answer.length > 0) return told;
  }
  const changed = groups.filter(hasMoved);
  const steady = groups.filter(
    ({ before, after }) => before !== null && after !== null && Math.abs(after - before) <= Math.abs(before) * SAME,
  );
  const known = groups.filter(({ before, after }) => before !== null && after !== null);
  if (changed.length === 0 || changed.length * 2 > known.length || steady.length + changed.length < known.length) return NOTHING;
  const told = changed.map(
    ({ value, beforeText, afterText, rowsBefore, rows }) => `${String(value)} / ${beforeText} / ${afterText} / ${rowsBefore} / ${rows}`,
  );
  const factor = unitFactor(changed);
  const claim = `In \`${one.table.name}\` the average of \`${moved}\` moves from ${from} on in these rows only, as \`${column}\` / average \`${moved}\` before / since / rows before / since: ${told.slice(0, 4).join(', ')}; the averages of the others stayed${factor}`;
  return tellCause(claim, [answered.id], REFUTATION);
}

/** The average on one side of the day. */
function average({ day, moved, from }: Place, side: '<' | '>='): string {
  return `ROUND(CAST(AVG(CASE WHEN ${day} ${side} '${from}' THEN ${quoted(moved)} END) AS DECIMAL(28, 6)), 2)`;
}

/** A factor that units differ by: cents and whole units, thousands. */
function unitFactor(changed: readonly Group[]): string {
  const [ratio] = changed.map(({ before, after }) => (before && after ? Math.max(before / after, after / before) : 0));
  const near = [100, 1000].find((factor) => ratio !== undefined && Math.abs(ratio / factor - 1) <= 0.25);
  const says = near === 100 ? 'a hundred, as cents and whole units are' : 'a thousand, as units and thousands are';
  return near === undefined ? '' : `; about a factor of ${says}: another unit`;
}

function hasMoved({ before, after }: Group): boolean {
  if (before === null || after === null || before === after) return false;
  if (before === 0 || after === 0) return true;
  if (before > 0 !== after > 0) return true;
  const [small, large] = [Math.abs(before), Math.abs(after)].sort((left, right) => left - right);
  return large !== undefined && small !== undefined && large >= small * MOVED;
}

function readGroup([value, before, after, rowsBefore, rows]: readonly unknown[]): Group {
  const number = (given: unknown): number | null => (given === null || given === undefined ? null : Number(given));
  return {
    value,
    rowsBefore: Number(rowsBefore),
    rows: Number(rows),
    before: number(before),
    after: number(after),
    beforeText: String(before),
    afterText: String(after),
  };
}

interface Fresh {
  readonly fresh: readonly Group[];
  readonly id: string;
}

/** Without the rows of the new values, is the level what it was? */
async function explainFresh(play: Play, column: string, place: Place, { fresh, id }: Fresh): Promise<PartReport> {
  const { one, moved, from } = place;
  const rest = await levelWithout(
    play,
    column,
    place,
    fresh.map(({ value }) => String(value)),
  );
  if (!rest) return NOTHING;
  const told = fresh.map(({ value, rows, afterText }) => `${String(value)} (${rows} rows, average \`${moved}\` ${afterText})`);
  const claim = `In \`${one.table.name}\` rows with \`${column}\` ${enumerate(told, 4)} come in from ${from} on and were not there before; without them the average of \`${moved}\` is ${rest.after} from then on and was ${rest.before} before`;
  return tellCause(claim, [id, rest.id], REFUTATION);
}

/** The averages of both sides without the rows of some values; undefined where they are apart still. */
async function levelWithout(play: Play, column: string, place: Place, without: readonly string[]) {
  const { one } = place;
  const values = without.map(literal).join(', ');
  const rest = await askSql(
    play,
    one.table.source,
    `SELECT ${average(place, '<')}, ${average(place, '>=')} FROM ${quoted(one.table.name)} WHERE CAST(${quoted(column)} AS VARCHAR) NOT IN (${values}) AND ${quoted(column)} IS NOT NULL`,
  );
  const [[before, after] = []] = rest?.rows ?? [];
  if (!rest || before === null || after === null || before === undefined) return undefined;
  if (Math.abs(Number(after) - Number(before)) > Math.abs(Number(before)) * SAME) return undefined;
  return { id: rest.id, before: String(before), after: String(after) };
}
