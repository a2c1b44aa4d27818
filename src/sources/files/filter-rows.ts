import type { LineSample } from '../../core/file-reading.ts';
import { isBlank } from './guess-dialect.ts';
import { cellKind } from './judge-header.ts';
import type { DelimitedRecord } from './read-records.ts';
import { isComment, type TableShape } from './shape-table.ts';

/** One row of the table: `fields` may be shorter or longer than the table is wide. */
export interface TableRow {
  readonly fields: readonly string[];
  readonly quoted: readonly boolean[] | null;
  readonly line: number;
}

/** How many rows are of some kind, and the lines of the first of them. */
export interface CountedRows {
  count: number;
  readonly lines: number[];
}

/** Every record of a file is a row or is counted here. */
export interface RowAccount {
  records: number;
  /** Fields of the widest record. */
  widest: number;
  rows: number;
  /** Rows of which every field is blank, as spreadsheets leave them behind. */
  readonly hollow: CountedRows;
  /** Rows that begin with the sign of comments and are as wide as the table. */
  readonly marked: CountedRows;
  /** Rows of totals among the others, which are no rows. */
  readonly totals: CountedRows;
  /** Rows whose first cell is the word for a total and nothing else, with a value everywhere: kept as rows. */
  readonly named: CountedRows;
  /** The last row, where it leaves columns empty that the rows before it fill. */
  unlike: number | null;
  blank: number;
  comments: number;
  short: number;
  long: number;
  /** Long records whose surplus cells hold something. */
  surplus: number;
  raggedLines: number[];
  stray: LineSample[];
  strayCount: number;
  repeatedHeaders: number[];
  otherTable: { readonly line: number; records: number } | null;
  footer: LineSample[];
  cut: { readonly line: number; readonly because: string } | null;
}

export interface RowFilter {
  add(record: DelimitedRecord): void;
  end(): RowAccount;
}

const HELD_BACK = 12;
/** The sign by which DOS ended a text, that of PostgreSQL's COPY, and the zero bytes of a file that was made longer in advance. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const END_OF_TEXT = /^(?:[\u001a\0]+|\\\.)$/;
/** What totals are called. No `\b` ends such a word: it knows the letters of ASCII alone. */
const TOTAL = '(?:total(?:s|e|es)?|totaal|(?:zwischen)?summe|gesamt(?:summe)?|somme|suma|итого|合計|小計)';
const PART = '(?:(?:grand|sub)[ _-]?)?';
const OTHER = '(?:sum|(?:end|anfangs?)?saldo|(?:closing|opening|ending|final)[ _]balance|trailer|trl|eof|end of (?:file|report|data))';
const END_OF_WORD = String.raw`(?![\p{L}\p{N}_])`;
const NOTE = String.raw`\(?\d+ (?:rows?|records?|lines?)\b|(?:rows?|records?|row count|record count|generated|exported|source|note)s?\s*[:=]`;
const FOOTER = new RegExp(String.raw`^\W*${PART}(?:${TOTAL}|${OTHER})${END_OF_WORD}|^(?:${NOTE})`, 'iu');
const TOTAL_LABEL = new RegExp(String.raw`^\W*${PART}${TOTAL}${END_OF_WORD}`, 'iu');
const TOTAL_WITH_COLON = new RegExp(String.raw`^\W*${PART}${TOTAL}\s*:`, 'iu');
const TOTAL_ALONE = new RegExp(String.raw`^\s*${PART}${TOTAL}\s*$`, 'iu');

export function newRowAccount(): RowAccount {
  return {
    records: 0,
    widest: 0,
    rows: 0,
    hollow: { count: 0, lines: [] },
    marked: { count: 0, lines: [] },
    totals: { count: 0, lines: [] },
    named: { count: 0, lines: [] },
    unlike: null,
    blank: 0,
    comments: 0,
    short: 0,
    long: 0,
    surplus: 0,
    raggedLines: [],
    stray: [],
    strayCount: 0,
    repeatedHeaders: [],
    otherTable: null,
    footer: [],
    cut: null,
  };
}

/** Passes the rows of the table on and keeps account of all other records. */
export function filterRows(shape: TableShape, onRow: (row: TableRow) => void): RowFilter {
  const account = newRowAccount();
  const held: DelimitedRecord[] = [];
  let headersLeft = shape.headers;
  let afterBlank = false;
  const take = (record: DelimitedRecord): void => {
    account.records++;
    if (record.fields.length > account.widest) account.widest = record.fields.length;
    if (account.records <= shape.preamble) return;
    // Below the first row a line of dashes between delimiters is a row of words for nothing.
    if (isBlank(record) && (record.fields.length === 1 || account.rows + held.length === 0)) {
      account.blank++;
      afterBlank = true;
      return;
    }
    if (isComment(record, shape.comment)) {
      account.comments++;
      return;
    }
    if (headersLeft > 0) {
      headersLeft--;
      afterBlank = false;
      return;
    }
    const apart = afterBlank;
    afterBlank = false;
    if (repeatsHeader(record, shape)) account.repeatedHeaders.push(record.line);
    else if (account.otherTable) account.otherTable.records++;
    else if (apart && startsOtherTable(record, shape) && account.rows + held.length > 0)
      account.otherTable = { line: record.line, records: 1 };
    else held.push(record);
    if (held.length > HELD_BACK) pass(held.shift() as DelimitedRecord);
  };
  const pass = (record: DelimitedRecord): void => {
    if (isTotal(record, shape)) {
      countRow(account.totals, record);
      return;
    }
    if (TOTAL_ALONE.test(record.fields[0] ?? '')) countRow(account.named, record);
    account.rows++;
    noteShape(record, shape, account);
    onRow(record);
  };
  return {
    add: take,
    end() {
      const footers = footerCount(held, shape, account.rows);
      const rows = held.splice(0, held.length - footers);
      account.footer = held.map(({ line, fields }) => ({ line, text: fields.join(' | ').slice(0, 160) }));
      const last = rows.at(-1);
      if (last && footers === 0) account.cut = cutReason(last, shape);
      if (last && footers === 0 && isUnlike(last, rows.slice(0, -1), shape)) account.unlike = last.line;
      for (const record of rows) pass(record);
      return account;
    },
  };
}

function repeatsHeader(record: DelimitedRecord, { header, width }: TableShape): boolean {
  if (header === null || record.fields.length !== header.length || (width === 1 && header[0] === '')) return false;
  return (
    header.some((cell) => cell.trim() !== '') &&
    record.fields.every((field, index) => field.trim().toLowerCase() === header[index]?.trim().toLowerCase())
  );
}

/** After a blank line: another width, or words where the table has numbers and dates. */
function startsOtherTable(record: DelimitedRecord, { width, typed }: TableShape): boolean {
  if (record.fields.length === 1 || width === 1) return false;
  if (record.fields.length !== width) return !FOOTER.test(record.fields.find((field) => field.trim() !== '') ?? '');
  return typed.length >= 2 && typed.every((column) => cellKind(record.fields[column] ?? '') === 'word');
}

function noteShape(record: DelimitedRecord, { width, comment }: TableShape, account: RowAccount): void {
  const { length } = record.fields;
  if (comment !== null && record.quoted === null && record.fields[0]?.startsWith(comment)) countRow(account.marked, record);
  if (length > 1 && record.fields.every((field) => field.trim() === '')) countRow(account.hollow, record);
  if (length < width) account.short++;
  else if (length > width) {
    account.long++;
    if (record.fields.slice(width).some((field) => field.trim() !== '')) account.surplus++;
  }
  if (length !== width && account.raggedLines.length < 20) account.raggedLines.push(record.line);
  if (record.quoting === 'sound') return;
  account.strayCount++;
  if (account.stray.length < 5) account.stray.push({ line: record.line, text: record.fields.join('|').slice(0, 80) });
}

function countRow(rows: CountedRows, { line }: DelimitedRecord): void {
  rows.count++;
  if (rows.lines.length < 5) rows.lines.push(line);
}

/** How many of the last records close the file rather than belong to its rows. */
function footerCount(held: readonly DelimitedRecord[], shape: TableShape, rowsBefore: number): number {
  let count = 0;
  for (let index = held.length - 1; index >= 0; index--) {
    const record = held[index] as DelimitedRecord;
    const trails = count === 0 && isTrailer(record, held.slice(0, index), shape);
    if (rowsBefore + index === 0 || !(trails || isFooter(record, shape))) break;
    count++;
  }
  return count;
}

function isFooter(record: DelimitedRecord, { width, typed }: TableShape): boolean {
  const filled = record.fields.filter((field) => field.trim() !== '');
  const [first = ''] = filled;
  if (record.fields.length === 1 && END_OF_TEXT.test(first)) return true;
  if (width === 1) return typed.length === 1 && cellKind(first) === 'word' && FOOTER.test(first);
  if (FOOTER.test(first)) {
    const missesTyped = typed.some((column) => ['empty', 'word'].includes(cellKind(record.fields[column] ?? '')));
    return record.fields.length !== width || filled.length < width || missesTyped || width === 2 || TOTAL_WITH_COLON.test(first);
  }
  const isNote = cellKind(first) === 'word' && first.length > 1 && /\s/.test(first.trim());
  const otherDelimiters = first.match(/[,;|\t]/g)?.length ?? 0;
  return record.fields.length === 1 && width >= 3 && record.terminated && isNote && otherDelimiters < Math.max(3, width - 2);
}

/** A total among the rows: named so in its first cell, with nothing in some other. */
function isTotal({ fields }: DelimitedRecord, { width }: TableShape): boolean {
  if (width < 3) return false;
  const first = fields.find((field) => field.trim() !== '') ?? '';
  return TOTAL_LABEL.test(first) && fields.filter((field) => field.trim() !== '').length < width;
}

/** `T|50|1275` below rows that all begin with the same sign: the record that closes a file of a mainframe's kind. */
function isTrailer({ fields }: DelimitedRecord, before: readonly DelimitedRecord[], { width }: TableShape): boolean {
  if (width < 3 || fields.length === width || fields.length < 2 || before.length < 5) return false;
  const sign = before[0]?.fields[0] ?? '';
  return fields[0] !== sign && sign.length <= 4 && /^[A-Z]{1,4}$/i.test(fields[0] ?? '') && before.every((one) => one.fields[0] === sign);
}

/** A last row with numbers, and nothing in its first cell and others that the rows before it fill: a total without a word. */
function isUnlike({ fields }: DelimitedRecord, before: readonly DelimitedRecord[], { typed, width }: TableShape): boolean {
  if (before.length < 5 || width < 3 || fields.length !== width || (fields[0] ?? '').trim() !== '') return false;
  const lacks = fields.flatMap((field, column) => (field.trim() === '' ? [column] : []));
  const filledBefore = lacks.every((column) => before.every((one) => (one.fields[column] ?? '').trim() !== ''));
  return lacks.length >= width / 2 && filledBefore && typed.some((column) => cellKind(fields[column] ?? '') === 'number');
}

function cutReason(record: DelimitedRecord, { width }: TableShape): RowAccount['cut'] {
  if (record.quoting === 'open') return { line: record.line, because: 'the file ends inside quotes' };
  if (record.terminated || record.fields.length >= width) return null;
  return { line: record.line, because: `the last line has no line end and ${record.fields.length} of ${width} fields` };
}
