import type { LogPlace, Note, NoteKind } from './note.ts';

/** Who may be found: live notes, superseded notes, what was said, what tools returned. */
export type WordGroup = 'notes' | 'old_notes' | 'log' | 'results';

export interface WordQuery {
  /** As `searchWords` answers them, or words for dates; any of them matches. */
  readonly words: readonly string[];
  readonly groups: readonly WordGroup[];
  readonly kinds?: readonly NoteKind[];
  /** Notes of this agent alone. */
  readonly agent?: string;
  readonly limit: number;
}

/** A note or a piece of the log that holds words of a query. */
export interface WordHit {
  readonly source: 'note' | 'log';
  /** The note's number, or the piece's. */
  readonly number: number;
  /** BM25, higher is better; notes and pieces are on one scale. */
  readonly score: number;
}

/** A note with the number that the indexes know it by. */
export interface NumberedNote extends Note {
  readonly number: number;
}

/** A text of the log, or a statement within one. */
export interface LogPiece {
  readonly piece: number;
  readonly position: number;
  readonly turn: number;
  readonly speaker: string;
  readonly origin: 'question' | 'reply' | 'conclusion' | 'result';
  readonly level: 'piece' | 'statement' | 'both';
  /** The order within the event, and the place of the piece that a statement stands in. */
  readonly place: number;
  readonly within: number;
  readonly at: number;
  readonly text: string;
  /** Where the event stands, and the round that it is of. */
  readonly from: LogPlace;
  readonly round: number;
}

/** The searchable side of one tenant's memory. */
export interface WordIndex {
  /** Best first. The filters are part of the search, so that nobody else's rows take a place. */
  search(query: WordQuery): readonly WordHit[];
  /** In how many rows each word stands, and how many rows there are. */
  frequencies(words: readonly string[]): { readonly rows: number; readonly of: ReadonlyMap<string, number> };
  /** Indexed words of which it is the short form, or which are short forms of it: `dedup` and `dedupl`. */
  relatives(word: string): readonly string[];
  pieces(numbers: readonly number[]): readonly LogPiece[];
  /** How the agent ended that said these, in that round: nothing where it came to an answer, `open` where it was killed or is still at it. */
  unfinished(piece: LogPiece): string | undefined;
  /** Pieces of a session's texts, by their turn. */
  turns(session: string, turns: readonly number[]): readonly LogPiece[];
  notes(numbers: readonly number[]): readonly NumberedNote[];
  /** Notes that come from any of these sessions: those that are believed, or those that were. */
  notesFrom(sessions: readonly string[], which: 'live' | 'superseded'): readonly NumberedNote[];
}

/** Makes the log searchable, by position: what is done is never done again, and a killed one goes on where it stopped. */
export interface LogIndexer {
  /** Takes up to `limit` events. Answers how many it took and how many still wait. */
  fill(limit?: number): { readonly events: number; readonly lag: number };
  lag(): number;
  /** Empties the index, to fill it anew. */
  reset(): void;
}

/** What makes two vectors comparable. */
export interface GenerationIdentity {
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  readonly normalisation: 'unit';
  /** The template of prefixes. */
  readonly prefixes: string;
}

/** What a self-test found when the generation was built. */
export interface GenerationSettings {
  /** Of the vector's score beside the words'; 0 where the vectors lost. */
  readonly weight: number;
  /** Cosine of a question and a text that have nothing to do with one another: mean and standard deviation. */
  readonly unrelated: { readonly mean: number; readonly deviation: number };
  /** The same of a question and its answer. */
  readonly related: { readonly mean: number; readonly deviation: number };
  /** nDCG@10 on the self-test: words alone, and both at the weight. */
  readonly quality: { readonly words: number; readonly both: number; readonly questions: number };
  /** How many times `k` candidates bits have to give for rescoring to find 99 % of what an exact search finds; 0 where they never do. */
  readonly bitFactor: number;
}

export interface Generation extends GenerationIdentity {
  readonly generation: number;
  readonly state: 'building' | 'active';
  readonly settings: GenerationSettings | undefined;
}

export interface NearestQuery {
  readonly vector: Float32Array;
  readonly limit: number;
  readonly statuses: readonly string[];
  readonly kinds?: readonly NoteKind[];
  /** Bits first, then the vectors of that many times `limit` rows; exact without it. */
  readonly bitFactor?: number;
}

/** Vectors of notes, one table a generation; a table holds all tenants' vectors, a search sees one tenant's. */
export interface VectorStore {
  /** False where the extension is missing on this machine; then nothing else may be called. */
  readonly available: boolean;
  active(): Generation | undefined;
  generations(): readonly Generation[];
  /** Begins a generation, or goes on with one that was begun. */
  begin(identity: GenerationIdentity, now: number): Generation;
  /** Notes of all tenants that have no vector in it yet; those whose text has one already get it here. */
  pending(generation: number, limit: number): readonly { readonly number: number; readonly text: string }[];
  /** One transaction. Rows whose note is gone or reads otherwise by now are passed over; an empty vector marks a text that has none. */
  put(generation: number, rows: readonly { readonly number: number; readonly text: string; readonly vector: Float32Array }[]): void;
  progress(generation: number): { readonly done: number; readonly total: number };
  /** Makes it the one that is searched, and drops every other. */
  activate(generation: number, settings: GenerationSettings, now: number): void;
  keepSettings(generation: number, settings: GenerationSettings): void;
  drop(generation: number): void;
  nearest(generation: number, query: NearestQuery): readonly { readonly number: number; readonly distance: number }[];
  /** Makes bits of all vectors, so that `bitFactor` can be asked for; goes on where it stopped. */
  fillBits(generation: number): void;
  hasBits(generation: number): boolean;
  /** Vectors of this tenant in the table. */
  count(generation: number): number;
  /** Some vectors of this tenant, spread evenly. */
  sample(generation: number, size: number): readonly { readonly number: number; readonly text: string; readonly vector: Float32Array }[];
  /** Share of the table's room that removed vectors still take. */
  deadShare(generation: number): number;
  /** Writes the table anew without that room. */
  compact(generation: number): void;
}

/** The text of a note that is embedded and indexed: what it is about, and what it says. */
export function embeddedText({ key, text }: Pick<Note, 'key' | 'text'>): string {
  return `${key.replaceAll(/[._]/g, ' ')}: ${text}`;
}
