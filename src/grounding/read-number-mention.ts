import { type NumberMention, OCCURRENCES } from './mention.ts';
import { NUMBER_PATTERN, type NumberStyle, readNumber } from './read-number.ts';
import { byteFactors, scaleOfWord, type Unit, unitOfWord } from './units.ts';

const UNIT_WORDS =
  'percentage points|per cent|percent|prozent|pct|ns|nanoseconds?|µs|us|microseconds?|ms|milliseconds?|secs?|seconds?|sekunden?|mins?|minutes?|minuten?|hrs?|hours?|std|stunden?|days?|tagen?|tag|weeks?|times|fold|fach|mal|bytes?|kb|mb|gb|tb|kib|mib|gib|eur|euros?|usd|dollars?|cents?|pp|s|h|d|x|b';
const SCALE_WORDS = 'k|thousand|tsd|tausend|mio|mn|million(?:en|s)?|bn|billions?|mrd|m(?=\\b)';

/** What may stand directly behind the digits: a scale, then a unit. */
export const SUFFIX = `(?:(?:\\s?(?:${SCALE_WORDS})\\.?(?![\\p{L}\\p{N}_]))?(?:\\s?(?:[%‰×€$£])|[\\s-]?(?:${UNIT_WORDS})(?![\\p{L}\\p{N}_=]))?)`;

interface Written {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** "3 times as long" is a ratio; "failed 3 times" is a count. */
const MULTIPLE =
  /^[*_]{0,2}\s+(?:as|so|the|that|its|their|what|more|less|longer|shorter|slower|faster|larger|bigger|smaller|higher|lower|greater|over|usual|normal|mehr|länger|langsamer|schneller|größer|höher|die|der|das|den)\b/i;
/** What is told apart by a number has no unit. */
const NUMBERED = /\b(?:index|try|attempt|batch|line)\s+$/i;
const PARTS = new RegExp(`^([-−+])?([€$£])?\\s?(${NUMBER_PATTERN})(.*)$`, 'isu');

/** The parts of a number that the figure pattern has found; `text` is what it stands in. */
export function readNumberMention(place: Written, text: string, style: NumberStyle): NumberMention | undefined {
  const found = PARTS.exec(place.text);
  if (!found) return undefined;
  const [, sign, currency, digits = '', , behind = ''] = found;
  const isOccurrences = /^\s*(?:times|mal)$/i.test(behind) && !MULTIPLE.test(text.slice(place.end, place.end + 24));
  const { scale, unit, factors } = readSuffix(behind);
  const noun = isOccurrences ? OCCURRENCES : nounAfter(text, place.end);
  return {
    kind: 'number',
    ...place,
    // "07 %", "index 117 s": no number is written so.
    readings:
      unit !== undefined && (/^0\d/.test(digits) || NUMBERED.test(text.slice(Math.max(0, place.start - 12), place.start)))
        ? []
        : readNumber(digits, style),
    unit: currency === undefined ? unit : 'money',
    factors: factors.map((factor) => factor * scale),
    negative: sign === '-' || sign === '−',
    noun,
    label: undefined,
  };
}

function readSuffix(behind: string): { readonly scale: number; readonly unit: Unit | undefined; readonly factors: readonly number[] } {
  const words = behind
    .trim()
    .replace(/^-/, '')
    .toLowerCase()
    .split(/[\s.]+/)
    .filter((word) => word !== '');
  const first = words[0] ?? '';
  const isScale = first === 'm' ? behind.includes('M') : scaleOfWord(first) !== undefined;
  const scale = isScale ? (scaleOfWord(first === 'm' ? 'M' : first) ?? 1) : 1;
  const unitText = words.slice(isScale ? 1 : 0).join(' ');
  if (unitText === '') return { scale, unit: first === 'm' && !isScale ? 'min' : undefined, factors: [1] };
  if (unitText === 'percentage points') return { scale, unit: 'points', factors: [1] };
  if (unitText === '‰') return { scale, unit: '%', factors: [0.1] };
  const unit = unitText === 'per cent' ? '%' : unitOfWord(unitText);
  return { scale, unit, factors: unit === 'bytes' ? byteFactors(unitText) : [1] };
}

/** The word behind the number, past emphasis: what is counted. */
function nounAfter(text: string, end: number): string | undefined {
  return /^[*_]{0,2}[\s\u00a0-]+(?:of\s+(?:the\s+)?|more\s+|fewer\s+|like\s+|extra\s+)?[`*_]{0,2}(\p{L}[\p{L}_-]*)/u.exec(
    text.slice(end, end + 48),
  )?.[1];
}

/** `map_index=117`, `phase-2`: a number with its name in front. */
export function labelledNumber(place: Written, style: NumberStyle): NumberMention | undefined {
  const found = /^([\p{L}_][\p{L}\p{N}_.]*)=(\d[\d.,]*)$/u.exec(place.text) ?? /^(\p{Ll}{2,})-(\d{1,4})$/u.exec(place.text);
  if (!found) return undefined;
  return {
    kind: 'number',
    ...place,
    readings: readNumber(found[2] ?? '', style),
    unit: undefined,
    factors: [1],
    negative: false,
    noun: undefined,
    label: found[1],
  };
}
