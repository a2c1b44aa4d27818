import type { AlternativeReading, ColumnReading, DelimitedReading, FileReading } from '../../core/file-reading.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import type { ColumnEvidence } from './column-evidence.ts';
import { decideColumn } from './decide-column.ts';
import { delimitedWarnings } from './delimited-warnings.ts';
import { describeColumns } from './describe-columns.ts';
import type { Examination, TextFile } from './examine-file.ts';
import type { RowAccount } from './filter-rows.ts';
import { type DateHints, hasOpenDateOrder, settledDateOrders, settledDecimalMark } from './gather-hints.ts';
import { type DialectGuess, guessDialect } from './guess-dialect.ts';
import { type DelimitedFile, scanDelimited, scanTail } from './scan-delimited.ts';
import { shapeTable, type TableShape, unique } from './shape-table.ts';
import { sisterDateOrders } from './sister-files.ts';
import { MOST_COLUMNS, type PlannedColumn, SURPLUS_COLUMN, type TablePlan } from './table-plan.ts';

const TABLE_EXTENSIONS = new Set(['.csv', '.tsv', '.tab', '.psv', '.ssv', '.dat']);

/** Reads a file as a delimited table; undefined when it is plain text and its name does not say otherwise. */
export async function examineDelimited(file: TextFile): Promise<Examination | undefined> {
  const guess = guessDialect(file.head, file.whole);
  const named = TABLE_EXTENSIONS.has(file.extension);
  if (!named && (guess.width < 2 || guess.consistency < 0.9 || guess.records.length < 2 || [':', ' '].includes(guess.dialect.delimiter))) {
    return undefined;
  }
  const shape = shapeTable(guess.records);
  const { path, gzip, encoding, options, limit } = file;
  const scope = options.scope;
  const source: DelimitedFile = {
    path,
    gzip,
    encoding: encoding.name,
    dialect: guess.dialect,
    shape,
    scope,
    ...(limit === undefined ? {} : { limit }),
  };
  const { account, evidence } = await scanDelimited(source);
  if (limit !== undefined && !gzip) account.footer = (await scanTail(source, file.base.bytes, evidence)).footer;
  const hints = await gatherHints(file, shape, evidence);
  const columns = evidence.map((cells, index): PlannedColumn => {
    const name = shape.names[index] ?? `column${index + 1}`;
    return { name, decision: decideColumn(cells, { name, ...hints }) };
  });
  const reading = describe(file, { guess, shape, account, columns, evidence, decimalMark: hints.decimalMark });
  if (shape.width > MOST_COLUMNS) {
    return { reading, noTable: `the file has ${shape.width} columns; tables have at most ${MOST_COLUMNS}` };
  }
  const plan: TablePlan = {
    kind: 'delimited',
    gzip,
    encoding: encoding.name,
    dialect: guess.dialect,
    shape,
    columns: account.surplus > 0 ? [...columns, surplusColumn(columns)] : columns,
    surplus: account.surplus > 0,
    rows: limit === undefined ? account.rows : undefined,
  };
  return { reading, plan };
}

function surplusColumn(columns: readonly PlannedColumn[]): PlannedColumn {
  const taken = new Map(columns.map(({ name }) => [name.toLowerCase(), 1]));
  return {
    name: unique(SURPLUS_COLUMN, taken),
    decision: { type: 'text', engineType: 'VARCHAR', evidence: 'cells beyond the width', alternatives: [] },
  };
}

async function gatherHints(
  file: TextFile,
  { names }: TableShape,
  evidence: readonly ColumnEvidence[],
): Promise<{ decimalMark: ',' | '.' | undefined; dateOrders: DateHints }> {
  const named = evidence.map((cells, index) => ({ name: names[index] ?? '', evidence: cells }));
  const dateOrders = settledDateOrders(named, ' of this file');
  const { sisters, scope } = file.options;
  if (sisters && hasOpenDateOrder(evidence, dateOrders)) {
    for (const [family, hint] of await sisterDateOrders(sisters, names, scope)) if (!dateOrders.has(family)) dateOrders.set(family, hint);
  }
  return { decimalMark: settledDecimalMark(evidence), dateOrders };
}

interface Found {
  readonly guess: DialectGuess;
  readonly shape: TableShape;
  readonly account: RowAccount;
  readonly columns: readonly PlannedColumn[];
  readonly evidence: readonly ColumnEvidence[];
  readonly decimalMark: ',' | '.' | undefined;
}

function describe(file: TextFile, found: Found): FileReading {
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
    width: shape.width,
    columns: shape.width > MOST_COLUMNS ? shape.names.slice(0, 50).map(untyped) : described.columns,
    rows: { count: estimated, exact: limit === undefined },
    alternatives: [...base.alternatives, ...shapeAlternatives(found), ...described.alternatives],
    warnings: [
      ...base.warnings,
      ...delimitedWarnings(account, delimited, shape.width),
      ...nameWarnings(shape),
      ...widthWarnings(shape),
      ...described.warnings,
    ],
  };
}

/** A column of a table that is too wide to be typed. */
function untyped(name: string, index: number): ColumnReading {
  return { name, position: index + 1, type: 'not typed', evidence: 'the table is too wide', empty: 0, empty_quoted: 0 };
}

function delimitedReading({ guess, shape, account, decimalMark }: Found): DelimitedReading {
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

function shapeAlternatives({ guess, shape }: Found): AlternativeReading[] {
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
  const blank = (header ?? []).filter((cell) => cell.trim() === '').length;
  if (blank > 0) warnings.push({ code: 'blank_names', message: `${blank} columns have no name` });
  const lower = (header ?? []).map((cell) => cell.trim().toLowerCase()).filter((cell) => cell !== '');
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

function widthWarnings({ width }: TableShape): ToolWarning[] {
  return width > MOST_COLUMNS
    ? [{ code: 'too_wide', message: `${width} columns: more than the ${MOST_COLUMNS} that are typed and read` }]
    : [];
}
