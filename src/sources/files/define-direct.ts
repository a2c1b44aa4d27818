import { constants, copyFile, link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cell } from '../../core/source.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import { NULL_WORDS } from './classify-cell.ts';
import { addCell, type ColumnEvidence } from './column-evidence.ts';
import type { TableTarget } from './define-table.ts';
import { describeColumns } from './describe-columns.ts';
import { datePicture, directCell } from './direct-cells.ts';
import { partitionSql } from './partition-columns.ts';
import { quoteName, quoteText } from './quote-sql.ts';
import type { DirectReading, PlannedColumn } from './table-plan.ts';

/** The engine's reading is not ours: the file has to be read with care. */
export class NotDirectError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotDirectError';
  }
}

/** A file whose columns turn out otherwise again and again is read with care. */
const MOST_LOADS = 4;
/** Between the odd cells of a row; not a letter of any text that people write. */
const BETWEEN = '\u001e';
const WIDE_PRECISION = 18;

/**
 * Lets the engine read a large plain file by itself, with every choice made for it. Each cell is checked against the way its column was
 * decided from a sample; where one does not fit, the column is decided anew and the file read again.
 *
 * @throws NotDirectError when the file has to be read with care; Error with the engine's message.
 */
export async function defineDirect(path: string, reading: DirectReading, target: TableTarget): Promise<ToolWarning[]> {
  const { session, folder, number, scope } = target;
  const beside = join(folder, `${number}.csv`);
  await link(path, beside).catch(() => copyFile(path, beside, constants.COPYFILE_FICLONE));
  try {
    await session.define(`ATTACH IF NOT EXISTS ${quoteText(join(folder, 'large.duckdb'))} AS large_files`);
    const misfits = new Map<number, number>();
    let columns = widen(reading.decide(reading.evidence));
    for (let loads = 1; loads <= MOST_LOADS; loads++) {
      const table = `large_files.main.t${number}_${loads}`;
      await session.define(loadStatement(table, columns, { reading, beside }), scope).catch((error: unknown) => {
        throw scope.stopped ? error : new NotDirectError(String(error));
      });
      await checkCount(table, reading.rows, target);
      const odd = await oddCells(table, target);
      const again = takeIn(odd, { reading, columns, misfits });
      if (again === undefined) {
        await settleDates(table, columns, { reading, target });
        const settled = withCounts(reading.decide(reading.evidence), misfits);
        await offerView(table, columns, target);
        return describeColumns(settled, reading.evidence).warnings;
      }
      await session.define(`DROP TABLE ${table}`);
      columns = again;
    }
    throw new NotDirectError('its columns were decided anew too often');
  } finally {
    await rm(beside, { force: true });
  }
}

/** More digits before the mark than the sample has cost nothing. */
function widen(columns: readonly PlannedColumn[]): readonly PlannedColumn[] {
  return columns.map((column) => {
    const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(column.decision.engineType) ?? [];
    if (precision === undefined || Number(precision) >= WIDE_PRECISION) return column;
    return { ...column, decision: { ...column.decision, engineType: `DECIMAL(${WIDE_PRECISION},${scale})` } };
  });
}

const NULL_WORD_LIST = [...NULL_WORDS].map(quoteText).join(', ');

interface Load {
  readonly reading: DirectReading;
  readonly beside: string;
}

/** Every typed cell that is neither empty nor of its type is kept beside its row, with the number of its column. */
function loadStatement(table: string, columns: readonly PlannedColumn[], { reading, beside }: Load): string {
  const { dialect, file, shape } = reading;
  const longest = Math.max(2_000_000, file.longest + 1024);
  const options = [
    'auto_detect = false',
    'header = false',
    `skip = ${shape.headers}`,
    `delim = ${dialect.delimiter === '\t' ? `'\\t'` : quoteText(dialect.delimiter)}`,
    `quote = '"'`,
    `escape = '"'`,
    `new_line = '${file.newline === '\n' ? '\\n' : '\\r\\n'}'`,
    `nullstr = ''`,
    'allow_quoted_nulls = false',
    'strict_mode = true',
    `null_padding = ${file.short > 0}`,
    `max_line_size = ${longest}`,
    ...(longest > 2_000_000 ? [`buffer_size = ${longest * 2}`] : []),
    `columns = {${columns.map((_, index) => `c${index}: 'VARCHAR'`).join(', ')}}`,
  ];
  const values = columns.map(({ decision }, index) => {
    if (decision.engineType === 'VARCHAR') return `c${index} AS v${index}`;
    const value = directCell(decision, `t${index}`);
    if (value === undefined) throw new NotDirectError(`${decision.type} ${decision.format ?? ''} is not read by the engine as we do`);
    return `${value} AS v${index}`;
  });
  const trimmed = columns.map((_, index) => `trim(c${index}) AS t${index}`);
  const odd = columns.flatMap(({ decision }, index) => oddCell(decision, index));
  const kept = odd.length > 0 ? `nullif(concat_ws('${BETWEEN}', ${odd.join(', ')}), '')` : 'CAST(NULL AS VARCHAR)';
  const from = `FROM (SELECT *, ${trimmed.join(', ')} FROM read_csv(${quoteText(beside)}, ${options.join(', ')}))`;
  const all = columns.map((_, index) => `v${index}`).join(', ');
  return `CREATE TABLE ${table} AS SELECT ${all}, ${kept} AS odd FROM (SELECT *, ${values.join(', ')} ${from})`;
}

/** Text stays text whatever comes; a column without values in the sample may still get some. */
function oddCell({ engineType, type, warning, evidence }: PlannedColumn['decision'], index: number): string[] {
  if (engineType !== 'VARCHAR') return [`CASE WHEN v${index} IS NULL AND t${index} <> '' THEN '${index}:' || t${index} END`];
  if (warning !== undefined) throw new NotDirectError('a column is text for want of evidence');
  const open = type === 'empty' || evidence.startsWith('only words');
  return open ? [`CASE WHEN t${index} <> '' AND lower(t${index}) NOT IN (${NULL_WORD_LIST}) THEN '${index}:' || t${index} END`] : [];
}

async function ask(sql: string, { session, scope }: TableTarget): Promise<readonly (readonly Cell[])[]> {
  const outcome = await session.select({ sql, maxRows: 100_000, maxBytes: 32_000_000, timeoutMs: 600_000, scope });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.rows;
}

async function checkCount(table: string, expected: number, target: TableTarget): Promise<void> {
  const [[arrived] = []] = await ask(`SELECT count(*) FROM ${table}`, target);
  if (String(arrived) === String(expected)) return;
  await target.session.define(`DROP TABLE ${table}`);
  throw new NotDirectError(`${expected} rows were counted but ${arrived} were read`);
}

interface OddCells {
  readonly column: number;
  /** A word for a missing value; null for cells that are something else. */
  readonly word: string | null;
  readonly count: number;
  readonly samples: readonly string[];
}

async function oddCells(table: string, target: TableTarget): Promise<OddCells[]> {
  const cells = `SELECT unnest(string_split(odd, '${BETWEEN}')) AS cell FROM ${table} WHERE odd IS NOT NULL`;
  const parts = `SELECT split_part(cell, ':', 1) AS place, substr(cell, strpos(cell, ':') + 1) AS text FROM (${cells})`;
  const word = `CASE WHEN lower(text) IN (${NULL_WORD_LIST}) THEN text END`;
  const sql = `SELECT place, ${word} AS word, count(*), min(text), max(text), any_value(text) FROM (${parts}) GROUP BY place, word`;
  return (await ask(sql, target)).map(([place, found, count, ...samples]) => {
    if (!/^\d+$/.test(String(place))) throw new NotDirectError('a cell holds a record separator');
    const distinct = [...new Set(samples.map(String))];
    return { column: Number(place), word: found === null ? null : String(found), count: Number(count), samples: distinct };
  });
}

interface Loaded {
  readonly reading: DirectReading;
  readonly columns: readonly PlannedColumn[];
  readonly misfits: Map<number, number>;
}

/** Adds what the whole file showed to the evidence; answers the columns to read it by again, or undefined when all cells fit. */
function takeIn(odd: readonly OddCells[], { reading, columns, misfits }: Loaded): readonly PlannedColumn[] | undefined {
  columns.forEach(({ decision }, index) => {
    if (decision.engineType !== 'VARCHAR') reading.evidence[index]?.nullWords.clear();
  });
  for (const { column, word, count } of odd) if (word !== null) reading.evidence[column]?.nullWords.set(word, count);
  const unfit = odd.filter(({ word }) => word === null);
  if (unfit.length === 0) return undefined;
  for (const { column, count, samples } of unfit) {
    const cells = reading.evidence[column] as ColumnEvidence;
    for (const sample of samples) addCell(cells, sample, false, 0);
    misfits.set(column, count);
  }
  const again = widen(reading.decide(reading.evidence));
  for (const { column } of unfit) {
    const [before, after] = [columns[column]?.decision, again[column]?.decision];
    if (before?.engineType === after?.engineType && before?.format === after?.format && before?.type === after?.type)
      throw new NotDirectError(`the engine does not read ${JSON.stringify(unfit[0]?.samples[0])} as we do`);
    if (after?.engineType !== 'VARCHAR') misfits.delete(column);
  }
  return again;
}

/** How many cells kept a column from its type: counted where the whole file was checked for it, else the sample's number at least. */
function withCounts(columns: readonly PlannedColumn[], counted: ReadonlyMap<number, number>): readonly PlannedColumn[] {
  return columns.map((column, index) => {
    const { misfits } = column.decision;
    if (!misfits) return column;
    const count = counted.get(index);
    const exact = count === undefined ? { ...misfits, atLeast: true } : { ...misfits, count };
    return { ...column, decision: { ...column.decision, misfits: exact } };
  });
}

/** A day beyond the twelfth anywhere in the file settles an order that the sample left open. */
async function settleDates(
  table: string,
  columns: readonly PlannedColumn[],
  { reading, target }: { readonly reading: DirectReading; readonly target: TableTarget },
): Promise<void> {
  const open = columns.map(({ decision }, index) => ({ decision, index })).filter(({ decision }) => decision.warning && decision.format);
  for (const { decision, index } of open) {
    if (decision.engineType !== 'DATE' && decision.engineType !== 'TIMESTAMP') continue;
    const text = `strftime(v${index}, '${datePicture(decision.format ?? '')}')`;
    const [[found] = []] = await ask(`SELECT min(${text}) FROM ${table} WHERE day(v${index}) > 12`, target);
    if (typeof found === 'string') addCell(reading.evidence[index] as ColumnEvidence, found, false, 0);
  }
}

async function offerView(table: string, columns: readonly PlannedColumn[], { session, name, partitions }: TableTarget): Promise<void> {
  const own = columns.map((column, index) => `v${index} AS ${quoteName(column.name)}`);
  const added = partitions(columns.map((column) => column.name)).map(partitionSql);
  await session.define(`CREATE OR REPLACE VIEW ${quoteName(name)} AS SELECT ${[...own, ...added].join(', ')} FROM ${table}`);
}
