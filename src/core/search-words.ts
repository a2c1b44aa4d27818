import { stemWord } from './stem-word.ts';

const DAY_MS = 86_400_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const ISO_DAY = /\b(\d{4})-(\d\d)-(\d\d)\b/g;
const DAY_THEN_MONTH = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH})\\b\\.?,?(?: (\\d{4})\\b)?`, 'gi');
const MONTH_THEN_DAY = new RegExp(`\\b(${MONTH})\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b(?!:)(?:,? (\\d{4})\\b)?`, 'gi');
const MONTH_AND_YEAR = new RegExp(`\\b(${MONTH})\\.?,? (\\d{4})\\b`, 'gi');
const DAYS_AGO = /\b(?:(today|yesterday)|(\d{1,3}) days ago)\b/gi;

/** Words that say nothing about a subject; a question made of nothing else is searched with all of its words. */
const STOP_WORDS = new Set(
  (
    'a about after again all also am an and any are as at be because been before being but by can could did do does doing for from had has have having ' +
    'he her here hers him his how i if in into is it its just me more most my no nor not now of on once only or other our ours out over please same she ' +
    'should so some such tell than that the their theirs them then there these they this those through to too under until up us very was we were what when where ' +
    'which while who whom whose why will with would you your yours must might shall ought s t d ll m re ve don didn doesn isn wasn aren weren won'
  ).split(' '),
);

const stems = new Map<string, string>();
const MOST_STEMS = 50_000;

function stemOf(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    if (stems.size >= MOST_STEMS) stems.clear();
    stem = stemWord(word);
    stems.set(word, stem);
  }
  return stem;
}

/**
 * The words of a text as they are indexed and searched: lower case, without accents, stemmed; `retryPolicy` and `retry_policy` also as parts;
 * runs of Chinese, Japanese or Korean as overlapping pairs.
 */
export function searchWords(text: string): string[] {
  const ascii = isAscii(text);
  const plain = ascii ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '');
  const words: string[] = [];
  for (const found of plain.match(ascii ? ASCII_WORD : WORD) ?? []) addWords(found, words);
  return words;
}

const ASCII_WORD = /[A-Za-z0-9]+(?:[_.\-/][A-Za-z0-9]+)*/g;
const WORD = /[\p{L}\p{N}]+(?:[_.\-/][\p{L}\p{N}]+)*/gu;

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is meant
  return /^[\x00-\x7f]*$/.test(text);
}

const PARTING = /[_.\-/]|(?<=\p{Ll})(?=\p{Lu})/u;

function addWords(found: string, words: string[]): void {
  // Most words are plain; the expressions below take most of the time of an index.
  if (/^[a-z0-9]+$/.test(found)) {
    words.push(stemOf(found));
    return;
  }
  const parts = found.split(PARTING);
  for (const part of parts) {
    if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(part)) words.push(...pairsOf(part));
    else if (part !== '') words.push(stemOf(part.toLowerCase()));
  }
  if (parts.length > 1 && parts.length <= 6) words.push(parts.join('').toLowerCase());
}

function pairsOf(run: string): string[] {
  const characters = [...run.toLowerCase()];
  if (characters.length < 3) return [characters.join('')];
  return characters.slice(1).map((character, place) => `${characters[place]}${character}`);
}

/** Whether a word, as {@link searchWords} answers it, tells nothing. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word) || STEMMED_STOP_WORDS.has(word);
}

const STEMMED_STOP_WORDS = new Set([...STOP_WORDS].map(stemWord));

/** Words for a day: of the day itself, the day of any year, the month, the month of any year. */
function wordsOfDay(year: number | undefined, month: number, day: number | undefined): string[] {
  const mm = String(month).padStart(2, '0');
  const dd = day === undefined ? undefined : String(day).padStart(2, '0');
  return [
    ...(year !== undefined && dd ? [`day${year}${mm}${dd}`] : []),
    ...(dd ? [`anyyear${mm}${dd}`] : []),
    ...(year === undefined ? [] : [`month${year}${mm}`]),
    `month${mm}`,
  ];
}

/** Words for the day of a time, in UTC. */
export function wordsOfTime(at: number): string[] {
  const date = new Date(at);
  return wordsOfDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

/** Words for every date that a text names; `yesterday` and the like are counted from `at`. Only the most exact one of each. */
export function dateWords(text: string, at: number): string[] {
  if (!/\d|day/i.test(text)) return [];
  const monthNamed = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i.test(text);
  const found = new Set<string>();
  const add = (year: number | undefined, month: number, day?: number): void => {
    if (month < 1 || month > 12 || (day !== undefined && (day < 1 || day > 31))) return;
    found.add(wordsOfDay(year, month, day)[0] ?? '');
  };
  if (text.includes('-')) for (const [, year, month, day] of text.matchAll(ISO_DAY)) add(Number(year), Number(month), Number(day));
  if (monthNamed) {
    for (const [, day, month, year] of text.matchAll(DAY_THEN_MONTH)) add(year ? Number(year) : undefined, monthNumber(month), Number(day));
    for (const [, month, day, year] of text.matchAll(MONTH_THEN_DAY)) add(year ? Number(year) : undefined, monthNumber(month), Number(day));
    for (const [, month, year] of text.matchAll(MONTH_AND_YEAR)) add(Number(year), monthNumber(month));
  }
  for (const [, word, days] of /day/i.test(text) ? text.matchAll(DAYS_AGO) : []) {
    const back = word ? (word.toLowerCase() === 'today' ? 0 : 1) : Number(days);
    found.add(wordsOfTime(at - back * DAY_MS)[0] ?? '');
  }
  return [...found];
}

function monthNumber(name: string | undefined): number {
  return MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1;
}

/** What is put into the index for a text: its words, those of the dates in it, and those of the day it was said. */
export function indexWords(text: string, at: number): string[] {
  return [...searchWords(text), ...datesOf(text, at)];
}

/** Words that are looked for in many texts. */
export interface WantedWords {
  readonly words: ReadonlySet<string>;
  /** 1 at the {@link beginningOf} of each: no other word need be stemmed. */
  readonly beginnings: Uint8Array;
  /** Whether any of them stands for a date. */
  readonly dates: boolean;
}

export function wantWords(words: readonly string[]): WantedWords {
  const beginnings = new Uint8Array(LETTERS * LETTERS);
  for (const word of words) {
    const place = beginningOf(word, 0, word.length);
    beginnings[place] = 1;
    // What is one letter as a stem may have been any word that begins with it.
    if (word.length === 1) beginnings.fill(1, place - (place % LETTERS), place - (place % LETTERS) + LETTERS);
  }
  return { words: new Set(words), beginnings, dates: words.some((word) => /^(?:day|anyyear|month)\d/.test(word)) };
}

/** Those of the words of a text that are wanted, as they would be indexed. */
export function wantedWords(text: string, at: number, wanted: WantedWords): ReadonlySet<string> {
  const { words, dates } = wanted;
  const held = new Set<string>();
  if (isAscii(text)) addWanted(text, wanted, held);
  else for (const word of searchWords(text)) if (words.has(word)) held.add(word);
  if (dates) for (const word of datesOf(text, at)) if (words.has(word)) held.add(word);
  return held;
}

/** By character codes: most of the time of comparing many texts goes into finding their words. */
function addWanted(text: string, wanted: WantedWords, held: Set<string>): void {
  for (let place = 0; place < text.length; place++) {
    if (letterOf(text.charCodeAt(place)) === 0) continue;
    const begin = place;
    let [joined, camel, lower] = [false, false, false];
    for (; place < text.length; place++) {
      const code = text.charCodeAt(place);
      if (letterOf(code) === 0) {
        if (!joins(code) || place + 1 >= text.length || letterOf(text.charCodeAt(place + 1)) === 0) break;
        joined = true;
      }
      if (lower && code >= 65 && code <= 90) camel = true;
      lower = code >= 97 && code <= 122;
    }
    if (camel || joined) addWantedParts(text.slice(begin, place), camel, wanted, held);
    else addWantedWord(text, begin, place, wanted, held);
  }
}

function addWantedWord(text: string, begin: number, end: number, { words, beginnings }: WantedWords, held: Set<string>): void {
  if (beginnings[beginningOf(text, begin, end)] !== 1) return;
  const stem = stemOf(text.slice(begin, end).toLowerCase());
  if (words.has(stem)) held.add(stem);
}

/** A word of several parts also counts as one, and as its parts. */
function addWantedParts(found: string, camel: boolean, wanted: WantedWords, held: Set<string>): void {
  const parts = camel ? found.split(PARTING) : found.split(/[_.\-/]/);
  for (const part of parts) addWantedWord(part, 0, part.length, wanted, held);
  if (parts.length > 6) return;
  const whole = parts.join('').toLowerCase();
  if (wanted.words.has(whole)) held.add(whole);
}

const LETTERS = 37;

/** 1 to 36 for letters and digits of ASCII in any case, 0 for all else. */
function letterOf(code: number): number {
  if (code >= 97 && code <= 122) return code - 96;
  if (code >= 65 && code <= 90) return code - 64;
  return code >= 48 && code <= 57 ? code - 21 : 0;
}

/** `_`, `.`, `-` and `/` stand within a word. */
function joins(code: number): boolean {
  return code === 95 || (code >= 45 && code <= 47);
}

const LETTER_I = 9;
const LETTER_Y = 25;

/** Of the first two letters, which stemming never changes, but for a `y` that becomes an `i`. */
function beginningOf(text: string, begin: number, end: number): number {
  const second = begin + 1 < end ? letterOf(text.charCodeAt(begin + 1)) : 0;
  return letterOf(text.charCodeAt(begin)) * LETTERS + (second === LETTER_Y ? LETTER_I : second);
}

function datesOf(text: string, at: number): string[] {
  return [...dateWords(text, at).flatMap((word) => widened(word, at)), ...wordsOfTime(at)];
}

/** A day is also found by its day of any year and by its month; one without a year is meant to be the nearest. */
function widened(word: string, at: number): string[] {
  const [, year = '', month = '', day = ''] = /^(?:day(\d{4})|anyyear)(\d\d)(\d\d)$/.exec(word) ?? [];
  if (day === '') return [word];
  return wordsOfDay(year === '' ? nearestYear(Number(month), Number(day), at) : Number(year), Number(month), Number(day));
}

function nearestYear(month: number, day: number, at: number): number {
  const year = new Date(at).getUTCFullYear();
  const far = (one: number): number => Math.abs(Date.UTC(one, month - 1, day) - at);
  return [year - 1, year + 1].reduce((nearest, other) => (far(other) < far(nearest) ? other : nearest), year);
}
