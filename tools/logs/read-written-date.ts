/** A date and time in the words of people and servers, put into the form that `readTimestamp` reads. */
export interface WrittenDate {
  /** `YYYY-MM-DD hh:mm:ss.fff+zzzz`; undefined where day and month could be the other way round. */
  readonly iso: string | undefined;
  /** As written. */
  readonly clock: string;
  /** Where the text goes on. */
  readonly end: number;
}

/** Whether days or months stand first in a file's dates; a day beyond the twelfth tells. */
export interface DayOrder {
  dayFirst: boolean | null;
}

const CLOCK = String.raw`(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?: ?([AaPp])[Mm]\b)?`;
const ZONE = String.raw`(?: ?([+-]\d\d:?\d\d|UTC|GMT))?`;
/** `05/13/2026 10:00:00 AM`, `13.05.26 10:00:00`. */
const NUMBERS = new RegExp(String.raw`(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d\d),?[ T]+${CLOCK}${ZONE}`, 'y');
/** `01/May/2026:10:00:00 +0000`, `01-May-2026 10:00:00 UTC`, `01 May 2026 10:00:00.123`. */
const DAY_NAME = new RegExp(String.raw`(\d{1,2})[ /-]([A-Z][A-Za-z]{2})[ /-](\d{4})(?:[ :]|::)${CLOCK}${ZONE}`, 'y');
/** `Fri May 01 10:00:00.123456 2026`. */
const CTIME = new RegExp(String.raw`(?:[A-Z][a-z]{2} )?([A-Z][a-z]{2}) +(\d{1,2}) ${CLOCK}(?: [A-Z]{3,4})? (\d{4})`, 'y');
/** `May 01, 2026 10:00:00 AM`, `May  1 2026 10:00:00`. */
const NAME_DAY = new RegExp(String.raw`([A-Z][a-z]{2,8}) {1,2}(\d{1,2}),? (\d{4})[ ,]+${CLOCK}`, 'y');
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Reads a date at `at` that is not written year first; undefined where none stands there. */
export function readWrittenDate(line: string, at: number, order: DayOrder): WrittenDate | undefined {
  const [numbers, dayName, ctime, nameDay] = [NUMBERS, DAY_NAME, CTIME, NAME_DAY].map((pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(line);
  });
  if (numbers) return fromNumbers(numbers, at, order);
  if (dayName)
    return named(dayName, at, { day: dayName[1], month: dayName[2], year: dayName[3], clock: dayName.slice(4, 9), zone: dayName[9] });
  if (ctime) return named(ctime, at, { day: ctime[2], month: ctime[1], year: ctime[8], clock: ctime.slice(3, 8), zone: undefined });
  if (nameDay)
    return named(nameDay, at, { day: nameDay[2], month: nameDay[1], year: nameDay[3], clock: nameDay.slice(4, 9), zone: undefined });
  return undefined;
}

function fromNumbers(found: RegExpExecArray, at: number, order: DayOrder): WrittenDate {
  const [clock = '', first = '', mark = '', second = '', year = ''] = found;
  const time = found.slice(5, 10);
  if (mark === '.' || Number(first) > 12) order.dayFirst = true;
  else if (Number(second) > 12 || (order.dayFirst === null && time[4] !== undefined)) order.dayFirst = false;
  const end = at + clock.length;
  if (order.dayFirst === null && first !== second) return { iso: undefined, clock, end };
  const [day, month] = order.dayFirst === true ? [first, second] : [second, first];
  return { iso: isoOf({ day, month, year: year.length === 2 ? `20${year}` : year, clock: time, zone: found[10] }), clock, end };
}

interface Parts {
  readonly day: string | undefined;
  readonly month: string | undefined;
  readonly year: string | undefined;
  /** Hour, minute, second, fraction and the letter of am or pm. */
  readonly clock: readonly (string | undefined)[];
  readonly zone: string | undefined;
}

function named(found: RegExpExecArray, at: number, parts: Parts): WrittenDate | undefined {
  const month = MONTHS.indexOf((parts.month ?? '').slice(0, 3).toLowerCase()) + 1;
  if (month === 0) return undefined;
  return { iso: isoOf({ ...parts, month: String(month) }), clock: found[0], end: at + found[0].length };
}

function isoOf({ day = '', month = '', year = '', clock, zone = '' }: Parts): string {
  const [hour = '', minute = '', second = '', fraction, half] = clock;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  const two = (text: string | number): string => String(text).padStart(2, '0');
  const offset = zone === '' ? '' : /\d/.test(zone) ? zone : 'Z';
  return `${year}-${two(month)}-${two(day)} ${two(hours)}:${minute}:${second}${fraction ? `.${fraction}` : ''}${offset}`;
}
