import type { Play } from '../../../../src/core/policy.ts';
import { onlyGroup } from '../groups/only-group.ts';
import { type Finding, idsOf, type PartReport, tell } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { figure, type Reading } from '../read-data.ts';
import { askSql, dayOf, isGrouping, nameOf, quoted } from './ask-sql.ts';
import { speaksOf } from './choose-tables.ts';
import type { LookedAt } from './look-at-tables.ts';

const MOST_TABLES = 4;
const MOST_COLUMNS = 6;
const MOST_GROUPS = 40;
/** From its beginning on, nearly all rows of the group are empty, and none of the days before were. */
const NEARLY_ALL = 0.9;
const LEAST_DAYS_BEFORE = 3;
const LEAST_FILLED = 5;
const LEAST_NEW = 20;
const ASKS_FOR_EMPTY = / (null|nulls|empty|blank|no|without|missing|lack|lacks|leer|leere) /;

/** Columns that are filled until one day and from then on empty in the rows of one group; what is empty in all rows is told of by day. */
export async function examineEmpties(play: Play, question: Question, looked: readonly LookedAt[]): Promise<PartReport> {
  const places = looked.slice(0, MOST_TABLES).flatMap((one) => emptyColumns(one).map((column) => ({ one, column })));
  const told = await Promise.all(places.slice(0, MOST_COLUMNS).map(({ one, column }) => emptySince(play, one, column)));
  return tell(
    ...told.flatMap((empty, at): Finding[] => {
      const [place] = places.slice(at);
      if (!empty?.ofGroup || !place) return [];
      const { one, column } = place;
      // What is new may have no such value by its nature, unless somebody misses it.
      if (empty.isNew && !ASKS_FOR_EMPTY.test(question.plain) && !speaksOf(question, nameOf(column))) return [];
      const until = empty.isNew ? ', which begins on that day without a value' : ': it was filled until then';
      const claim = `\`${nameOf(column)}\` of \`${one.table.name}\` is empty in ${column.number('null')} of ${figure(one.profile.rows)} rows${empty.says}${until}`;
      return [
        {
          kind: 'cause',
          claim: `${claim}.`,
          evidence: [...empty.ids, one.profile.result],
          confidence: 'high',
          refuted_by: 'a source in which it is empty too',
        },
      ];
    }),
  );
}

function emptyColumns({ profile, happened }: LookedAt): readonly Reading[] {
  return profile.columns.filter((column) => {
    const empty = column.number('null') ?? 0;
    return column !== happened && empty > 1 && empty < (profile.rows ?? 0);
  });
}

/** Of which group the rows without a value are and since which day; undefined where they are strewn, or were there from the first day. */
export async function emptySince(play: Play, one: LookedAt, column: Reading) {
  const { table, profile, happened } = one;
  if (!happened) return undefined;
  const day = dayOf(happened);
  const without = `${quoted(nameOf(column))} IS NULL`;
  const groups = profile.columns.filter((other) => isGrouping(other, MOST_GROUPS) && other !== column && other !== happened);
  const rows = `FROM ${quoted(table.name)} WHERE ${without}`;
  const [lone, span] = await Promise.all([
    onlyGroup(play, { source: table.source, rows, columns: groups.slice(0, 4) }),
    askSql(
      play,
      table.source,
      `SELECT MIN(${day}) AS first_day, MAX(${day}) AS last_day, (SELECT COUNT(DISTINCT ${day}) FROM ${quoted(table.name)} WHERE ${day} < (SELECT MIN(${day}) ${rows})) AS days_before ${rows}`,
    ),
  ]);
  const [[first, last, before] = []] = span?.rows ?? [];
  if (!span || Number(before ?? 0) < LEAST_DAYS_BEFORE) return undefined;
  const ofGroup = lone ? ` AND ${lone.where}` : '';
  const share = await askSql(
    play,
    table.source,
    `SELECT SUM(CASE WHEN ${day} >= '${String(first)}' THEN 1 ELSE 0 END) AS rows_since, SUM(CASE WHEN ${without} THEN 1 ELSE 0 END) AS empty_since, SUM(CASE WHEN ${day} < '${String(first)}' THEN 1 ELSE 0 END) AS rows_before FROM ${quoted(table.name)} WHERE ${day} <= '${String(last)}'${ofGroup}`,
  );
  const [[since, empty, filled] = []] = share?.rows ?? [];
  const isNew = lone !== undefined && Number(filled) === 0;
  // Rows of a group that begins with them have no value yet, which is told only where it was asked.
  if (!share || Number(empty) < Number(since) * NEARLY_ALL || Number(filled) < (isNew ? 0 : LEAST_FILLED)) return undefined;
  if (isNew && (Number(empty) < LEAST_NEW || !(await othersFilled(play, one, { without, since: String(first), where: lone.where }))))
    return undefined;
  const whose = lone ? `, all of them with ${lone.says}` : '';
  const says = `${whose}, first_day ${String(first)}, last_day ${String(last)}, where ${String(empty)} of the ${String(since)} rows${lone ? ' of it' : ''} are empty (rows_since ${String(since)}, empty_since ${String(empty)})`;
  return { says, isNew, ofGroup: lone !== undefined, ids: idsOf(span, ...(lone?.results ?? []), share) };
}

/** Whether the rows of all other groups have a value on the same days: what is open in all rows is not yet known. */
async function othersFilled(
  play: Play,
  { table, happened }: LookedAt,
  { without, since, where }: { readonly without: string; readonly since: string; readonly where: string },
): Promise<boolean> {
  if (!happened) return false;
  const answered = await askSql(
    play,
    table.source,
    `SELECT COUNT(*) AS rows, SUM(CASE WHEN ${without} THEN 1 ELSE 0 END) AS empty FROM ${quoted(table.name)} WHERE ${dayOf(happened)} >= '${since}' AND NOT (${where})`,
  );
  const [[rows, empty] = []] = answered?.rows ?? [];
  return Number(rows ?? 0) >= LEAST_NEW && Number(empty) === 0;
}
