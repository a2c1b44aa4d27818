import { isIdentifying } from './item-names.ts';
import { meaningsOf } from './label-words.ts';
import type { NumberMention } from './mention.ts';
import { type Operand, partOf, sameField } from './operand.ts';
import { type DeriveInput, isOfTable, type Pair, pairsFor } from './operand-pairs.ts';
import type { Context } from './read-context.ts';
import { isRounded } from './read-number.ts';
import type { Entry } from './result-index.ts';
import { secondsIn } from './units.ts';

export interface Derivation {
  readonly formula: string;
  readonly entries: readonly Entry[];
}

const MORE_OR_LESS =
  /\b(?:more|fewer|less|miss\w*|differ\w*|gap|dropp?\w*|lost|loses?|over|longer|shorter|later|earlier|extra|short|net|remain\w*|left|without|increas\w*|decreas\w*|grew|grow\w*|rose|rise|fell|fall\w*|delay\w*|slower|faster|additional|excess|gain\w*|delta|apart|late|lag\w*|not in|only in|minus|behind|ahead|higher|lower|saved?|unaccounted|repeat\w*|duplicat\w*|redundant|surplus|doppelt\w*|weniger|mehr|fehl\w*|länger|kürzer|unterschied|differenz)\b|[−–-]\s*$/i;
const TOGETHER = /\b(?:total\w*|sum|together|altogether|overall|in all|combined|both|plus|add\w*|zusammen|insgesamt|summe|gesamt)\b|[+]/i;
/** "151 in all": a whole, and no difference. */
const WHOLE = /^\s*(?:in all|in total|altogether|overall|together|insgesamt)\b/i;
const CHANGED =
  /\b(?:more|fewer|less|longer|shorter|slower|faster|increas\w*|decreas\w*|grew|grow\w*|rose|rise|fell|fall\w*|drop\w*|up|down|higher|lower|jump\w*|above|below|over|reduc\w*|mehr|weniger|länger|gestiegen|gesunken)\b|[+−-]\s*$/i;
const AVERAGE = /\b(?:average|averag\w*|mean|avg|per|each|durchschnitt\w*|pro|je)\b/i;
const SPENT =
  /\b(?:took|take\w*|last\w*|ran|run|duration|for|wait\w*|held|hold\w*|long|within|after|between|later|span\w*|elapsed|dauer\w*)\b/i;

/** One step of arithmetic on figures of at most two results that leads to the figure; which steps are tried depends on the words around it. */
export function deriveFigure(input: DeriveInput): Derivation | undefined {
  const { mention } = input;
  if (mention.kind === 'span') return deriveSpan(input, mention.seconds, mention.precision / 2);
  if (mention.kind !== 'number')
    return mention.kind === 'moment' && mention.span ? deriveSpan(input, mention.span.seconds, mention.span.precision / 2) : undefined;
  const words = wordsAround(input.context);
  if (mention.unit === '%' || mention.unit === 'points') return derivePercent(input, mention, words);
  const isBare = mention.unit === undefined;
  if (mention.unit === 'ratio' || (isBare && (isHeadedRatio(input.context) || /\b(?:ratio|factor)\b/.test(words))))
    return deriveRatio(input, mention);
  const seconds = secondsIn(mention.unit);
  if (seconds !== undefined) {
    const reading = mention.readings[0];
    const factor = (mention.factors[0] ?? 1) * seconds;
    return reading && deriveSpan(input, reading.value * factor, 0.5 * 10 ** -reading.decimals * factor);
  }
  return deriveCount(input, mention, words);
}

function wordsAround(context: Context): string {
  return `${[...context.sentence].join(' ')} ${context.before}`;
}

const COUNT_NOUNS =
  /^(?:rows?|columns?|tables?|files?|runs?|tasks?|attempts?|distinct|extra|kept|slots?|records?|lines?|copies|copy|pairs?|errors?|retries|places?)$/i;

/** "5 % columns", "4× attempts": a share or a ratio is not counted in things. */
function isOfNoun({ noun }: NumberMention, { behind }: Context): boolean {
  return (
    !/^\s+of\b/.test(behind) &&
    noun !== undefined &&
    (COUNT_NOUNS.test(noun) || meaningsOf(noun.toLowerCase()).some((word) => COUNT_NOUNS.test(word)))
  );
}

function derivePercent(input: DeriveInput, mention: NumberMention, words: string): Derivation | undefined {
  const change = CHANGED.test(words);
  const isPoints = mention.unit === 'points';
  if (isOfNoun(mention, input.context) || /[*×]\s*$/.test(input.context.before)) return undefined;
  return firstOf(
    pairsFor(
      input,
      (left, right) =>
        left.dimension === right.dimension &&
        left.dimension !== 'moment' &&
        (partOf(left.entry, right.entry) || sameField(left.entry, right.entry) || isOfTable(left.entry, right.entry, input.index)),
    ),
    ({ left, right }) => {
      if (isPoints) return isPointsBetween(mention, left, right) ? written(left, '-', right) : undefined;
      if (right.value === 0) return undefined;
      if (change && sameField(left.entry, right.entry) && meets(mention, (left.value / right.value - 1) * 100))
        return note(`(${left.text} - ${right.text}) / ${right.text}`, left, right);
      if (change && sameField(left.entry, right.entry) && meets(mention, (1 - left.value / right.value) * 100))
        return note(`(${right.text} - ${left.text}) / ${right.text}`, left, right);
      if (left.value <= right.value && meets(mention, (left.value / right.value) * 100)) return written(left, '/', right);
      if (
        isComparable(left, right, input.context) &&
        sameField(left.entry, right.entry) &&
        meets(mention, (left.value / right.value) * 100)
      )
        return written(left, '/', right);
      return undefined;
    },
  );
}

/** The difference of two shares, told of hundred or of one. */
function isPointsBetween(mention: NumberMention, left: Operand, right: Operand): boolean {
  const factor = left.dimension === 'percent' ? 1 : left.dimension === 'ratio' ? 100 : undefined;
  return factor !== undefined && meets(mention, (left.value - right.value) * factor);
}

/** In a column of a table that is headed so. */
function isHeadedRatio({ weights, before }: Context): boolean {
  return /\|\s*$/.test(before) && (weights.get('ratio') ?? 0) >= 2.5;
}

/** One field of two results is set in relation only where the words do so. */
function isComparable({ entry: left }: Operand, { entry: right }: Operand, { behind }: Context): boolean {
  return left.result === right.result || left.label.list !== right.label.list || COMPARED.test(behind.slice(0, 30));
}

const COMPARED =
  /(?:^|[\s(])(?:as|the|longer|slower|faster|more|fewer|less|higher|lower|larger|bigger|increase|usual\w*|normal\w*|baseline|median|average|than|over|so)\b/i;
const INTRODUCED = /(?:[(=≈~]|\b(?:about|around|roughly|nearly|almost|over|ratio|factor|by|of|is|was|i\.e\.))\s*$/i;

function deriveRatio(input: DeriveInput, mention: NumberMention): Derivation | undefined {
  const reading = mention.readings[0];
  if (!reading || isOfNoun(mention, input.context) || (reading.value <= 1 && reading.decimals === 0)) return undefined;
  const { context } = input;
  const isCell = /\|\s*$/.test(context.before);
  if (isCell && !isHeadedRatio(context)) return undefined;
  if (!isCell && !COMPARED.test(context.behind.slice(0, 30)) && !INTRODUCED.test(context.before)) return undefined;
  return firstOf(
    pairsFor(
      input,
      (left, right) =>
        left.dimension === right.dimension &&
        left.dimension !== 'moment' &&
        sameField(left.entry, right.entry) &&
        isComparable(left, right, context),
    ),
    ({ left, right }) =>
      right.value > 0 &&
      left.value !== right.value &&
      (right.value > 1 || left.dimension !== 'count') &&
      meets(mention, left.value / right.value)
        ? written(left, '/', right)
        : undefined,
  );
}

function deriveSpan(input: DeriveInput, seconds: number, half: number): Derivation | undefined {
  const words = wordsAround(input.context);
  const near = (value: number): boolean => Math.abs(Math.abs(value) - seconds) <= half * (1 + 1e-9) + 1e-6;
  const moments = SPENT.test(words) || MORE_OR_LESS.test(words);
  const both = (kind: Operand['dimension']) => (left: Operand, right: Operand) => left.dimension === kind && right.dimension === kind;
  if (moments) {
    const found = firstOf(pairsFor(input, both('moment')), ({ left, right }) =>
      left.value > right.value && near(left.value - right.value) ? written(left, '-', right) : undefined,
    );
    if (found) return found;
  }
  if (!MORE_OR_LESS.test(words) && !TOGETHER.test(words)) return undefined;
  return firstOf(
    pairsFor(input, (left, right) => both('time')(left, right) && sameField(left.entry, right.entry)),
    ({ left, right }) => {
      if (MORE_OR_LESS.test(words) && left.value > right.value && near(left.value - right.value)) return written(left, '-', right);
      return TOGETHER.test(words) && near(left.value + right.value) ? written(left, '+', right) : undefined;
    },
  );
}

/** "`try_number` 600": the value of a field that names something is no result of arithmetic. */
function isIdentified({ before }: Context): boolean {
  const [, field] = /`([^`\n]+)`\s*$/.exec(before) ?? [];
  return field !== undefined && isIdentifying(field);
}

function deriveCount(input: DeriveInput, mention: NumberMention, words: string): Derivation | undefined {
  if (isIdentified(input.context)) return undefined;
  const around = `${input.context.before} ${input.context.behind}`;
  const more = MORE_OR_LESS.test(around) && !WHOLE.test(input.context.behind);
  const together = TOGETHER.test(around);
  const average = AVERAGE.test(words);
  const counted = (left: Operand, right: Operand): boolean => left.dimension === right.dimension && left.dimension !== 'moment';
  if (more || together) {
    const found = firstOf(pairsFor(input, counted), ({ left, right }) => {
      if (
        more &&
        (partOf(right.entry, left.entry) || sameField(left.entry, right.entry)) &&
        left.value > right.value &&
        right.value !== 0 &&
        equals(mention, left.value - right.value)
      )
        return written(left, '-', right);
      return together &&
        sameField(left.entry, right.entry) &&
        left.value > 0 &&
        right.value > 0 &&
        equals(mention, left.value + right.value)
        ? written(left, '+', right)
        : undefined;
    });
    if (found) return found;
  }
  if (!average) return undefined;
  return firstOf(
    pairsFor(input, (left, right) => left.at >= 0 || right.at >= 0),
    ({ left, right }) =>
      right.value > 1 && left.dimension !== 'moment' && right.dimension !== 'moment' && meets(mention, left.value / right.value)
        ? written(left, '/', right)
        : undefined,
  );
}

/** The figure, rounded to the digits it shows, is this value. */
function meets(mention: NumberMention, value: number): boolean {
  return mention.readings.some((reading) =>
    mention.factors.some((factor) => isRounded(reading.value * factor, Math.abs(value), 0.5 * 10 ** -reading.decimals * factor)),
  );
}

/** Sums and differences of whole numbers are exact; only decimals are rounded. */
function equals(mention: NumberMention, value: number): boolean {
  return mention.readings.some((reading) =>
    mention.factors.some(
      (factor) =>
        Math.abs(value - reading.value * factor) <=
        (reading.decimals > 0 || factor > 1 || !Number.isInteger(value) ? 0.5 * 10 ** -reading.decimals * factor * (1 + 1e-9) : 1e-9),
    ),
  );
}

function firstOf(pairs: readonly Pair[], judge: (pair: Pair) => Derivation | undefined): Derivation | undefined {
  for (const pair of pairs) {
    const found = judge(pair);
    if (found) return found;
  }
  return undefined;
}

function written(left: Operand, sign: string, right: Operand): Derivation {
  return note(`${left.text} ${sign} ${right.text}`, left, right);
}

function note(formula: string, left: Operand, right: Operand): Derivation {
  return { formula, entries: [left.entry, right.entry] };
}
