import { meaningsOf } from './label-words.ts';
import type { NumberMention } from './mention.ts';
import type { Unit } from './units.ts';
import { unitOfWord } from './units.ts';

const WORDS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  dozen: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  hundred: 100,
  zwei: 2,
  drei: 3,
  vier: 4,
  fünf: 5,
  sechs: 6,
  sieben: 7,
  acht: 8,
  neun: 9,
  zehn: 10,
  elf: 11,
  zwölf: 12,
};

/** What can be counted in data; other nouns ("two ways", "three reasons") are of the writer's own making. */
const COUNTED: ReadonlySet<string> = new Set(
  'row task run slot order file table column error fail attempt partition copy customer event duplicate store product payment user job node model test warn record batch pair'.split(
    ' ',
  ),
);

const WORD = Object.keys(WORDS).join('|');
/** Not "the two runs", which are those spoken of, and not "two-step". */
const COUNT = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?<!\\b(?:the|these|those|both|other|last|first|next|any|every|no|each|of|die|der|den|diese[nr]?)\\s)(?:a\\s+)?(${WORD})(?:\\s+(?:of\\s+(?:the|its|all)|der))?(?:\\s+\\d[\\d.,]*)?((?:\\s+[\\p{L}_-]+){1,3})`,
  'giu',
);
const TWICE = /(?<![\p{L}\p{N}_-])(twice)\s+as\s+(?:long|many|much|large|big|slow|fast|high|often)\b/giu;
const SHARES: Readonly<Record<string, readonly [number, number]>> = {
  half: [5, 10],
  'a quarter': [5, 5],
  'a third': [10, 10 / 3],
  'two thirds': [20, 10 / 3],
  'three quarters': [15, 5],
};
const SHARE = /(?<![\p{L}\p{N}_-])(half|a quarter|a third|two thirds|three quarters)\s+of\s+(?:the|all|its)\s+([\p{L}_-]+)/giu;

/** Numbers in words that count something the data can hold, "twelve failures", or set it in relation: "twice as long", "half of the rows". */
export function readWordNumbers(text: string): NumberMention[] {
  const found: NumberMention[] = [];
  for (const match of text.matchAll(SHARE)) {
    const [value, factor] = SHARES[(match[1] ?? '').toLowerCase()] ?? [0, 1];
    if (isCounted(match[2] ?? '')) found.push(mentionOf(match, match[1] ?? '', { value, factor, unit: '%' }));
  }
  for (const match of text.matchAll(TWICE)) found.push(mentionOf(match, match[1] ?? '', { value: 2, unit: 'ratio' }));
  for (const match of text.matchAll(COUNT)) {
    const [, word = '', behind = ''] = match;
    const value = WORDS[word.toLowerCase()] ?? 0;
    const nouns = behind.trim().split(/\s+/);
    const unit = unitOfWord(nouns[0] ?? '');
    const at = nouns.findIndex((noun) => isCounted(noun));
    const isSpan = unit !== undefined && ['s', 'min', 'h', 'd'].includes(unit) && (nouns[0] ?? '').length > 3;
    if (isSpan || (at >= 0 && nouns.slice(0, at).every((noun) => !STOP.test(noun))))
      found.push(mentionOf(match, word, isSpan ? { value, unit } : { value, noun: nouns[at] ?? '' }));
  }
  return found.filter((one, at) => !found.some((other, before) => before < at && other.start < one.end && other.end > one.start));
}

const STOP = /^(?:of|in|by|at|for|with|from|and|or|to|on|than|per|as|that|which|is|are|was|were|und|oder|von|in|mit|hours?|times)$/i;

/** A plural: "two run" is none. */
function isCounted(noun: string): boolean {
  return /(?:s|en|n|ies)$/i.test(noun) && meaningsOf(noun.toLowerCase()).some((word) => COUNTED.has(word));
}

interface Read {
  readonly value: number;
  readonly factor?: number;
  readonly unit?: Unit | undefined;
  readonly noun?: string;
}

function mentionOf(match: RegExpExecArray, word: string, { value, factor = 1, unit, noun }: Read): NumberMention {
  const start = match.index + match[0].indexOf(word);
  return {
    kind: 'number',
    text: word,
    start,
    end: start + word.length,
    readings: [{ value, exact: String(value), decimals: 0 }],
    unit,
    factors: [factor],
    negative: false,
    noun,
    label: undefined,
  };
}
