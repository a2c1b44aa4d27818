import { COUNTED, isCounting } from './is-counting.ts';
import { secondsOf } from './make-index.ts';
import { type Mention, type MomentMention, type NumberMention, OCCURRENCES } from './mention.ts';
import type { Context } from './read-context.ts';
import { inUtc, type Moment } from './read-moment.ts';
import { isRounded, noiseOf, significantDigits } from './read-number.ts';
import type { Entry, ResultIndex } from './result-index.ts';
import { secondsIn } from './units.ts';

/** A value that a figure may be read from. */
export interface Candidate {
  readonly entry: Entry;
  readonly how: 'exact' | 'rounded' | 'converted';
  /** How wide the figure is: it may stand for any value within. */
  readonly width: number;
  readonly formula?: string;
}

/** Most values looked at for one figure. */
const MOST = 2500;
const ROUGHLY =
  /(?:about|around|roughly|approximately|approx\.?|circa|ca\.?|nearly|almost|over|more than|under|less than|up to|some|~|≈|etwa|rund|fast|knapp|gut)\s*[~≈]?\s*[€$£]?$/;
const RELATIVE_NOISE = 1e-9;
const LOSS =
  /\b(?:minus|negativ\w*|below|under|less|fewer|los[st]\w*|deficit|debt|debit|owe\w*|overdr\w+|f[ae]ll\w*|drop\w*|down|decreas\w*|declin\w*|shr[aiu]nk\w*|reduc\w*|lower\w*|cut\w*|s[au]nk|slip\w*|refund\w*|credit\w*|short\w*|missing|behind|earl\w+|before|ahead|faster|quicker|sav\w+|differ\w*|delta|gap|apart|off|chang\w*|absolute\w*|weniger|unter|gefallen|gesunken|fiel|verlust|gutschrift\w*|differenz|abweich\w*)\b/i;

/** All values that equal the figure, as it is or after a change of unit, format or rounding; labels are not looked at. */
export function findCandidates(mention: Mention, context: Context, index: ResultIndex): Candidate[] {
  if (mention.kind === 'moment') return findMoments(mention, index);
  if (mention.kind === 'span') return findSpans(mention.seconds, mention.precision / 2, index);
  if (mention.kind === 'identifier') return [];
  const found: Candidate[] = [];
  const isLoss = LOSS.test(`${[...context.sentence].join(' ')} ${context.before} ${context.behind}`);
  for (const reading of mention.readings) {
    for (const factor of mention.factors) {
      const value = reading.value * factor;
      const half = 0.5 * 10 ** -reading.decimals * factor;
      const wide = widthOf(reading, half, { factor, before: context.before });
      const seconds = secondsIn(mention.unit);
      if (seconds !== undefined) found.push(...findSpans(value * seconds, wide * seconds, index, { mention, exact: reading.exact }));
      if (seconds === undefined || mention.unit === 'd' || mention.unit === 'week')
        found.push(...findNumbers(mention, { value, wide, exact: factor === 1 ? reading.exact : undefined, isLoss }, index));
    }
  }
  return found;
}

/** Half of the last digit shown; with "about", of the last digit that is not zero. */
function widthOf(
  reading: { readonly exact: string; readonly decimals: number; readonly value: number },
  half: number,
  { factor, before }: { readonly factor: number; readonly before: string },
): number {
  const zeros = /^[1-9]\d*?(0+)$/.exec(reading.exact)?.[1]?.length ?? 0;
  if (reading.decimals > 0 || zeros === 0)
    return reading.decimals === 0 && reading.value < 10 && factor === 1 && !ROUGHLY.test(before) ? Number.EPSILON : half;
  if (ROUGHLY.test(before)) return 0.5 * 10 ** zeros * factor;
  // A number that ends in zeros and still shows three digits is taken to be rounded there.
  return significantDigits(reading.exact) >= 3 ? 0.5 * 10 ** zeros * factor : half;
}

interface Wanted {
  readonly value: number;
  readonly wide: number;
  readonly exact: string | undefined;
  /** The words around say what a sign would: "fell by", "a loss of". */
  readonly isLoss: boolean;
}

function findNumbers(mention: NumberMention, wanted: Wanted, index: ResultIndex): Candidate[] {
  const found: Candidate[] = [];
  const take = (entry: Entry, how: Candidate['how'], formula?: string): void => {
    if (!fits(mention, entry) || (entry.negative && !mention.negative && !wanted.isLoss)) return;
    found.push({ entry, how, width: wanted.wide, ...(formula === undefined ? {} : { formula }) });
  };
  if (wanted.exact !== undefined)
    for (const entry of (index.numbers.get(wanted.exact) ?? []).slice(0, MOST))
      if (entry.unit !== 'bytes' || entry.exact === String(entry.value)) take(entry, 'exact');
  const exactOnes = new Set(found.map(({ entry }) => entry));
  for (const entry of within(index.sorted, (candidate) => candidate.value, wanted.value, wanted.wide))
    if (!exactOnes.has(entry) && rounds(entry, wanted)) take(entry, 'rounded', `${entry.exact} rounded`);
  if (mention.unit === '%')
    for (const entry of within(index.sorted, (candidate) => candidate.value, wanted.value / 100, wanted.wide / 100))
      if (entry.unit === 'ratio') found.push({ entry, how: 'converted', width: wanted.wide, formula: `${entry.exact} × 100 %` });
  if (mention.unit === 'money')
    for (const entry of within(index.sorted, (candidate) => candidate.value, wanted.value * 100, wanted.wide * 100))
      if (entry.unit === 'cents') found.push({ entry, how: 'converted', width: wanted.wide, formula: `${entry.exact} cents / 100` });
  return found;
}

/** A cut-off value is not a rounded one: 6494 is not 6494.8. */
function rounds(entry: Entry, { value, wide }: Wanted): boolean {
  // Beyond 2^53 two numbers may be one to a computer: only their digits tell.
  if (value >= Number.MAX_SAFE_INTEGER) return false;
  return isRounded(value, entry.value, wide) && significantDigits(entry.exact) > 0;
}

function fits(mention: NumberMention, entry: Entry): boolean {
  if (mention.negative && !entry.negative) return false;
  if (entry.label.identifies && isCounting(mention)) return false;
  return fitsUnit(mention, entry);
}

/** Whether what the figure is measured in can be what the value is measured in. */
export function fitsUnit(mention: NumberMention, entry: Entry): boolean {
  const { unit } = mention;
  if (unit === entry.unit) return true;
  const isSpan = secondsIn(entry.unit) !== undefined;
  if (unit === undefined) {
    if (entry.unit === undefined || entry.unit === 'cents' || entry.unit === 'money' || entry.unit === 'ratio') return true;
    return !isCounting(mention);
  }
  if (unit === 'money') return entry.unit === undefined;
  if (unit === 'cents') return entry.unit === undefined;
  if (unit === 'points') return entry.unit === '%';
  if (unit === '%') return entry.unit === undefined && entry.label.key.some((word) => word === 'percent');
  if (unit === 'ratio')
    return (
      entry.unit === undefined && entry.label.key.some((word) => word === 'ratio' || (word === 'count' && mention.noun === OCCURRENCES))
    );
  if (unit === 'd' || unit === 'week')
    return !isSpan && entry.label.key.some((word) => word === 'day' || word === 'date' || word === 'week');
  return false;
}

function findSpans(
  seconds: number,
  half: number,
  index: ResultIndex,
  asked?: { readonly mention: NumberMention; readonly exact: string },
): Candidate[] {
  const found: Candidate[] = [];
  for (const entry of within(index.spans, secondsOf, seconds, half)) {
    if (!isRounded(seconds, secondsOf(entry), half)) continue;
    // A field without a stated unit holds seconds.
    const isSame = entry.unit === asked?.mention.unit || (entry.unit === 'time' && asked?.mention.unit === 's');
    if (asked && isSame && entry.exact === asked.exact) found.push({ entry, how: 'exact', width: half });
    else
      found.push({
        entry,
        how: isSame ? 'rounded' : 'converted',
        width: half,
        formula: `${entry.exact || entry.value} ${unitName(entry)}`,
      });
  }
  if (asked?.mention.unit === 's')
    for (const entry of within(index.sorted, (candidate) => candidate.value, seconds, half))
      if (entry.unit === undefined && entry.exact === asked.exact && speaksOfTime(entry)) found.push({ entry, how: 'exact', width: half });
  return found;
}

const TIME_WORDS: readonly string[] = ['duration', 'second', 'wait', 'latency', 'lateness', 'elaps', 'time'];

/** Whether a field can be what a figure derived from all of its values is measured in. */
export function fitsField(mention: NumberMention, entry: Entry): boolean {
  if (secondsIn(mention.unit) === undefined) return fitsUnit(mention, entry);
  return secondsIn(entry.unit) !== undefined || (entry.unit === undefined && speaksOfTime(entry));
}

/** A value without a unit may be seconds where the query it comes from is about time. */
function speaksOfTime({ origin, label }: Entry): boolean {
  if (origin === 'list' || label.key.some((word) => COUNTED.has(word) || word === 'count' || word === 'distinct')) return false;
  return TIME_WORDS.some((word) => label.key.includes(word) || label.above.includes(word));
}

function unitName({ unit }: Entry): string {
  return unit === 'time' || unit === undefined ? 's' : unit;
}

/** Entries of a list sorted by `measure` that lie within `half` of `value`. */
function within(sorted: readonly Entry[], measure: (entry: Entry) => number, value: number, half: number): Entry[] {
  const slack = half * (1 + RELATIVE_NOISE) + noiseOf(value, half);
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (measure(sorted[middle] as Entry) < value - slack) low = middle + 1;
    else high = middle;
  }
  const found: Entry[] = [];
  for (let at = low; at < sorted.length && found.length < MOST; at++) {
    const entry = sorted[at] as Entry;
    if (measure(entry) > value + slack) break;
    found.push(entry);
  }
  return found;
}

function findMoments(mention: MomentMention, index: ResultIndex): Candidate[] {
  const found: Candidate[] = [];
  for (const written of mention.moments) {
    for (const moment of written.zone ? [inUtc(written), { ...written, zone: undefined }] : [written]) {
      const { date, time } = moment as Moment;
      const pool =
        date?.length === 10
          ? index.dates.get(date)
          : time !== undefined
            ? index.clocks.get(time.slice(0, 5))
            : partialDates(date ?? '', index);
      for (const entry of (pool ?? []).slice(0, MOST))
        if (isSameMoment(entry.moment, { ...(date === undefined ? {} : { date }), ...(time === undefined ? {} : { time }) }))
          found.push({ entry, how: 'exact', width: 0 });
    }
  }
  if (mention.span) found.push(...findSpans(mention.span.seconds, mention.span.precision > 1 ? 30 : mention.span.precision / 2, index));
  return found;
}

function partialDates(date: string, index: ResultIndex): Entry[] {
  const found: Entry[] = [];
  for (const [known, entries] of index.dates)
    if (known === date || (date.startsWith('20') || date.startsWith('19') ? known.startsWith(date) : known.slice(5) === date))
      found.push(...entries.slice(0, 40));
  return found;
}

function isSameMoment(held: Moment | undefined, asked: Moment): boolean {
  if (!held) return false;
  if (asked.date?.length === 10 && held.date !== asked.date) return false;
  if (asked.time === undefined) return true;
  if (held.time === undefined) return /^00:00(?::00(?:\.0+)?)?$/.test(asked.time) && asked.date !== undefined;
  const bare = (time: string): string => time.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  const known = bare(held.time);
  const wanted = bare(asked.time);
  return (
    known === wanted ||
    known.startsWith(wanted) ||
    (wanted.startsWith(known) && /^[:0.]+$/.test(wanted.slice(known.length))) ||
    roundsTo(known, wanted)
  );
}

/** 03:48:15.75 may be told as 03:48:16, or as 03:48. */
function roundsTo(known: string, wanted: string): boolean {
  const seconds = (time: string): number =>
    time.split(':').reduce((total, part, at) => total + Number(part) * (at === 0 ? 3600 : at === 1 ? 60 : 1), 0);
  const parts = wanted.split(':').length;
  const decimals = wanted.split('.')[1]?.length ?? 0;
  const half = parts < 3 ? 0 : 0.5 * 10 ** -decimals;
  return Math.abs(seconds(known) - seconds(wanted)) <= half + 1e-9;
}
