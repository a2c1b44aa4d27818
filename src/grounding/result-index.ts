import type { Moment } from './read-moment.ts';
import type { Unit } from './units.ts';

/** A tool result as the log holds it. */
export interface GroundingResult {
  readonly id: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly complete: boolean;
  /** False for a result that brought no data: refused or failed. */
  readonly informative: boolean;
  /** JSON text as the window showed it. */
  readonly content: string;
  /** JSON text of the whole result, where the window showed a part. */
  readonly whole?: string;
  /** Id of the conclusion that brought a child's result up. */
  readonly through?: string;
}

/** What a value of a result is called. Tokens are meanings of words; names are whole texts in lower case. */
export interface Label {
  readonly key: readonly string[];
  /** Words of the field that its item stands in. */
  readonly parent: readonly string[];
  /** True for the value of an identifying field: it names something and counts nothing. */
  readonly identifies: boolean;
  /** True for how often a value is there: the value is its name. */
  readonly isGroup: boolean;
  /** Names of the item that the value is a part of: its neighbours that are short texts. */
  readonly names: readonly string[];
  readonly nameWords: readonly string[];
  /** Words of the fields, the tool and its arguments around it. */
  readonly above: readonly string[];
  /** Names of the items around its item, and those its call was made with. */
  readonly aboveNames: readonly string[];
  /** The item that it is a part of, and the list that the item is in: neighbours share one of them. */
  readonly item: number;
  readonly list: string;
}

/** `field`: a value of its own; `text`: read from a longer text; `list`: how many items a list holds; `argument`: what a call was made with. */
export type Origin = 'field' | 'text' | 'list' | 'argument';

/** A value that a tool result holds. */
export interface Entry {
  readonly kind: 'number' | 'span' | 'moment';
  /** The number, or the seconds of a span. */
  readonly value: number;
  /** The decimal without its sign, for numbers. */
  readonly exact: string;
  readonly unit: Unit | undefined;
  readonly negative: boolean;
  readonly moment?: Moment;
  readonly label: Label;
  readonly origin: Origin;
  readonly result: number;
  readonly path: string;
}

/** All values of all results, each findable by what it is. Made once for an answer. */
export interface ResultIndex {
  readonly results: readonly GroundingResult[];
  readonly numbers: ReadonlyMap<string, readonly Entry[]>;
  /** Numbers by value, spans by seconds, for search within a range. */
  readonly sorted: readonly Entry[];
  readonly spans: readonly Entry[];
  readonly dates: ReadonlyMap<string, readonly Entry[]>;
  readonly clocks: ReadonlyMap<string, readonly Entry[]>;
  /** Values of one item, and values of the same field in a list of items. */
  readonly items: ReadonlyMap<number, readonly Entry[]>;
  readonly lists: ReadonlyMap<string, readonly Entry[]>;
  /** The entries of a list by the names of their items; made when first asked for. */
  readonly named: (list: string) => ReadonlyMap<string, readonly Entry[]>;
  /** The values and counts of lists whose field is called so, list by list; made when first asked for. */
  readonly called: (token: string) => ReadonlyMap<string, readonly Entry[]>;
  /** Items that hold this name as a text of their own; made when first asked for. */
  readonly itemsNamed: (name: string) => readonly number[];
  /** Names with digits in lower case, and where each first stands. */
  readonly names: ReadonlyMap<string, NamePlace>;
  /** All texts of a result, in lower case, for quotes. */
  readonly texts: readonly (readonly TextPlace[])[];
  /** In how many labels a token stands. */
  readonly spread: ReadonlyMap<string, number>;
  /** All different numbers, sorted; and those of one result, made when first asked for. */
  readonly distinct: Float64Array;
  readonly valuesOf: (place: number) => Float64Array;
}

export interface NamePlace {
  readonly result: number;
  readonly path: string;
  readonly item: number;
}

export interface TextPlace {
  readonly text: string;
  readonly path: string;
}
