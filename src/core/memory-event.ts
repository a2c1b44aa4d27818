import type { LogPlace, Note, NoteKind, NoteVerdict } from './note.ts';
import type { CallUsage } from './usage.ts';

/** Why a fact came to be a note: what the gate asks for. */
export interface DistilledFact {
  readonly key: string;
  readonly kind: NoteKind;
  readonly text: string;
  /** Whether the key collects a set. */
  readonly multiValued: boolean;
  /** Ids of the findings, or of the proposals, that it is drawn from. */
  readonly basis: readonly string[];
  /** Where in the log they stand. */
  readonly places: readonly LogPlace[];
  readonly agent: string;
}

/** One write to the notes, whole enough to be done again by a replay. */
export interface LoggedNote {
  readonly key: string;
  readonly kind: NoteKind;
  readonly text: string;
  readonly multiValued: boolean;
  readonly agent: string;
  readonly expires?: number;
  readonly provenance: readonly LogPlace[];
  readonly verdict: NoteVerdict;
  readonly judged: boolean;
  /** The model that gave the verdict; `rules`, or `person`. */
  readonly by: string;
  /** The current note that the verdict is about. */
  readonly target?: string;
  readonly usage?: CallUsage;
}

/** What memory did: everything that notes and triples are made of, so that they can be made again from the log. */
export type MemoryEventBody =
  | {
      /** What entered the window as background before the first turn. */
      readonly type: 'memory.recalled';
      readonly mode: string;
      readonly hits: readonly RecalledLine[];
      /** Names of skills that entered because the question calls for them. */
      readonly skills: readonly string[];
      readonly notices: readonly string[];
      readonly tokens: number;
      readonly milliseconds: number;
      readonly embeddingTokens: number;
      readonly embeddingCalls?: number;
      /** Of the embedding calls, in the currency of the model's price; absent where the project sets none. */
      readonly cost?: number;
    }
  /** An agent's wish that something be remembered; the gate decides once the session is closed. */
  | {
      readonly type: 'note.proposed';
      readonly id: string;
      readonly key: string;
      readonly kind: NoteKind;
      readonly text: string;
      readonly multiValued: boolean;
      readonly evidence: readonly string[];
      readonly agent: string;
    }
  | {
      readonly type: 'memory.distilled';
      /** The model that drew the facts; `rules` for fixed rules. */
      readonly by: string;
      readonly facts: readonly DistilledFact[];
      /** What the gate kept out, and why. */
      readonly refused: readonly { readonly basis: string; readonly why: string }[];
      readonly usage?: CallUsage;
    }
  | { readonly type: 'note.written'; readonly note: LoggedNote }
  | { readonly type: 'note.imported'; readonly note: Note }
  | {
      readonly type: 'notes.archived';
      readonly ids: readonly string[];
      readonly by?: string;
      readonly why: 'expired' | 'merged' | 'compacted';
    }
  | {
      readonly type: 'notes.forgotten';
      readonly ids: readonly string[];
      readonly places: readonly LogPlace[];
      /** Notes that one of these had superseded: they do not hold again. */
      readonly superseded?: readonly { readonly id: string; readonly by: string }[];
    }
  | {
      readonly type: 'triple.added';
      readonly subject: string;
      readonly relation: string;
      readonly object: string;
      readonly validFrom?: number;
      readonly validUntil?: number;
      readonly replaces: boolean;
      readonly agent: string;
    };

/** A line of what was recalled, as `soloist run --json` prints it. */
export interface RecalledLine {
  readonly source: 'note' | 'log';
  readonly id: string;
  readonly key?: string;
  readonly text: string;
  readonly age: string;
  readonly why: string;
}
