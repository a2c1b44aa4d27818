import type { LogPiece, NumberedNote, WordGroup, WordIndex } from '../core/memory-index.ts';
import type { RecallOptions } from '../core/recall.ts';
import { indexWords, wantedWords, wantWords } from '../core/search-words.ts';
import { coverageOf, type RecallQuery } from './recall-query.ts';

/** How many rows of the word index one question looks at. */
const LOOKED_AT = 80;
/** How many where most of them say the same. */
const LOOKED_AT_AMONG_REPEATED = 400;
/** A piece counts with its best statement, and a little with itself: several words near one another are more than one alone. */
const PIECE_SHARE = 0.3;
/** What was said right before (a question, often) and right after lends part of its score. */
const FROM_BEFORE = 0.25;
const FROM_AFTER = 0.15;
/** A question that found its answer right behind it is worth less than the answer. */
const QUESTION_SHARE = 0.6;
const FROM_QUESTION = 0.5;
/** Of how many texts the neighbours are fetched that hold no word of the question themselves. */
const NEIGHBOURS_OF = 12;
const NO_NAMES = new Set(['user', 'agent']);
/** How many candidates are looked at closely; what stands behind them does not fit into any window. */
const COMPARED = 40;

/** A note or a piece of the log on its way to being a hit. */
export interface Candidate {
  readonly source: 'note' | 'log';
  readonly note?: NumberedNote;
  readonly piece?: LogPiece;
  /** The statement of the piece that scores best. */
  readonly statement?: string;
  /** The words of its text, as they are indexed; of a note those that are asked for. */
  readonly held: ReadonlySet<string>;
  readonly words: readonly string[];
  readonly coverage: number;
  readonly units: number;
  readonly subjects: number;
  readonly wholeRuns: boolean;
  readonly task: boolean;
  readonly named?: number;
  readonly bm25: number;
  readonly neighbours: number;
  /** Lexical score: BM25 of statements and pieces, with what the neighbours lend. */
  readonly lexical: number;
}

/** What holds words of the question, or stands beside it; best first. */
export function findByWords(index: WordIndex, query: RecallQuery, options: RecallOptions): readonly Candidate[] {
  const few = findRows(index, query, { ...options, rows: LOOKED_AT });
  // The same text over and over leaves no room for others.
  const { found } = few.repeated > few.found.length ? findRows(index, query, { ...options, rows: LOOKED_AT_AMONG_REPEATED }) : few;
  return found.map((one) => withCoverage(one, query));
}

interface RowOptions extends RecallOptions {
  readonly rows: number;
}

interface FoundRows {
  readonly found: readonly Found[];
  /** How many texts of the log were left out since they say what another says. */
  readonly repeated: number;
}

function findRows(index: WordIndex, query: RecallQuery, options: RowOptions): FoundRows {
  const hits = index.search({
    words: query.searched,
    groups: groupsOf(options),
    limit: options.rows,
    ...(options.kinds ? { kinds: options.kinds } : {}),
    ...(options.agent === undefined ? {} : { agent: options.agent }),
  });
  const scores = { note: new Map<number, number>(), log: new Map<number, number>() };
  for (const { source, number, score } of hits) scores[source].set(number, score);
  const more = unsearchedScore(query);
  // Best first, as the hits are; no more than are compared in the end.
  const notes = index.notes([...scores.note.keys()].slice(0, COMPARED)).map((note): Found => {
    const bm25 = ((scores.note.get(note.number) ?? 0) + more(`${note.key} ${note.text}`, note.created)) * (1 + PIECE_SHARE);
    return { source: 'note', note, bm25, neighbours: 0, lexical: bm25 };
  });
  const pieces = index.pieces([...scores.log.keys()]);
  for (const { piece, speaker, text, at } of pieces)
    scores.log.set(piece, (scores.log.get(piece) ?? 0) + more(`${named(speaker)} ${text}`, at));
  const log = withNeighbours(index, scoredPieces(pieces, scores.log));
  const others = log.filter(({ piece }) => piece?.from.session !== options.exceptSession);
  const once = saidOnce(others);
  const found = [...notes, ...once].sort((a, b) => b.lexical - a.lexical).slice(0, COMPARED);
  return { found, repeated: others.length - once.length };
}

/** What the words add that the index was not asked for. */
function unsearchedScore({ unsearched }: RecallQuery): (text: string, at: number) => number {
  if (unsearched.size === 0) return () => 0;
  const wanted = wantWords([...unsearched.keys()]);
  return (text, at) => {
    let score = 0;
    for (const word of wantedWords(text, at, wanted)) score += unsearched.get(word) ?? 0;
    return score;
  };
}

/** What one speaker said in the same words several times counts once: where it scores best, else where it was said last. */
function saidOnce(found: readonly Found[]): readonly Found[] {
  const best = new Map<string, Found>();
  for (const one of found) {
    const { speaker = '', text = '', at = 0 } = one.piece ?? {};
    const name = `${speaker}\n${text}`;
    const known = best.get(name);
    const isBetter = !known || one.lexical > known.lexical || (one.lexical === known.lexical && at > (known.piece?.at ?? 0));
    if (isBetter) best.set(name, one);
  }
  return [...best.values()];
}

type Found = Omit<Candidate, 'held' | 'words' | 'coverage' | 'units' | 'subjects' | 'wholeRuns' | 'task' | 'named'> & {
  readonly asked?: LogPiece;
};

function withCoverage({ asked, ...found }: Found, query: RecallQuery): Candidate {
  const held = found.note ? wordsOfNote(found.note, query) : found.piece ? wordsOfPiece(found.piece) : new Set<string>();
  const own = coverageOf(query, held, found.note?.text ?? found.piece?.text ?? '');
  // The answer to a question that holds the words is about them, whether it repeats them or not.
  const before = asked ? coverageOf(query, wordsOfPiece(asked), asked.text) : undefined;
  const better =
    before && before.coverage * FROM_QUESTION > own.coverage
      ? { ...before, words: own.words, coverage: before.coverage * FROM_QUESTION }
      : own;
  return { ...found, held, ...better };
}

function groupsOf({ sources = 'both', superseded, toolResults, kinds, agent }: RecallOptions): WordGroup[] {
  // A filter that only notes can pass leaves the log out.
  const log = sources !== 'notes' && !kinds && agent === undefined;
  return [
    ...(sources === 'log' ? [] : (['notes'] as const)),
    ...(sources !== 'log' && superseded === 'mark' ? (['old_notes'] as const) : []),
    ...(log ? (['log'] as const) : []),
    ...(log && toolResults ? (['results'] as const) : []),
  ];
}

/** Those that are asked for alone: a note is not compared with others. */
export function wordsOfNote({ key, text, created }: NumberedNote, query: RecallQuery): ReadonlySet<string> {
  return wantedWords(`${key} ${text}`, created, query.wanted);
}

function wordsOfPiece({ speaker, text, at }: LogPiece): ReadonlySet<string> {
  return new Set(indexWords(`${named(speaker)} ${text}`, at));
}

function named(speaker: string): string {
  return NO_NAMES.has(speaker) ? '' : speaker;
}

interface ScoredPiece {
  readonly piece: LogPiece;
  readonly statement?: string;
  readonly bm25: number;
}

/** One entry a piece: statements give their score to the piece they stand in. */
function scoredPieces(found: readonly LogPiece[], scores: ReadonlyMap<number, number>): readonly ScoredPiece[] {
  const groups = new Map<string, { whole?: LogPiece; best?: LogPiece; statement: number; piece: number }>();
  for (const piece of found) {
    const place = `${piece.position}/${piece.within}`;
    const group = groups.get(place) ?? { statement: 0, piece: 0 };
    const score = scores.get(piece.piece) ?? 0;
    if (piece.level !== 'statement') group.whole = piece;
    if (piece.level !== 'statement') group.piece = score;
    if (piece.level !== 'piece' && score > group.statement) {
      group.statement = score;
      group.best = piece;
    }
    groups.set(place, group);
  }
  return [...groups.values()].flatMap(({ whole, best, statement, piece }) => {
    const shown = whole ?? best;
    const said = whole && best && best !== whole ? { statement: best.text } : {};
    return shown ? [{ piece: shown, ...said, bm25: statement + PIECE_SHARE * piece }] : [];
  });
}

function withNeighbours(index: WordIndex, scored: readonly ScoredPiece[]): readonly Found[] {
  const turns = new Map<string, ScoredPiece>();
  for (const entry of scored) {
    const turn = turnName(entry.piece, 0);
    if ((turns.get(turn)?.bm25 ?? 0) < entry.bm25) turns.set(turn, entry);
  }
  const lent = (piece: LogPiece): number => {
    const before = turns.get(turnName(piece, -1));
    const after = turns.get(turnName(piece, 1));
    return (before ? before.bm25 * (asks(before.piece) ? FROM_QUESTION : FROM_BEFORE) : 0) + (after ? after.bm25 * FROM_AFTER : 0);
  };
  const candidate = ({ piece, bm25, ...said }: ScoredPiece): Found => {
    const neighbours = lent(piece);
    const before = turns.get(turnName(piece, -1))?.piece;
    const own = asks(piece) ? bm25 * QUESTION_SHARE : bm25;
    return {
      source: 'log',
      piece,
      ...said,
      ...(before && asks(before) ? { asked: before } : {}),
      bm25,
      neighbours,
      lexical: own + neighbours,
    };
  };
  const best = [...turns.values()].sort((a, b) => b.bm25 - a.bm25).slice(0, NEIGHBOURS_OF);
  const silent = best.flatMap(({ piece }) => {
    const wanted = [-1, 1].filter((step) => !turns.has(turnName(piece, step))).map((step) => piece.turn + step);
    const beside = wanted.length === 0 ? [] : index.turns(piece.from.session, wanted);
    return beside.filter(({ level, place, origin }) => level !== 'statement' && place === 0 && origin !== 'result');
  });
  const added = new Map(silent.map((piece): [string, ScoredPiece] => [turnName(piece, 0), { piece, bm25: 0 }]));
  return [...scored, ...added.values()].map(candidate);
}

function turnName({ from, turn }: LogPiece, step: number): string {
  return `${from.session}/${turn + step}`;
}

function asks({ text }: LogPiece): boolean {
  return /\?["')\]]*\s*$/.test(text);
}
