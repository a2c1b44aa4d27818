import { meaningsOfName } from './label-words.ts';
import type { Piece } from './read-pieces.ts';

const CLAUSE_ENDS = ';.!?\n|';
const SUBJECT_WITHIN = 24;

/** "`a` 3 distinct, 1 to 5, total 233": of a clause that figures follow in, the name nearest in front is what all of them are told of. */
export function subjectOf(pieces: readonly Piece[], at: number): readonly string[] {
  for (let back = at - 1; back >= 0 && back >= at - SUBJECT_WITHIN; back--) {
    const piece = pieces[back];
    if (!piece || (piece.kind === 'break' && CLAUSE_ENDS.includes(piece.text))) return [];
    if (piece.isCode) return piece.tokens.filter((token) => token.startsWith('='));
  }
  return [];
}

type Give = (tokens: readonly string[], weight: number) => void;

/** "03:40: the backfill ends": behind the colon stands what the figure is of. */
export function leads(piece: Piece, next: Piece | undefined): boolean {
  return piece.text === ':' && next?.kind === 'word';
}

/** Turns of phrase whose words alone say something else: "adds up to", "up from". */
export function addTurns(before: string, weights: Map<string, number>, give: Give): void {
  if (/\b(?:adds?|added|sums?|summed|comes?|came|amounts?)\s+(?:up\s+)?to\s+$/i.test(before)) give(['sum'], TURN);
  else if (/\b(?:up to|(?:peak|top|max)\w*(?:\s+out)?\s+at)\s+$/i.test(before)) give(['max'], TURN);
  else if (/\bbottom\w*\s+out\s+at\s+$/i.test(before)) give(['min'], TURN);
  if (!/\b(?:up|down|rose|grew|fell|increased|dropped)\s+from\s+(?:about\s+)?$/i.test(before)) return;
  weights.delete('min');
  give(['baseline'], TURN);
}

const TURN = 2.6;

/** "2273.8 to 2299.8" tells the smaller and the larger end of something. */
export function addRangeEnds(pieces: readonly Piece[], at: number, give: Give): void {
  const isJoint = (piece: Piece | undefined): boolean =>
    piece !== undefined && ['to', 'until', 'through', 'till', '–', '—', 'bis'].includes(piece.text);
  if (isJoint(pieces[at + 1]) && pieces[at + 2]?.kind === 'figure') give(['min', 'start', 'first', 'baseline'], 1.6);
  if (isJoint(pieces[at - 1])) {
    give(['max', 'end', 'last'], 1.6);
  }
}

const OF_MANY =
  /^\s+[\p{L}_`]+\s+(?:that\s+|which\s+)?(?:have|has|had|with|hold|mit|haben|hat)\s+(?:more\s+than\s+one|several|multiple|many|mehr\s+als\s+eine?n?|mehrere)\s+([\p{L}_]+)/iu;

/** "12 keys have more than one version": what they are counted for; empty where nothing is said so. */
export function manyOf(behind: string): readonly string[] {
  const [, word] = OF_MANY.exec(behind) ?? [];
  return word === undefined ? [] : meaningsOfName(word);
}

/** "3 of 61 days have no row": they are missing. */
export function addLack(behind: string, give: Give): void {
  if (
    /^[^.;:,(|\n]{0,30}\s(?:(?:have|has|had|with)\s+no|haben\s+keine|hat\s+keine)\s+(?:rows?|records?|values?|zeilen?|werte?)\b/iu.test(
      behind,
    )
  )
    give(['miss', 'null'], LACK);
}

const LACK = 1.6;

/** "11 rows over all columns": what is spoken of is no sum. */
export function dropWhole(behind: string, weights: Map<string, number>): void {
  if (/^\s+[\p{L}_`]+\s+(?:over|across|in)\s+all\s+(?:columns?|fields?|tables?|files?)\b/iu.test(behind)) weights.delete('sum');
}
