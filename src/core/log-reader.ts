import type { Event, EventBody } from './event.ts';

export interface PositionedEvent {
  readonly position: number;
  readonly event: Event;
}

/** The log of one tenant in the order of appending, for what is made from it. */
export interface LogReader {
  /** Events of these types behind a position, at most `limit`. */
  after(position: number, types: readonly EventBody['type'][], limit: number): readonly PositionedEvent[];
  /** The position of the latest event; 0 for an empty log. */
  end(): number;
}
