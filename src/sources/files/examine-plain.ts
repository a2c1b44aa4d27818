import type { Scope } from '../../core/scope.ts';
import type { ColumnEvidence } from './column-evidence.ts';
import { newColumnEvidence } from './column-evidence.ts';
import { decodeBytes } from './decode-text.ts';
import { filterRows, type TableRow } from './filter-rows.ts';
import { guessDialect } from './guess-dialect.ts';
import { readAt } from './read-chunks.ts';
import { createRecordReader, type Dialect } from './read-records.ts';
import { addRow } from './scan-delimited.ts';
import { type PlainFile, scanPlain } from './scan-plain.ts';
import { shapeTable, type TableShape } from './shape-table.ts';
import { MOST_COLUMNS } from './table-plan.ts';

/** A file that the engine can read by itself, and what its columns look like in samples from all over it. */
export interface PlainExamination {
  readonly file: PlainFile;
  readonly dialect: Dialect;
  readonly shape: TableShape;
  readonly rows: number;
  readonly evidence: readonly ColumnEvidence[];
}

const SAMPLE_BYTES = 256 * 1024;
const DELIMITERS = new Set([',', ';', '\t', '|']);

/** Undefined for a file with anything about it that is not plain: it is read with care instead. */
export async function examinePlain(
  path: string,
  { head, bytes, scope }: { readonly head: string; readonly bytes: number; readonly scope: Scope },
): Promise<PlainExamination | undefined> {
  const { dialect, records } = guessDialect(head, false);
  const shape = shapeTable(records);
  if (!isPlain(dialect, shape) || records[shape.headers]?.line !== shape.headers + 1) return undefined;
  const file = await scanPlain({ path, scope, bytes, delimiter: dialect.delimiter, width: shape.width });
  if (file === undefined) return undefined;
  const evidence = Array.from({ length: shape.width }, newColumnEvidence);
  const add = (row: TableRow): void => addRow(evidence, row);
  feed(head, { dialect, shape, add });
  const inside = { ...shape, headers: 0 };
  const beyond = Buffer.byteLength(head);
  for (const start of file.starts.filter((offset) => offset > beyond)) {
    const text = decodeBytes(await readAt(path, start, SAMPLE_BYTES), 'utf-8', false);
    feed(text, { dialect, shape: inside, add });
  }
  const last = decodeBytes(await readAt(path, file.lastStart, file.bytes - file.lastStart), 'utf-8', true);
  const { footer, cut } = feed(last, { dialect, shape: inside, add, whole: true });
  if (footer.length > 0 || cut !== null) return undefined;
  return { file, dialect, shape, rows: file.records - shape.headers, evidence };
}

function isPlain(dialect: Dialect, { width, preamble, headers, comment }: TableShape): boolean {
  const ways = DELIMITERS.has(dialect.delimiter) && dialect.quote === '"' && dialect.escape === 'doubled' && !dialect.skipBlank;
  return ways && width >= 2 && width <= MOST_COLUMNS && preamble === 0 && headers === 1 && comment === null;
}

interface Sampling {
  readonly dialect: Dialect;
  readonly shape: TableShape;
  readonly add: (row: TableRow) => void;
  readonly whole?: boolean;
}

/** Feeds the records of a piece of the file that starts with one; the last one is left out unless the piece ends the file. */
function feed(text: string, { dialect, shape, add, whole = false }: Sampling) {
  const filter = filterRows(shape, add);
  const reader = createRecordReader(dialect, (record) => filter.add(record));
  reader.feed(text);
  if (whole) reader.end();
  const account = filter.end();
  return { footer: whole ? account.footer : [], cut: whole ? account.cut : null };
}
