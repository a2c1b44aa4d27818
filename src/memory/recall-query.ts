import type { WordIndex } from '../core/memory-index.ts';
import { dateWords, type WantedWords, wantWords } from '../core/search-words.ts';
import { type QuestionWord, readWords } from './question-words.ts';

/** What a question is searched by. */
export interface RecallQuery {
  /** With the relatives of words. */
  readonly words: readonly string[];
  readonly wanted: WantedWords;
  /** Those of them that the index is asked for: without the most frequent ones, where the others stand in enough rows already. */
  readonly searched: readonly string[];
  /** What the others are worth in a text that holds them: they are looked for in what was found. */
  readonly unsearched: ReadonlyMap<string, number>;
  readonly sentences: readonly QuerySentence[];
}

/** What one sentence of a question asks for; a text that answers one of them bears on all. */
export interface QuerySentence {
  /** What each word says weighs more the rarer it is; a word that stands nowhere still counts. */
  readonly units: readonly QueryUnit[];
  readonly totalWeight: number;
  /** Of what it names. */
  readonly namedWeight: number;
  /** How many words say what it is about, and in how many runs they stand. */
  readonly subjects: number;
  readonly runs: number;
  /** Whether it asks for something to be done. */
  readonly task: boolean;
}

interface QueryUnit extends QuestionWord {
  /** As it was written, in lower case. */
  readonly lower: string;
  readonly weight: number;
  /** Words of the index that are as good as its own. */
  readonly relatives: readonly string[];
  /** It belongs to a word that memory has never heard of: `gateway` in "the fax gateway". */
  readonly doubtful: boolean;
  /** It is a name by how it is written, not only by what stands beside it. */
  readonly proper: boolean;
}

/**
 * Names and identifiers that memory has never heard of are what the question is about, and so are two words in a row or one before a known word; other
 * unknown words may be paraphrase.
 */
const UNKNOWN_NAME = 1;
const UNKNOWN_BEFORE_KNOWN = 0.6;
const UNKNOWN_WORD = 0.2;
/** What a task begins with says little about its subject. */
const TASK_VERB = 0.2;
/** What a text is worth that holds another word of the family. */
const RELATIVE_SHARE = 0.8;
const DOUBTFUL_SHARE = 0.25;
/** In a memory of a few rows every word is frequent; it is judged as one of some size. */
const SMALLEST = 200;
/**
 * How many rows one search scores before it takes no further word, and how many of one word; most of the time goes into it. A word that is frequent beside the
 * rarest one hardly changes the order: it is left out from fewer on.
 */
const SCORED_ROWS = 2000;
const MOST_ROWS_OF_A_WORD = 3000;
const SCORED_ROWS_OF_FREQUENT = 1000;
const FREQUENT = 0.5;

export function readQuestion(question: string, now: number, index: WordIndex): RecallQuery {
  const dates = dateWords(question, now);
  const written = readWords(question, dates.length > 0);
  const asked = [...new Set([...written.flatMap(({ words }) => words), ...dates])];
  const joined = written.flatMap((unit) => unit.joined ?? []);
  const frequencies = index.frequencies([...asked, ...joined]);
  const units = weighed(written, dates, index, frequencies);
  const relatives = [...new Set(units.flatMap((unit) => unit.relatives))].filter((word) => !asked.includes(word));
  const counts = relatives.length > 0 ? new Map([...frequencies.of, ...index.frequencies(relatives).of]) : frequencies.of;
  const words = [...asked, ...relatives];
  const sentences = [...new Set(units.map(({ sentence }) => sentence))].map((place) =>
    sentenceOf(units.filter(({ sentence }) => sentence === place)),
  );
  const searched = searchedOf(words, counts, frequencies.rows);
  const unsearched = unsearchedOf(words, searched, { rows: frequencies.rows, of: counts });
  return { words, wanted: wantWords(words), searched, unsearched, sentences: worthAsking(sentences) };
}

/** A word or two between others ("Thanks.") are no question of their own. */
function worthAsking(sentences: readonly QuerySentence[]): readonly QuerySentence[] {
  const most = Math.max(0, ...sentences.map(({ subjects }) => subjects));
  return sentences.filter(({ subjects }) => subjects >= Math.min(2, most));
}

function sentenceOf(units: readonly QueryUnit[]): QuerySentence {
  const subjects = units.filter(({ task }) => !task);
  return {
    units,
    totalWeight: units.reduce((sum, { weight }) => sum + weight, 0),
    namedWeight: units.reduce((sum, { weight, named }) => sum + (named ? weight : 0), 0),
    subjects: subjects.length,
    runs: new Set(subjects.map(({ run }) => run)).size,
    task: subjects.length < units.length,
  };
}

function weighed(
  written: readonly QuestionWord[],
  dates: readonly string[],
  index: WordIndex,
  { rows, of }: ReturnType<WordIndex['frequencies']>,
): readonly QueryUnit[] {
  const rarity = (word: string): number => rarityOf(of.get(word) ?? 0, rows + SMALLEST);
  const related = new Map(
    written.map((unit) => {
      const family = unit.words.length === 1 && !unit.task ? index.relatives(unit.words[0] ?? '') : [];
      return [unit, unit.joined && (of.get(unit.joined) ?? 0) > 0 ? [...family, unit.joined] : family] as const;
    }),
  );
  const unknown = (unit: QuestionWord | undefined, run: number): boolean =>
    unit?.run === run && !unit.task && related.get(unit)?.length === 0 && unit.words.every((word) => (of.get(word) ?? 0) === 0);
  const units = written.map((unit, place): QueryUnit => {
    const [before, after] = [written[place - 1], written[place + 1]];
    const isUnknown = unknown(unit, unit.run);
    const beside = unknown(before, unit.run) || unknown(after, unit.run);
    const beforeKnown = after?.run === unit.run;
    const naming = isUnknown && (beside || beforeKnown);
    const share = !isUnknown || unit.named || (naming && beside) ? UNKNOWN_NAME : naming ? UNKNOWN_BEFORE_KNOWN : UNKNOWN_WORD;
    const weight = Math.max(...unit.words.map(rarity)) * (unit.task ? TASK_VERB : share);
    return {
      ...unit,
      lower: unit.written.toLowerCase(),
      weight,
      named: unit.named || naming,
      proper: unit.named,
      relatives: related.get(unit) ?? [],
      doubtful: !isUnknown && unknown(before, unit.run),
    };
  });
  const last = written.at(-1)?.sentence ?? 0;
  const ofDates = dates.map((date, place): QueryUnit => {
    const shared = { written: date, lower: date, words: [date], sentence: last, run: -1 - place, named: true, task: false };
    return { ...shared, weight: rarity(date), relatives: [], doubtful: false, proper: true };
  });
  return [...units, ...ofDates];
}

function searchedOf(words: readonly string[], of: ReadonlyMap<string, number>, all: number): readonly string[] {
  const count = (word: string): number => of.get(word) ?? 0;
  const rarity = (word: string): number => Math.log(1 + all / count(word));
  let rows = 0;
  const known = words.filter((word) => count(word) > 0).sort((a, b) => count(a) - count(b));
  return known.filter((word, place) => {
    const before = rows;
    rows += count(word);
    if (place === 0) return true;
    const frequent = rarity(word) < FREQUENT * rarity(known[0] ?? word);
    return frequent ? rows <= SCORED_ROWS_OF_FREQUENT : before < SCORED_ROWS && count(word) <= MOST_ROWS_OF_A_WORD;
  });
}

function unsearchedOf(
  words: readonly string[],
  searched: readonly string[],
  { rows, of }: ReturnType<WordIndex['frequencies']>,
): ReadonlyMap<string, number> {
  const left = words.filter((word) => (of.get(word) ?? 0) > 0 && !searched.includes(word));
  return new Map(left.map((word) => [word, rarityOf(of.get(word) ?? 0, rows)]));
}

/** The part of BM25 that says how telling a word is; also one in most rows tells a little. */
function rarityOf(count: number, rows: number): number {
  return Math.log(1 + (Math.max(0, rows - count) + 0.5) / (count + 0.5));
}

/** What of a query a text holds: of the sentence that it holds most of. */
export interface Coverage {
  readonly words: readonly string[];
  /** Share of the sentence's weight. */
  readonly coverage: number;
  /** How many of its words as they were written; what is to be done does not count, and what stands together here and there counts once. */
  readonly units: number;
  /** How many it would take at least. */
  readonly subjects: number;
  /** Whether it holds all of two runs of words, one of them a name of several words: what else is asked may be said in other words. */
  readonly wholeRuns: boolean;
  /** Whether the sentence asks for something to be done. */
  readonly task: boolean;
  /** Share of the weight of what the sentence names; absent where it names nothing. */
  readonly named?: number;
}

export function coverageOf(query: RecallQuery, held: ReadonlySet<string>, text: string): Coverage {
  const words = query.words.filter((word) => held.has(word));
  let best: Coverage = { words, coverage: 0, units: 0, subjects: 0, wholeRuns: false, task: false };
  const plain = words.length > 1 ? text.toLowerCase() : '';
  for (const sentence of query.sentences) {
    const one = coverageOfSentence(sentence, held, plain);
    if (best.subjects === 0 || one.coverage > best.coverage) best = { words, ...one };
  }
  return best;
}

/** By plain loops: it is asked of every candidate. */
function coverageOfSentence(sentence: QuerySentence, held: ReadonlySet<string>, text: string): Omit<Coverage, 'words'> {
  const { units, totalWeight, subjects, task, namedWeight } = sentence;
  const runs = new Map<number, { whole: boolean; size: number }>();
  let [weight, named, there, allProper] = [0, 0, 0, true];
  let last: QueryUnit | undefined;
  for (const unit of units) {
    const share = shareOf(unit, held);
    const isHeld = share >= RELATIVE_SHARE;
    weight += unit.weight * share;
    if (unit.named) named += unit.weight * share;
    if (unit.proper && !isHeld) allProper = false;
    if (unit.task) continue;
    const run = runs.get(unit.run);
    if (!run) runs.set(unit.run, { whole: isHeld, size: 1 });
    else {
      run.size++;
      run.whole &&= isHeld;
    }
    if (!isHeld) continue;
    const together = last?.run === unit.run && sentence.runs > 1 && text.includes(`${last.lower} ${unit.lower}`);
    if (!together) there++;
    last = unit;
  }
  const whole = [...runs.values()].filter((run) => run.whole);
  return {
    coverage: totalWeight === 0 ? 0 : weight / totalWeight,
    units: there,
    subjects,
    wholeRuns: allProper && whole.length >= 2 && whole.some(({ size }) => size >= 2),
    task,
    ...(namedWeight > 0 ? { named: named / namedWeight } : {}),
  };
}

function shareOf({ words, relatives, doubtful }: QueryUnit, held: ReadonlySet<string>): number {
  const share = shareHeld(words, held);
  const own = share < RELATIVE_SHARE && relatives.some((word) => held.has(word)) ? RELATIVE_SHARE : share;
  return doubtful ? own * DOUBTFUL_SHARE : own;
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
