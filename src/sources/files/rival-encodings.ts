import type { AlternativeReading, EncodingReading } from '../../core/file-reading.ts';
import { findLatinRival } from './latin-rivals.ts';

/** Two-byte encodings in which texts of East Asia were kept before UTF-8. */
const TWO_BYTE = ['shift_jis', 'gb18030', 'big5', 'euc-jp', 'euc-kr'] as const;

/** Letters that such a text is made of. */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF00-\uFFEF]/gu;
const HALF_WIDTH_KATAKANA = /[\uFF61-\uFF9F]/g;

/** One-byte encodings of other alphabets, with the letters of each. */
const ONE_BYTE: readonly (readonly [name: string, alphabet: string, letters: RegExp])[] = [
  ['windows-1251', 'Cyrillic', /\p{Script=Cyrillic}/gu],
  ['koi8-r', 'Cyrillic', /\p{Script=Cyrillic}/gu],
  ['ibm866', 'Cyrillic', /\p{Script=Cyrillic}/gu],
  ['iso-8859-5', 'Cyrillic', /\p{Script=Cyrillic}/gu],
  ['windows-1253', 'Greek', /\p{Script=Greek}/gu],
  ['windows-1255', 'Hebrew', /\p{Script=Hebrew}/gu],
  ['windows-1256', 'Arabic', /\p{Script=Arabic}/gu],
];
/** A capital behind a small letter: rare in words, common where the bytes mean other letters. */
const WRONG_CASE = /\p{Ll}\p{Lu}/gu;
/** Some decoders let bytes that are no letters pass as these. */
const CONTROLS = /[\u0080-\u009f]/;
const LEAST_SHARE = 0.85;
const LEAST_EAST_ASIAN = 0.3;
const MOST_RIVALS = 4;

const LEAST_HIGH_BYTES = 6;
const MOST_LOOKED_AT = 256 * 1024;

/**
 * Encodings other than windows-1252 that fit bytes which are no UTF-8. In western texts bytes from 80 on stand alone between
 * plain letters; where most stand side by side, two of them make a letter, or each is one of another alphabet. Empty where nothing
 * speaks for that; where they stand alone, but no western language has them all, the letters of one language tell.
 */
export function findRivalEncodings(head: Buffer, encoding: EncodingReading): readonly AlternativeReading[] {
  if (encoding.name !== 'windows-1252') return [];
  const bytes = head.subarray(0, MOST_LOOKED_AT);
  const { high, beside } = countHighBytes(bytes);
  if (high < LEAST_HIGH_BYTES) return [];
  const latin = findLatinRival(bytes);
  const ofEurope = latin ? [{ about: 'encoding', reading: latin.name, evidence: latin.evidence }] : [];
  if (beside < high * 0.6) return ofEurope;
  const twoBytes = TWO_BYTE.map((name) => ({
    name,
    score: Math.min(1, shareOfLetters(bytes, name, high)),
    evidence: `decodes without an error into East Asian letters; ${beside} of ${high} bytes from 80 on stand side by side, as in two-byte encodings`,
  })).filter(({ score }) => score > LEAST_EAST_ASIAN);
  const found = [...twoBytes, ...otherAlphabets(bytes, high)];
  if (found.length === 0) return ofEurope;
  return found
    .sort((left, right) => right.score - left.score)
    .slice(0, MOST_RIVALS)
    .map(({ name, evidence }) => ({ about: 'encoding', reading: name, evidence }));
}

interface Rival {
  readonly name: string;
  readonly score: number;
  readonly evidence: string;
}

function otherAlphabets(bytes: Buffer, high: number): Rival[] {
  return ONE_BYTE.flatMap(([name, alphabet, pattern]) => {
    const text = new TextDecoder(name).decode(bytes);
    const share = (text.match(pattern)?.length ?? 0) / high;
    const score = share - (2 * (text.match(WRONG_CASE)?.length ?? 0)) / high;
    const evidence = `${Math.round(share * 100)}% of the bytes from 80 on are ${alphabet} letters in it`;
    return share >= LEAST_SHARE && score > LEAST_SHARE / 2 ? [{ name, score, evidence }] : [];
  });
}

function countHighBytes(bytes: Buffer): { readonly high: number; readonly beside: number } {
  let high = 0;
  let beside = 0;
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    high++;
    if ((bytes[at - 1] ?? 0) >= 0x80 || (bytes[at + 1] ?? 0) >= 0x80) beside++;
  }
  return { high, beside };
}

/** Letters of East Asia for each two high bytes; zero where the bytes do not decode. Half-width katakana fit nearly any bytes. */
function shareOfLetters(bytes: Buffer, name: string, high: number): number {
  for (let cut = 0; cut < 4; cut++) {
    try {
      const text = new TextDecoder(name, { fatal: true }).decode(bytes.subarray(0, bytes.length - cut));
      if (CONTROLS.test(text)) return 0;
      const letters = (text.match(EAST_ASIAN)?.length ?? 0) - (text.match(HALF_WIDTH_KATAKANA)?.length ?? 0);
      return letters / (high / 2);
    } catch {
      // The last letter may be cut where only the beginning of a file is looked at.
    }
  }
  return 0;
}
