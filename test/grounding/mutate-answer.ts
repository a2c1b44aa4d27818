import { findSilent, readCitations } from '../../src/grounding/mask-text.ts';
import { readMentions } from '../../src/grounding/read-mentions.ts';
import { numberStyle } from '../../src/grounding/read-number.ts';

export type MutationKind = 'digit' | 'swap' | 'unit' | 'decimal';

/** An answer with one thing changed, so that it is wrong. */
export interface Mutant {
  readonly kind: MutationKind;
  readonly answer: string;
  readonly from: string;
  readonly to: string;
  /** Where the changed figure stands, and the other one of a swap. */
  readonly start: number;
  readonly end: number;
  readonly other?: { readonly start: number; readonly end: number };
}

interface Place {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** A small generator of numbers from a seed (mulberry32), so that every run changes the same things. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Changes a digit, swaps two figures of a kind, changes a unit, or cuts a decimal off, `each` times of every kind. */
export function mutate(answer: string, { seed, each }: { readonly seed: number; readonly each: number }): Mutant[] {
  const random = seeded(seed);
  const places: Place[] = readMentions(answer, numberStyle(answer), [...findSilent(answer), ...readCitations(answer)]);
  const makers = [changeDigit, swapTwo, changeUnit, cutDecimal];
  const mutants = new Map<string, Mutant>();
  for (const make of makers)
    for (let count = 0; count < each; count++) {
      const mutant = places.length > 1 ? make(answer, places, random) : undefined;
      if (mutant && mutant.answer !== answer) mutants.set(mutant.answer, mutant);
    }
  return [...mutants.values()];
}

function pick<Item>(items: readonly Item[], random: () => number): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

function replaced(answer: string, place: Place, to: string, kind: MutationKind): Mutant {
  return {
    kind,
    answer: answer.slice(0, place.start) + to + answer.slice(place.end),
    from: place.text,
    to,
    start: place.start,
    end: place.start + to.length,
  };
}

/** One digit becomes another, the first not 0. */
function changeDigit(answer: string, places: readonly Place[], random: () => number): Mutant | undefined {
  const place = pick(places, random);
  if (!place) return undefined;
  const digits = [...place.text.matchAll(/\d/g)];
  const digit = pick(digits, random);
  if (!digit) return undefined;
  const next = (Number(digit[0]) + 1 + Math.floor(random() * 8)) % 10;
  const to = `${place.text.slice(0, digit.index)}${next === 0 && digit.index === 0 ? 7 : next}${place.text.slice(digit.index + 1)}`;
  return to === place.text ? undefined : replaced(answer, place, to, 'digit');
}

/** Two figures of one kind and unit that stand within six figures of one another change places. */
function swapTwo(answer: string, places: readonly Place[], random: () => number): Mutant | undefined {
  const at = Math.floor(random() * places.length);
  const left = places[at];
  const unitOf = (place: Place): string => place.text.replace(/^[\d.,:TZ+-]*/, '');
  const near = places
    .slice(at + 1, at + 7)
    .filter((other) => left && other.kind === left.kind && other.text !== left.text && unitOf(other) === unitOf(left));
  const right = pick(near, random);
  if (!left || !right || left.kind === 'identifier' || /^\s*(?:and|or|,|\+)\s*$/.test(answer.slice(left.end, right.start)))
    return undefined;
  const text = answer.slice(0, left.start) + right.text + answer.slice(left.end, right.start) + left.text + answer.slice(right.end);
  if (partsOf(text) === partsOf(answer) || areTerms(answer.slice(left.start, right.end))) return undefined;
  const start = right.start + right.text.length - left.text.length;
  return {
    kind: 'swap',
    answer: text,
    from: left.text,
    to: right.text,
    start: left.start,
    end: left.start + right.text.length,
    other: { start, end: start + left.text.length },
  };
}

/** Two terms of one sum or factors of one product: their order says nothing. */
function areTerms(between: string): boolean {
  return /^[\d.,]+(?:\s*\+\s*[\d.,]+(?:\s*[*×]\s*[\d.,]+)*)+$|^[\d.,]+\s*[*×]\s*[\d.,]+$/.test(between);
}

/** The parts of the text, whatever their order: what only changes the order of an enumeration is not wrong. */
function partsOf(text: string): string {
  return text
    .split(/[,;()\n]|\. |\band\b/)
    .map((part) => part.trim().replace(/^[("“]+|[)"”]+$/g, ''))
    .sort()
    .join('|');
}

const UNITS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^([\d.,]+) ?s$/, [' min', ' h', ' ms', ' %']],
  [/^([\d.,]+) ?ms$/, [' s', ' min']],
  [/^([\d.,]+) ?min$/, [' s', ' h']],
  [/^([\d.,]+) ?(?:h|hours?)$/, [' min', ' days']],
  [/^([\d.,]+) ?days?$/, [' hours', ' minutes']],
  [/^([\d.,]+) ?%$/, [' s', '×']],
  [/^([\d.,]+) ?(?:times|×|x)$/, [' %', ' s']],
  [/^([\d.,]+)$/, [' %', ' s', '×', ' ms']],
];

/** The unit becomes another; a bare count gets one. */
function changeUnit(answer: string, places: readonly Place[], random: () => number): Mutant | undefined {
  const place = pick(places, random);
  for (const [pattern, units] of UNITS) {
    const found = place && pattern.exec(place.text);
    const unit = pick(units, random);
    // The unit at the end of a range is that of its beginning, too.
    if (place && /^\s*(?:to|–|and)\s*\d/.test(answer.slice(place.end))) return undefined;
    if (place && found && unit !== undefined && /[1-9]/.test(place.text)) return replaced(answer, place, `${found[1]}${unit}`, 'unit');
  }
  return undefined;
}

/** The last decimal is cut off where that is no rounding, or the decimal mark is lost. */
function cutDecimal(answer: string, places: readonly Place[], random: () => number): Mutant | undefined {
  const decimals = places.filter(({ text, kind }) => kind === 'number' && /\d[.,]\d{1,2}(?!\d)/.test(text));
  const place = pick(decimals, random);
  const found = place && /^(\D*)(\d[\d,.]*)([.,])(\d+)(.*)$/s.exec(place.text);
  if (!place || !found) return undefined;
  const [, front = '', whole = '', mark = '', fraction = '', behind = ''] = found;
  // At just half both ways of rounding are right.
  if (random() < 0.5 || Number(fraction.at(-1)) <= 5) return replaced(answer, place, `${front}${whole}${fraction}${behind}`, 'decimal');
  const cut = fraction.slice(0, -1);
  // What ends in a zero now is rounded to tens, and right.
  if (cut === '' && whole.endsWith('0')) return undefined;
  return replaced(answer, place, `${front}${whole}${cut === '' ? '' : mark + cut}${behind}`, 'decimal');
}
