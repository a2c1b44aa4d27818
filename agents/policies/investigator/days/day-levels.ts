import type { Question } from '../question/read-question.ts';
import { enumerate } from '../read-data.ts';
import { nearest, stepAt, stepChange, stepText } from './day-steps.ts';

/** One day of a table: rows, averages and empty values as the query gave them. */
export interface DayRow {
  readonly day: string;
  readonly rows: number;
  readonly averages: readonly { readonly name: string; readonly text: string; readonly value: number | null }[];
  readonly empties: readonly { readonly name: string; readonly count: number }[];
  /** Of columns that hold both signs, how many values are below zero. */
  readonly negatives: readonly { readonly name: string; readonly count: number }[];
}

export interface DayChange {
  readonly text: string;
  /** True for a change that is far beyond what days differ by. */
  readonly strong: boolean;
  /** The column whose average moved, and the first day of the new level. */
  readonly at?: { readonly column: string; readonly day: string };
}

/** From so many times on, an average has another unit or another meaning. */
const OTHER_UNIT = 20;
/** Days on either side of a change of sign. */
const LEAST_SIDE = 3;
/** A day that lies further from the others than this, and than they lie apart, is none of theirs. */
const STRAY_DAYS = 60;
/** So many of each weekday tell what is usual on it. */
const LEAST_WEEKS = 3;
/** Rows of a day beyond or below these shares of the middle day are far from it. */
const MANY = 1.8;
const FEW = 0.5;
/** … and of the day that the question names. */
const MANY_AS_ASKED = 1.25;
const FEW_AS_ASKED = 0.8;
/** So many days that each have fewer rows than the one before thin out. */
const FADING = 4;

export function readDayRows(
  rows: readonly (readonly unknown[])[],
  names: { readonly amounts: readonly string[]; readonly empties: readonly string[]; readonly signed: readonly string[] },
): readonly DayRow[] {
  const counts = (row: readonly unknown[], columns: readonly string[], from: number) =>
    columns.map((name, index) => ({ name, count: Number(row[from + index] ?? 0) }));
  return rows.map((row) => ({
    day: String(row[0]),
    rows: Number(row[1]),
    averages: names.amounts.map((name, index) => {
      const value = row[2 + index];
      const number = value === null || value === undefined ? null : Number(value);
      return { name, text: String(value), value: number !== null && Number.isFinite(number) ? number : null };
    }),
    empties: counts(row, names.empties, 2 + names.amounts.length),
    negatives: counts(row, names.signed, 2 + names.amounts.length + names.empties.length),
  }));
}

/** What differs by far from the other days, with a day beside it for comparison. */
export function levelChanges(days: readonly DayRow[], question: Question): readonly DayChange[] {
  const names = days[0]?.averages.map(({ name }) => name) ?? [];
  const empties = days[0]?.empties.map(({ name }) => name) ?? [];
  const signed = days[0]?.negatives.map(({ name }) => name) ?? [];
  return [
    ...signed.flatMap((name, index) => signChange(days, { name, index }) ?? []),
    ...names.flatMap((name, index) => averageChange(days, { name, index, question }) ?? []),
    ...empties.flatMap((name, index) => emptyChange(days, { name, index }) ?? []),
    ...(countChange(days, question) ?? []),
    ...strayDays(days),
  ];
}

interface Column {
  readonly name: string;
  readonly index: number;
}

function averageChange(
  days: readonly DayRow[],
  { name, index, question }: Column & { readonly question: Question },
): DayChange | undefined {
  const known = days.flatMap((day) => {
    const average = day.averages[index];
    return average && average.value !== null && average.value > 0 ? [{ day, text: average.text, value: average.value }] : [];
  });
  if (known.length < 4) return undefined;
  const usual = middleOf(known.map(({ value }) => value));
  const far = known.filter(({ value }) => value >= usual * OTHER_UNIT || value * OTHER_UNIT <= usual);
  const sample = known.filter((one) => !far.includes(one)).at(0);
  if (far.length > 0 && sample) {
    const [first] = far;
    const last = far.at(-1);
    const step = far.length > 1 ? stepAt(known, far) : undefined;
    if (step !== undefined) return stepText(known, step, { name, meaning: ': another unit or another meaning' });
    const when = first === last ? `on ${first?.day.day}` : `on ${far.length} days from ${first?.day.day} to ${last?.day.day}`;
    return {
      strong: true,
      ...(first && last === known.at(-1) ? { at: { column: name, day: first.day.day } } : {}),
      text: `the average of \`${name}\` is ${first?.text} ${when}, and ${nearest(known, first, far)?.text ?? sample.text} on ${nearest(known, first, far)?.day.day ?? sample.day.day}: another unit or another meaning`,
    };
  }
  return stepChange(known, { name, question });
}

/** Few rows whose day lies far before the first or after the last of the others. */
function strayDays(days: readonly DayRow[]): readonly DayChange[] {
  const all = days.reduce((sum, { rows }) => sum + rows, 0);
  const apart = (from: DayRow | undefined, to: DayRow | undefined): number =>
    (Date.parse(to?.day ?? '') - Date.parse(from?.day ?? '')) / 86_400_000;
  const span = apart(days[1], days.at(-2));
  const told = (stray: DayRow | undefined, other: DayRow | undefined, gap: number, where: string): DayChange[] =>
    stray && other && gap > STRAY_DAYS && gap > span && stray.rows * 10 <= all
      ? [
          {
            strong: true,
            text: `${stray.rows} rows are dated ${stray.day}, far ${where} the others, which ${where === 'after' ? 'end' : 'begin'} on ${other.day}`,
          },
        ]
      : [];
  return [
    ...told(days.at(-1), days.at(-2), apart(days.at(-2), days.at(-1)), 'after'),
    ...told(days[0], days[1], apart(days[0], days[1]), 'before'),
  ];
}

/** Values below zero that stop on one day, or begin. */
function signChange(days: readonly DayRow[], { name, index }: Column): DayChange | undefined {
  const counts = days.map(({ negatives }) => negatives[index]?.count ?? 0);
  const [first, last] = [counts.findIndex((count) => count > 0), counts.findLastIndex((count) => count > 0)];
  const enough = (from: number, to: number): boolean => to - from >= LEAST_SIDE && counts.slice(from, to).every((count) => count > 0);
  if (first === 0 && counts.length - 1 - last >= LEAST_SIDE && enough(0, last + 1))
    return signed(
      `no \`${name}\` is below zero from ${days[last + 1]?.day} on, where ${counts[last]} were on ${days[last]?.day}`,
      name,
      days[last + 1],
    );
  if (first >= LEAST_SIDE && last === counts.length - 1 && enough(first, counts.length))
    return signed(
      `${counts[first]} values of \`${name}\` are below zero on ${days[first]?.day}, and some on every day from then on, where none was before`,
      name,
      days[first],
    );
  return undefined;
}

function signed(text: string, column: string, day: DayRow | undefined): DayChange {
  return { strong: true, text, ...(day ? { at: { column, day: day.day } } : {}) };
}

function emptyChange(days: readonly DayRow[], { name, index }: Column): DayChange | undefined {
  const share = (day: DayRow): number => (day.empties[index]?.count ?? 0) / Math.max(1, day.rows);
  const [full, empty] = [days.filter((day) => share(day) <= 0.1), days.filter((day) => share(day) >= 0.5)];
  if (full.length < 2 || empty.length === 0 || empty.length > full.length) return undefined;
  const told = empty.map((day) => `${day.day}: ${day.empties[index]?.count} of ${day.rows} rows`);
  const last = empty.at(-1)?.day;
  const span = empty.length > 5 ? ` from ${empty[0]?.day} ${last === days.at(-1)?.day ? 'on' : `to ${last}`}` : '';
  return { strong: true, text: `\`${name}\` is empty on days on which it should not be${span} (${enumerate(told, 5)})` };
}

function countChange(days: readonly DayRow[], question: Question): DayChange[] | undefined {
  const usualOn = usualRows(days);
  const { days: asked, weekday } = question;
  const named = (day: DayRow): boolean =>
    asked.length > 0 ? asked.some((one) => day.day.endsWith(one)) : weekday !== null && weekdayOf(day) === weekday;
  const far = days.filter((day, index) => {
    const usual = usualOn(day);
    const many = day.rows >= usual * (named(day) ? MANY_AS_ASKED : MANY);
    // The last day may still be filling, and the first may have begun late.
    const few = day.rows <= usual * (named(day) ? FEW_AS_ASKED : FEW) && index < days.length - 1 && (index > 0 || named(day));
    return (many || few) && Math.abs(day.rows - usual) > 3 * Math.sqrt(usual);
  });
  const [first] = far;
  if (!first || far.length * 3 > days.length) return countStep(days);
  const isPlain = (day: DayRow): boolean => !far.includes(day) && Math.abs(day.rows - usualOn(first)) <= usualOn(first) * 0.2;
  const plain = days.find((day) => isPlain(day) && weekdayOf(day) === weekdayOf(first)) ?? days.find(isPlain);
  const isAsked = far.some(named);
  // What thins out day by day to the end has not all come yet.
  const end = days.slice(Math.max(0, days.indexOf(first) - 1));
  const fades = end.length >= FADING && end.every((day, at) => at === 0 || day.rows < (end[at - 1]?.rows ?? 0));
  const told = far.slice(0, 5).map(({ day, rows }) => `${rows} rows on ${day}`);
  return [
    {
      strong: isAsked || (far.length <= 2 && !fades),
      text: `${enumerate(told, 5)}${plain ? `, where ${plain.rows} on ${plain.day} is usual` : ''}`,
    },
  ];
}

/** Rows that are far fewer or more on every day from one on. */
function countStep(days: readonly DayRow[]): DayChange[] | undefined {
  // The last day may still be filling.
  const full = days.slice(0, -1).map(({ rows }) => rows);
  for (let at = LEAST_SIDE; at <= full.length - LEAST_SIDE; at++) {
    const [before, since] = [full.slice(0, at), full.slice(at)];
    const falls = Math.max(...since) * MANY <= Math.min(...before);
    const rises = Math.min(...since) >= Math.max(...before) * MANY;
    const [last, first] = [days[at - 1], days[at]];
    const isFar = Math.abs((last?.rows ?? 0) - (first?.rows ?? 0)) > 3 * Math.sqrt(Math.max(last?.rows ?? 0, first?.rows ?? 0));
    if ((falls || rises) && isFar && last && first)
      return [
        {
          strong: true,
          text: `${first.rows} rows on ${first.day}, and about as ${falls ? 'few' : 'many'} on every day from then on, where ${last.rows} on ${last.day} is usual`,
        },
      ];
  }
  return undefined;
}

/** How many rows are usual on a day: those of the middle one of its weekday where there are enough weeks to tell, else of all days. */
function usualRows(days: readonly DayRow[]): (day: DayRow) => number {
  const byWeekday = new Map<number, number[]>();
  for (const day of days) byWeekday.set(weekdayOf(day), [...(byWeekday.get(weekdayOf(day)) ?? []), day.rows]);
  const all = middleOf(days.map(({ rows }) => rows));
  if ([...byWeekday.values()].some((rows) => rows.length < LEAST_WEEKS)) return () => all;
  return (day) => middleOf(byWeekday.get(weekdayOf(day)) ?? []);
}

function weekdayOf({ day }: DayRow): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

function middleOf(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
