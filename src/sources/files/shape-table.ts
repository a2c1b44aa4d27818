import { declaresDelimiter, isBlank } from './guess-dialect.ts';
import { cellKind, judgeHeader, moreHeaders, typedColumns } from './judge-header.ts';
import type { DelimitedRecord } from './read-records.ts';

/** Where the table stands in its file and what its columns are called. */
export interface TableShape {
  readonly width: number;
  /** Records before the header that are not data. */
  readonly preamble: number;
  readonly headers: number;
  readonly names: readonly string[];
  readonly startLine: number;
  /** Lines that start with it are comments. */
  readonly comment: string | null;
  /** The first header record as it stands: files joined end to end repeat it. */
  readonly header: readonly string[] | null;
  /** Columns whose values are numbers, dates or truth values. */
  readonly typed: readonly number[];
  readonly headerEvidence: string;
  /** True when the header could as well be a row. */
  readonly headerUnsure: boolean;
}

const MOST_PREAMBLE = 100;

/** Finds preamble, header and width from the first records. */
export function shapeTable(records: readonly DelimitedRecord[]): TableShape {
  const comment = records.some((record) => isComment(record, '#')) ? '#' : null;
  const width = commonWidth(records.filter((record) => !isBlank(record) && !isComment(record, comment)));
  const start = tableStart(records, width, comment);
  const after = records.slice(start).filter((record) => !isBlank(record) && !isComment(record, comment));
  const [first, ...body] = after;
  const startLine = records[start]?.line ?? 1;
  const common = { width, preamble: start, startLine, comment };
  if (first === undefined) {
    return { ...common, headers: 0, names: [], header: null, typed: [], headerEvidence: 'no record', headerUnsure: false };
  }
  const verdict = judgeHeader(first, body, width);
  const headers = verdict.header ? 1 + moreHeaders(body, width) : 0;
  const typed = typedColumns(body.slice(headers), width);
  const shifted = headers === 1 && lacksFirstName(first, body, width);
  const names = nameColumns(shifted ? [{ ...first, fields: ['', ...first.fields] }] : after.slice(0, headers), width);
  const header = headers > 0 ? first.fields : null;
  return { ...common, headers, names, header, typed, headerEvidence: verdict.evidence, headerUnsure: verdict.unsure };
}

/** A line that starts with the comment sign and is no record of the table. */
export function isComment(record: DelimitedRecord, comment: string | null): boolean {
  return comment !== null && record.quoted === null && (record.fields[0] ?? '').startsWith(comment) && record.fields.length === 1;
}

function commonWidth(records: readonly DelimitedRecord[]): number {
  const widths = new Map<number, number>();
  for (const { fields } of records) widths.set(fields.length, (widths.get(fields.length) ?? 0) + 1);
  return [...widths].reduce(
    (best, entry) => (entry[1] > best[1] || (entry[1] === best[1] && best[1] === 1 && entry[0] > best[0]) ? entry : best),
    [1, 0],
  )[0];
}

function tableStart(records: readonly DelimitedRecord[], width: number, comment: string | null): number {
  const most = Math.min(records.length, MOST_PREAMBLE);
  const marked = markedLines(records, width);
  for (let index = Math.max(marked, padded(records, { width, from: marked })); index < most; index++) {
    const record = records[index] as DelimitedRecord;
    if (isBlank(record) || isComment(record, comment) || declaresDelimiter(record)) continue;
    if (record.fields.length !== width) {
      const next = records[index + 1];
      const near = record.fields.length >= 2 && record.fields.length >= width * 0.6;
      if (near && looksLikeHeader(record) && next?.fields.length === width && !looksLikeHeader(next)) return index;
      continue;
    }
    const filled = record.fields.filter((field) => field.trim() !== '').length;
    const sparse = width >= 3 && filled <= Math.max(1, width / 4);
    if (sparse && records.slice(index + 1, index + 12).some((later) => later.fields.length === width && looksLikeHeader(later))) continue;
    return index;
  }
  return 0;
}

/** Lines at the top that begin with `#`, whatever they hold; the last of them is the header where it names the columns without a blank. */
function markedLines(records: readonly DelimitedRecord[], width: number): number {
  const first = records.findIndex((record) => !(record.fields[0] ?? '').startsWith('#') || record.quoted !== null);
  const [last, next] = [records[first - 1], records[first]];
  if (last === undefined || next === undefined || next.fields.length !== width) return 0;
  const names = last.fields.length === width && width > 1 && /^#(\S|$)/.test(last.fields[0] ?? '');
  return names ? first - 1 : first;
}

/**
 * Where spreadsheets pad every line with delimiters, what stands above the table is as wide as it: lines with nothing in their last
 * columns, a line of nothing, then a header with a name everywhere.
 */
function padded(records: readonly DelimitedRecord[], { width, from }: { readonly width: number; readonly from: number }): number {
  if (width < 3) return 0;
  const filled = ({ fields }: DelimitedRecord): number => fields.filter((field) => field.trim() !== '').length;
  const hollow = records.slice(0, 30).findIndex((record, index) => index > from && record.fields.length === width && filled(record) === 0);
  if (hollow < 1) return 0;
  const header = records.findIndex((record, index) => index > hollow && filled(record) > 0);
  const above = records.slice(from, hollow);
  const next = records[header];
  if (next === undefined || filled(next) < width || !looksLikeHeader(next)) return 0;
  return above.every((record) => filled(record) < width && (record.fields.at(-1) ?? '').trim() === '') ? header : 0;
}

function looksLikeHeader(record: DelimitedRecord): boolean {
  const words = record.fields.filter((field) => cellKind(field) === 'word').length;
  return words >= record.fields.length * 0.8;
}

/** As R and pandas write and read a table whose first column, the names of its rows, has no name of its own. */
function lacksFirstName(first: DelimitedRecord, body: readonly DelimitedRecord[], width: number): boolean {
  if (first.fields.length !== width - 1 || width < 2) return false;
  const rows = body.slice(0, 200).filter((record) => record.fields.length === width);
  const ends = rows.filter((record) => (record.fields.at(-1) ?? '').trim() !== '').length;
  const distinct = new Set(rows.map((record) => record.fields[0])).size;
  return rows.length > 0 && ends > 0 && distinct === rows.length;
}

/** Names as they stand, several header records joined by a blank; what has none is named by its position. */
function nameColumns(headers: readonly DelimitedRecord[], width: number): string[] {
  const names: string[] = [];
  const taken = new Map<string, number>();
  const columns = Math.max(width, headers[0]?.fields.length ?? 0);
  for (let column = 0; column < columns; column++) {
    const parts = headers.map((record) => record.fields[column] ?? '').filter((part) => part.trim() !== '');
    const name = headers.length > 1 ? [...new Set(parts.map((part) => part.trim()))].join(' ') : (parts[0] ?? '');
    names.push(unique(name.replaceAll('\0', '\ufffd') || `column${column + 1}`, taken));
  }
  return names;
}

/** Engines ignore case in names, so `id` and `ID` cannot both stay. */
export function unique(name: string, taken: Map<string, number>): string {
  const key = name.toLowerCase();
  const times = (taken.get(key) ?? 0) + 1;
  taken.set(key, times);
  return times === 1 ? name : unique(`${name}_${times}`, taken);
}
