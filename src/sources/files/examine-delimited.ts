import type { ToolWarning } from '../../core/tool-result.ts';
import { ALIGNED, isAligned } from './aligned-text.ts';
import type { ColumnEvidence } from './column-evidence.ts';
import { decideColumn } from './decide-column.ts';
import { describeDelimited } from './describe-delimited.ts';
import type { Examination, TextFile } from './examine-file.ts';
import type { PlainExamination } from './examine-plain.ts';
import { newRowAccount } from './filter-rows.ts';
import { type DateHints, hasOpenDateOrder, hasOpenDecimalMark, settledDateOrders, settledDecimalMark } from './gather-hints.ts';
import { type DialectGuess, guessDialect } from './guess-dialect.ts';
import { type DelimitedFile, scanDelimited, scanTail } from './scan-delimited.ts';
import { shapeTable, type TableShape, unique } from './shape-table.ts';
import { sisterHints } from './sister-files.ts';
import { MOST_COLUMNS, type PlannedColumn, SURPLUS_COLUMN, type TablePlan } from './table-plan.ts';

const TABLE_EXTENSIONS = new Set(['.csv', '.tsv', '.tab', '.psv', '.ssv', '.dat']);

/** Reads a file as a delimited table; undefined when it is plain text and its name does not say otherwise. */
export async function examineDelimited(file: TextFile): Promise<Examination | undefined> {
  const guess = guessDialect(file.head, file.whole, file.extension);
  const named = TABLE_EXTENSIONS.has(file.extension);
  if (!named && (guess.width < 2 || guess.consistency < 0.9 || guess.records.length < 2 || couldBeProse(guess))) {
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
  const decide = await prepareDecision(file, shape, evidence);
  const columns = decide(evidence);
  const described = describeDelimited(file, { guess, shape, account, columns, evidence, decimalMark: settledDecimalMark(evidence) });
  const aligned = shape.width === 1 && isAligned(file.head) ? [{ code: 'aligned_by_blanks', message: ALIGNED }] : [];
  const reading = { ...described, warnings: [...described.warnings, ...aligned, ...formulaWarnings(file.head)] };
  if (shape.width > MOST_COLUMNS) {
    return {
      reading,
      noTable: `the file has ${limit === undefined ? '' : 'at least '}${reading.width} columns; tables have at most ${MOST_COLUMNS}`,
    };
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

/** A text whose colons or blanks cut its lines evenly; texts in quotes on nearly every line are those of a table. */
function couldBeProse({ dialect, records }: DialectGuess): boolean {
  if (dialect.delimiter === ':') return true;
  return dialect.delimiter === ' ' && records.filter(({ quoted }) => quoted !== null).length < records.length * 0.8;
}

/** Cells written `="00123"`, of which the record reader takes what is inside. */
function formulaWarnings(head: string): readonly ToolWarning[] {
  const message = 'cells written ="…", as spreadsheets keep digits as text, are read as what is inside';
  return /(?:^|[,;|\t\n\r"])="/.test(head) ? [{ code: 'formula_texts', message }] : [];
}

function surplusColumn(columns: readonly PlannedColumn[]): PlannedColumn {
  const taken = new Map(columns.map(({ name }) => [name.toLowerCase(), 1]));
  return {
    name: unique(SURPLUS_COLUMN, taken),
    decision: { type: 'text', engineType: 'VARCHAR', evidence: 'cells beyond the width', alternatives: [] },
  };
}

/** A way to decide the columns; what files beside this one settle is looked up once. */
async function prepareDecision(
  file: TextFile,
  { names }: TableShape,
  first: readonly ColumnEvidence[],
): Promise<(evidence: readonly ColumnEvidence[]) => readonly PlannedColumn[]> {
  const ownOrders = (evidence: readonly ColumnEvidence[]): DateHints => {
    const named = evidence.map((cells, index) => ({ name: names[index] ?? '', evidence: cells }));
    return settledDateOrders(named, ' of this file');
  };
  const { sisters, scope } = file.options;
  const isOpen = hasOpenDateOrder(first, ownOrders(first)) || hasOpenDecimalMark(first);
  const beside = sisters && isOpen ? await sisterHints(sisters, names, scope) : undefined;
  return (evidence) => {
    const dateOrders = new Map([...(beside?.dateOrders ?? []), ...ownOrders(evidence)]);
    const own = settledDecimalMark(evidence);
    const mark = own ? { mark: own, from: 'other columns of the file' } : beside?.decimalMark;
    const hints = { decimalMark: mark?.mark, decimalMarkFrom: mark?.from, dateOrders };
    return evidence.map((cells, index): PlannedColumn => {
      const name = names[index] ?? `column${index + 1}`;
      return { name, decision: decideColumn(cells, { name, ...hints }) };
    });
  };
}

/** A large plain file: its layout is known from every byte, its columns from samples until the engine reads them. */
export async function describePlain(file: TextFile, found: PlainExamination): Promise<Examination> {
  const { dialect, shape, evidence, rows } = found;
  const decide = await prepareDecision(file, shape, evidence);
  const columns = decide(evidence);
  const guess = guessDialect(file.head, false, file.extension);
  const account = {
    ...newRowAccount(),
    records: found.file.records,
    rows,
    short: found.file.short,
    raggedLines: [...found.file.shortLines],
  };
  const described = describeDelimited(file, { guess, shape, account, columns, evidence, decimalMark: settledDecimalMark(evidence) });
  const sampled = { code: 'sampled', message: 'columns are typed from samples; every cell is checked when the table is read' };
  const layout = describeDelimited(file, { guess, shape, account, columns: [], evidence: [], decimalMark: undefined });
  const reading = { ...described, complete: false, rows: { count: rows, exact: true }, warnings: [...layout.warnings, sampled] };
  const plan: TablePlan = {
    ...{ kind: 'delimited', gzip: false, encoding: 'utf-8', dialect, shape, columns, surplus: false, rows },
    direct: { file: found.file, dialect, shape, rows, evidence, decide },
  };
  return { reading, plan };
}
