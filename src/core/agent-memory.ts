import type { NoteKind } from './note.ts';
import type { Recalled } from './recall.ts';
import type { Skill } from './skill.ts';
import type { NewTriple, Triple, TripleStep, TripleWalk } from './triple.ts';

/** An agent's todo list and notes of one session; they live in the log, in the results of the tool. */
export interface Scratchpad {
  readonly todo: readonly { readonly item: string; readonly done: boolean }[];
  readonly notes: readonly string[];
}

export interface ProposedNote {
  readonly key: string;
  readonly kind: NoteKind;
  readonly text: string;
  readonly multiValued: boolean;
  readonly evidence: readonly string[];
}

/** What a tool may use of memory: the project's, seen from one agent. Absent where there is no log. */
export interface AgentMemory {
  /** Whether this agent may recall, and leave notes. */
  readonly may: { readonly recall: boolean; readonly write: boolean };
  recall(
    question: string,
    options: { readonly limit: number; readonly kinds?: readonly NoteKind[]; readonly superseded: boolean },
  ): Promise<Recalled>;
  /** Puts the wish on record; the gate decides when the session is closed. Answers how many of this agent's wishes are on record. */
  propose(note: ProposedNote): number;
  addTriple(triple: Omit<NewTriple, 'agent' | 'place' | 'at'>): Promise<Triple>;
  walk(walk: TripleWalk): { readonly steps: readonly TripleStep[]; readonly complete: boolean };
  /** Names that triples know. */
  names(): readonly string[];
  readonly skills: readonly Skill[];
  /** The scratchpad as it stands, and with `next` how it is to stand. */
  scratchpad(next?: Scratchpad): Scratchpad;
}
