import { classifyCell, NULL_WORDS } from './classify-cell.ts';
import { declaresDelimiter, isBlank } from './guess-dialect.ts';
import { parseDate, parseTime } from './parse-date.ts';
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
/** Columns looked at to tell a header from rows. */
const MOST_JUDGED = 500;

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
  const names = nameColumns(after.slice(0, headers), width);
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
  for (let index = 0; index < most; index++) {
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

function looksLikeHeader(record: DelimitedRecord): boolean {
  const words = record.fields.filter((field) => cellKind(field) === 'word').length;
  return words >= record.fields.length * 0.8;
}

type Kind = 'empty' | 'word' | 'number' | 'boolean' | 'date' | 'time';

/** The rough kind of a cell, for telling a header from rows. */
export function cellKind(field: string): Kind {
  const text = field.trim();
  if (text === '' || NULL_WORDS.has(text.toLowerCase())) return 'empty';
  const { kind } = classifyCell(text);
  if (kind === 'boolean') return 'boolean';
  if (kind !== 'other') return 'number';
  if (parseDate(text)) return 'date';
  return text.includes(':') && parseTime(text) ? 'time' : 'word';
}

/** The kind that at least four fifths of the column's filled cells have. */
function columnKind(body: readonly DelimitedRecord[], column: number): Kind {
  const counts = new Map<Kind, number>();
  let filled = 0;
  for (const record of body.slice(0, 200)) {
    const kind = cellKind(record.fields[column] ?? '');
    if (kind === 'empty') continue;
    filled++;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  for (const [kind, count] of counts) if (count >= filled * 0.8) return kind;
  return filled === 0 ? 'empty' : 'word';
}

function typedColumns(body: readonly DelimitedRecord[], width: number): number[] {
  const rows = body.filter((record) => record.fields.length === width);
  return Array.from({ length: Math.min(width, MOST_JUDGED) }, (_, column) => column).filter(
    (column) => !['word', 'empty'].includes(columnKind(rows, column)),
  );
}

interface HeaderVerdict {
  readonly header: boolean;
  readonly evidence: string;
  readonly unsure: boolean;
}

function judgeHeader(first: DelimitedRecord, body: readonly DelimitedRecord[], width: number): HeaderVerdict {
  const kinds = first.fields.map(cellKind);
  if (kinds.every((kind) => kind === 'empty') && width > 1) return { header: true, evidence: 'the first record is blank', unsure: true };
  const rows = body.filter((record) => record.fields.length === width && !sameFields(record, first));
  if (rows.length === 0) {
    const header = kinds.every((kind) => kind === 'word' || kind === 'empty');
    return { header, evidence: 'the only record', unsure: header };
  }
  let votes = 0;
  let typedAgainst = 0;
  for (let column = 0; column < Math.min(first.fields.length, MOST_JUDGED); column++) {
    const vote = columnVote(first.fields[column] ?? '', kinds[column] ?? 'empty', rows, column);
    votes += vote;
    if (vote <= -1) typedAgainst++;
  }
  const evidence = votes > 0 ? 'its cells are words that differ in kind from the rows below' : 'its cells are like the rows below';
  return { header: votes > 0, evidence, unsure: votes > 0 && votes < 1 && typedAgainst === 0 };
}

/** A header that comes again, in files joined end to end, is no row to compare it with. */
function sameFields(left: DelimitedRecord, right: DelimitedRecord): boolean {
  return left.fields.every((field, index) => field === right.fields[index]);
}

function columnVote(cell: string, kind: Kind, rows: readonly DelimitedRecord[], column: number): number {
  const below = columnKind(rows, column);
  if (kind === 'empty') return 0;
  if (below !== 'word' && below !== 'empty') return kind === 'word' ? 1 : kind === below ? -1 : -0.5;
  if (kind !== 'word') return /^(19|20)\d\d$/.test(cell.trim()) ? 0 : -1;
  const recurs = rows.slice(0, 200).some((record) => record.fields[column] === cell);
  if (recurs) return -1;
  return /^[\p{L}_$#"@][^\n]{0,63}$/u.test(cell.trim()) ? 0.25 : 0;
}

/** Rows under the header whose cells fit none of the typed columns: units, types, a second level of names. */
function moreHeaders(body: readonly DelimitedRecord[], width: number): number {
  let more = 0;
  for (const record of body.slice(0, 3)) {
    const typed = typedColumns(body.slice(more + 1), width);
    const kinds = typed.map((column) => cellKind(record.fields[column] ?? ''));
    const words = kinds.filter((kind) => kind === 'word').length;
    if (
      record.fields.length !== width ||
      typed.length < 2 ||
      words < typed.length / 2 ||
      kinds.some((kind) => kind !== 'word' && kind !== 'empty')
    )
      break;
    more++;
  }
  return more;
}

/** Names as they stand, several header records joined by a blank; what has none is named by its position. */
function nameColumns(headers: readonly DelimitedRecord[], width: number): string[] {
  const names: string[] = [];
  const taken = new Map<string, number>();
  const columns = Math.max(width, headers[0]?.fields.length ?? 0);
  for (let column = 0; column < columns; column++) {
    const parts = headers.map((record) => record.fields[column] ?? '').filter((part) => part.trim() !== '');
    const name = headers.length > 1 ? [...new Set(parts)].join(' ') : (parts[0] ?? '');
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
