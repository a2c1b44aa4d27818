import { headOf } from './head-of.ts';
import type { Reading } from './reading.ts';
import type { ResultIndex, TextPlace } from './result-index.ts';

const BESIDE = 14;
const LEAST_WORDS = 2;
/** Beyond, a text is no message that would be told word for word. */
const LONGEST_TEXT = 4000;

/**
 * A number in words that are copied from a text of a result, which holds another number in that place: "Got 3 results,
 * configured to warn" of "Got 1 results, configured to warn". Answers what the text says there.
 */
export function findMiscopied({ mention, context, accepted }: Reading, answer: string, index: ResultIndex): string | undefined {
  if (mention.kind !== 'number' || mention.label !== undefined) return undefined;
  // What the word at the figure calls so counts for more than a turn of phrase.
  const { words } = headOf(mention, context);
  if (accepted.some(({ entry }) => entry.origin === 'field' && entry.label.key.some((token) => words.includes(token)))) return undefined;
  const exacts = new Set(mention.readings.map(({ exact }) => exact));
  const before = answer.slice(Math.max(0, mention.start - BESIDE), mention.start).toLowerCase();
  const behind = answer.slice(mention.end, mention.end + BESIDE).toLowerCase();
  const found = [
    ...(isCopy(before)
      ? numbersAt(index, before, (text, at) => /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?/.exec(text.slice(at + before.length))?.[0])
      : []),
    ...(isCopy(behind) && !/^\s*[;:.!?]\s/.test(behind)
      ? numbersAt(index, behind, (text, at) => /(?<![\d.,\p{L}_-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/u.exec(text.slice(0, at))?.[0])
      : []),
  ];
  return found.length > 0 && !found.some((number) => exacts.has(number)) ? found[0] : undefined;
}

/** Long enough, of words, and of one piece of text. */
function isCopy(words: string): boolean {
  return words.length === BESIDE && !/[`|\n\d]/.test(words) && (words.match(/\p{L}{2,}/gu) ?? []).length >= LEAST_WORDS;
}

function numbersAt(index: ResultIndex, words: string, read: (text: string, at: number) => string | undefined): string[] {
  const found: string[] = [];
  for (const texts of index.texts)
    for (const { text } of texts as readonly TextPlace[]) {
      if (text.length > LONGEST_TEXT) continue;
      for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
        const number = read(text, at);
        if (number !== undefined) found.push(plain(number));
      }
    }
  return found;
}

/** As a reading writes it: without marks between thousands and without zeros that say nothing. */
function plain(number: string): string {
  const bare = number.replaceAll(',', '').replace(/^0+(?=\d)/, '');
  return bare.includes('.') ? bare.replace(/\.?0+$/, '') : bare;
}
