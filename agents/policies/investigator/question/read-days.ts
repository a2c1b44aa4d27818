/** Months in English and German, by their first letters. */
const MONTHS: Readonly<Record<string, string>> = Object.fromEntries(
  'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').map((name, at) => [name, String(at + 1)]),
);
const GERMAN_MONTHS: Readonly<Record<string, string>> = { mär: '3', mai: '5', okt: '10', dez: '12' };
const MONTH_NAME =
  '(jan(?:uary?)?|feb(?:ruary?)?|mar(?:ch)?|märz?|apr(?:il)?|may|mai|jun[ei]?|jul[yi]?|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)(?!\\p{L})';
/** Behind a number `may` is a verb where another follows. */
const VERB = '(?<=may) (?:be|have|not|also|well)\\b';
const DAY_FIRST = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th|\\.)?(?: of)? ${MONTH_NAME}(?!${VERB})(?:,? (\\d{4})\\b)?`, 'gu');
const MONTH_FIRST = new RegExp(`(?<!\\p{L})${MONTH_NAME} (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (\\d{4})\\b)?`, 'gu');

/** What stands before a day: without it `3/14` may be three of fourteen, and `1.10` a version. */
const BEFORE = '\\b(?:on|for|since|from|of|in|by|at|after|before|until|till|between|and|around|the|am|vom|seit|ab|\\w+day) ';
const SLASHED = new RegExp(`(?<=${BEFORE})(\\d{1,2})/(\\d{1,2})(?![\\d/%]| of\\b)`, 'g');
const SLASHED_WITH_YEAR = /\b(\d{1,2})\/(\d{1,2})\/(20\d\d)\b/g;
const DOTTED = new RegExp(`(?<=${BEFORE})(\\d{1,2})\\.(\\d{1,2})\\.(?!\\d)`, 'g');
const DOTTED_WITH_YEAR = /\b(\d{1,2})\.(\d{1,2})\.(20\d\d)\b/g;
const YEAR_FIRST = /\b(20\d\d)([-/]?)(\d\d)\2(\d\d)\b/g;
/** A day of a month that is not told: `on the 14th`, but not `on the 2nd try`. */
const ORDINAL =
  /\b(?:on|for|since|from|until|after|before) the (\d{1,2})(?:st|nd|rd|th)(?=\s*(?:$|[?.,;:!)]|(?:why|and|on|in|what|how|is|are|was|were|has|have|but)\b))/g;

/**
 * The days that a text in small letters names, as `YYYY-MM-DD`, `-MM-DD` where no year is told, `-DD` where no month is either.
 * Of a day with a slash the month stands first, where it can; of one with dots the day does.
 */
export function namedDays(lower: string): readonly string[] {
  const found = [
    ...[...lower.matchAll(YEAR_FIRST)].map(([, year, , month, day]) => dayOf(year, month, day)),
    ...[...lower.matchAll(DAY_FIRST)].map(([, day, month, year]) => dayOf(year, numberOf(month), day)),
    ...[...lower.matchAll(MONTH_FIRST)].map(([, month, day, year]) => dayOf(year, numberOf(month), day)),
    ...[...lower.matchAll(SLASHED_WITH_YEAR), ...lower.matchAll(SLASHED)].map(([, month, day, year]) =>
      Number(month) > 12 ? dayOf(year, day, month) : dayOf(year, month, day),
    ),
    ...[...lower.matchAll(DOTTED_WITH_YEAR), ...lower.matchAll(DOTTED)].map(([, day, month, year]) => dayOf(year, month, day)),
    ...[...lower.matchAll(ORDINAL)].map(([, day = '']) => `-${day.padStart(2, '0')}`),
  ];
  return [...new Set(found.filter((day) => day !== undefined))];
}

const DAY = 86_400_000;

/** So many days after a day; undefined where that is none. */
export function daysAfter(day: string, days: number): string | undefined {
  const time = Date.parse(`${day}T00:00:00Z`) + days * DAY;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}

/** A day that a question names without its year or month, as the last such day up to another; any other as it is named. */
export function dayUpTo(named: string, last: string): string {
  if (!named.startsWith('-')) return named;
  for (let back = 0; back < 366; back++) {
    const day = daysAfter(last, -back);
    if (day?.endsWith(named)) return day;
  }
  return named;
}

function numberOf(month = ''): string {
  const first = month.slice(0, 3);
  return MONTHS[first] ?? GERMAN_MONTHS[first] ?? '';
}

/** Undefined where there is no such day. */
function dayOf(year = '', month = '', day = ''): string | undefined {
  // Of a year that is not told, the 29th of February may be meant.
  const time = new Date(Date.UTC(Number(year) || 2024, Number(month) - 1, Number(day)));
  if (time.getUTCMonth() !== Number(month) - 1 || time.getUTCDate() !== Number(day)) return undefined;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
