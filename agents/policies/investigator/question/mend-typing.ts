/** Words of questions that say what is asked for, and are often typed wrongly. */
const WORDS: readonly string[] =
  'happened happens explain explains missing complete completed duplicate duplicates duplicated double doubled twice failed failing failure finished broken broke crashed slower slowly dropped jumped spiked increased decreased declined higher lower high wrong weird strange suddenly different difference changed yesterday tonight morning latest empty incomplete incorrect mismatch updated loaded stopped inflated negative received'.split(
    ' ',
  );
/** Words that are as close to one of these as a mistyped one. */
const OTHERS = 'filed filing flailed flailing cashed deceased compete competed spied strangle mourning sower';
const KNOWN: ReadonlySet<string> = new Set([...WORDS, ...OTHERS.split(' ')]);

/** Words that are written as they sound. */
const AS_THEY_SOUND: ReadonlyMap<string, string> = new Map([
  ['nite', 'night'],
  ['nites', "night's"],
  ['nights', "night's"],
  ['tonite', 'tonight'],
  ['tonites', "tonight's"],
  ['loose', 'lose'],
  ['looses', 'loses'],
  ['loosing', 'losing'],
  ['borked', 'broken'],
]);

/**
 * A text in small letters with the words that say what is asked for written right: two letters in turned order, one left out or one
 * too many (`borken`, `happend`, `missinng`). No letter is taken for another, which would make other words of them.
 */
export function mendTyping(lower: string): string {
  return lower.replace(
    /\p{L}+/gu,
    (word) => AS_THEY_SOUND.get(word) ?? (KNOWN.has(word) ? word : (WORDS.find((one) => isMeant(word, one)) ?? word)),
  );
}

function isMeant(typed: string, word: string): boolean {
  if (typed.length < 4 || typed[0] !== word[0]) return false;
  if (typed.length === word.length) return isTurned(typed, word);
  // Of a short word, or at its end, one letter less or more makes another word: `broker`, `update`.
  if (Math.min(typed.length, word.length) < 5 || typed.at(-1) !== word.at(-1)) return false;
  return typed.length < word.length ? lacksOne(typed, word) : lacksOne(word, typed);
}

function isTurned(typed: string, word: string): boolean {
  const at = [...word].findIndex((letter, place) => typed[place] !== letter);
  return at >= 0 && `${word.slice(0, at)}${word[at + 1] ?? ''}${word[at] ?? ''}${word.slice(at + 2)}` === typed;
}

function lacksOne(short: string, long: string): boolean {
  if (long.length - short.length !== 1) return false;
  const at = [...long].findIndex((letter, place) => short[place] !== letter);
  return `${long.slice(0, at)}${long.slice(at + 1)}` === short;
}
