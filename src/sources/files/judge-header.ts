import { classifyCell, NULL_WORDS } from './classify-cell.ts';
import { parseDate, parseTime } from './parse-date.ts';
import type { DelimitedRecord } from './read-records.ts';
import { undressNumber } from './undress-number.ts';

/** Columns looked at to tell a header from rows. */
const MOST_JUDGED = 500;

type Kind = 'empty' | 'word' | 'number' | 'boolean' | 'date' | 'time';

/** The rough kind of a cell, for telling a header from rows. */
export function cellKind(field: string): Kind {
  const text = field.trim();
  if (text === '' || NULL_WORDS.has(text.toLowerCase())) return 'empty';
  const { kind } = classifyCell(text);
  if (kind === 'boolean') return 'boolean';
  if (kind !== 'other' || undressNumber(text)) return 'number';
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

/** Columns whose values are numbers, dates or truth values. */
export function typedColumns(body: readonly DelimitedRecord[], width: number): number[] {
  const rows = body.filter((record) => record.fields.length === width);
  return Array.from({ length: Math.min(width, MOST_JUDGED) }, (_, column) => column).filter(
    (column) => !['word', 'empty'].includes(columnKind(rows, column)),
  );
}

export interface HeaderVerdict {
  readonly header: boolean;
  readonly evidence: string;
  readonly unsure: boolean;
}

/** Whether the first record names the columns, and by what. */
export function judgeHeader(first: DelimitedRecord, body: readonly DelimitedRecord[], width: number): HeaderVerdict {
  const kinds = first.fields.map(cellKind);
  if (kinds.every((kind) => kind === 'empty') && width > 1) return { header: true, evidence: 'the first record is blank', unsure: true };
  const rows = body.filter((record) => record.fields.length === width && !sameFields(record, first));
  if (rows.length === 0) {
    const header = kinds.every((kind) => kind === 'word' || kind === 'empty');
    return { header, evidence: 'the only record', unsure: header };
  }
  const steps = seriesInHeader(first.fields, kinds, rows);
  if (steps) return { header: true, evidence: `its cells are ${steps} in a row, as those of a table by period are`, unsure: true };
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

const PERIODS: readonly (readonly [string, RegExp])[] = [
  ['years', /^(19|20)\d\d$/],
  ['months', /^(19|20)\d\d-(0[1-9]|1[0-2])$/],
  ['days', /^(19|20)\d\d-(0[1-9]|1[0-2])-\d\d$/],
  ['quarters', /^(19|20)\d\d[-_ ]?Q[1-4]$/i],
];

/** `region,2024,2025,2026`: periods that rise or fall from cell to cell, words before them, and below them something else. */
function seriesInHeader(fields: readonly string[], kinds: readonly Kind[], rows: readonly DelimitedRecord[]): string | undefined {
  const cells = fields.map((field) => field.trim());
  for (const [name, pattern] of PERIODS) {
    const places = cells.flatMap((cell, column) => (pattern.test(cell) ? [column] : []));
    const periods = places.map((column) => cells[column] ?? '');
    const rises = periods.every((cell, at) => at === 0 || cell > (periods[at - 1] ?? ''));
    const falls = periods.every((cell, at) => at === 0 || cell < (periods[at - 1] ?? ''));
    if (places.length < 2 || !(rises || falls)) continue;
    if (!kinds.every((kind, column) => places.includes(column) || kind === 'word' || kind === 'empty')) continue;
    const below = rows.slice(0, 50).flatMap((row) => places.map((column) => (row.fields[column] ?? '').trim()));
    if (below.filter((cell) => pattern.test(cell)).length <= below.length / 10) return name;
  }
  return undefined;
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
export function moreHeaders(body: readonly DelimitedRecord[], width: number): number {
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
