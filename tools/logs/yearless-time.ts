/** A month, a day and a time of day without a year. */
export interface YearlessTime {
  readonly month: number;
  readonly day: number;
  /** `hh:mm:ss.fff` */
  readonly clock: string;
}

/** How the year of the first such time of a file was found. */
export interface YearGuess {
  readonly year: number;
  /** What told: `a full date inside`, `the file's name`, … */
  readonly from: string;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const NAMED = /^([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)$/;
const NUMBERS = /^(\d\d)-?(\d\d) (\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)$/;
const DAY = 86_400_000;
/** Lines may be written this late; what lies further back is of the next year. */
const MOST_BACK = 45 * DAY;

/** Reads `May  1 10:00:30`, `0501 10:00:30.123`, `05-01 10:00:30`; undefined for anything else. */
export function readYearless(text: string): YearlessTime | undefined {
  const named = NAMED.exec(text);
  const [, first = '', second = '', clock = ''] = named ?? NUMBERS.exec(text) ?? [];
  const month = named ? MONTHS.indexOf(first.toLowerCase()) + 1 : Number(first);
  const day = Number(second);
  const isTime = /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)/.test(clock);
  if (!isTime || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return { month, day, clock: clock.replace(',', '.') };
}

/** The moment of such a time in a year; undefined where the year has no such day. */
export function momentIn(year: number, { month, day, clock }: YearlessTime): number | undefined {
  const moment = new Date(Date.UTC(year, month - 1, day));
  if (moment.getUTCDate() !== day) return undefined;
  return moment.getTime() + 1000 * (Number(clock.slice(0, 2)) * 3600 + Number(clock.slice(3, 5)) * 60 + Number(clock.slice(6, 8)));
}

/** Gives times their years in the order of a file: each is the first that does not lie far before the one before it. */
export class YearCounter {
  private year: number;
  private before: number | undefined;

  constructor(year: number) {
    this.year = year;
  }

  /** The year of this time; undefined for a day that the calendar does not have. */
  next(time: YearlessTime): number | undefined {
    for (let year = this.before === undefined ? this.year : this.year - 1; year <= this.year + 4; year++) {
      const moment = momentIn(year, time);
      if (moment === undefined || (this.before !== undefined && moment < this.before - MOST_BACK)) continue;
      this.year = year;
      this.before = moment;
      return year;
    }
    return undefined;
  }
}

export function isoOfYearless(year: number, { month, day, clock }: YearlessTime): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T${clock}Z`;
}
