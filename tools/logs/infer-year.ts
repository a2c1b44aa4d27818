import { open, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { createLogParser } from './log-parser.ts';
import { newLineReading, readLineBatches } from './read-line-batches.ts';
import { momentIn, readYearless, YearCounter, type YearGuess, type YearlessTime } from './yearless-time.ts';

/** Anywhere in a line; a first sign only, so that other files are not read twice. */
const MAYBE = /(?:\b[A-Z][a-z]{2} {1,2}\d{1,2}|\b[IWEF]\d{4}|(?<![\d-])\d\d-\d\d) \d\d:\d\d:\d\d/;
const FULL_DATE = /(?<!\d)(20\d\d)[-/.](\d\d)[-/.](\d\d)(?!\d)/;
const DAY = 86_400_000;
/** Records without such a time after which there is none. */
const MOST_WITHOUT = 1000;
/** Of a larger file the beginning and the end are read. */
const MOST_READ = 16 * 1024 * 1024;
const TAIL_BYTES = 256 * 1024;
/** Counting begins in a year that has every day. */
const ANY_YEAR = 2000;

export function mayLackYears(lines: readonly string[]): boolean {
  return lines.slice(0, 200).some((line) => MAYBE.test(line));
}

/** Dates of a file whose lines give no year, in years counted from the first line's. */
interface SeenTimes {
  readonly newest: number;
  /** Full years minus counted ones, from full dates that stand beside the same month and day. */
  readonly shift: number | undefined;
  /** Counted years that have a 29 February. */
  readonly leapYears: readonly number[];
}

/**
 * The year of the first time without one: from a full date inside the file, else from the date in its name, else the latest for which
 * the newest line is no younger than the file (or what gzip noted of it). Undefined where all times have years.
 */
export async function inferYear(path: string): Promise<YearGuess | undefined> {
  const seen = await readTimes(path);
  if (!seen) return undefined;
  const { newest, shift, leapYears } = seen;
  if (shift !== undefined) return { year: ANY_YEAR + shift, from: 'a full date inside' };
  const isLeap = (years: number): boolean =>
    leapYears.every((year) => momentIn(year + years, { month: 2, day: 29, clock: '' }) !== undefined);
  const move = (years: number): number =>
    Date.UTC(new Date(newest).getUTCFullYear() + years, new Date(newest).getUTCMonth(), new Date(newest).getUTCDate());
  const named = dateOfName(path);
  if (named) {
    const shifts = [-1, 0, 1].map((more) => new Date(named.moment).getUTCFullYear() - new Date(newest).getUTCFullYear() + more);
    const away = (years: number): number => Math.abs(move(years) - named.moment);
    const nearest = shifts.filter(isLeap).sort((left, right) => away(left) - away(right))[0];
    if (nearest !== undefined) return { year: ANY_YEAR + nearest, from: `the name of the file (${named.text})` };
  }
  const latest = await lastChange(path);
  let years = latest.getUTCFullYear() - ANY_YEAR;
  for (let tries = 0; tries < 9 && (move(years) > latest.getTime() + DAY || !isLeap(years)); tries++) years--;
  return { year: ANY_YEAR + years, from: `the time of the file (${latest.toISOString().slice(0, 10)})` };
}

/** Notes the times of lines in their order. */
class TimesReader {
  readonly leapYears = new Set<number>();
  newest = Number.NEGATIVE_INFINITY;
  shift: number | undefined;
  records = 0;
  private dated: string | undefined;
  private readonly parser = createLogParser();
  private readonly counter = new YearCounter(ANY_YEAR);

  take(line: string): void {
    const record = this.parser.push(line, 1, false);
    if (record) this.records++;
    const time = record && record.time === null ? readYearless(record.clock ?? '') : undefined;
    const full = this.shift === undefined ? FULL_DATE.exec(line)?.[0] : undefined;
    if (full !== undefined) this.dated = full;
    const year = time && this.counter.next(time);
    if (!time || year === undefined) return;
    if (time.month === 2 && time.day === 29) this.leapYears.add(year);
    this.newest = Math.max(this.newest, momentIn(year, time) ?? this.newest);
    if (this.dated !== undefined) this.shift ??= shiftOf(this.dated, time, year);
  }
}

async function readTimes(path: string): Promise<SeenTimes | undefined> {
  const reader = new TimesReader();
  const reading = newLineReading();
  for await (const { lines } of readLineBatches(path, reading)) {
    for (const line of lines) reader.take(line);
    if (reader.newest === Number.NEGATIVE_INFINITY && reader.records > MOST_WITHOUT) return undefined;
    if (reading.bytesRead > MOST_READ && reading.compression === null) {
      for (const line of await lastLines(path)) reader.take(line);
      break;
    }
  }
  const { newest, shift, leapYears } = reader;
  return newest === Number.NEGATIVE_INFINITY ? undefined : { newest, shift, leapYears: [...leapYears] };
}

/** The lines at the end of a file: between these and its beginning lies less than a year. */
async function lastLines(path: string): Promise<readonly string[]> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, TAIL_BYTES);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8').split(/\r?\n/).slice(1);
  } finally {
    await handle.close();
  }
}

/** How many years lie between a full date and a counted one of about the same day; undefined where they are of different days. */
function shiftOf(dated: string, time: YearlessTime, counted: number): number | undefined {
  const full = Date.parse(`${dated.replace(/[/.]/g, '-')}T12:00:00Z`);
  const year = Number(dated.slice(0, 4));
  const moment = momentIn(year, time);
  return moment !== undefined && Math.abs(moment - full) <= DAY ? year - counted : undefined;
}

/** The date in the last parts of a path; of a month its middle, of a year its end. */
function dateOfName(path: string): { readonly text: string; readonly moment: number } | undefined {
  const name = path.split(sep).slice(-4).join('/');
  const found = /(?<!\d)(20\d\d)(?:([-_./]?)([01]\d)(?:\2([0-3]\d))?)?(?!\d)/.exec(name);
  if (!found) return undefined;
  const [text, year = '', , month = '12', day = found[3] === undefined ? '31' : '15'] = found;
  const moment = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(moment) ? undefined : { text, moment };
}

/** When the file was written last: what gzip noted of the file it packed, else its own time. */
async function lastChange(path: string): Promise<Date> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0);
    const noted = bytesRead === 8 && buffer.readUInt16BE(0) === 0x1f8b ? buffer.readUInt32LE(4) : 0;
    return noted > 0 ? new Date(noted * 1000) : (await stat(path)).mtime;
  } finally {
    await handle.close();
  }
}
