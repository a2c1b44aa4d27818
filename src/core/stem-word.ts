const VOWEL = '[aeiou]|(?<=[^aeiou])y';
const CONSONANT_RUN = '(?:[^aeiouy]|(?<![^aeiou])y)+';
const VOWEL_RUN = `(?:${VOWEL})+`;
const MEASURE_1 = new RegExp(`^(?:${CONSONANT_RUN})?${VOWEL_RUN}${CONSONANT_RUN}`);
const MEASURE_2 = new RegExp(`^(?:${CONSONANT_RUN})?(?:${VOWEL_RUN}${CONSONANT_RUN}){2}`);
const MEASURE_IS_1 = new RegExp(`^(?:${CONSONANT_RUN})?${VOWEL_RUN}${CONSONANT_RUN}(?:${VOWEL_RUN})?$`);
const HAS_VOWEL = new RegExp(VOWEL);
const SHORT_END = /[^aeiouy][aeiouy][^aeiouywx]$/;

const STEP_2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
];
const STEP_3: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const STEP_4 = /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/;

/** The stem of a lower-case English word by M. F. Porter's algorithm of 1980; other words and words with digits come back as they are. */
export function stemWord(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let stem = withoutPlural(word);
  stem = withoutTense(stem);
  if (stem.endsWith('y') && HAS_VOWEL.test(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaceEnd(stem, STEP_2);
  stem = replaceEnd(stem, STEP_3);
  const ending = STEP_4.exec(stem)?.[0];
  if (ending && MEASURE_2.test(stem.slice(0, -ending.length))) stem = stem.slice(0, -ending.length);
  return withoutLastLetter(stem);
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return MEASURE_1.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const ending = /(?:ed|ing)$/.exec(word)?.[0];
  if (!ending) return word;
  const stem = word.slice(0, -ending.length);
  if (!HAS_VOWEL.test(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/([^aeioulsz])\1$/.test(stem)) return stem.slice(0, -1);
  return MEASURE_IS_1.test(stem) && SHORT_END.test(stem) ? `${stem}e` : stem;
}

function replaceEnd(word: string, endings: readonly (readonly [string, string])[]): string {
  for (const [ending, replacement] of endings) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    return MEASURE_1.test(stem) ? stem + replacement : word;
  }
  return word;
}

function withoutLastLetter(word: string): string {
  let stem = word;
  if (stem.endsWith('e')) {
    const rest = stem.slice(0, -1);
    if (MEASURE_2.test(rest) || (MEASURE_1.test(rest) && !(MEASURE_IS_1.test(rest) && SHORT_END.test(rest)))) stem = rest;
  }
  return stem.endsWith('ll') && MEASURE_2.test(stem.slice(0, -1)) ? stem.slice(0, -1) : stem;
}
