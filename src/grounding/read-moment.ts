/** A point in time as far as a text tells it; parts that it does not tell are absent. */
export interface Moment {
  /** `2026-03-17`, or `03-17` where no year is told, or `2026-03` where no day is. */
  readonly date?: string;
  /** `03:40`, `03:40:17` or `03:40:17.25`. */
  readonly time?: string;
  /** Minutes east of UTC, where a zone is told. */
  readonly zone?: number;
}

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
const GERMAN_MONTHS = [
  'januar',
  'februar',
  'märz',
  'april',
  'mai',
  'juni',
  'juli',
  'august',
  'september',
  'oktober',
  'november',
  'dezember',
];

export const MONTH_PATTERN =
  '(?:Jan(?:uary|uar)?|Feb(?:ruary|ruar)?|Mar(?:ch)?|März|Apr(?:il)?|May|Mai|June?|Juni|July?|Juli|Aug(?:ust)?|Sept?(?:ember)?|O[ck]t(?:ober)?|Nov(?:ember)?|De[cz](?:ember)?)\\b\\.?';

const ZONES: Readonly<Record<string, number>> = {
  z: 0,
  utc: 0,
  gmt: 0,
  cet: 60,
  cest: 120,
  mez: 60,
  mesz: 120,
  bst: 60,
  est: -300,
  edt: -240,
  pst: -480,
  pdt: -420,
};

export const ZONE_PATTERN =
  '(?:Z|UTC|GMT|CES?T|MES?Z|BST|E[SD]T|P[SD]T|[+-]\\d{2}:?\\d{2}(?!:\\d)|(?<=\\d:\\d{2}:\\d{2}(?:\\.\\d{1,9})?)[+-]\\d{2}(?!:?\\d))(?![\\p{L}\\p{N}])';

function zoneOf(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const named = ZONES[text.trim().toLowerCase()];
  if (named !== undefined) return named;
  const found = /([+-])(\d{2}):?(\d{2})?/.exec(text);
  return found ? (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3] ?? 0)) : undefined;
}

/** Reads a date or time that one of the patterns of this file has found; several where day and month may be swapped. */
export function readMoment(text: string): Moment[] {
  const dated = /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](.+))?$/.exec(text.trim());
  if (dated) {
    const date = dateOf(Number(dated[1]), Number(dated[2]), Number(dated[3]));
    if (!date) return [];
    const clock = dated[4] === undefined ? {} : readClock(dated[4]);
    return clock ? [{ date, ...clock }] : [];
  }
  const parted = /^(\d{1,2})([./])(\d{1,2})[./](\d{4})$/.exec(text.trim());
  if (parted) {
    const dates = bothOrders(Number(parted[1]), Number(parted[3]), Number(parted[4]));
    // With points the day comes first, wherever dates are written so.
    return parted[2] === '.' ? dates.slice(0, 1) : dates;
  }
  const named = readNamedDate(text);
  if (named) return [named];
  const clock = readClock(text);
  return clock ? [clock] : [];
}

function bothOrders(first: number, second: number, year: number): Moment[] {
  const dates = [dateOf(year, second, first), dateOf(year, first, second)].filter((date) => date !== undefined);
  return [...new Set(dates)].map((date) => ({ date }));
}

function readNamedDate(text: string): Moment | undefined {
  const lower = text.toLowerCase();
  const word = /[a-zä]{3,}/.exec(lower.replace(/\bof\b/, ''))?.[0] ?? '';
  if (word === '') return undefined;
  const named = (names: readonly string[]): number =>
    names.findIndex((name) => name.startsWith(word.slice(0, 3)) && (word.length === 3 || name.startsWith(word.slice(0, 4))));
  const month = Math.max(named(MONTHS), named(GERMAN_MONTHS)) + 1;
  if (month < 1) return undefined;
  const year = /\b\d{4}\b/.exec(lower)?.[0];
  const day = /\b(\d{1,2})(?:st|nd|rd|th)?\b/.exec(lower.replace(/\b\d{4}\b/, ''))?.[1];
  if (day === undefined) return year === undefined ? undefined : { date: `${year}-${pad(month)}` };
  const full = dateOf(Number(year ?? 2024), month, Number(day));
  if (!full) return undefined;
  return { date: year === undefined ? full.slice(5) : full };
}

function readClock(text: string): Moment | undefined {
  const found = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([ap])?\.?m?\.?\s*(.*)$/i.exec(text.trim());
  if (!found) return undefined;
  const [, hours = '', minutes = '', seconds, fraction, half, zoneText] = found;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  if (hour > 24 || Number(minutes) > 59 || Number(seconds ?? 0) > 60) return undefined;
  const time = `${pad(hour)}:${minutes}${seconds === undefined ? '' : `:${seconds}`}${fraction === undefined ? '' : `.${fraction}`}`;
  const zone = zoneOf(zoneText);
  return { time, ...(zone === undefined ? {} : { zone }) };
}

function dateOf(year: number, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  return `${year}-${pad(month)}-${pad(day)}`;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

/** Milliseconds since the epoch of a moment with a full date; without a zone it is read as UTC. */
export function epochOf({ date, time, zone }: Moment): number | undefined {
  if (date?.length !== 10) return undefined;
  const [hour = 0, minute = 0, second = 0] = (time ?? '').split(':').map(Number);
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return Date.UTC(year, month - 1, day, hour, minute) + second * 1000 - (zone ?? 0) * 60_000;
}

/** The same moment in UTC, where it has a date and a zone other than UTC. */
export function inUtc(moment: Moment): Moment {
  if (!moment.zone || moment.time === undefined) return moment;
  const fraction = /\.\d+$/.exec(moment.time)?.[0] ?? '';
  const epoch = epochOf({
    ...moment,
    date: moment.date?.length === 10 ? moment.date : '2024-01-10',
    time: moment.time.replace(/\.\d+$/, ''),
  });
  const iso = new Date(epoch ?? 0).toISOString();
  const time = `${iso.slice(11, moment.time.length > 5 ? 19 : 16)}${fraction}`;
  return moment.date?.length === 10 ? { date: iso.slice(0, 10), time, zone: 0 } : { ...moment, time, zone: 0 };
}
