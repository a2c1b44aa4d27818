import { compareTimes, type LogRecord } from './log-record.ts';
import { newStamp, readTimestamp } from './read-timestamp.ts';

/** `since` is in, `until` is out; null where the side is open. Both ISO 8601 UTC. */
export interface TimeWindow {
  readonly since: string | null;
  readonly until: string | null;
}

/** Reads both sides; a date alone means its whole day, a time without a zone is UTC. A text that is no time comes back as `wrong`. */
export function readTimeWindow(since: string | undefined, until: string | undefined): TimeWindow | { readonly wrong: string } {
  const from = since === undefined ? null : readTime(since, 0);
  const to = until === undefined ? null : readTime(until, 1);
  if (from === undefined) return { wrong: since ?? '' };
  if (to === undefined) return { wrong: until ?? '' };
  return { since: from, until: to };
}

function readTime(text: string, daysAfter: number): string | undefined {
  const trimmed = text.trim();
  const stamp = newStamp();
  if (/^\d{4}-\d\d-\d\d$/.test(trimmed)) {
    const at = Date.parse(`${trimmed}T00:00:00Z`);
    return Number.isNaN(at) ? undefined : new Date(at + daysAfter * 86_400_000).toISOString();
  }
  const padded = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?!:)/.test(trimmed) ? `${trimmed.slice(0, 16)}:00${trimmed.slice(16)}` : trimmed;
  return readTimestamp(padded, 0, stamp) && stamp.end === padded.length ? stamp.time : undefined;
}

export function isOpen(window: TimeWindow): boolean {
  return window.since === null && window.until === null;
}

/** Whether the record's time, or the time of the one before it where it has none, lies in the window. */
export function isInWindow(record: LogRecord, { since, until }: TimeWindow): boolean {
  const time = record.time ?? record.after;
  if (time === null) return false;
  return (since === null || compareTimes(time, since) >= 0) && (until === null || compareTimes(time, until) < 0);
}
