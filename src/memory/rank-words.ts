import { isStopWord, searchWords } from '../core/search-words.ts';

const K1 = 1.2;
const B = 0.75;

/** BM25 of texts that stand in no index: a function from a question to the score of each. */
export function rankByWords(texts: readonly string[]): (question: string) => readonly number[] {
  const counted = texts.map((text) => countWords(searchWords(text)));
  const lengths = counted.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length);
  const frequency = new Map<string, number>();
  for (const counts of counted) for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return (question) => {
    const words = [...new Set(searchWords(question))].filter((word) => !isStopWord(word));
    return counted.map((counts, place) =>
      words.reduce((sum, word) => {
        const count = counts.get(word) ?? 0;
        const rarity = Math.log(1 + (texts.length - (frequency.get(word) ?? 0) + 0.5) / ((frequency.get(word) ?? 0) + 0.5));
        return sum + (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * (lengths[place] ?? 0)) / average));
      }, 0),
    );
  };
}

function countWords(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** nDCG@10 of a ranking, given which places of it are relevant; `relevant` is how many there are at all. */
export function ndcgAt10(ranking: readonly boolean[], relevant: number): number {
  const gain = (place: number): number => 1 / Math.log2(place + 2);
  const got = ranking.slice(0, 10).reduce((sum, hit, place) => sum + (hit ? gain(place) : 0), 0);
  const best = Array.from({ length: Math.min(10, relevant) }, (_, place) => gain(place)).reduce((sum, value) => sum + value, 0);
  return best === 0 ? 0 : got / best;
}
