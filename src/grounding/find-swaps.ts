import { isAnchored } from './is-anchored.ts';
import { type Match, scoreCandidate } from './match-figure.ts';
import type { MomentMention } from './mention.ts';
import type { Context } from './read-context.ts';
import type { Reading } from './reading.ts';
import type { ResultIndex } from './result-index.ts';

/** How far apart two figures are looked at as a pair, how many readings of each, and how clear the gain must be. */
const FARTHEST = 14;
const MOST_READINGS = 24;
const GAIN = 1.2;
const LEAST = 0.1;
/** … or a great gain in one place, at a small loss in the other. */
const GREAT_GAIN = 3;
const GREAT_LEAST = -0.3;

/**
 * Pairs of figures that would each agree better with the words around the other: they are taken to be in each other's
 * place. Answers the place of the other for each.
 */
export function findSwaps(placed: readonly (Reading | undefined)[], answer: string, index: ResultIndex): Map<number, number> {
  const swapped = new Map<number, number>();
  for (const [at, left] of placed.entries()) {
    if (!left) continue;
    for (let other = at + 1; other < placed.length && other <= at + FARTHEST; other++) {
      const right = placed[other];
      if (!right || !comparable(left, right) || isListed(answer.slice(left.mention.end, right.mention.start))) continue;
      if (isTerm(left.context) || isTerm(right.context)) continue;
      if (holdsOwn(left, right, index) || holdsOwn(right, left, index)) continue;
      const pair = [nameOf(left), nameOf(right)];
      const here = gain(left, right, { index, pair });
      const there = gain(right, left, { index, pair });
      const worst = Math.min(here, there);
      const isClear = here + there >= GAIN && worst >= LEAST;
      if (!isClear && !(here + there >= GREAT_GAIN && worst >= GREAT_LEAST)) continue;
      swapped.set(at, other);
      swapped.set(other, at);
    }
  }
  return swapped;
}

/** True for a figure whose own place is beyond doubt: its field touches it, and the other is not of the same field. */
function holdsOwn({ accepted, context }: Reading, other: Reading, index: ResultIndex): boolean {
  const lists = new Set(other.accepted.map(({ entry }) => entry.label.list));
  return accepted.slice(0, MOST_READINGS).some((match) => !lists.has(match.entry.label.list) && isAnchored(match, context, index));
}

/** A term of an expression: only the other terms stand around it. */
function isTerm({ before, behind }: Context): boolean {
  return /[+*×÷]\s*$/.test(before) || /^\s*[+*×÷]/.test(behind);
}

/** "1 and 2", "a + b": the order says nothing. */
function isListed(between: string): boolean {
  return /^\s*(?:and|und|or|,|\+|&)\s*(?:and\s+)?$/.test(between);
}

function comparable(left: Reading, right: Reading): boolean {
  if (left.mention.kind !== right.mention.kind || left.mention.text === right.mention.text) return false;
  if (left.mention.kind === 'number' && right.mention.kind === 'number') return left.mention.unit === right.mention.unit;
  if (left.mention.kind === 'moment' && right.mention.kind === 'moment') return formOf(left.mention) === formOf(right.mention);
  return true;
}

/** A day is no rival of a time. */
function formOf({ moments }: MomentMention): string {
  return `${moments[0]?.date !== undefined} ${moments[0]?.time !== undefined}`;
}

function nameOf({ mention }: Reading): string {
  return mention.kind === 'number' ? `=#${mention.readings[0]?.exact}` : '';
}

/** The context without the two numbers themselves: after a swap they would stand elsewhere. */
function without(context: Context, names: readonly string[]): Context {
  if (!names.some((name) => context.weights.has(name))) return context;
  const weights = new Map(context.weights);
  for (const name of names) weights.delete(name);
  return { ...context, weights, scores: new Map() };
}

const SMALL = 100;

/** Nobody rounds 10.5 rows to 10: a small whole number is read as it is. */
function readingsOf({ mention, matches }: Reading): readonly Match[] {
  const [reading] = mention.kind === 'number' && mention.unit === undefined ? mention.readings : [];
  if (reading === undefined || reading.decimals > 0 || reading.value >= SMALL) return matches;
  const exact = matches.filter(({ how }) => how !== 'rounded');
  return exact.length > 0 ? exact : matches;
}

/** How much better the value of `other` fits where `one` stands than its own. */
function gain(one: Reading, other: Reading, { index, pair }: { readonly index: ResultIndex; readonly pair: readonly string[] }): number {
  const place = { context: without(one.context, pair), index };
  const best = (matches: readonly Match[]): number =>
    Math.max(...matches.slice(0, MOST_READINGS).map((match) => scoreCandidate(match, one.mention, place)));
  return best(readingsOf(other)) - best(one.matches);
}
