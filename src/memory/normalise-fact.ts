/** What a fact says, for comparing: without its date in front, citations, case, punctuation at the ends and runs of spaces. */
export function normaliseFact(text: string): string {
  return plainFact(text)
    .replace(/^\d{4}-\d\d-\d\d: /, '')
    .toLowerCase()
    .replace(/[`"'“”‘’]/g, '')
    .replace(/[.!;,\s]+$/, '');
}

/** What makes two members of a set one. */
export function memberOf(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** The text in one line, without citations of results. */
export function plainFact(text: string): string {
  return text
    .replace(/\s*\[(?:[a-z]\d+(?:\.[a-z]\d+)*(?:,\s*)?)+\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const MOST_CHARACTERS = 420;

/** A fact as it is kept: one line, dated in front, cut at the end of a sentence. */
export function datedFact(text: string, at: number): string {
  const plain = plainFact(text);
  const dated = /^\d{4}-\d\d-\d\d: /.test(plain) ? plain : `${new Date(at).toISOString().slice(0, 10)}: ${plain}`;
  if (dated.length <= MOST_CHARACTERS) return dated;
  const cut = dated.slice(0, MOST_CHARACTERS);
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('; '));
  return end > MOST_CHARACTERS / 2 ? cut.slice(0, end + 1) : `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 200))} …`;
}

/** Share of the words of the shorter text that the other has too, 0 to 1. */
export function overlap(left: string, right: string): number {
  const [few, many] = [wordsOf(left), wordsOf(right)].sort((a, b) => a.size - b.size) as [Set<string>, Set<string>];
  if (few.size === 0) return 0;
  let shared = 0;
  for (const word of few) if (many.has(word)) shared++;
  return shared / few.size;
}

/** Shared words over all words, 0 to 1: how far two texts are one. */
export function likeness(left: string, right: string): number {
  const [a, b] = [wordsOf(left), wordsOf(right)];
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return a.size + b.size === 0 ? 0 : shared / (a.size + b.size - shared);
}

/** From this share of shared words on, two facts say the same. */
const NEARLY_SAME = 0.85;

/** Whether two facts say the same but for a few words. Figures that differ make two facts of one wording. */
export function sayTheSame(left: string, right: string): boolean {
  const figures = (text: string): string => (normaliseFact(text).match(/\d+/g) ?? []).join(' ');
  return likeness(left, right) >= NEARLY_SAME && figures(left) === figures(right);
}

function wordsOf(text: string): Set<string> {
  return new Set(normaliseFact(text).match(/[\p{L}\p{N}_.:-]*[\p{L}\p{N}]/gu) ?? []);
}
