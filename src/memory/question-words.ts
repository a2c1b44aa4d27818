import { isStopWord, searchWords } from '../core/search-words.ts';

/** One word of a question as it was written: an identifier is one word. */
export interface QuestionWord {
  readonly written: string;
  /** What it is searched by; the last one of an identifier stands for all of it. */
  readonly words: readonly string[];
  /** What it would be in one word with the next: `rollout` for "rolled out". */
  readonly joined?: string;
  /** Which sentence it stands in. */
  readonly sentence: number;
  /** Words with nothing between them are of one run: `weather widget`. */
  readonly run: number;
  /** Whether it names one thing. */
  readonly named: boolean;
  /** What is to be done, and not what with: `add` in "Add a retry". */
  readonly task: boolean;
}

const TASK_VERBS = wordSet(
  'add adjust allow apply build change check clean configure convert create define delete deploy design disable document drop edit enable ensure ' +
    'explain extend find fix give handle help implement improve increase insert introduce investigate let list look make migrate modify move need ' +
    'optimise optimize plan prepare prevent provide put reduce refactor remove replace review rewrite schedule set show simplify speed start stop support switch ' +
    'tell test try turn update upgrade use validate verify want write',
);
/** They belong to any subject, and part no name from what stands beside it. */
const GENERIC = wordSet(
  'many much long often far few several new old next last first second third other another own whole right left wrong good better best bad big small large same current recent usual main real full ' +
    'current daily nightly weekly hourly monthly today task tasks job jobs run runs process system data table tables file files thing things way part kind type ' +
    'problem issue error time times number value',
);
const ISO_DAY = /^\d{4}-\d\d-\d\d$/;
const MONTH_OR_DAY =
  /^(?:\d{1,2}(?:st|nd|rd|th)?|jan|januari|feb|februari|mar|march|apr|april|mai|june|jun|juli|jul|aug|august|sep|sept|septemb|oct|octob|nov|novemb|dec|decemb)$/;

/** What is asked of a day: the day is what it turns on. */
const OF_A_DAY = wordSet('happen occur go gone went wrong broke');

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** What a question says besides its dates, in its order, each word once; all of its words where they say nothing. */
export function readWords(question: string, hasDates: boolean): readonly QuestionWord[] {
  const tells = (word: string): boolean => !isStopWord(word) && !(hasDates && (MONTH_OR_DAY.test(word) || OF_A_DAY.has(word)));
  const matches = [...question.matchAll(/[\p{L}\p{N}]+(?:[_.\-/][\p{L}\p{N}]+)*/gu)];
  const all = matches.map((match, place) => placed(question, match, matches[place + 1]));
  const telling = all.flatMap(({ written, words, ...place }) => {
    const told = words.filter(tells);
    return told.length > 0 && !ISO_DAY.test(written) ? [{ written, words: told, ...place }] : [];
  });
  const chosen = telling.length > 0 || hasDates ? telling : all;
  const sentences = new Set<number>();
  const found = new Map<string, QuestionWord>();
  let [run, end] = [0, -1];
  for (const { written, words, begin, sentence, joined } of chosen) {
    const lower = written.toLowerCase();
    const generic = GENERIC.has(lower);
    const task = !sentences.has(sentence) && words.length === 1 && TASK_VERBS.has(lower);
    sentences.add(sentence);
    if (generic || end < 0 || question.slice(end, begin).trim() !== '') run++;
    end = generic || task ? -1 : begin + written.length;
    const key = words.join(' ');
    if (!found.has(key))
      found.set(key, { written, words, sentence, run, task, named: isName(written, question), ...(joined ? { joined } : {}) });
  }
  return [...found.values()];
}

interface PlacedWord {
  readonly written: string;
  readonly words: readonly string[];
  readonly joined: string | undefined;
  readonly begin: number;
  readonly sentence: number;
}

function placed(question: string, match: RegExpExecArray, next: RegExpExecArray | undefined): PlacedWord {
  const before = question.slice(0, match.index);
  const words = searchWords(match[0]);
  const beside = next && question.slice(match.index + match[0].length, next.index).trim() === '' ? next[0].toLowerCase() : '';
  return {
    written: match[0],
    words,
    joined: words.length === 1 && /^[a-z]+$/.test(beside) ? searchWords(`${words[0]}${beside}`)[0] : undefined,
    begin: match.index,
    sentence: before.match(/[.!?](?=\s)|\n/g)?.length ?? 0,
  };
}

/** An identifier, or a word in capitals within a sentence. */
function isName(word: string, question: string): boolean {
  return (
    /[_./\d]|\p{Ll}\p{Lu}/u.test(word) || (/^\p{Lu}/u.test(word) && /[^.!?\s]\s+["'`(]?$/u.test(question.slice(0, question.indexOf(word))))
  );
}
