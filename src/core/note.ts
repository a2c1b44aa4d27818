/** What a note may be about; only the first three are written by the gate, the others by a person or a compaction. */
export const NOTE_KINDS = ['decision', 'bug', 'constraint', 'preference', 'goal', 'fact', 'summary'] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

/**
 * `current`: believed. `superseded`: a newer version stands. `flagged`: superseded by one that contradicts it, and shown beside it until
 * somebody settles it. `archived`: out of use, kept for its provenance (expired, compacted).
 */
export const NOTE_STATUSES = ['current', 'superseded', 'flagged', 'archived'] as const;
export type NoteStatus = (typeof NOTE_STATUSES)[number];

/**
 * How a fact stands to what its key already says. `new`: nothing is current under the key, or the key collects a set and this is a further
 * member. `same`: adds provenance and confirms. `update`: supersedes. `conflict`: supersedes, keeps the old one flagged.
 */
export type NoteVerdict = 'new' | 'same' | 'update' | 'conflict';

/** Where in the log something was said; unique within a tenant. */
export interface LogPlace {
  readonly session: string;
  /** The agent's path in the log: `main`, `c1`. */
  readonly agent: string;
  readonly step: number;
  readonly sequence: number;
}

/** One fact that outlives its session. */
export interface Note {
  /** Follows from tenant, key, text and first provenance, so that a rebuilt projection has the same ids: `n-4k7q2m9x0a`. */
  readonly id: string;
  readonly tenant: string;
  /** What it is about: `ingest.retry_policy`. */
  readonly key: string;
  /** The version of the key that this note made; rises along the chain. */
  readonly version: number;
  /** Whether the key collects a set: then several notes are current under it. */
  readonly multiValued: boolean;
  readonly kind: NoteKind;
  /** Short, dated, understandable alone. */
  readonly text: string;
  /** The name of the agent (or person) that it comes from. */
  readonly agent: string;
  /** Milliseconds since the epoch, as are the two below. */
  readonly created: number;
  readonly lastConfirmed: number;
  readonly expires?: number;
  readonly provenance: readonly LogPlace[];
  readonly status: NoteStatus;
  /** Id of the note that stands in its place. */
  readonly supersededBy?: string;
  /** Ids of flagged notes that this current one contradicts. */
  readonly conflictsWith: readonly string[];
  readonly verdict: NoteVerdict;
  /** False where no model was asked for the verdict. */
  readonly judged: boolean;
}

/** One write under one key. The verdict was asked before, outside of any transaction. */
export interface NoteWrite {
  readonly key: string;
  readonly kind: NoteKind;
  readonly text: string;
  readonly agent: string;
  readonly at: number;
  readonly expires?: number;
  readonly provenance: readonly LogPlace[];
  readonly verdict: NoteVerdict;
  readonly judged: boolean;
  /** What {@link NoteStore.version} answered when the verdict was asked for; 0 for a key that nobody wrote yet. */
  readonly expectedVersion: number;
  /** The current note that the verdict is about; the only one under the key unless given. */
  readonly target?: string;
}

export type NoteWritten =
  | { readonly ok: true; readonly note: Note; readonly verdict: NoteVerdict; readonly version: number }
  /** Somebody wrote under the key in between: read it again, ask again, write again. */
  | { readonly ok: false; readonly reason: 'version_changed'; readonly version: number };

export interface NoteFilter {
  readonly statuses?: readonly NoteStatus[];
  readonly kinds?: readonly NoteKind[];
  /** The key itself, or the beginning of keys where it ends in `.`. */
  readonly key?: string;
  readonly session?: string;
  readonly createdBefore?: number;
  readonly expiredAt?: number;
  readonly limit?: number;
}

/** The notes of one tenant. Everything is synchronous, each write one IMMEDIATE transaction. */
export interface NoteStore {
  /** What is believed under the key: at most one note, or the members of a set. */
  current(key: string): readonly Note[];
  /** All versions under the key, oldest first. */
  chain(key: string): readonly Note[];
  get(id: string): Note | undefined;
  /** For the compare-and-swap; every write under the key raises it by one. */
  version(key: string): number;
  /** Declares whether a key collects a set. @throws SoloistError `usage` where a set of several would have to become one. */
  declare(key: string, options: { readonly multiValued: boolean }): void;
  isMultiValued(key: string): boolean;
  /** @throws SoloistError `usage` for a verdict that does not fit what is current under the key. */
  write(write: NoteWrite): NoteWritten;
  /** Newest first. */
  list(filter?: NoteFilter): readonly Note[];
  /** Puts notes out of use; `by` is the note that stands in their place. Answers how many were not archived already. */
  archive(ids: readonly string[], by?: string): number;
  /** Leaves a note that holds superseded, by one that may be gone. */
  supersede(id: string, by: string): void;
  /** Removes notes with their provenance, words and vectors, and answers what they were. The log is not touched. */
  forget(ids: readonly string[]): readonly Note[];
  /** Removes all notes, so that a projector can replay the log; vectors of texts that come back are kept. */
  clear(): void;
  /** Every note with everything but its vectors, in the order they were written. */
  exportRows(): Iterable<Note>;
  /** Puts an exported note back as it was; answers false where its id is there already. */
  importRow(note: Note): boolean;
  /** SHA-256 over all notes: equal for two projections of the same log. */
  digest(): string;
}

/** How far a reader of the log has come. */
export interface LogCursor {
  /** The last position that is done; 0 at first. */
  position(): number;
  /** @returns false, and does nothing, where the cursor is no longer at `from`. */
  advance(from: number, to: number): boolean;
  reset(): void;
  /** How many events of the tenant stand behind it, counted up to `MOST_COUNTED`. */
  lag(): number;
}

/** What may be done to what the log says, each leaving a record of the place and the reason. */
export interface LogCorrections {
  /** Blanks the bodies of these events for good, with payloads that nothing else refers to. Answers what went. */
  tombstone(places: readonly LogPlace[], at: number): { readonly events: number; readonly payloads: number; readonly pieces: number };
  /** Runs every string of every event, but of those at `except`, through `clean` and rewrites those that change. `clean` gets the name it stands under. */
  rewrite(
    clean: (text: string, key: string) => string,
    at: number,
    except?: readonly LogPlace[],
  ): { readonly events: number; readonly payloads: number };
  /** Takes what was removed out of the file's free pages and its write-ahead log. */
  vacuum(): void;
  /** Whether something was removed since the file was last vacuumed: whoever did so may have been killed. */
  owesVacuum(): boolean;
}
