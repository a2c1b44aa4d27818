import type { Question } from '../question/read-question.ts';
import type { DayChange, DayRow } from './day-levels.ts';

/** From so many times on, a level has moved. */
const MOVED = 1.6;
/** … and on the day that the question names. */
const MOVED_AS_ASKED = 1.15;
/** A step counts from so many times what the days of either side lie apart, from so many days before it, and from such a share on. */
const SHARP = 2.5;
const SHARP_SIDE = 4;
const SHARP_AFTER = 2;
const LEAST_STEP = 0.05;

/** Where the days that are far from the others begin or end the row of days, the first day of the new level. */
export function stepAt(known: readonly Known[], far: readonly Known[]): number | undefined {
  const isTogether = far.every((one, place) => place === 0 || known.indexOf(one) === known.indexOf(far[place - 1] as Known) + 1);
  if (!isTogether) return undefined;
  if (far[0] === known[0]) return far.length;
  return far.at(-1) === known.at(-1) ? known.length - far.length : undefined;
}

/** The words for a level that is another from one day on. */
export function stepText(
  known: readonly Known[],
  at: number,
  { name, meaning }: { readonly name: string; readonly meaning: string },
): DayChange | undefined {
  const [last, first] = [known[at - 1], known[at]];
  if (!last || !first) return undefined;
  const moves = first.value > last.value ? 'rises' : 'falls';
  return {
    strong: true,
    at: { column: name, day: first.day.day },
    text: `the average of \`${name}\` ${moves} from ${last.text} on ${last.day.day} to ${first.text} on ${first.day.day} and stays there${meaning}`,
  };
}

/** A day on which a column has an average. */
export type Known = { readonly day: DayRow; readonly text: string; readonly value: number };

/** The last day before that is like the others, else the first after it. */
export function nearest(known: readonly Known[], one: Known | undefined, far: readonly Known[]): Known | undefined {
  const at = one ? known.indexOf(one) : -1;
  return (
    known.slice(0, Math.max(0, at)).findLast((other) => !far.includes(other)) ?? known.slice(at + 1).find((other) => !far.includes(other))
  );
}

/** A level that moves on one day and stays there. */
export function stepChange(
  known: readonly Known[],
  { name, question }: { readonly name: string; readonly question: Question },
): DayChange | undefined {
  for (let at = 2; at <= known.length - 1; at++) {
    const [before, after] = [known.slice(0, at).map(({ value }) => value), known.slice(at).map(({ value }) => value)];
    const [last, first] = [known[at - 1], known[at]];
    const named = question.days.some((day) => first?.day.day.endsWith(day));
    const least = named ? MOVED_AS_ASKED : MOVED;
    const rises = Math.min(...after) >= Math.max(...before) * least;
    const falls = Math.max(...after) * least <= Math.min(...before);
    // On the day that is named the level may lie between both.
    const fromNamed = named || question.days.some((day) => last?.day.day.endsWith(day));
    const asked = after.length > 1 || fromNamed;
    if ((rises || falls || isSharp(before.slice(0, -1), after, fromNamed) || isSharp(before, after, fromNamed)) && asked && last && first)
      return stepText(known, at, { name, meaning: '' });
  }
  return undefined;
}

/** A small step between two levels that hardly move by themselves; on the day before the new one the level may lie between both. */
function isSharp(before: readonly number[], after: readonly number[], isNamed: boolean): boolean {
  if (before.length < SHARP_SIDE || (after.length < SHARP_AFTER && !isNamed)) return false;
  const [low, high] = [Math.min(...before), Math.max(...before)];
  const [lowAfter, highAfter] = [Math.min(...after), Math.max(...after)];
  const gap = Math.max(lowAfter - high, low - highAfter);
  return gap > SHARP * Math.max(high - low, highAfter - lowAfter) && gap > low * LEAST_STEP;
}
