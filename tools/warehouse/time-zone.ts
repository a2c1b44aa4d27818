/** A stretch of time in which a zone keeps one offset from UTC; all in whole seconds, times since 1970 UTC. */
export interface ZoneSegment {
  readonly from: number;
  /** Exclusive. */
  readonly until: number;
  readonly offset: number;
}

const STEP = 7 * 86_400;
/** Before and after these years the offset at the edge is used: rules of other times are not known well. */
const EARLIEST = Date.UTC(1970, 0, 1) / 1000;
const LATEST = Date.UTC(2100, 0, 1) / 1000;

/** Whether the runtime knows a zone of that name (IANA, `UTC`, or an offset such as `+02:00`). */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** The offsets of a zone over [from, until], in order; the first reaches back and the last forward without end. */
export function zoneSegments(zone: string, from: number, until: number): readonly ZoneSegment[] {
  const offsetAt = createOffsetReader(zone);
  const start = Math.min(Math.max(from, EARLIEST), LATEST);
  const end = Math.min(Math.max(until, EARLIEST), LATEST);
  const segments: ZoneSegment[] = [];
  let begin = Number.NEGATIVE_INFINITY;
  let offset = offsetAt(start);
  for (let at = start; at < end; at += STEP) {
    const next = Math.min(at + STEP, end);
    const after = offsetAt(next);
    if (after === offset) continue;
    const change = findChange(offsetAt, at, next);
    segments.push({ from: begin, until: change, offset });
    begin = change;
    offset = after;
  }
  return [...segments, { from: begin, until: Number.POSITIVE_INFINITY, offset }];
}

function findChange(offsetAt: (second: number) => number, low: number, high: number): number {
  const before = offsetAt(low);
  let [from, to] = [low, high];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (offsetAt(middle) === before) from = middle;
    else to = middle;
  }
  return to;
}

function createOffsetReader(zone: string): (second: number) => number {
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...numeric });
  return (second) => {
    const parts = new Map(format.formatToParts(new Date(second * 1000)).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) / 1000;
    return wall - second;
  };
}

/** The moment at which a zone's clock shows `wall` (seconds as if it were UTC); the earlier one where it shows it twice. */
export function wallToInstant(wall: number, segments: readonly ZoneSegment[]): number {
  const segment = segments.find(({ until, offset }) => wall < until + offset) ?? segments.at(-1);
  return wall - (segment?.offset ?? 0);
}

export function instantToWall(instant: number, segments: readonly ZoneSegment[]): number {
  const segment = segments.find(({ until }) => instant < until) ?? segments.at(-1);
  return instant + (segment?.offset ?? 0);
}

/** `+01:00`, or `Z` for UTC. */
export function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.abs(Math.round(offset / 60));
  return `${offset < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** `2026-03-29T02:00:00` for seconds of a wall clock; years beyond 9999 with a sign, as ISO 8601 has it. */
export function wallText(wall: number): string {
  return new Date(wall * 1000).toISOString().slice(0, -5);
}

/**
 * A time given by the caller in whole seconds since 1970 UTC: with a zone as it stands, else by the clock of `zone`; a date is its
 * first moment there. Undefined for what is no time.
 */
export function readInstant(text: string, zone: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(text.trim());
  if (!match) return undefined;
  const [, day = '', clock = '00:00', given] = match;
  const offset = given === undefined ? 'Z' : given.length === 5 ? `${given.slice(0, 3)}:${given.slice(3)}` : given;
  const milliseconds = Date.parse(`${day}T${clock}${offset}`);
  if (Number.isNaN(milliseconds)) return undefined;
  const seconds = Math.floor(milliseconds / 1000);
  return given === undefined ? wallToInstant(seconds, zoneSegments(zone, seconds - 2 * STEP, seconds + 2 * STEP)) : seconds;
}
