import { classifyCell, NULL_WORDS } from './classify-cell.ts';
import { parseDate, parseTime } from './parse-date.ts';
import { createRecordReader, type DelimitedRecord, type Dialect } from './read-records.ts';
import { undressNumber } from './undress-number.ts';

export interface DialectGuess {
  readonly dialect: Dialect;
  /** Share of records that have the width most have. */
  readonly consistency: number;
  readonly width: number;
  readonly records: readonly DelimitedRecord[];
  readonly evidence: string;
  /** Delimiters that fit almost as well. */
  readonly rivals: readonly string[];
}

const DELIMITERS = [',', ';', '\t', '|', '\u0001', '^', '~', ':', ' '];
/** Letters that stand in plain text too: taken only when nearly every record agrees. */
const WEAK_DELIMITERS = new Set([':', ' ', '^', '~']);
/** A name speaks for its delimiter where lines can be cut in two ways. */
const BY_NAME: Readonly<Record<string, string>> = { '.tsv': '\t', '.tab': '\t', '.psv': '|', '.ssv': ';' };
const SAMPLE_RECORDS = 1000;
const SAMPLE_FIELDS = 1000;
const SAMPLE_CHARACTERS = 96 * 1024;

/**
 * The dialect whose records are most alike in width and whose cells most often are a known kind of value: the measure
 * of van den Burg, Nazábal and Sutton, "Wrangling messy CSV files by detecting row and type patterns" (2019).
 */
export function guessDialect(text: string, whole: boolean, extension = ''): DialectGuess {
  const sample = text.slice(0, sampleLength(text));
  const isWhole = whole && sample.length === text.length;
  const named = BY_NAME[extension];
  const guesses = candidates(sample)
    .map((dialect) => judge(dialect, sample, isWhole))
    .map((guess) => (guess.dialect.delimiter === named && guess.width > 1 ? { ...guess, score: guess.score * 2 } : guess));
  guesses.sort((left, right) => right.score - left.score);
  const [first] = guesses as [Judged, ...Judged[]];
  // A first record beyond the sample is read as far as the text goes: the width of a wide table stands nowhere else.
  const best = sample.length < text.length && lineEnd(sample, 0) < 0 ? judge(first.dialect, text, whole) : first;
  const rivals = guesses.filter(
    (guess) => guess.dialect.delimiter !== best.dialect.delimiter && guess.width > 1 && guess.score > best.score * 0.8,
  );
  const spelled = JSON.stringify(best.dialect.delimiter);
  const share = Math.round(best.consistency * 100);
  const evidence =
    best.width > 1
      ? `${share}% of ${best.records.length} records have ${best.width} fields with ${spelled}`
      : 'no delimiter cuts the lines evenly';
  return { ...best, evidence, rivals: [...new Set(rivals.map((rival) => rival.dialect.delimiter))] };
}

/** At least the first three lines, however long they are: a wide table has its names in the first. */
function sampleLength(text: string): number {
  let at = -1;
  for (let lines = 0; lines < 3; lines++) {
    const next = lineEnd(text, at + 1);
    if (next < 0) return lines === 0 ? SAMPLE_CHARACTERS : text.length;
    at = next;
  }
  return Math.max(SAMPLE_CHARACTERS, at + 1);
}

function lineEnd(text: string, from: number): number {
  const [newline, lone] = [text.indexOf('\n', from), text.indexOf('\r', from)];
  return newline < 0 || (lone >= 0 && lone < newline - 1) ? lone : newline;
}

interface Judged {
  readonly dialect: Dialect;
  readonly score: number;
  readonly consistency: number;
  readonly width: number;
  readonly records: readonly DelimitedRecord[];
}

function candidates(sample: string): Dialect[] {
  const found: Dialect[] = [];
  const declared = /^sep=([^\r\n])\r?\n/i.exec(sample)?.[1];
  for (const single of declared !== undefined && DELIMITERS.includes(declared) ? [declared] : DELIMITERS) {
    const delimiter = isDoubled(sample, single) ? single.repeat(2) : single;
    if (!sample.includes(delimiter) && delimiter !== ',') continue;
    const quotes = ['"', "'"].filter((quote) => quoteOpensFields(sample, delimiter, quote));
    for (const quote of [...quotes, ...(quotes.includes('"') ? [] : [''])]) {
      const skipBlank = delimiter !== ' ' && blankFollows(sample, delimiter, quote);
      found.push({ delimiter, quote: quote || (sample.includes('"') ? '' : '"'), escape: 'doubled', skipBlank });
      if (quote && sample.includes(`\\${quote}`)) found.push({ delimiter, quote, escape: 'backslash', skipBlank });
      else if (sample.includes(`\\${delimiter}`)) found.push({ delimiter, quote: quote || '"', escape: 'backslash', skipBlank });
    }
  }
  return found;
}

/** Signs that programs write twice between fields: `1::2::3`, `a||b`. */
const DOUBLED = new Set([':', '|', '^', '~']);

/** Whether all lines have the sign twice as often, and hardly ever alone. */
function isDoubled(sample: string, sign: string): boolean {
  if (!DOUBLED.has(sign) || !sample.includes(sign.repeat(2))) return false;
  const lines = sample
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, 200);
  const counts = lines.map((line) => line.split(sign.repeat(2)).length - 1);
  const alike = counts.filter((count) => count > 0 && count === counts[0]).length;
  const alone = lines.filter((line) => line.replaceAll(sign.repeat(2), '').includes(sign)).length;
  return lines.length > 1 && alike >= lines.length * 0.8 && alone <= lines.length * 0.3;
}

function quoteOpensFields(sample: string, delimiter: string, quote: string): boolean {
  if (sample.startsWith(quote)) return true;
  return [delimiter, `${delimiter} `, '\n', '\r'].some((before) => sample.includes(before + quote));
}

/** True when nearly every delimiter has a blank behind it. */
function blankFollows(sample: string, delimiter: string, quote: string): boolean {
  let total = 0;
  let blanks = 0;
  for (const line of sample.split(/\r\n|\n|\r/).slice(0, 200)) {
    if ((quote && line.includes(quote)) || /^[-+=|:]+$/.test(line)) continue;
    for (let at = line.indexOf(delimiter); at !== -1; at = line.indexOf(delimiter, at + 1)) {
      if (at + 1 === line.length) continue;
      total++;
      if (line[at + 1] === ' ') blanks++;
    }
  }
  return total >= 4 && blanks >= total * 0.98;
}

function judge(dialect: Dialect, sample: string, whole: boolean): Judged {
  const records = sampleRecords(dialect, sample, whole);
  const widths = new Map<number, number>();
  let known = 0;
  let cells = 0;
  for (const record of records) {
    if (isBlank(record)) continue;
    widths.set(record.fields.length, (widths.get(record.fields.length) ?? 0) + 1);
    if (record.quoting !== 'sound') known -= Math.min(record.fields.length, SAMPLE_FIELDS);
    for (const field of record.fields.slice(0, SAMPLE_FIELDS)) {
      cells++;
      if (isKnownValue(field, dialect)) known++;
    }
  }
  const [width, count] = [...widths.entries()].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [1, 0]);
  const counted = [...widths.values()].reduce((sum, value) => sum + value, 0);
  const consistency = counted === 0 ? 0 : count / counted;
  let pattern = 0;
  for (const [length, times] of widths) pattern += (times * Math.max(length - 1, 0.001)) / length;
  pattern /= Math.max(widths.size, 1);
  const types = cells === 0 ? 0 : Math.max(known / cells, 0.0001);
  const weak = WEAK_DELIMITERS.has(dialect.delimiter) ? (consistency >= 0.95 && counted >= 3 ? 0.4 : 0) : 1;
  return { dialect, score: pattern * types * weak, consistency, width, records };
}

/** The first records; the last one is left out when the sample may have cut it. */
export function sampleRecords(dialect: Dialect, sample: string, whole: boolean): DelimitedRecord[] {
  const records: DelimitedRecord[] = [];
  const reader = createRecordReader(dialect, (record) => {
    if (records.length < SAMPLE_RECORDS) records.push(record);
  });
  reader.feed(sample);
  if (whole) reader.end();
  else if (records.length === 0) reader.end();
  return records;
}

/** The first line by which spreadsheets are told the delimiter: `sep=;`. */
export function declaresDelimiter(record: DelimitedRecord): boolean {
  return record.line === 1 && /^sep=.?$/i.test(record.fields[0] ?? '') && record.fields.slice(1).every((field) => field === '');
}

/** A line without anything on it, or one that only rules off the header, as tables printed by programs have. */
export function isBlank({ fields, quoted }: DelimitedRecord): boolean {
  if (quoted !== null) return false;
  if (fields.length === 1) return /^\s*$|^[+|-]?[-=]{3,}[-=+| ]*$/.test(fields[0] ?? '');
  return (fields.at(-1) === '' ? fields.slice(0, -1) : fields).every((field, at) => RULE.test(field) || (at === 0 && field === ''));
}

const RULE = /^\s*:?-{3,}:?\s*$/;

const PLAIN_WORDS = /^[\p{L}\p{N}][\p{L}\p{N}_ .\-/&'()#]*$/u;
const ADDRESS = /^(https?:\/\/\S+|[\w.+-]+@[\w-]+\.[\w.]+)$/;

function isKnownValue(field: string, dialect: Dialect): boolean {
  const text = field.trim();
  if (text === '' || NULL_WORDS.has(text.toLowerCase())) return true;
  if (dialect.quote && text.length > 1 && text.startsWith(dialect.quote)) return false;
  const kind = classifyCell(text).kind;
  if (kind !== 'other' || undressNumber(text)) return true;
  if (parseDate(text) || parseTime(text)) return true;
  return text.length < 200 && (PLAIN_WORDS.test(text) || ADDRESS.test(text));
}
