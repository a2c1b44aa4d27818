import type { Moment } from './read-moment.ts';
import type { NumberReading } from './read-number.ts';
import type { Unit } from './units.ts';

interface Place {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What is counted in "failed 3 times". */
export const OCCURRENCES = 'times';

/** A number with what stands directly at it. */
export interface NumberMention extends Place {
  readonly kind: 'number';
  readonly readings: readonly NumberReading[];
  readonly unit: Unit | undefined;
  /** What the written number is multiplied by: of `1.2 million`, `3 GiB`; several where the word is ambiguous. */
  readonly factors: readonly number[];
  readonly negative: boolean;
  /** The word behind it, where that is not a unit: what is counted. */
  readonly noun: string | undefined;
  /** A name written in front of it: `map_index=117`. */
  readonly label: string | undefined;
}

/** A span of time in several units: `1 h 48 min`, `2 days 11:00:00`. */
export interface SpanMention extends Place {
  readonly kind: 'span';
  readonly seconds: number;
  /** The smallest unit written, in seconds: the span is exact to half of it. */
  readonly precision: number;
}

export interface MomentMention extends Place {
  readonly kind: 'moment';
  /** Several where day and month could be read either way. */
  readonly moments: readonly Moment[];
  /** The span that a bare `01:48:15` may be as well. */
  readonly span?: { readonly seconds: number; readonly precision: number };
}

/** A name with digits in it: a run id, a file, a table, a version. */
export interface IdentifierMention extends Place {
  readonly kind: 'identifier';
  readonly name: string;
  /** Of `file.log:12`. */
  readonly line?: number;
}

/** A figure as it stands in a text. */
export type Mention = NumberMention | SpanMention | MomentMention | IdentifierMention;
