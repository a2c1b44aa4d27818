import type { LogPlace } from './note.ts';

/** A relation between two things that held for a while: `orders_daily` `reads_from` `raw.orders`. */
export interface Triple {
  /** Follows from tenant, subject, relation, object and begin: `t-4k7q2m9x0a`. */
  readonly id: string;
  readonly subject: string;
  /** snake_case. */
  readonly relation: string;
  readonly object: string;
  /** Milliseconds since the epoch, as is the next; absent where it is not known. */
  readonly validFrom?: number;
  /** When it ceased to hold; absent while it does. */
  readonly validUntil?: number;
  /** The name of the agent (or person) that said so. */
  readonly agent: string;
  readonly place: LogPlace;
}

export interface NewTriple {
  readonly subject: string;
  readonly relation: string;
  readonly object: string;
  readonly validFrom?: number;
  readonly validUntil?: number;
  /** Ends what the subject had under this relation before: it has one object at a time. */
  readonly replaces?: boolean;
  readonly agent: string;
  readonly place: LogPlace;
  /** When it was said, in milliseconds: the end of what it replaces where no begin is given. */
  readonly at: number;
}

export const WALK_DIRECTIONS = ['out', 'in', 'both'] as const;

export interface TripleWalk {
  readonly from: string;
  /** Steps from where it began, 1 to 6. */
  readonly depth: number;
  /** `out` from subject to object, `in` from object to subject. */
  readonly direction: (typeof WALK_DIRECTIONS)[number];
  readonly relation?: string;
  /** What held at this time; where a begin or an end is not known, it is taken to have held. */
  readonly at: number;
  readonly limit: number;
}

export interface TripleStep extends Triple {
  readonly depth: number;
}

/** The triples of one tenant. Names are compared without regard to case and spacing. */
export interface TripleStore {
  /** Adds it, or does nothing where it is there already. One IMMEDIATE transaction. */
  add(triple: NewTriple): Triple;
  /** Nearest first, every triple once. */
  walk(walk: TripleWalk): { readonly steps: readonly TripleStep[]; readonly complete: boolean };
  /** The name as it is stored that is nearest to this one, if any is near. */
  names(): readonly string[];
  /** Removes what was said at these places and answers how many that were. */
  forget(places: readonly LogPlace[]): number;
  count(): number;
  clear(): void;
  /** SHA-256 over all of them: equal for two projections of the same log. */
  digest(): string;
}
