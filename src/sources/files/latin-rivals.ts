/** An encoding of another part of Europe that fits a text better than windows-1252. */
export interface LatinRival {
  readonly name: string;
  readonly evidence: string;
}

/** Letters beyond a to z of languages that windows-1252 was made for; where õ is one, those without which it does not come. */
const WESTERN: readonly (readonly [letters: string, withTilde?: string])[] = [
  ['àâæçèéêëîïôùûüÿœ'],
  ['äöüß'],
  ['áéíñóúü'],
  ['àáâãçéêíóôúü', 'ãç'],
  ['àèéìíòóùú'],
  ['àçèéíïòóúü'],
  ['åäöæøé'],
  ['áéíóúýðþæö'],
  ['äöüšž', 'ä'],
  ['áéèëêïóöü'],
];
const EASTERN: readonly (readonly [language: string, letters: string])[] = [
  ['Polish', 'ąćęłńóśźż'],
  ['Czech or Slovak', 'áčďéěíňóřšťúůýžľĺŕäô'],
  ['Hungarian', 'áéíóöőúüű'],
  ['Croatian or Slovene', 'čćđšž'],
  ['Romanian', 'ăâîşţ'],
];
const RIVALS: readonly (readonly [name: string, languages: readonly (readonly [string, string])[]])[] = [
  ['windows-1250', EASTERN],
  ['iso-8859-2', EASTERN],
  ['windows-1254', [['Turkish', 'çğıiöşüâîû']]],
  [
    'windows-1257',
    [
      ['Lithuanian', 'ąčęėįšųūž'],
      ['Latvian', 'āčēģīķļņšūž'],
    ],
  ],
];
/** Signs that stand in texts of all languages. */
const SIGNS = /[\s\u2010-\u2026€£©®°§«»·×\u00a0]/u;
const LEAST = 0.95;
const LEAST_AHEAD = 0.1;
const LEAST_KINDS = 3;

/** The encoding whose bytes from 80 on are all letters of one language, where no western language has them all; undefined where none is. */
export function findLatinRival(bytes: Buffer): LatinRival | undefined {
  const western = countLetters(bytes, 'windows-1252');
  const westernShare = Math.max(
    ...WESTERN.map(([letters, withTilde = '']) =>
      shareOf(western, [...withTilde].some((letter) => western.has(letter)) ? `${letters}õ` : letters),
    ),
  );
  const found = RIVALS.flatMap(([name, languages]) => {
    const counts = countLetters(bytes, name);
    return languages.map(([language, letters]) => ({ name, language, kinds: counts.size, share: shareOf(counts, letters) }));
  });
  const [best] = found.sort((left, right) => right.share - left.share);
  if (!best || best.kinds < LEAST_KINDS || best.share < LEAST || best.share < westernShare + LEAST_AHEAD) return undefined;
  const percent = (share: number): string => `${Math.round(share * 100)}%`;
  const evidence = `${percent(best.share)} of the letters beyond a to z are ${best.language} in it; in windows-1252 no language has more than ${percent(westernShare)} of them`;
  return { name: best.name, evidence };
}

function countLetters(bytes: Buffer, encoding: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const letter of new TextDecoder(encoding).decode(bytes)) {
    if (letter < '\u0080' || SIGNS.test(letter)) continue;
    const small = letter.toLowerCase().slice(0, 1);
    counts.set(small, (counts.get(small) ?? 0) + 1);
  }
  return counts;
}

function shareOf(counts: ReadonlyMap<string, number>, letters: string): number {
  let [all, own] = [0, 0];
  for (const [letter, count] of counts) {
    all += count;
    if (letters.includes(letter)) own += count;
  }
  return all === 0 ? 0 : own / all;
}
