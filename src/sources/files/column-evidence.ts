import type { LineSample } from '../../core/file-reading.ts';
import { ALL_STYLES, type CellClass, classifyCell, NULL_WORDS, NUMBER_STYLES } from './classify-cell.ts';
import { type DateOrder, type DateParts, parseDate, parseTime } from './parse-date.ts';
import { undressNumber } from './undress-number.ts';

export type Shape = 'integer' | 'number' | 'not_finite' | 'boolean' | 'date' | 'timestamp' | 'time' | 'json' | 'other';

export interface DateFamily {
  cells: number;
  readonly fits: Record<DateOrder, number>;
  /** Distinct first and second groups: days vary more than months. */
  readonly first: Set<string>;
  readonly second: Set<string>;
}

/** What the cells of one column look like, counted over every cell that was fed. */
export interface ColumnEvidence {
  readonly shapes: Record<Shape, number>;
  readonly samples: Partial<Record<Shape, LineSample[]>>;
  empty: number;
  emptyQuoted: number;
  readonly nullWords: Map<string, number>;
  leadingZeros: number;
  /** Whole numbers written with a plus. */
  pluses: number;
  /** Numbers beyond what a double holds, above or below. */
  beyondDouble: number;
  exponents: number;
  /** Exponents without a mark or a sign, `12E3`: codes more often than numbers. */
  codes: number;
  /** `4.01234E+12`, as spreadsheets show long numbers. */
  rounded: number;
  /** Numbers that were read without a unit, parentheses or a sign behind them. */
  dressed: number;
  /** Of the numbers, how many have which unit; those without any are left out. */
  readonly units: Map<string, number>;
  /** Numbers that parentheses alone mark as negative. */
  enclosed: number;
  /** Longest run of digits before and after the mark, with `.` and with `,` as decimal mark. */
  readonly digits: { dotWhole: number; dotScale: number; commaWhole: number; commaScale: number };
  readonly styleFits: number[];
  /** First number that a style does not fit. */
  readonly styleMisses: (LineSample | undefined)[];
  readonly families: Map<string, DateFamily>;
  zoned: number;
  fractionDigits: number;
  leastInteger: bigint;
  greatestInteger: bigint;
  longest: number;
  years: { least: number; greatest: number };
}

export function newColumnEvidence(): ColumnEvidence {
  return {
    shapes: { integer: 0, number: 0, not_finite: 0, boolean: 0, date: 0, timestamp: 0, time: 0, json: 0, other: 0 },
    samples: {},
    empty: 0,
    emptyQuoted: 0,
    nullWords: new Map(),
    leadingZeros: 0,
    pluses: 0,
    beyondDouble: 0,
    exponents: 0,
    codes: 0,
    rounded: 0,
    dressed: 0,
    units: new Map(),
    enclosed: 0,
    digits: { dotWhole: 0, dotScale: 0, commaWhole: 0, commaScale: 0 },
    styleFits: NUMBER_STYLES.map(() => 0),
    styleMisses: NUMBER_STYLES.map(() => undefined),
    families: new Map(),
    zoned: 0,
    fractionDigits: 0,
    leastInteger: 0n,
    greatestInteger: 0n,
    longest: 0,
    years: { least: 9999, greatest: 0 },
  };
}

/** Counts a cell of a delimited file. */
export function addCell(evidence: ColumnEvidence, text: string, quoted: boolean, line: number): void {
  const trimmed = text.trim();
  if (trimmed === '') {
    if (quoted || text.length > 0) evidence.emptyQuoted++;
    else evidence.empty++;
    return;
  }
  if (trimmed.length > evidence.longest) evidence.longest = trimmed.length;
  const { shapes } = evidence;
  if (shapes.other > 2000 && shapes.other > 4 * (shapes.integer + shapes.number + shapes.date + shapes.timestamp)) {
    shapes.other++;
    return;
  }
  if (trimmed.length <= 19 && isNullWord(trimmed)) {
    evidence.nullWords.set(trimmed, (evidence.nullWords.get(trimmed) ?? 0) + 1);
    return;
  }
  const cell = classifyCell(trimmed);
  if (cell.kind === 'other' && addDressed(evidence, trimmed, line)) return;
  if (cell.kind === 'other') addOther(evidence, trimmed, line);
  else if (cell.kind === 'integer') addInteger(evidence, trimmed, cell.leadingZero, line);
  else if (cell.kind === 'number') addNumber(evidence, trimmed, cell, line);
  else note(evidence, cell.kind, trimmed, line);
}

/** Counts a number with something around it; false when it is none. */
function addDressed(evidence: ColumnEvidence, text: string, line: number): boolean {
  const found = undressNumber(text);
  const cell = found && classifyCell(found.plain);
  if (!found || (cell?.kind !== 'integer' && cell?.kind !== 'number')) return false;
  evidence.dressed++;
  if (found.unit) evidence.units.set(found.unit, (evidence.units.get(found.unit) ?? 0) + 1);
  if (found.negative === 'parentheses') evidence.enclosed++;
  if (cell.kind === 'integer') addInteger(evidence, found.plain, cell.leadingZero, line);
  else addNumber(evidence, found.plain, cell, line);
  return true;
}

/** Counts a value of a JSON text: strings stay text unless they are dates. */
export function addJsonValue(
  evidence: ColumnEvidence,
  kind: 'string' | 'number' | 'boolean' | 'null' | 'nested',
  raw: string,
  line: number,
): void {
  if (raw.length > evidence.longest) evidence.longest = raw.length;
  if (kind === 'null') evidence.empty++;
  else if (kind === 'nested') note(evidence, 'json', raw, line);
  else if (kind === 'boolean') note(evidence, 'boolean', raw, line);
  else if (kind === 'number') {
    const cell = classifyCell(raw);
    if (cell.kind === 'integer') addInteger(evidence, raw, false, line);
    else if (cell.kind === 'number') addNumber(evidence, raw, cell, line);
    else note(evidence, 'not_finite', raw, line);
  } else if (raw === '') evidence.emptyQuoted++;
  else if (/^\d{4}-/.test(raw)) addOther(evidence, raw, line);
  else {
    note(evidence, 'other', raw, line);
    const date = /^\d{1,2}[-/.]/.test(raw) ? parseDate(raw) : undefined;
    if (date) addFamily(evidence, date);
  }
}

function isNullWord(text: string): boolean {
  return text === '\\N' || NULL_WORDS.has(text.toLowerCase());
}

function note(evidence: ColumnEvidence, shape: Shape, text: string, line: number): void {
  evidence.shapes[shape]++;
  const samples = evidence.samples[shape];
  if (samples === undefined) evidence.samples[shape] = [{ line, text: text.slice(0, 80) }];
  else if (samples.length < 3) samples.push({ line, text: text.slice(0, 80) });
}

function addInteger(evidence: ColumnEvidence, text: string, leadingZero: boolean, line: number): void {
  note(evidence, 'integer', text, line);
  if (leadingZero) evidence.leadingZeros++;
  if (text.charCodeAt(0) === 43) evidence.pluses++;
  const { digits } = evidence;
  const sign = text.charCodeAt(0) < 48 ? 1 : 0;
  const whole = text.length - sign;
  if (whole > digits.dotWhole) digits.dotWhole = whole;
  if (whole > digits.commaWhole) digits.commaWhole = whole;
  const value = whole <= 15 ? Number(text) : undefined;
  if (value !== undefined) {
    if (value >= evidence.leastInteger && value <= evidence.greatestInteger) return;
  } else if (whole > 45) return;
  const exact = BigInt(text.startsWith('+') ? text.slice(1) : text);
  if (evidence.shapes.integer === 1 || exact < evidence.leastInteger) evidence.leastInteger = exact;
  if (evidence.shapes.integer === 1 || exact > evidence.greatestInteger) evidence.greatestInteger = exact;
}

function addNumber(evidence: ColumnEvidence, text: string, cell: CellClass & { kind: 'number' }, line: number): void {
  note(evidence, 'number', text, line);
  if (cell.exponent) {
    evidence.exponents++;
    if (/^\d+[eE]\d+$/.test(text)) evidence.codes++;
    else if (/^\d[.,]\d{1,5}E\+[1-9]\d$/.test(text)) evidence.rounded++;
    if (isBeyondDouble(text.replace(',', '.'))) evidence.beyondDouble++;
  }
  for (let index = 0; index < NUMBER_STYLES.length; index++) {
    if (cell.styles & (1 << index)) evidence.styleFits[index] = (evidence.styleFits[index] ?? 0) + 1;
    else evidence.styleMisses[index] ??= { line, text };
  }
  if (cell.styles === ALL_STYLES) return;
  const { digits } = evidence;
  const dot = text.lastIndexOf('.');
  const comma = text.lastIndexOf(',');
  digits.dotWhole = Math.max(digits.dotWhole, countDigits(text, dot < 0 ? text.length : dot));
  digits.commaWhole = Math.max(digits.commaWhole, countDigits(text, comma < 0 ? text.length : comma));
  if (dot >= 0 && !cell.exponent) digits.dotScale = Math.max(digits.dotScale, text.length - dot - 1);
  if (comma >= 0 && !cell.exponent) digits.commaScale = Math.max(digits.commaScale, text.length - comma - 1);
}

/** Too large for a double, or so small that it would become zero. */
function isBeyondDouble(text: string): boolean {
  const value = Number(text);
  return !Number.isFinite(value) || (value === 0 && /[1-9]/.test(text.replace(/[eE].*$/, '')));
}

function countDigits(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) count++;
  }
  return count;
}

function addOther(evidence: ColumnEvidence, text: string, line: number): void {
  const date = parseDate(text);
  const time = date === undefined && text.length <= 24 && text.includes(':') ? parseTime(text) : undefined;
  if (date) addDate(evidence, date, text, line);
  else if (time) {
    evidence.fractionDigits = Math.max(evidence.fractionDigits, time.fraction.length);
    if (time.zone) evidence.zoned++;
    note(evidence, 'time', text, line);
  } else note(evidence, 'other', text, line);
}

function addDate(evidence: ColumnEvidence, date: DateParts, text: string, line: number): void {
  note(evidence, date.time ? 'timestamp' : 'date', text, line);
  addFamily(evidence, date);
  const year = Number(date.groups[0].length === 4 ? date.groups[0] : date.groups[2]);
  if (year < evidence.years.least) evidence.years.least = year;
  if (year > evidence.years.greatest) evidence.years.greatest = year;
  if (!date.time) return;
  if (date.time.zone) evidence.zoned++;
  if (date.time.fraction.length > evidence.fractionDigits) evidence.fractionDigits = date.time.fraction.length;
}

/** Counts a date among those that are written like it. */
function addFamily(evidence: ColumnEvidence, date: DateParts): void {
  let family = evidence.families.get(date.family);
  if (family === undefined) {
    family = { cells: 0, fits: { ymd: 0, dmy: 0, mdy: 0, ydm: 0 }, first: new Set(), second: new Set() };
    evidence.families.set(date.family, family);
  }
  family.cells++;
  for (const order of date.orders) family.fits[order]++;
  if (family.first.size < 40) family.first.add(date.groups[0]);
  if (family.second.size < 40) family.second.add(date.groups[1]);
}
