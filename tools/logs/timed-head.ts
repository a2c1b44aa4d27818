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

/** A record whose time was read into `stamp`; every field is set, so that all records share one shape. */
export function timed(format: Head['format'], stamp: Stamp, tail: Tail): Head {
  return {
    format,
    time: stamp.time,
    clock: undefined,
    zoneGiven: stamp.zoneGiven,
    zoneText: stamp.zoneText,
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
