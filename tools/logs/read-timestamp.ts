import { keepText } from './log-record.ts';
import { zoneOffset } from './zone-offsets.ts';

/** What was read last; one per file, reused from line to line since most lines share their second with the one before. */
export interface Stamp {
  /** ISO 8601 UTC with all digits of the fraction. */
  time: string;
  zoneGiven: boolean;
  zoneText: string | undefined;
  /** Where the text goes on. */
  end: number;
  /** @internal */
  secondWritten: string;
  /** @internal */
  secondZone: string | undefined;
  /** @internal */
  secondInUtc: string;
}

export function newStamp(): Stamp {
  return { time: '', zoneGiven: false, zoneText: undefined, end: 0, secondWritten: '', secondZone: undefined, secondInUtc: '' };
}

const ZONE = /[ ]?(Z(?![A-Za-z])|[+\-−]\d\d(?::?\d\d)?(?!\d)|[A-Z]{3,4}(?![A-Za-z_]))/y;
const NOT_ZONES: ReadonlySet<string> = new Set(['INFO', 'WARN', 'LOG', 'ERR', 'CRIT', 'FINE']);

/**
 * Reads `2026-03-02T02:03:09.123456+0000` at `at`, also with a blank, a tab, a comma and a blank, a slash or a dot between the parts,
 * `,` before the fraction, and a zone as an offset or an abbreviation. Without a zone the time is taken as UTC.
 */
export function readTimestamp(text: string, at: number, stamp: Stamp): boolean {
  const dash = text.charCodeAt(at + 4);
  if ((dash !== 0x2d && dash !== 0x2f && dash !== 0x2e) || !isDigit(text.charCodeAt(at))) return false;
  let clock = at + 10;
  const between = text.charCodeAt(clock);
  if (between === 0x2c && text.charCodeAt(clock + 1) === 0x20) clock += 2;
  else if (between === 0x54 || between === 0x20 || between === 0x09 || between === 0x74) clock += 1;
  else return false;
  if (text.charCodeAt(clock + 2) !== 0x3a || text.charCodeAt(clock + 5) !== 0x3a) return false;
  let end = clock + 8;
  const mark = text.charCodeAt(end);
  let fraction = '';
  if ((mark === 0x2e || mark === 0x2c) && isDigit(text.charCodeAt(end + 1))) {
    let stop = end + 2;
    while (isDigit(text.charCodeAt(stop)) && stop - end < 13) stop++;
    fraction = `.${text.slice(end + 1, stop)}`;
    end = stop;
  }
  const zone = readZone(text, end);
  const written = text.slice(at, clock + 8);
  if (written !== stamp.secondWritten || zone.text !== stamp.secondZone) {
    const inUtc = secondInUtc(written, clock - at, zone.offset);
    if (inUtc === undefined) return false;
    stamp.secondWritten = keepText(written);
    stamp.secondZone = zone.text === undefined ? undefined : keepText(zone.text);
    stamp.secondInUtc = inUtc;
  }
  stamp.time = `${stamp.secondInUtc}${fraction}Z`;
  stamp.zoneGiven = zone.text !== undefined;
  stamp.zoneText = stamp.secondZone;
  stamp.end = zone.end;
  return true;
}

interface Zone {
  readonly text: string | undefined;
  readonly offset: number;
  readonly end: number;
}

function readZone(text: string, end: number): Zone {
  const next = text.charCodeAt(end);
  if (next === 0x5a && !isLetter(text.charCodeAt(end + 1))) return { text: 'Z', offset: 0, end: end + 1 };
  const none = { text: undefined, offset: 0, end };
  if (next !== 0x20 && next !== 0x2b && next !== 0x2d && next !== 0x2212) return none;
  ZONE.lastIndex = end;
  const found = ZONE.exec(text)?.[1];
  if (found === undefined || NOT_ZONES.has(found)) return none;
  const offset = zoneOffset(found);
  return offset === undefined ? none : { text: found, offset, end: ZONE.lastIndex };
}

function secondInUtc(written: string, clock: number, offset: number): string | undefined {
  const numbers = [0, 5, 8, clock, clock + 3, clock + 6].map((at) => Number(written.slice(at, at === 0 ? 4 : at + 2)));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const wrong = numbers.some((number) => !Number.isInteger(number)) || month < 1 || month > 12 || day < 1 || day > 31;
  if (wrong || hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute - offset, Math.min(second, 59)));
  if (offset === 0 && date.getUTCDate() !== day) return undefined;
  return date.toISOString().slice(0, 17) + String(second).padStart(2, '0');
}

/** A JSON number as a time: seconds, milliseconds, microseconds or nanoseconds since the epoch by its size. */
export function epochToIso(value: number): string | null {
  if (!Number.isFinite(value) || value < 1e8) return null;
  const milliseconds = value < 1e11 ? value * 1e3 : value < 1e14 ? value : value < 1e17 ? value / 1e3 : value / 1e6;
  if (milliseconds > 8.64e15) return null;
  return new Date(milliseconds).toISOString();
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
