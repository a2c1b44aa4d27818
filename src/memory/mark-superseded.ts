import type { LogPiece, NumberedNote, WordIndex } from '../core/memory-index.ts';
import { indexWords, isStopWord, searchWords } from '../core/search-words.ts';
import type { Candidate } from './recall-candidates.ts';
import type { RecallQuery } from './recall-query.ts';

/** How much of a note's words a piece holds to be taken to say the same: less is asked where the note comes from that session. */
const SAYS_IT = 0.8;
const SAYS_IT_IN_ITS_SESSION = 0.6;
/** A note stands for the text that it was distilled from, however it was put there. */
const STANDS_FOR = 0.4;
const OLD_NOTES = 40;

/** What a candidate is worth beside the notes. */
export interface Standing {
  /** The note that stands in place of what it says. */
  readonly supersededBy?: string;
  /** Nothing else is in it. */
  readonly wholly: boolean;
  /** A live note that says what it says. */
  readonly toldBy?: number;
}

/** Compares pieces of the log with the notes made from them, so that what is superseded does not come back through them. */
export function createStandings(index: WordIndex, query: RecallQuery): (candidate: Candidate) => Standing {
  const old = index.search({ words: query.words, groups: ['old_notes'], limit: OLD_NOTES });
  const oldNotes = index.notes(old.map(({ number }) => number)).filter(replaced);
  const ofSession = new Map<string, readonly NumberedNote[]>();
  const notesOf = (session: string): readonly NumberedNote[] => {
    const known = ofSession.get(session) ?? index.notesFrom(session);
    ofSession.set(session, known);
    return known;
  };
  const words = new Map<number, readonly string[]>();
  const wordsOf = (note: NumberedNote): readonly string[] => {
    const known = words.get(note.number) ?? tellingWords(note.text);
    words.set(note.number, known);
    return known;
  };
  return ({ note, piece }) => {
    if (note)
      return note.status === 'superseded' && note.supersededBy ? { supersededBy: note.supersededBy, wholly: true } : { wholly: false };
    return piece ? standingOf(piece, { notesOf, wordsOf, oldNotes }) : { wholly: false };
  };
}

interface Known {
  readonly notesOf: (session: string) => readonly NumberedNote[];
  readonly wordsOf: (note: NumberedNote) => readonly string[];
  readonly oldNotes: readonly NumberedNote[];
}

function standingOf(piece: LogPiece, { notesOf, wordsOf, oldNotes }: Known): Standing {
  const held = new Set(indexWords(piece.text, piece.at).split(' '));
  const share = (note: NumberedNote): number => shareOf(wordsOf(note), held);
  const own = notesOf(piece.from.session);
  const live = own.filter((note) => note.status === 'current' || note.status === 'flagged');
  const told = live.filter((note) =>
    comesFrom(note, piece) ? piece.level === 'both' || share(note) >= STANDS_FOR : share(note) >= SAYS_IT,
  );
  const stale = [...own.filter(replaced), ...oldNotes]
    .filter(
      (note) => note.created <= piece.at || comesFrom(note, piece) || note.provenance.some(({ session }) => session === piece.from.session),
    )
    .map((note) => ({ note, share: share(note) }))
    .filter(({ note, share: held }) => says(note, piece, held))
    .sort((a, b) => b.share - a.share)[0]?.note;
  const best = told.toSorted((a, b) => share(b) - share(a))[0];
  if (!stale) return { wholly: false, ...(best ? { toldBy: best.number } : {}) };
  // A text that holds what stands today at least as well tells of the change, and is no old belief.
  const successor = told.find(({ id }) => id === stale.supersededBy);
  if (successor) return { wholly: false, toldBy: successor.number };
  const others = told.filter(({ key }) => key !== stale.key);
  return { wholly: others.length === 0, ...(stale.supersededBy ? { supersededBy: stale.supersededBy } : {}) };
}

function says(note: NumberedNote, piece: LogPiece, share: number): boolean {
  if (comesFrom(note, piece)) return piece.level === 'both' || share >= STANDS_FOR;
  const sameSession = note.provenance.some(({ session }) => session === piece.from.session);
  return share >= (sameSession ? SAYS_IT_IN_ITS_SESSION : SAYS_IT);
}

function replaced({ status, supersededBy }: NumberedNote): boolean {
  return status === 'superseded' && supersededBy !== undefined;
}

function comesFrom({ provenance }: NumberedNote, { from }: LogPiece): boolean {
  return provenance.some(
    ({ session, agent, step, sequence }) =>
      session === from.session && agent === from.agent && step === from.step && sequence === from.sequence,
  );
}

function tellingWords(text: string): readonly string[] {
  return [...new Set(searchWords(text))].filter((word) => !isStopWord(word));
}

function shareOf(words: readonly string[], held: ReadonlySet<string>): number {
  return words.length === 0 ? 0 : words.filter((word) => held.has(word)).length / words.length;
}
