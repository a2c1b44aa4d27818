import type { LogPiece, NumberedNote, WordIndex } from '../core/memory-index.ts';
import { isStopWord, searchWords } from '../core/search-words.ts';
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
export function createStandings(
  index: WordIndex,
  query: RecallQuery,
  candidates: readonly Candidate[],
): (candidate: Candidate) => Standing {
  const sessions = [...new Set(candidates.flatMap(({ piece }) => (piece ? [piece.from.session] : [])))];
  const matching = sessions.length === 0 ? [] : index.search({ words: query.searched, groups: ['old_notes'], limit: OLD_NOTES });
  const old = [
    ...(sessions.length === 0 ? [] : index.notesFrom(sessions, 'superseded')),
    ...index.notes(matching.map(({ number }) => number)),
  ];
  const live = candidates.flatMap(({ note }) => (note && note.status !== 'superseded' ? [note] : []));
  const known: Known = {
    old: [...new Map(old.filter(replaced).map((note) => [note.number, note])).values()],
    live,
    liveFrom: (session) => index.notesFrom([session], 'live'),
  };
  return ({ note, piece, held }) => {
    if (note)
      return note.status === 'superseded' && note.supersededBy ? { supersededBy: note.supersededBy, wholly: true } : { wholly: false };
    return piece ? standingOf(piece, held, known) : { wholly: false };
  };
}

interface Known {
  /** Superseded notes that come from the candidates' sessions, or hold words of the question. */
  readonly old: readonly NumberedNote[];
  readonly live: readonly NumberedNote[];
  readonly liveFrom: (session: string) => readonly NumberedNote[];
}

function standingOf(piece: LogPiece, held: ReadonlySet<string>, { old, live, liveFrom }: Known): Standing {
  const share = (note: NumberedNote): number => shareOf(tellingWords(note.text), held);
  const tells = (note: NumberedNote): boolean =>
    comesFrom(note, piece) ? piece.level === 'both' || share(note) >= STANDS_FOR : isFrom(note, piece) && share(note) >= SAYS_IT;
  const closest = (notes: readonly NumberedNote[]): NumberedNote | undefined => notes.toSorted((a, b) => share(b) - share(a))[0];
  const stale = closest(old.filter((note) => (note.created <= piece.at || isFrom(note, piece)) && says(note, piece, share(note))));
  if (!stale) {
    const note = closest(live.filter(tells));
    return { wholly: false, ...(note ? { toldBy: note.number } : {}) };
  }
  const told = liveFrom(piece.from.session).filter(tells);
  // A text that holds what stands today as well tells of the change, and is no old belief.
  const successor = told.find(({ id }) => id === stale.supersededBy);
  if (successor) return { wholly: false, toldBy: successor.number };
  const others = told.filter(({ key }) => key !== stale.key);
  return { wholly: others.length === 0, ...(stale.supersededBy ? { supersededBy: stale.supersededBy } : {}) };
}

function isFrom({ provenance }: NumberedNote, { from }: LogPiece): boolean {
  return provenance.some(({ session }) => session === from.session);
}

function says(note: NumberedNote, piece: LogPiece, share: number): boolean {
  if (comesFrom(note, piece)) return piece.level === 'both' || share >= STANDS_FOR;
  return share >= (isFrom(note, piece) ? SAYS_IT_IN_ITS_SESSION : SAYS_IT);
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

const known = new Map<string, readonly string[]>();
const MOST_KNOWN = 5000;

function tellingWords(text: string): readonly string[] {
  const found = known.get(text) ?? [...new Set(searchWords(text))].filter((word) => !isStopWord(word));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, found);
  return found;
}

function shareOf(words: readonly string[], held: ReadonlySet<string>): number {
  return words.length === 0 ? 0 : words.filter((word) => held.has(word)).length / words.length;
}
