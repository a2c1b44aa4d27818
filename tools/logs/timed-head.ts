import type { LogLevel } from './log-record.ts';
import type { Head } from './parse-json-line.ts';
import type { Stamp } from './read-timestamp.ts';

/** What follows a time. */
export interface Tail {
  readonly level: LogLevel | null;
  readonly logger?: string | undefined;
  readonly origin?: string | undefined;
  readonly message: string;
}

/** Reads what follows a time that ends at a place of a line. */
export type TailReader = (line: string, from: number) => Tail;

/** A record whose time was read into `stamp`. */
export function timed(format: Head['format'], { time, zoneGiven, zoneText }: Stamp, tail: Tail): Head {
  return headOf(format, { time, clock: undefined, zoneGiven, zoneText }, tail);
}

/** A record without a time, or with one that has no date, which stands in `clock` as it is written. */
export function untimed(format: Head['format'], tail: Tail, clock?: string): Head {
  return headOf(format, { time: null, clock, zoneGiven: false, zoneText: undefined }, tail);
}

/** Every field is set, so that all records share one shape. */
function headOf(format: Head['format'], when: Pick<Head, 'time' | 'clock' | 'zoneGiven' | 'zoneText'>, tail: Tail): Head {
  return {
    format,
    time: when.time,
    clock: when.clock,
    zoneGiven: when.zoneGiven,
    zoneText: when.zoneText,
    level: tail.level,
    logger: tail.logger,
    origin: tail.origin,
    task: undefined,
    pipeline: undefined,
    runId: undefined,
    attempt: undefined,
    status: undefined,
    message: tail.message,
    rest: undefined,
    exceptions: undefined,
    line: 0,
    after: null,
  };
}
