import { isStopWord, searchWords } from '../core/search-words.ts';

/** Of the words of both, how many an earlier question has to share with ours to be close to it. */
const CLOSE = 0.75;
const NEGATION = /^(?:no|not|never|none|without|cannot|kein\w*|nicht|nie|ohne|\w+n['’]t)$/i;
const NAME = /[\d_./]|\p{Ll}\p{Lu}/u;

/**
 * How an earlier question stands to ours: in the same words, but for case and punctuation; or close, where it says nothing that ours does not say, little less, and
 * names the same things. Nothing for any other: one that says more asks for something else.
 */
export function compareQuestions(earlier: string, ours: string): 'same' | 'close' | undefined {
  const [before, now] = [wordsOf(earlier), wordsOf(ours)];
  if (before.length === 0) return undefined;
  if (before.join(' ').toLowerCase() === now.join(' ').toLowerCase()) return 'same';
  const [told, asked] = [tellingOf(before), tellingOf(now)];
  const shared = [...told].filter((word) => asked.has(word)).length;
  const isClose = shared === told.size && shared >= CLOSE * asked.size && shared > 1;
  return isClose && namesOf(before) === namesOf(now) ? 'close' : undefined;
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+(?:[_.\-/'’:,][\p{L}\p{N}]+)*/gu) ?? [];
}

function tellingOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap(searchWords).filter((word) => !isStopWord(word)));
}

/** What a question turns on: identifiers, figures, words in capitals within it, what it negates, and what it asks for. */
function namesOf(words: readonly string[]): string {
  const named = words.filter((word, place) => NAME.test(word) || NEGATION.test(word) || (place > 0 && /^\p{Lu}/u.test(word)));
  const wanted = words.filter((word) => /^(?:who|what|when|where|which|why|how|many|much|wer|was|wann|wo|warum|wie)$/i.test(word));
  return [...new Set([...wanted, ...named].map((word) => word.toLowerCase()))].join(' ');
}
