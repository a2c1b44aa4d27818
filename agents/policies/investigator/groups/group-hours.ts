import type { Play } from '../../../../src/core/policy.ts';
import { NOTHING, type PartReport, tell } from '../part-report.ts';
import { askSql, dayOf, isText, nameOf, quoted, typeOf } from '../tables/ask-sql.ts';
import type { GroupPlace } from './examine-groups.ts';

const MOST_GROUPS = 10;
/** So many hours of the day end, and as many others begin, on one day. */
const LEAST_HOURS = 2;
const LEAST_ROWS = 8;

interface Hour {
  readonly value: string;
  readonly hour: number;
  readonly rows: number;
  readonly first: string;
  readonly last: string;
}

/** Groups whose rows keep to some hours of the day and from one day on to others: times of another zone. */
export async function groupHours(play: Play, { one, group }: Pick<GroupPlace, 'one' | 'group'>): Promise<PartReport> {
  const { table, happened } = one;
  if (!happened || !(isText(happened) || /timestamp/i.test(typeOf(happened))) || (group.number('distinct') ?? 0) > MOST_GROUPS)
    return NOTHING;
  const value = quoted(nameOf(group));
  const day = dayOf(happened);
  const hour = `SUBSTR(CAST(${quoted(nameOf(happened))} AS VARCHAR), 12, 2)`;
  const answered = await askSql(
    play,
    table.source,
    `SELECT ${value}, ${hour} AS hour, COUNT(*) AS rows, MIN(${day}) AS first_day, MAX(${day}) AS last_day FROM ${quoted(table.name)} WHERE ${value} IS NOT NULL AND ${quoted(nameOf(happened))} IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
    24 * MOST_GROUPS,
  );
  const hours = (answered?.rows ?? []).map(
    ([name, at, rows, first, last]): Hour => ({
      value: String(name),
      hour: Number(at),
      rows: Number(rows),
      first: String(first),
      last: String(last),
    }),
  );
  if (!answered || hours.some(({ hour: at }) => !Number.isInteger(at))) return NOTHING;
  const values = [...new Set(hours.map(({ value: name }) => name))];
  const moved = values.flatMap((name) => movedAt(hours.filter((one) => one.value === name)) ?? []);
  if (moved.length === 0 || moved.length * 2 > values.length) return NOTHING;
  const column = `\`${nameOf(group)}\``;
  const told = moved.map(
    ({ name, from, before, since }) =>
      `${name} from ${from} on, where its rows lay, as ${column} / hour / rows, from ${before} until then and lie from ${since} since`,
  );
  const claim = `In \`${table.name}\` the hours of \`${nameOf(happened)}\` move for one value of ${column} alone: ${told.join('; ')}; the other values keep theirs, as when times of one zone are read as those of another, so rows near midnight fall on another day`;
  return tell({
    kind: 'cause',
    claim: `${claim}.`,
    evidence: [answered.id],
    confidence: 'high',
    refuted_by: 'times that were written with their zone and still moved',
  });
}

/** The day from which on the rows of a group lie in other hours; undefined where none is. */
function movedAt(hours: readonly Hour[]) {
  const name = hours[0]?.value ?? '';
  const lastDay =
    hours
      .map(({ last }) => last)
      .sort()
      .at(-1) ?? '';
  const firstDay = hours.map(({ first }) => first).sort()[0] ?? '';
  const days = [...new Set(hours.map(({ first }) => first))].sort();
  for (const from of days.filter((day) => day > firstDay)) {
    const often = hours.filter(({ rows }) => rows >= LEAST_ROWS);
    const ended = often.filter(({ last }) => last < from);
    const begun = often.filter(({ first }) => first >= from && first > firstDay);
    if (ended.length < LEAST_HOURS || begun.length < LEAST_HOURS || !begun.some(({ first }) => first === from)) continue;
    // Hours that came and went at other times too are those of rows that are strewn over the day.
    if (hours.some(({ rows, first, last }) => rows < LEAST_ROWS && first < from && last < lastDay && last >= from)) continue;
    const kept = often.filter((one) => !ended.includes(one) && !begun.includes(one));
    return { name, from, before: spanOf([...ended, ...kept]), since: spanOf([...begun, ...kept]) };
  }
  return undefined;
}

/** First and last hour of a stretch that may run over midnight: it begins behind the longest silence. */
function spanOf(hours: readonly Hour[]): string {
  const sorted = [...hours].sort((left, right) => left.hour - right.hour);
  const gaps = sorted.map(({ hour }, place) => (hour - (sorted.at(place - 1)?.hour ?? hour) + 24) % 24);
  const at = gaps.indexOf(Math.max(...gaps));
  return [sorted[at], sorted.at(at - 1)].map((one) => `${one?.value} / ${String(one?.hour).padStart(2, '0')} / ${one?.rows}`).join(' to ');
}
