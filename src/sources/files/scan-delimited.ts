import type { TextEncodingName } from '../../core/file-reading.ts';
import type { Scope } from '../../core/scope.ts';
import { addCell, type ColumnEvidence, newColumnEvidence } from './column-evidence.ts';
import { decodeBytes, decodeText } from './decode-text.ts';
import { filterRows, type RowAccount, type TableRow } from './filter-rows.ts';
import { readAt } from './read-chunks.ts';
import { createRecordReader, type Dialect } from './read-records.ts';
import type { TableShape } from './shape-table.ts';
import { MOST_COLUMNS } from './table-plan.ts';

export interface DelimitedFile {
  readonly path: string;
  readonly gzip: boolean;
  readonly encoding: TextEncodingName;
  readonly dialect: Dialect;
  readonly shape: TableShape;
  readonly scope: Scope;
  /** Read this many decompressed bytes only. */
  readonly limit?: number;
}

/** Reads the rows of a delimited file in order. `onRow` sees data only; the account says what else was there. */
export async function readRows(file: DelimitedFile, onRow: (row: TableRow) => void, afterChunk?: () => Promise<void>): Promise<RowAccount> {
  const filter = filterRows(file.shape, onRow);
  const reader = createRecordReader(file.dialect, (record) => filter.add(record));
  for await (const text of decodeText(file, file.encoding)) {
    reader.feed(text);
    if (afterChunk) await afterChunk();
  }
  if (file.limit === undefined) reader.end();
  return filter.end();
}

export interface DelimitedScan {
  readonly account: RowAccount;
  readonly evidence: readonly ColumnEvidence[];
}

/** Counts the rows and gathers what every column looks like. */
export async function scanDelimited(file: DelimitedFile): Promise<DelimitedScan> {
  const width = file.shape.width <= MOST_COLUMNS ? file.shape.width : 0;
  const evidence = Array.from({ length: width }, newColumnEvidence);
  const account = await readRows(file, (row) => addRow(evidence, row));
  return { account, evidence };
}

export function addRow(evidence: readonly ColumnEvidence[], { fields, quoted, line }: TableRow): void {
  for (let column = 0; column < evidence.length; column++) {
    const cells = evidence[column] as ColumnEvidence;
    const field = fields[column];
    if (field === undefined) cells.empty++;
    else addCell(cells, field, quoted?.[column] === true, line);
  }
}

/** Adds the rows near the end of a big file to the evidence, and answers the account of its last records. */
export async function scanTail(file: DelimitedFile, bytes: number, evidence: readonly ColumnEvidence[]): Promise<RowAccount> {
  const tail = 1024 * 1024;
  const text = decodeBytes(await readAt(file.path, evenStart(bytes - tail), tail), file.encoding, true);
  const newline = text.search(/\n|\r(?!\n)/);
  const filter = filterRows({ ...file.shape, preamble: 0, headers: 0 }, (row) => {
    if (row.fields.length === file.shape.width) addRow(evidence, { ...row, line: 0 });
  });
  const reader = createRecordReader(file.dialect, (record) => filter.add(record));
  reader.feed(text.slice(newline + 1));
  reader.end();
  return filter.end();
}

/** UTF-16 pairs start at even places. */
function evenStart(offset: number): number {
  return Math.max(0, offset - (offset % 2));
}
