import type { WordIndex } from '../core/memory-index.ts';
import { dateWords, isStopWord, searchWords, type WantedWords, wantWords } from '../core/search-words.ts';

/** What a question is searched by. */
export interface RecallQuery {
  /** With the relatives of words. */
  readonly words: readonly string[];
  readonly wanted: WantedWords;
  /** Those of them that the index is asked for: without the most frequent ones, where the others stand in enough rows already. */
  readonly searched: readonly string[];
  /** What each word says weighs more the rarer it is; a word that stands nowhere still counts. */
  readonly units: readonly QueryUnit[];
  readonly totalWeight: number;
  /** How many words say what it is about. */
  readonly subjects: number;
  /** Whether it asks for something to be done. */
  readonly task: boolean;
}

/** One word of the question as it was written: an identifier counts once, not once a part. */
interface QueryUnit {
  readonly words: readonly string[];
  /** Words of the index that are as good as the last of them. */
  readonly relatives: readonly string[];
  /** What is to be done, and not what with: `add` in "Add a retry". */
  readonly task: boolean;
  readonly weight: number;
  /** Whether it names one thing. */
  readonly named: boolean;
}

/** Names and identifiers that memory has never heard of are what the question is about; other unknown words may be paraphrase. */
const UNKNOWN_NAME = 1;
const UNKNOWN_WORD = 0.2;
/** In a memory of a few rows every word is frequent; it is judged as one of some size. */
const SMALLEST = 200;
/** What a text is worth that holds another word of the family. */
const RELATIVE_SHARE = 0.8;
/** What a task begins with says little about its subject. */
const TASK_VERB = 0.2;
const TASK_VERBS = new Set(
  (
    'add adjust allow apply build change check clean configure convert create define delete deploy design disable document drop edit enable ensure ' +
    'explain extend find fix give handle help implement improve increase insert introduce investigate let list look make migrate modify move need ' +
    'optimise optimize plan prepare prevent provide put reduce refactor remove replace review rewrite schedule set show simplify speed start stop support switch ' +
    'tell test try turn update upgrade use validate verify want write'
  ).split(' '),
);
/** How many rows one search scores; a frequent word beside rarer ones hardly changes the order, and most of the time goes into it. */
const SCORED_ROWS = 3000;
const ISO_DAY = /^\d{4}-\d\d-\d\d$/;
const MONTH_OR_DAY =
  /^(?:\d{1,2}(?:st|nd|rd|th)?|jan|januari|feb|februari|mar|march|apr|april|mai|june|jun|juli|jul|aug|august|sep|sept|septemb|oct|octob|nov|novemb|dec|decemb)$/;

export function readQuestion(question: string, now: number, index: WordIndex): RecallQuery {
  const dates = dateWords(question, now);
  const written = [...new Set(question.match(/[\p{L}\p{N}]+(?:[_.\-/][\p{L}\p{N}]+)*/gu))].map((found) => ({
    found,
    words: searchWords(found),
  }));
  const tells = (word: string): boolean => !isStopWord(word) && !(dates.length > 0 && MONTH_OR_DAY.test(word));
  const telling = written
    .map(({ found, words }) => ({ found, words: words.filter(tells) }))
    .filter(({ found, words }) => words.length > 0 && !ISO_DAY.test(found));
  const chosen = telling.length > 0 || dates.length > 0 ? telling : written;
  const asked = [...new Set([...chosen.flatMap((unit) => unit.words), ...dates])];
  const { rows, of } = index.frequencies(asked);
  const weightOf = (word: string, named: boolean): number => {
    const count = of.get(word) ?? 0;
    const rarity = Math.log(1 + (rows + SMALLEST - count + 0.5) / (count + 0.5));
    return count > 0 ? rarity : rarity * (named ? UNKNOWN_NAME : UNKNOWN_WORD);
  };
  const units = chosen.map(({ found, words }, place): QueryUnit => {
    const named = isName(found, question);
    const task = place === 0 && chosen.length > 1 && words.length === 1 && TASK_VERBS.has(found.toLowerCase());
    const weight = Math.max(...words.map((word) => weightOf(word, named)));
    const relatives = words.length === 1 && !task ? index.relatives(words[0] ?? '') : [];
    return { words, relatives, task, named, weight: task ? weight * TASK_VERB : weight };
  });
  for (const date of dates) units.push({ words: [date], relatives: [], task: false, named: true, weight: weightOf(date, true) });
  const distinct = [...new Map(units.map((unit) => [unit.words.join(' '), unit])).values()];
  const relatives = [...new Set(distinct.flatMap((unit) => unit.relatives))].filter((word) => !asked.includes(word));
  const counts = relatives.length > 0 ? new Map([...of, ...index.frequencies(relatives).of]) : of;
  const words = [...asked, ...relatives];
  return {
    words,
    wanted: wantWords(words),
    searched: searchedOf(words, counts),
    units: distinct,
    totalWeight: distinct.reduce((sum, { weight }) => sum + weight, 0),
    subjects: distinct.filter(({ task }) => !task).length,
    task: distinct.some(({ task }) => task),
  };
}

function searchedOf(words: readonly string[], of: ReadonlyMap<string, number>): readonly string[] {
  const count = (word: string): number => of.get(word) ?? 0;
  let rows = 0;
  return words
    .filter((word) => count(word) > 0)
    .sort((a, b) => count(a) - count(b))
    .filter((word) => {
      const before = rows;
      rows += count(word);
      return before === 0 || rows <= SCORED_ROWS;
    });
}

/** An identifier, or a word in capitals within a sentence. */
function isName(word: string, question: string): boolean {
  return (
    /[_./\d]|\p{Ll}\p{Lu}/u.test(word) || (/^\p{Lu}/u.test(word) && /[^.!?\s]\s+["'`(]?$/u.test(question.slice(0, question.indexOf(word))))
  );
}

/** What of a query a text holds. */
export interface Coverage {
  readonly words: readonly string[];
  /** Share of the query's weight. */
  readonly coverage: number;
  /** How many of its words as they were written; what is to be done does not count. */
  readonly units: number;
  /** Share of the weight of what the question names; absent where it names nothing. */
  readonly named?: number;
}

export function coverageOf(query: RecallQuery, held: ReadonlySet<string>): Coverage {
  const shares = query.units.map((unit) => ({ ...unit, share: shareOf(unit, held) }));
  const weight = shares.reduce((sum, unit) => sum + unit.weight * unit.share, 0);
  const named = shares.filter((unit) => unit.named);
  const namedWeight = named.reduce((sum, unit) => sum + unit.weight, 0);
  return {
    words: query.words.filter((word) => held.has(word)),
    coverage: query.totalWeight === 0 ? 0 : weight / query.totalWeight,
    units: shares.filter(({ share, task }) => share >= RELATIVE_SHARE && !task).length,
    ...(namedWeight > 0 ? { named: named.reduce((sum, unit) => sum + unit.weight * unit.share, 0) / namedWeight } : {}),
  };
}

function shareOf({ words, relatives }: QueryUnit, held: ReadonlySet<string>): number {
  const share = shareHeld(words, held);
  return share < RELATIVE_SHARE && relatives.some((word) => held.has(word)) ? RELATIVE_SHARE : share;
}

/** The last word of an identifier is all of it; its parts in any order are as good when all are there, and little when some are. */
function shareHeld(words: readonly string[], held: ReadonlySet<string>): number {
  const last = words.at(-1);
  if (words.length === 1) return last !== undefined && held.has(last) ? 1 : 0;
  if (last !== undefined && held.has(last)) return 1;
  const parts = words.slice(0, -1);
  const there = parts.filter((part) => held.has(part)).length;
  return there === parts.length ? 1 : there / parts.length / 4;
}
