/** A number as it stands in a text: sign, groups of three parted by commas, decimals, exponent. */
const NUMBER = /(?<![\w.])[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w])/g;

/** The numbers of a text in order, those inside citations such as `[r3]` left out. */
export function readNumbers(text: string): number[] {
  const bare = text.replace(/\[(?:(?:c\d+\.)*[rc]\d+(?:, ?)?)+\]/g, ' ');
  return (bare.match(NUMBER) ?? []).map((found) => Number(found.replaceAll(',', '').replace('−', '-')));
}

/** The sentences and lines of a text that match. A full stop within a number or a name ends none. */
export function sentencesWith(text: string, pattern: RegExp): string[] {
  return text.split(/\n|(?<=[.;:!?])\s+/).filter((sentence) => pattern.test(sentence));
}
