import { isStopWord, searchWords } from '../core/search-words.ts';

/** Of the words of both, how many an earlier question has to share with ours to be close to it. */
const CLOSE = 0.75;
const NEGATION = /^(?:no|not|never|none|without|cannot|kein\w*|nicht|nie|ohne|\w+n['’]t)$/i;
const WANTED = /^(?:who|what|when|where|which|why|how|many|much|wer|wann|wo|warum|wie)$/i;
const NAME = /[\d_./]|\p{Ll}\p{Lu}/u;

/** A thing of a pipeline, as it is called there: `nightly_sales`, `orders.csv`, `loadOrders`. */
const IDENTIFIER = /\p{L}[\p{L}\p{N}]*[_./]\p{L}|\p{Ll}\p{Lu}/u;

/**
 * How an earlier question stands to ours: in the same words, but for case and punctuation; close, where it says nothing that ours does not say, little less, and
 * names the same things; or related, where it is about an identifier that ours names too, and ours names nothing else, no other date or figure. Nothing for any other: one
 * that says more asks for something else.
 */
export function compareQuestions(earlier: string, ours: string): 'same' | 'close' | 'related' | undefined {
  const [before, now] = [wordsOf(earlier), wordsOf(ours)];
  if (before.length === 0) return undefined;
  if (before.join(' ').toLowerCase() === now.join(' ').toLowerCase()) return 'same';
  const [told, asked] = [tellingOf(before), tellingOf(now)];
  const shared = [...told].filter((word) => asked.has(word)).length;
  const isClose = shared === told.size && shared >= CLOSE * asked.size && shared > 1;
  if (isClose && namesOf(before).join(' ') === namesOf(now).join(' ')) return 'close';
  return isRelated(before, now) ? 'related' : undefined;
}

function isRelated(before: readonly string[], now: readonly string[]): boolean {
  const known = new Set(namesOf(before));
  return now.some((word) => IDENTIFIER.test(word)) && namesOf(now).every((name) => known.has(name));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+(?:[_.\-/'’:,][\p{L}\p{N}]+)*/gu) ?? [];
}

function tellingOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap(searchWords).filter((word) => !isStopWord(word)));
}

/** What a question turns on: identifiers, figures, words in capitals within it, what it negates, and what it asks for. */
function namesOf(words: readonly string[]): readonly string[] {
  const named = words.filter((word, place) => NAME.test(word) || NEGATION.test(word) || (place > 0 && /^\p{Lu}/u.test(word)));
  // German asks with "was" at the beginning; anywhere else it is an English verb.
  const wanted = words.filter((word, place) => WANTED.test(word) || (place === 0 && /^was$/i.test(word)));
  return [...new Set([...wanted, ...named].map((word) => word.toLowerCase()))];
}
