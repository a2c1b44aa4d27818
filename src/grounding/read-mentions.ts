import { blank, isTerm, type Span } from './mask-text.ts';
import type { IdentifierMention, Mention, MomentMention, SpanMention } from './mention.ts';
import { MONTH_PATTERN, readMoment, ZONE_PATTERN } from './read-moment.ts';
import { NUMBER_PATTERN, type NumberStyle } from './read-number.ts';
import { labelledNumber, readNumberMention, SUFFIX } from './read-number-mention.ts';
import { readWordNumbers } from './read-word-number.ts';
import { secondsIn, unitOfWord } from './units.ts';

const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?';
const SPAN_UNIT =
  '(?:d|days?|h|hrs?|hours?|std|stunden?|m|mins?|minutes?|minuten?|s|secs?|seconds?|sekunden?|ms|milliseconds?)(?![\\p{L}\\p{N}])';
const FIGURE = new RegExp(
  [
    `(?<moment>\\d{4}-\\d{2}-\\d{2}[T ]${CLOCK}(?:\\s?${ZONE_PATTERN})?|\\d{4}[-/]\\d{2}[-/]\\d{2}(?![\\d-])|\\d{1,2}([./])\\d{1,2}\\2\\d{4}(?!\\d)|\\d{1,2}(?:st|nd|rd|th|\\.)?\\s+(?:of\\s+)?${MONTH_PATTERN}(?:,?\\s+\\d{4}(?!\\d))?|${MONTH_PATTERN}\\s+\\d{1,2}(?:st|nd|rd|th)?(?![\\d:.,]\\d|\\d)(?:,?\\s+\\d{4}(?!\\d))?|${MONTH_PATTERN}\\s+\\d{4}(?!\\d))`,
    `(?<interval>\\d+\\s+days?,?\\s+(?:and\\s+)?${CLOCK})`,
    `(?<clock>${CLOCK}(?!\\d|:\\d)(?:\\s?(?:[ap]\\.?m\\b\\.?|${ZONE_PATTERN}))?)`,
    `(?<span>\\d+(?:\\.\\d+)?\\s?(?<larger>${SPAN_UNIT.replace('(?![\\p{L}\\p{N}])', '')})(?:(?:\\s+and|\\s+und)?\\s*\\d+(?:\\.\\d+)?\\s?(?!\\k<larger>(?!\\p{L}))${SPAN_UNIT.replace('(?![\\p{L}\\p{N}])', '(?![\\p{L}])')})+|\\d+\\s?h\\s?\\d{1,2}(?![\\d.,:]\\d|\\d)(?!\\s?(?:rows|h\\b)))`,
    `(?<number>(?:[-−+](?=[\\d€$£])(?<![\\p{L}\\p{N})][-−+])(?<![\\p{N})%]\\s[-−+]))?(?:[€$£]\\s?)?(?:${NUMBER_PATTERN})${SUFFIX})`,
  ]
    .map((part) => `(?<![\\p{L}\\p{N}_])(?<![\\p{N}][.,:])${part}`)
    .join('|'),
  'giu',
);

const CHUNK =
  /(?:decimal|numeric|varchar|char|number)\(\d+(?:,\s?\d+)?\)|[\p{L}\p{N}_](?:(?:[\p{L}\p{N}_.:+\-/=@#%~]|(?<=\p{L})\[\d+\](?=[.\s`]))*(?:[\p{L}\p{N}_%]|(?<=\p{L})\[\d+\]))?/giu;

/** All figures of a text, in order; `silent` stretches hold none. Names with digits are read whole, not digit by digit. */
export function readMentions(text: string, style: NumberStyle, silent: readonly Span[] = []): Mention[] {
  const open = silent.length > 0 ? blank(text, silent) : text;
  const words = readWordNumbers(open);
  if (!/\d/.test(text)) return words;
  const named = readNames(open, style);
  const rest = named.masked.length > 0 ? blank(open, named.masked) : open;
  const others: Mention[] = [];
  for (const match of rest.matchAll(FIGURE)) {
    const mention = mentionOf(match, rest, style);
    if (mention) others.push(mention);
  }
  return [...named.mentions, ...others, ...words].sort((left, right) => left.start - right.start);
}

function readNames(text: string, style: NumberStyle): { readonly mentions: Mention[]; readonly masked: Span[] } {
  const mentions: Mention[] = [];
  const masked: Span[] = [];
  for (const match of text.matchAll(CHUNK)) {
    const chunk = match[0];
    if (!/\d/.test(chunk) || !(/[\p{L}_]/u.test(chunk) || DIGIT_NAME.test(chunk)) || isPlainFigure(chunk)) continue;
    const place = { text: chunk, start: match.index, end: match.index + chunk.length };
    masked.push(place);
    if (isTerm(chunk)) continue;
    mentions.push(labelledNumber(place, style) ?? nameOf(place));
  }
  return { mentions, masked };
}

/** Ids, addresses and versions made of digits alone: `11111111-2222-3333`, `10.0.0.7`, `1.8.3`. */
const DIGIT_NAME = /^(?!\d{4}-\d{2}-\d{2}$)\d+(?:-\d+){2,}$|^(?!\d{1,2}\.\d{1,2}\.\d{4}$)(?!\d{1,3}(?:\.\d{3})+$)\d+(?:\.\d+){2,}$/;

function nameOf(place: Omit<IdentifierMention, 'kind' | 'name' | 'line'>): IdentifierMention {
  const [, file, line] = /^(.*(?:\.\p{L}\w*|\/[^:]*)):(\d{1,7})(?::\d+)?$/u.exec(place.text) ?? [];
  return { kind: 'identifier', ...place, name: (file ?? place.text).toLowerCase(), ...(line === undefined ? {} : { line: Number(line) }) };
}

const PLAIN: readonly RegExp[] = [
  /^[+-]?\d[\d.,]*(?:ns|us|µs|ms|s|secs?|m|mins?|h|hrs?|d|k|m|mn|bn|b|x|×|kb|mb|gb|tb|kib|mib|gib|pp|pct|%|st|nd|rd|th|er|fach|eur|usd)$/i,
  /^(?:\d+(?:\.\d+)?(?:d|h|m|min|s|ms|sec))+$/i,
  /^\d+h\d{1,2}$/i,
  /^\d{4}-\d{2}-\d{2}T[\d:.,]+(?:Z|[+-]\d{2}:?\d{2})?$/,
  /^\d{1,2}:\d{2}[\d:.,]*(?:Z|[ap]m|[+-]\d{2}:?\d{2})$/i,
  /^\d[\d.,]*%?(?:-\p{L}+)+$/u,
  /^\d[\d.,]*\/(?:s|sec|min|h|hour|day)$/i,
];

/** A number with its unit or noun written together, or a time: no name. */
function isPlainFigure(chunk: string): boolean {
  return PLAIN.some((pattern) => pattern.test(chunk));
}

function mentionOf(match: RegExpExecArray, text: string, style: NumberStyle): Mention | undefined {
  const groups = match.groups ?? {};
  const written = match[0].replace(/[\s.,]+$/, '');
  const place = { text: written, start: match.index, end: match.index + written.length };
  if (groups.moment !== undefined) {
    // "17.03.2026 %" says nothing that could be so.
    const moments = /^\s?(?:[%×]|m?s\b)/.test(text.slice(place.end)) ? [] : readMoment(written);
    // A day that no calendar has is a figure all the same; "97 may fail" is none.
    return moments.length > 0 || NO_DAY.test(written) ? { kind: 'moment', ...place, moments } : undefined;
  }
  if (groups.interval !== undefined) return intervalOf(place);
  if (groups.clock !== undefined) return clockOf(place);
  if (groups.span !== undefined) return spanOf(place);
  return readNumberMention(place, text, style);
}

const NO_DAY = /^\d{4}-\d{2}|^\d{1,2}[./]\d{1,2}[./]\d{4}$|^\d{1,2}\.?(?:st|nd|rd|th)?\s+(?:of\s+)?\p{Lu}/u;

function intervalOf(place: { readonly text: string; readonly start: number; readonly end: number }): SpanMention {
  const [days = '0', clock = '0'] = place.text.split(/\s+days?,?\s+(?:and\s+)?/i);
  const { seconds, precision } = clockSpan(clock);
  return { kind: 'span', ...place, seconds: Number(days) * 86_400 + seconds, precision };
}

function clockOf(place: { readonly text: string; readonly start: number; readonly end: number }): MomentMention | SpanMention {
  const moments = readMoment(place.text);
  const span = clockSpan(place.text);
  const bare = /^[\d:.,]+$/.test(place.text);
  if (moments.length === 0) return { kind: 'span', ...place, ...span };
  return { kind: 'moment', ...place, moments, ...(bare ? { span } : {}) };
}

/** `1:48:15` as hours, minutes and seconds; two parts are hours and minutes. */
function clockSpan(text: string): { readonly seconds: number; readonly precision: number } {
  const [hours = 0, minutes = 0, seconds = 0] = text
    .replace(',', '.')
    .split(':')
    .map((part) => Number.parseFloat(part));
  const fraction = /[.,](\d+)$/.exec(text)?.[1]?.length ?? 0;
  return { seconds: hours * 3600 + minutes * 60 + seconds, precision: text.split(':').length > 2 ? 10 ** -fraction : 60 };
}

function spanOf(place: { readonly text: string; readonly start: number; readonly end: number }): SpanMention {
  let seconds = 0;
  let precision = 86_400;
  let unitBefore = 60;
  for (const [, digits = '', word = ''] of place.text.matchAll(/(\d+(?:\.\d+)?)\s?(\p{L}*)/gu)) {
    // "1 h 48" leaves out the next smaller unit.
    const unit = word === '' ? unitBefore / 60 : word === 'm' ? 60 : (secondsIn(unitOfWord(word)) ?? 1);
    seconds += Number(digits) * unit;
    precision = Math.min(precision, unit * 10 ** -(digits.split('.')[1]?.length ?? 0));
    unitBefore = unit;
  }
  return { kind: 'span', ...place, seconds, precision };
}
