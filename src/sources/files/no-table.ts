import type { FileReading } from '../../core/file-reading.ts';
import { WORKBOOK } from './detect-kind.ts';
import type { Examination } from './examine-file.ts';

/** A reading of which nothing is known yet. */
export function emptyReading(path: string, bytes: number): FileReading {
  const nothing = { encoding: null, line_endings: null, delimited: null, json: null, width: null, rows: null };
  const lists = { columns: [], alternatives: [], warnings: [] };
  return { path, bytes, kind: 'binary', kind_evidence: '', compression: null, complete: true, bytes_read: 0, ...nothing, ...lists };
}

const INSTEAD: Partial<Record<FileReading['kind'], string>> = {
  sqlite: 'a SQLite database: open it as a source of kind "sqlite"',
  duckdb: 'a DuckDB database: open it as a source of kind "duckdb"',
};

/** A file that is no text. */
export function binaryFile(reading: FileReading): Examination {
  if (reading.kind === 'parquet' && reading.compression === null) return { reading: { ...reading, complete: false } };
  const because =
    INSTEAD[reading.kind] ??
    (reading.kind_evidence === WORKBOOK ? `${WORKBOOK}: save each sheet that is needed as CSV` : undefined) ??
    (reading.compression
      ? `compressed with ${reading.compression}: decompress it first`
      : `${reading.kind_evidence}: not a kind of data that is read here`);
  return { reading: { ...reading, complete: false, warnings: [{ code: 'not_a_table', message: because }] }, noTable: because };
}

/** A file that could not be read to its end. */
export function damaged(reading: FileReading, damage: string, bytes: number): Examination {
  const warnings = [{ code: 'damaged', message: `${damage}; ${bytes} bytes could be read before it` }];
  return { reading: { ...reading, kind_evidence: damage, complete: false, bytes_read: bytes, warnings }, noTable: damage };
}

/** Files that stand where data should be. */
const NO_DATA: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(!doctype html|html)/i, 'starts like HTML, whatever its name: a page of an error or a login, perhaps, in place of the data'],
  [/^\s*<\?xml/i, 'starts like XML, whatever its name'],
  [/^version https:\/\/git-lfs\.github\.com\/spec\//, 'a pointer of Git LFS, not the data: run git lfs pull'],
];

const DUMP = 'statements of SQL, whatever its name: load it into a database';

/** The first lines that are neither blank, comments nor settings begin a statement that makes or fills a table. */
function isDump(text: string): boolean {
  const lines = text.slice(0, 20_000).split('\n');
  const first = lines.find((line) => line.trim() !== '' && !/^\s*(?:--|\/\*|\*|#|SET\b|USE\b|BEGIN\b|PRAGMA\b|LOCK\b)/i.test(line));
  return first !== undefined && /^\s*(?:INSERT INTO|CREATE (?:TABLE|DATABASE|SCHEMA)|DROP TABLE|COPY \S+ .*FROM stdin)\b/i.test(first);
}

/** What a text is that stands where data should be; undefined for any other. */
export function notData(text: string): string | undefined {
  return NO_DATA.find(([pattern]) => pattern.test(text))?.[1] ?? (isDump(text) ? DUMP : undefined);
}

/** A text without a table in it; `why` is told where one is asked for. */
export function plainText(base: FileReading, evidence: string, why?: string): Examination {
  const ends = base.line_endings;
  const lines = ends ? ends.crlf + ends.lf + ends.cr + (ends.ends_with_newline ? 0 : 1) : 0;
  const reading: FileReading = { ...base, kind: 'text', kind_evidence: evidence, rows: { count: lines, exact: base.complete } };
  return { reading, noTable: `plain text, no table${why === undefined ? '' : `: ${why}`}` };
}
