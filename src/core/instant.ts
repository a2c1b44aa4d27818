const PATTERN = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|z|[+-]\d\d(?::?\d\d)?)?$/;

/** A moment, read from ISO 8601 text. */
export interface Instant {
  /** ISO 8601 UTC with the digits of a second that the text has (up to nine), without trailing zeros. */
  readonly iso: string;
  /** Seconds since 1970 in UTC, with the fraction. */
  readonly seconds: number;
  /** False where the text names no zone; it is then read as UTC. */
  readonly zoned: boolean;
}

/** Reads an ISO 8601 date or time, digits after the millisecond included; undefined when the text is none. */
export function readInstant(text: string): Instant | undefined {
  const match = PATTERN.exec(text.trim());
  if (!match) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match;
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const dayKept = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  if (!dayKept || Number(month) > 12 || Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const whole = wall / 1000 - offsetSeconds(zone);
  const digits = fraction.replace(/0+$/, '');
  return {
    iso: `${new Date(whole * 1000).toISOString().slice(0, 19)}${digits ? `.${digits}` : ''}Z`,
    seconds: whole + (digits ? Number(`0.${digits}`) : 0),
    zoned: zone !== undefined,
  };
}

/** Seconds from one ISO 8601 time to another, to the microsecond; null when either is missing or no time. */
export function secondsBetween(from: string | null, to: string | null): number | null {
  const start = from === null ? undefined : readInstant(from);
  const end = to === null ? undefined : readInstant(to);
  return start && end ? Math.round((end.seconds - start.seconds) * 1e6) / 1e6 : null;
}

function offsetSeconds(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const size = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2, 4) || '0') * 60;
  return zone.startsWith('-') ? -size : size;
}
