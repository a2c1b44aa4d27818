import type { Event, EventBody } from './event.ts';

/** How far a lag is counted: it is asked for often, and must not read through the whole log. */
export const MOST_COUNTED = 10_000;

export interface PositionedEvent {
  readonly position: number;
  readonly event: Event;
}

/** The log of one tenant in the order of appending, for what is made from it. */
export interface LogReader {
  /** Events of these types behind a position, at most `limit`. */
  after(position: number, types: readonly EventBody['type'][], limit: number): readonly PositionedEvent[];
  /** How many events of these types there are behind a position, counted up to `most`. */
  count(position: number, types: readonly EventBody['type'][], most: number): number;
  /** The position of the latest event; 0 for an empty log. */
  end(): number;
}
