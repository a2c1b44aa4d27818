import type { LogPlace, Note, NoteKind } from './note.ts';

/** Why something was recalled: enough to say it in one line, and to check it. */
export interface RecallReason {
  /** Words of the question that it holds, as they are indexed. */
  readonly words: readonly string[];
  /** Share of the question's weight (rare words weigh more) that those words make up, 0 to 1. */
  readonly coverage: number;
  /** BM25, higher is better; absent where no word matched. */
  readonly bm25?: number;
  readonly lexicalRank?: number;
  /** Cosine distance of the vectors, 0 to 2; absent without an embedding model. */
  readonly distance?: number;
  readonly vectorRank?: number;
  /** The distance as a score from 0 to 1, calibrated for the model by a self-test; what the floor is applied to. */
  readonly similarity?: number;
  /** Part of the score that comes from what was said right before or after it. */
  readonly neighbours?: number;
  readonly score: number;
  /** From 1. */
  readonly rank: number;
  /** The reason in words: `matches retri, duplic; distance 0.31 (rank 2)`. */
  readonly because: string;
}

/** One thing recalled: a note, or a piece of the log. */
export interface RecallHit {
  readonly source: 'note' | 'log';
  /** The note's id, or `SESSION/AGENT/STEP/SEQUENCE`. */
  readonly id: string;
  readonly text: string;
  readonly at: number;
  /** `today`, `3 days ago`, `6 weeks ago`. */
  readonly age: string;
  readonly agent: string;
  /** Older than the threshold and not confirmed since. */
  readonly outdated: boolean;
  readonly key?: string;
  readonly kind?: NoteKind;
  readonly note?: Note;
  /** How the agent ended that said it, where it came to no answer: `aborted`, `budget`, …; `open` where it was killed or is still at it. */
  readonly unfinished?: string;
  /** The note that stands in its place, where it is shown at all. */
  readonly supersededBy?: string;
  /** Flagged notes that contradict it, or the one that it is contradicted by. */
  readonly conflictsWith: readonly string[];
  readonly places: readonly LogPlace[];
  readonly why: RecallReason;
}

export interface Recalled {
  readonly hits: readonly RecallHit[];
  /** `lexical` without an embedding model, or where its vectors lost the self-test. */
  readonly mode: 'lexical' | 'lexical+vectors';
  /** What the reader has to know: why recall is lexical, how far the index lags. */
  readonly notices: readonly string[];
  /** How many candidates stood below the floor. */
  readonly belowFloor: number;
  /** Estimated tokens of the hits as they are rendered. */
  readonly tokens: number;
  readonly cost: {
    readonly milliseconds: number;
    readonly embeddingCalls: number;
    readonly embeddingTokens: number;
    /** Of the embedding calls, in the currency of the model's price; absent where the project sets none. */
    readonly money?: number;
  };
}

export interface RecallOptions {
  readonly now: number;
  /** What the hits may take in the window; whole hits only. */
  readonly budgetTokens: number;
  /** At most this many hits. */
  readonly limit?: number;
  /** Leaves out what stands below the floor; true unless set. */
  readonly floor?: boolean;
  /** Superseded notes and episodes: left out unless `mark`. */
  readonly superseded?: 'leave_out' | 'mark';
  /** `fused`: one list by score; `even`: half of the budget for notes, half for the log. */
  readonly split?: 'fused' | 'even';
  readonly kinds?: readonly NoteKind[];
  /** Only what this agent wrote. */
  readonly agent?: string;
  /** The session that asks: its own log is in its window already. */
  readonly exceptSession?: string;
  /** Also what tools returned. */
  readonly toolResults?: boolean;
  /** `notes` looks at notes alone. */
  readonly sources?: 'notes' | 'log' | 'both';
  readonly outdatedAfterMs?: number;
  /** Texts as short lines: of a long piece of the log the statement that says most, of a long note its first sentences. */
  readonly shortLines?: boolean;
}
