/** The order of day, month and year. */
export type DateOrder = 'ymd' | 'dmy' | 'mdy' | 'ydm';

export interface DateParts {
  /** What the cells of one column share: separators, names, digits of the year. */
  readonly family: string;
  /** Orders that give a real date. */
  readonly orders: readonly DateOrder[];
  /** The three groups of the date as they stand. */
  readonly groups: readonly [string, string, string];
  /** Set for cells with a time of day. */
  readonly time: TimeParts | null;
}

export interface TimeParts {
  /** `HH:MM:SS` in 24 hours. */
  readonly clock: string;
  readonly fraction: string;
  /** `Z`, `+02:00` … or empty. */
  readonly zone: string;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Months whose names in German, French, Spanish, Italian, Portuguese or Dutch begin in another way, short and long. */
const OTHER_MONTHS = new Map(
  [
    'ene enero gen gennaio',
    'fév févr février fev fevr fevrier fevereiro',
    'mär märz mrz mrt maart',
    'avr avril abr abril',
    'mai maio maj mag maggio mei mayo',
    'juin giu giugno',
    'juil juillet lug luglio',
    'août aout ago agosto',
    'set sett settembre setiembre setembro',
    'okt oktober ott ottobre out outubro',
    '',
    'déc décembre dez dezember dezembro dic dicembre diciembre',
  ].flatMap((names, month) => names.split(' ').map((name): [string, number] => [name, month])),
);
const NUMERIC = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:(?:[T ]|, )\s*(.+))?$/;
const NAMED = /^(\d{1,2})([- /.])(\p{L}{3,10})\.?\2(\d{2,4})(?:(?:[T ]|, )\s*(.+))?$/u;
const NAMED_FIRST = /^([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})(?:,?\s+(.+))?$/;
/** `2026年5月1日`, in Korean `2026년 5월 1일`. */
const EAST_ASIAN = /^(\d{4})[年년]\s?(\d{1,2})[月월]\s?(\d{1,2})[日일](?:\s*(\d.*))?$/;
/** `1. Mai 2026`, `1 de mayo de 2026`. */
const DAY_MARK = /^(\d{1,2})\. (?=\p{L})/u;
const OF = /^(\d{1,2}) de (\p{L}+) (?:de|del) (?=\d)/iu;
/** ISO 8601 without separators: `20260501T101500Z`. */
const BASIC = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?(.*)$/;
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+(?=[A-Za-z\d])/i;
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?\s*([AaPp]\.?[Mm]\.?)?\s*(Z|z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/;

/** Reads a trimmed cell as a date or a date with a time; undefined when it is none in any order. */
export function parseDate(cell: string): DateParts | undefined {
  if (cell.length < 6 || cell.length > 45) return undefined;
  const text = /^[A-Za-z]/.test(cell) ? cell.replace(WEEKDAY, '') : cell;
  const basic = BASIC.exec(text);
  if (basic) return basicDate(basic);
  const numeric = NUMERIC.exec(text);
  if (numeric) return numericDate(numeric);
  const eastAsian = EAST_ASIAN.exec(text);
  if (eastAsian) return eastAsianDate(eastAsian);
  const named = NAMED.exec(text.replace(DAY_MARK, '$1 ').replace(OF, '$1 $2 '));
  if (named) return namedDate([named[1] ?? '', named[3] ?? '', named[4] ?? ''], named[2] ?? '', named[5]);
  const first = NAMED_FIRST.exec(text);
  return first ? namedDate([first[2] ?? '', first[1] ?? '', first[3] ?? ''], 'm', first[4]) : undefined;
}

function basicDate([, year = '', month = '', day = '', hour, minute, second = '00', rest = '']: RegExpExecArray): DateParts | undefined {
  const time = parseTime(`${hour}:${minute}:${second}${rest}`);
  const groups = [year, month, day] as const;
  return time && isDate(year, month, day) ? { family: 'YT', orders: ['ymd'], groups, time } : undefined;
}

function eastAsianDate([, year = '', month = '', day = '', rest]: RegExpExecArray): DateParts | undefined {
  const time = rest === undefined ? null : parseTime(rest);
  return time !== undefined && isDate(year, month, day) ? { family: 'Y年', orders: ['ymd'], groups: [year, month, day], time } : undefined;
}

function numericDate(match: RegExpExecArray): DateParts | undefined {
  const [, a = '', separator = '', b = '', c = '', rest] = match;
  const time = rest === undefined ? null : parseTime(rest);
  if (time === undefined) return undefined;
  const groups = [a, b, c] as const;
  const orders: DateOrder[] = [];
  if (a.length === 4 && c.length <= 2) {
    if (isDate(a, b, c)) orders.push('ymd');
    if (separator !== '-' && isDate(a, c, b)) orders.push('ydm');
    return orders.length > 0 ? { family: `Y${separator}`, orders, groups, time } : undefined;
  }
  if (a.length > 2 || (c.length !== 4 && c.length !== 2)) return undefined;
  if (isDate(c, b, a)) orders.push('dmy');
  if (isDate(c, a, b)) orders.push('mdy');
  if (c.length === 2 && a.length === 2 && isDate(a, b, c)) orders.push('ymd');
  return orders.length > 0 ? { family: `${c.length === 4 ? 'y' : '2'}${separator}`, orders, groups, time } : undefined;
}

function namedDate(parts: readonly [string, string, string], separator: string, rest: string | undefined): DateParts | undefined {
  const name = parts[1].toLowerCase();
  const month = (OTHER_MONTHS.get(name) ?? MONTHS.indexOf(name.slice(0, 3))) + 1;
  const time = rest === undefined ? null : parseTime(rest);
  if (month === 0 || time === undefined) return undefined;
  const groups = [parts[0], String(month), parts[2]] as const;
  return isDate(groups[2], groups[1], groups[0]) ? { family: `n${separator}`, orders: ['dmy'], groups, time } : undefined;
}

/** A time of day; undefined when it is none. */
export function parseTime(text: string): TimeParts | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [, hourText = '', minute = '', second = '00', fraction = '', half, zone = ''] = match;
  let hour = Number(hourText);
  if (half) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half[0]?.toLowerCase() === 'p' ? 12 : 0);
  }
  if (hour > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return { clock: `${String(hour).padStart(2, '0')}:${minute}:${second}`, fraction, zone: plainZone(zone) };
}

function plainZone(zone: string): string {
  if (zone === '') return '';
  if (/^(z|utc|gmt)$/i.test(zone)) return '+00:00';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

function isDate(yearText: string, monthText: string, dayText: string): boolean {
  const month = Number(monthText);
  const day = Number(dayText);
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  return day <= 28 || day <= daysInMonth(fullYear(yearText), month);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Two-digit years count as 1970 to 2069, as POSIX has it within a year. */
function fullYear(text: string): number {
  const year = Number(text);
  return text.length > 2 ? year : year < 70 ? 2000 + year : 1900 + year;
}

/** `YYYY-MM-DD` in the order that was decided. */
export function isoDate(groups: DateParts['groups'], order: DateOrder): string {
  const [a, b, c] = groups;
  const [year, month, day] = order === 'ymd' ? [a, b, c] : order === 'ydm' ? [a, c, b] : order === 'dmy' ? [c, b, a] : [c, a, b];
  return `${String(fullYear(year)).padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** How people write the format: `dd/mm/yyyy`. */
export function dateFormat(family: string, order: DateOrder): string {
  if (family === 'YT') return 'yyyymmddThhmmss';
  if (family === 'Y年') return 'yyyy年m月d日';
  const separator = family[1] ?? '-';
  if (family[0] === 'n') return separator === 'm' ? 'Month d, yyyy' : `d${separator}Mon${separator}yyyy`;
  const year = family[0] === '2' ? 'yy' : 'yyyy';
  const names = { ymd: [year, 'mm', 'dd'], ydm: [year, 'dd', 'mm'], dmy: ['dd', 'mm', year], mdy: ['mm', 'dd', year] }[order];
  return names.join(separator);
}
