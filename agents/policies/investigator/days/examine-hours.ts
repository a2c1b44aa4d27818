import type { Play } from '../../../../src/core/policy.ts';
import { cite, type Finding, mergeReports, NOTHING, type PartReport } from '../part-report.ts';
import type { Reading } from '../read-data.ts';
import { askSql, isTime, nameOf, quoted } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

const WITH_DUCKDB: ReadonlySet<string> = new Set(['files', 'duckdb']);

/** Times that are off by whole hours from some day on: between two tables that share a key, or between two times of one row. */
export async function examineHours(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const kinds = new Map(play.sources.map(({ name, kind }) => [name, kind]));
  const able = looked.filter(({ table }) => WITH_DUCKDB.has(kinds.get(table.source) ?? ''));
  const pairs = able.flatMap((left, index) => able.slice(index + 1).map((right) => ({ left, right })));
  const reports = await Promise.all([
    ...pairs.slice(0, 4).map(({ left, right }) => examinePair(play, left, right)),
    ...able.map((one) => examineOwnTimes(play, one)),
    ...able.map((one) => examineDayHours(play, one)),
  ]);
  return mergeReports(reports);
}

/** One that tells a moment, not a day only. */
const isMoment = (column: Reading): boolean => /timestamp/i.test(column.text('type') ?? '');

async function examinePair(play: Play, left: LookedAt, right: LookedAt): Promise<PartReport> {
  if (left.table.source !== right.table.source) return NOTHING;
  const key = left.profile.columns.find(
    (column) =>
      column.number('distinct') === left.profile.rows &&
      right.profile.columns.some((one) => nameOf(one) === nameOf(column) && one.number('distinct') === right.profile.rows) &&
      !isTime(column),
  );
  const [from, to] = [
    left.profile.columns.find((column) => isMoment(column) && column === left.happened),
    right.profile.columns.find((column) => isMoment(column) && column === right.happened),
  ];
  if (!key || !from || !to) return NOTHING;
  const [a, b] = [`l.${quoted(nameOf(from))}`, `r.${quoted(nameOf(to))}`];
  const sql = `SELECT date_diff('second', CAST(${a} AS TIMESTAMP), CAST(${b} AS TIMESTAMP)) AS seconds_off, COUNT(*) AS rows_off, CAST(MIN(${a}) AS VARCHAR) AS first, CAST(MAX(${a}) AS VARCHAR) AS last FROM ${quoted(left.table.name)} l JOIN ${quoted(right.table.name)} r ON r.${quoted(nameOf(key))} = l.${quoted(nameOf(key))} GROUP BY 1 ORDER BY 2 DESC LIMIT 6`;
  const answered = await askSql(play, left.table.source, sql);
  return tellOffsets(answered, {
    what: `\`${nameOf(to)}\` of \`${right.table.name}\` against \`${nameOf(from)}\` of \`${left.table.name}\` (joined by \`${nameOf(key)}\`)`,
  });
}

async function examineOwnTimes(play: Play, { table, profile }: LookedAt): Promise<PartReport> {
  const moments = profile.columns.filter(isMoment);
  const [first, second] = moments;
  if (!first || !second || !/utc|local|zone|tz/i.test(`${nameOf(first)} ${nameOf(second)}`)) return NOTHING;
  const [a, b] = [quoted(nameOf(first)), quoted(nameOf(second))];
  const sql = `SELECT date_diff('second', CAST(${a} AS TIMESTAMP), CAST(${b} AS TIMESTAMP)) AS seconds_off, COUNT(*) AS rows_off, CAST(MIN(${a}) AS VARCHAR) AS first, CAST(MAX(${a}) AS VARCHAR) AS last FROM ${quoted(table.name)} WHERE ${a} IS NOT NULL AND ${b} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 6`;
  const answered = await askSql(play, table.source, sql);
  return tellOffsets(answered, { what: `\`${nameOf(second)}\` against \`${nameOf(first)}\` in \`${table.name}\`` });
}

function tellOffsets(answered: Awaited<ReturnType<typeof askSql>>, { what }: { readonly what: string }): PartReport {
  const rows = (answered?.rows ?? []).map(([seconds, count, first, last]) => ({
    seconds: Number(seconds),
    count: String(count),
    first: String(first),
    last: String(last),
  }));
  const whole = rows.every(({ seconds }) => Number.isInteger(seconds / 900));
  if (!answered || rows.length === 0 || rows.length > 4 || !whole || rows.every(({ seconds }) => seconds === 0)) return NOTHING;
  const ordered = [...rows].sort((left, right) => (left.first < right.first ? -1 : 1));
  const told = ordered.map(({ seconds, count, first, last }) => `seconds off ${seconds}, rows off ${count}, first ${first}, last ${last}`);
  const changes = rows.length > 1;
  const claim = `${what} is off by the offset of a zone: ${told.join('; ')}${changes ? '. The offset changes, as the clocks of a zone do when summer time begins or ends; a fixed offset, or local times read as UTC, would do that' : '. One fixed offset: times of one zone read as those of another'}`;
  return said(claim, answered, changes ? 'cause' : 'observation');
}

/** Hours of the day at which rows begin and end, where they keep to the same hours and then move. */
async function examineDayHours(play: Play, { table, happened }: LookedAt): Promise<PartReport> {
  if (!happened || !isMoment(happened)) return NOTHING;
  const time = quoted(nameOf(happened));
  const text = `CAST(${time} AS VARCHAR)`;
  const sql = `SELECT SUBSTR(${text}, 1, 10), COUNT(*), MIN(SUBSTR(${text}, 12, 2)) AS first_hour, MAX(SUBSTR(${text}, 12, 2)) AS last_hour, COUNT(DISTINCT SUBSTR(${text}, 12, 2)) AS hours FROM ${quoted(table.name)} WHERE ${time} IS NOT NULL GROUP BY 1 ORDER BY 1`;
  const answered = await askSql(play, table.source, sql);
  const days = (answered?.rows ?? []).map(([day, count, first, last, hours]) => ({
    day: String(day),
    rows: Number(count),
    text: [day, count, first, last, hours].map(String).join(' / '),
    first: Number(first),
    last: Number(last),
    hours: Number(hours),
  }));
  if (!answered || days.length < 4) return NOTHING;
  const parts = [movedHours(days), oddHours(days)].filter((part) => part !== undefined);
  return mergeReports(parts.map((part) => said(`In \`${table.name}\` by \`${nameOf(happened)}\`, ${part}`, answered, 'cause')));
}

interface DayHours {
  readonly day: string;
  readonly rows: number;
  /** The row as the query gave it. */
  readonly text: string;
  readonly first: number;
  readonly last: number;
  readonly hours: number;
}

function movedHours(days: readonly DayHours[]): string | undefined {
  for (let at = 3; at <= days.length - 3; at++) {
    const [before, after] = [days.slice(0, at), days.slice(at)];
    const steady = (part: readonly DayHours[], pick: (day: DayHours) => number): boolean => new Set(part.map(pick)).size === 1;
    const [last, first] = [before.at(-1), after[0]];
    // Times that all lie in one hour are a date that got a clock, or a load's own time.
    if (!last || !first || last.hours < 4 || first.hours < 4 || !isSoonAfter(last.day, first.day)) continue;
    if (first.first === last.first || first.first - last.first !== first.last - last.last) continue;
    if (
      steady(before, (day) => day.first) &&
      steady(after, (day) => day.first) &&
      steady(before, (day) => day.last) &&
      steady(after, (day) => day.last)
    )
      return `the hours of the day move, as day / rows / first hour / last hour / hours: ${last.text} and all days before, ${first.text} and from then on, as when times of one zone are read as those of another from then on`;
  }
  return undefined;
}

function isSoonAfter(day: string, next: string): boolean {
  return Date.parse(next) - Date.parse(day) <= 4 * 86_400_000;
}

const LEAST_BY_CHANCE = 24 * 6;

/** One day of 23 hours among days of 24: an hour that the clocks leave out. */
function oddHours(days: readonly DayHours[]): string | undefined {
  const full = days.filter(({ hours }) => hours === 24);
  const short = days.slice(1, -1).filter(({ hours }) => hours === 23);
  if (full.length < days.length - 3 || short.length !== 1) return undefined;
  // Of few rows that come by chance some hour gets none.
  const isSteady = new Set(full.map(({ rows }) => rows)).size === 1;
  if (!isSteady && (short[0]?.rows ?? 0) < LEAST_BY_CHANCE) return undefined;
  return `${short[0]?.day} has rows in ${short[0]?.hours} hours, ${full[0]?.day} in ${full[0]?.hours} hours: an hour that is left out when summer time begins, or one that was not loaded`;
}

function said(claim: string, answered: { readonly id: string }, kind: Finding['kind']): PartReport {
  const finding: Finding = {
    kind,
    claim: `${claim}.`,
    evidence: [answered.id],
    confidence: 'high',
    refuted_by: 'times that were written with their zone and still differ',
  };
  return { answer: [`${claim}${cite(answered)}.`], detail: [], findings: [finding] };
}
