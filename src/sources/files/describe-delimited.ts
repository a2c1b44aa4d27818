import type { AlternativeReading, ColumnReading, DelimitedReading, FileReading } from '../../core/file-reading.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import type { ColumnEvidence } from './column-evidence.ts';
import { delimitedWarnings } from './delimited-warnings.ts';
import { describeColumns } from './describe-columns.ts';
import type { TextFile } from './examine-file.ts';
import type { RowAccount } from './filter-rows.ts';
import type { DialectGuess } from './guess-dialect.ts';
import type { TableShape } from './shape-table.ts';
import { MOST_COLUMNS, type PlannedColumn } from './table-plan.ts';

/** What an examination found, to be put into words. */
export interface DelimitedFound {
  readonly guess: DialectGuess;
  readonly shape: TableShape;
  readonly account: RowAccount;
  readonly columns: readonly PlannedColumn[];
  readonly evidence: readonly ColumnEvidence[];
  readonly decimalMark: ',' | '.' | undefined;
}

export function describeDelimited(file: TextFile, found: DelimitedFound): FileReading {
  const { base, limit } = file;
  const { guess, shape, account, columns, evidence } = found;
  const delimited = delimitedReading(found);
  const described = describeColumns(columns, evidence);
  const estimated = limit === undefined ? account.rows : Math.round((account.rows * base.bytes) / Math.max(1, base.bytes_read));
  return {
    ...base,
    kind: 'delimited',
    kind_evidence: guess.evidence,
    delimited,
    width: widthOf(found),
    columns: shape.width > MOST_COLUMNS ? shape.names.slice(0, 50).map(untyped) : described.columns,
    rows: { count: estimated, exact: limit === undefined },
    alternatives: [...base.alternatives, ...shapeAlternatives(found), ...described.alternatives],
    warnings: [
      ...base.warnings.filter(({ code }) => code !== 'mixed_line_endings' || !endInOneWay(file, account)),
      ...delimitedWarnings(account, delimited, shape.width),
      ...nameWarnings(shape),
      ...widthWarnings(file, found),
      ...described.warnings,
    ],
  };
}

/** Whether every record ends in the same way, so that the other line ends stand inside quotes: data, as spreadsheets write them. */
function endInOneWay({ base: { line_endings: ends }, limit }: TextFile, { records }: RowAccount): boolean {
  if (ends === null || limit !== undefined) return false;
  const ended = ends.ends_with_newline ? records : records - 1;
  return ended > 1 && (ends.crlf === ended || ends.lf === ended || ends.cr === ended);
}

/** A column of a table that is too wide to be typed. */
function untyped(name: string, index: number): ColumnReading {
  return { name, position: index + 1, type: 'not typed', evidence: 'the table is too wide', empty: 0, empty_quoted: 0 };
}

function delimitedReading({ guess, shape, account, decimalMark }: DelimitedFound): DelimitedReading {
  const { dialect } = guess;
  const quoteSeen = dialect.quote !== '' && guess.records.some((record) => record.quoted !== null);
  return {
    delimiter: dialect.delimiter,
    quote: quoteSeen ? dialect.quote : null,
    escape: quoteSeen ? dialect.escape : null,
    comment: shape.comment,
    preamble_lines: shape.startLine - 1,
    header_records: shape.headers,
    table_starts_at_line: shape.startLine,
    footer: account.footer,
    comment_lines: account.comments,
    blank_lines: account.blank,
    ragged: { short: account.short, long: account.long, lines: account.raggedLines },
    repeated_headers: account.repeatedHeaders.slice(0, 20),
    cut_last_line: account.cut,
    decimal_mark: decimalMark ?? null,
  };
}

function shapeAlternatives({ guess, shape }: DelimitedFound): AlternativeReading[] {
  const others: AlternativeReading[] = guess.rivals.map((delimiter) => ({
    about: 'delimiter',
    reading: JSON.stringify(delimiter),
    evidence: 'cuts the lines almost as evenly',
  }));
  if (shape.headerUnsure) {
    others.push({
      about: 'header',
      reading: 'no header: the first record is a row',
      evidence: `${shape.headerEvidence}; no column settles it`,
    });
  }
  return others;
}

function nameWarnings({ headers, header, names }: TableShape): ToolWarning[] {
  if (headers === 0) return [{ code: 'no_header', message: 'the first record looks like a row; columns are named by position' }];
  const warnings: ToolWarning[] = [];
  if (header !== null && header.length > 0 && header.length < names.length && headers === 1) {
    const shifted = names[1] === header[0] && names[0] !== header[0];
    const how = shifted ? 'the first column has no name, as where rows have names' : 'they are given from the left';
    warnings.push({ code: 'short_header', message: `the header names ${header.length} of ${names.length} columns: ${how}` });
  }
  const blank = (header ?? []).filter((cell) => cell.trim() === '').length;
  if (blank > 0) warnings.push({ code: 'blank_names', message: `${blank} columns have no name` });
  const lower = (header ?? []).map((cell) => cell.toLowerCase()).filter((cell) => cell.trim() !== '');
  const seen = new Set<string>();
  const twice = [...new Set(lower.filter((cell) => seen.size === seen.add(cell).size))];
  if (twice.length > 0) {
    warnings.push({
      code: 'duplicate_names',
      message: `names that come more than once: ${twice.slice(0, 10).join(', ')}; later ones got a number`,
    });
  }
  const padded = names.filter((name) => name !== name.trim());
  if (padded.length > 0) {
    warnings.push({
      code: 'padded_names',
      message: `names with blanks around them: ${padded
        .slice(0, 10)
        .map((name) => JSON.stringify(name))
        .join(', ')}`,
    });
  }
  return warnings;
}

/** A header longer than the head that was looked at is wider than the head could show. */
function widthOf({ shape, account }: DelimitedFound): number {
  return shape.width > MOST_COLUMNS ? Math.max(shape.width, account.widest) : shape.width;
}

function widthWarnings({ limit }: TextFile, found: DelimitedFound): ToolWarning[] {
  const width = widthOf(found);
  if (width <= MOST_COLUMNS) return [];
  const seen = limit === undefined ? `${width}` : `at least ${width}`;
  return [{ code: 'too_wide', message: `${seen} columns: more than the ${MOST_COLUMNS} that are typed and read` }];
}
