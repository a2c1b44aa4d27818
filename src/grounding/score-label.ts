import { GENERIC, meaningsOfName, QUALIFIERS } from './label-words.ts';
import type { Context } from './read-context.ts';
import type { Label, ResultIndex } from './result-index.ts';

/** How much the parts of a label count. */
const KEY = 1;
const GENERIC_KEY = 0.6;
const NAME = 1.25;
const NAME_WORD = 0.35;
const ABOVE = 0.3;
const ABOVE_NAME = 0.6;
const PARENT = 0.6;
const UNSAID = 0.12;
const UNSAID_QUALIFIER = 0.7;
const SAID_QUALIFIER = 1.6;
/** A qualifier that stands directly at the figure, and not in the field's name. */
const ADJACENT = 2;
const FOREIGN = 0.8;

/**
 * How well what stands around a figure agrees with what a value is called. Words that stand in few labels count more;
 * a qualifier of the field that is left unsaid (`median`, `baseline`) counts against it.
 */
export function scoreLabel(label: Label, context: Context, index: Pick<ResultIndex, 'spread'>): number {
  const known = context.scores.get(label);
  if (known !== undefined) return known;
  const score = findScore(label, context, index);
  context.scores.set(label, score);
  return score;
}

function findScore(label: Label, { weights }: Context, { spread }: Pick<ResultIndex, 'spread'>): number {
  let score = 0;
  for (const token of label.key) {
    const weight = weights.get(token);
    const isQualifier = QUALIFIERS.has(token);
    if (isQualifier && (weight ?? 0) < SAID_QUALIFIER) score -= UNSAID_QUALIFIER * (1 - (weight ?? 0) / SAID_QUALIFIER);
    else
      score +=
        (GENERIC.has(token) ? GENERIC_KEY : KEY) * sharpened(weight ?? 0) * rarity(spread.get(token) ?? 0) -
        (weight === undefined ? UNSAID : 0);
  }
  for (const token of QUALIFIERS)
    if ((weights.get(token) ?? 0) >= ADJACENT && !label.key.includes(token) && !label.parent.includes(token)) score -= FOREIGN;
  score += sum(label.parent, weights, PARENT, spread);
  score += best(label.names, weights, NAME) + best(label.aboveNames, weights, ABOVE_NAME);
  score += sum(label.nameWords, weights, NAME_WORD, spread) + sum(label.above, weights, ABOVE, spread);
  return score;
}

/** What stands at the figure counts for far more than what stands two clauses away. */
function sharpened(weight: number): number {
  return (weight * weight) / 3;
}

function rarity(count: number): number {
  return 1 / (1 + Math.log10(1 + count) * 0.35);
}

const PLAIN_WORD = 0.5;

/** A plain word in the text may be a name, or just a word. */
function weightOf(name: string, weights: ReadonlyMap<string, number>): number {
  const whole = Math.max(weights.get(name) ?? 0, (weights.get(`~${name.slice(1)}`) ?? 0) * PLAIN_WORD);
  const words = whole > 0 ? undefined : phraseOf(name);
  if (!words) return whole;
  const least = Math.min(...words.map((word) => weights.get(word) ?? 0));
  return least >= PHRASE_NEAR ? least * PHRASE : 0;
}

const PHRASE = 0.6;
const PHRASE_NEAR = 1.8;
const phrases = new Map<string, readonly string[] | undefined>();
const MOST_PHRASES = 20_000;

/** A name of two to four plain words may be said in other forms of them: "charge failed", "charges failed". */
function phraseOf(name: string): readonly string[] | undefined {
  if (phrases.has(name)) return phrases.get(name);
  const words = /^=\p{L}+(?: \p{L}+){1,3}$/u.test(name) ? meaningsOfName(name.slice(1)) : [];
  const phrase = words.length > 1 ? words : undefined;
  if (phrases.size < MOST_PHRASES) phrases.set(name, phrase);
  return phrase;
}

const MOST_NAMES = 4;

function topSum(names: readonly string[], weights: ReadonlyMap<string, number>): number {
  const found: number[] = [];
  const counted: string[] = [];
  for (const name of names) {
    const weight = weightOf(name, weights);
    if (weight === 0 || counted.includes(name)) continue;
    counted.push(name);
    found.push(weight);
  }
  if (found.length < 2) return found[0] ?? 0;
  return found
    .sort((left, right) => right - left)
    .slice(0, MOST_NAMES)
    .reduce((total, weight) => total + weight, 0);
}

const LEAST_NAME = 0.7;
const known = new WeakMap<Context, readonly string[]>();

/** The names that stand near enough to count, the nearest first. */
export function namesIn(context: Context): readonly string[] {
  const before = known.get(context);
  if (before) return before;
  const found = [...context.weights]
    .map(([token, weight]): [string, number] => (token.startsWith('~') ? [`=${token.slice(1)}`, weight * PLAIN_WORD] : [token, weight]))
    .filter(([token, weight]) => token.startsWith('=') && weight >= LEAST_NAME)
    .sort((left, right) => right[1] - left[1]);
  const names = [...new Set(found.map(([token]) => token))];
  known.set(context, names);
  return names;
}

/** How clearly the words around name the item that a value belongs to: the weights of its best names. */
export function nameWeight(label: Label, { weights }: Context): number {
  return topSum(label.names, weights) + topSum(label.aboveNames, weights);
}

/** Names count once each, all together at most as two. */
function best(names: readonly string[], weights: ReadonlyMap<string, number>, factor: number): number {
  let first = 0;
  let second = 0;
  for (const name of names) {
    const weight = weightOf(name, weights);
    if (weight > first) [first, second] = [weight, first];
    else if (weight > second) second = weight;
  }
  return factor * (first + second / 2);
}

function sum(tokens: readonly string[], weights: ReadonlyMap<string, number>, factor: number, spread: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const token of tokens) total += factor * (weights.get(token) ?? 0) * rarity(spread.get(token) ?? 1);
  return Math.min(total, 1.5);
}

/** What a value is called by: `rows.count` by what it stands in. */
export function calledBy({ key, parent }: Label): readonly string[] {
  return parent.length > 0 && key.every((token) => GENERIC.has(token)) ? [...key, ...parent] : key;
}

/** True where the words around name at least one word of the field, or the item, near by. */
export function saysNear(label: Label, { weights }: Context, least: number): boolean {
  return (
    calledBy(label).some((token) => (weights.get(token) ?? 0) >= least) || label.names.some((name) => weightOf(name, weights) >= least)
  );
}
