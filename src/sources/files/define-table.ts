import { constants, copyFile, link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scope } from '../../core/scope.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import type { DuckDbSession } from '../duckdb/duckdb-session.ts';
import { normaliseFile } from './normalise-file.ts';
import { type PartitionColumn, partitionSql } from './partition-columns.ts';
import { quoteName, quoteText } from './quote-sql.ts';
import type { PlannedColumn, TablePlan } from './table-plan.ts';

export interface TableTarget {
  readonly session: DuckDbSession;
  /** The session's folder. */
  readonly folder: string;
  /** Unique among the files of the folder. */
  readonly number: number;
  readonly name: string;
  readonly scope: Scope;
  /** Columns that the file's path adds. */
  readonly partitions: (own: readonly string[]) => readonly PartitionColumn[];
}

/**
 * Makes a Parquet file readable under the table's name. The engine may read our folder only and follows no symbolic
 * link out of it, so the file is linked or, on another disk, copied there. @throws Error with the engine's message.
 */
export async function defineParquet(path: string, target: TableTarget): Promise<void> {
  const beside = join(target.folder, `${target.number}.parquet`);
  await link(path, beside).catch(() => copyFile(path, beside, constants.COPYFILE_FICLONE));
  const view = `CREATE OR REPLACE VIEW ${quoteName(target.name)} AS`;
  const from = `FROM read_parquet(${quoteText(beside)}, hive_partitioning = false)`;
  await target.session.define(`${view} SELECT * ${from}`);
  if (target.partitions([]).length === 0) return;
  const { session, name, scope } = target;
  const outcome = await session.select({
    sql: `SELECT * FROM ${quoteName(name)} LIMIT 0`,
    maxRows: 1,
    maxBytes: 1000,
    timeoutMs: 30_000,
    scope,
  });
  if (!outcome.ok) throw new Error(outcome.message);
  const added = target.partitions(outcome.columns.map((column) => column.name)).map(partitionSql);
  await session.define(`${view} SELECT ${['*', ...added].join(', ')} ${from}`);
}

/**
 * Reads a delimited or JSON file into a table, every column as it was decided. What the engine cannot cast stays text,
 * with a warning.
 *
 * @throws Error when the rows that arrive are not the rows that were counted, or the file cannot be read.
 */
export async function defineTable(path: string, plan: TablePlan, target: TableTarget): Promise<ToolWarning[]> {
  const csv = join(target.folder, `${target.number}.csv`);
  const warnings: ToolWarning[] = [];
  try {
    const { rows, longest } = await normaliseFile(path, plan, csv, target.scope);
    if (plan.rows !== undefined && plan.rows !== rows) {
      throw new Error(`the file changed while it was read: ${plan.rows} rows were counted, then ${rows}`);
    }
    const added = target.partitions(plan.columns.map((column) => column.name)).map(partitionSql);
    const load = (columns: readonly PlannedColumn[]): Promise<void> =>
      target.session.define(createTable(target.name, columns, { csv, longest, added }));
    try {
      await load(plan.columns);
    } catch (error) {
      warnings.push({ code: 'kept_as_text', message: `not every value could be cast, so all columns are text: ${firstLine(error)}` });
      await load(plan.columns.map(asText));
    }
    await checkRows(target, rows);
    return warnings;
  } finally {
    await rm(csv, { force: true });
  }
}

function asText(column: PlannedColumn): PlannedColumn {
  return { ...column, decision: { ...column.decision, engineType: 'VARCHAR' } };
}

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}

interface CleanFile {
  readonly csv: string;
  readonly longest: number;
  /** SQL of columns that are not in the file. */
  readonly added: readonly string[];
}

function createTable(name: string, columns: readonly PlannedColumn[], { csv, longest, added }: CleanFile): string {
  const raw = columns.map((_, index) => `c${index}: 'VARCHAR'`);
  const typed = columns.map(({ name: column, decision }, index) =>
    decision.engineType === 'VARCHAR'
      ? `c${index} AS ${quoteName(column)}`
      : `CAST(c${index} AS ${decision.engineType}) AS ${quoteName(column)}`,
  );
  const select = [...(typed.length > 0 ? typed : ['NULL AS "column1"']), ...added].join(', ');
  const longestBytes = Math.max(2_000_000, longest * 4 + 1024);
  const options = [
    'auto_detect = false',
    'header = false',
    `delim = ','`,
    `quote = '"'`,
    `escape = '"'`,
    `new_line = '\\n'`,
    `nullstr = ''`,
    'allow_quoted_nulls = false',
    'strict_mode = true',
    `max_line_size = ${longestBytes}`,
    ...(longestBytes > 2_000_000 ? [`buffer_size = ${longestBytes * 2}`] : []),
    `columns = {line: 'BIGINT'${raw.map((column) => `, ${column}`).join('')}}`,
  ];
  return `CREATE OR REPLACE TABLE ${quoteName(name)} AS SELECT ${select} FROM read_csv(${quoteText(csv)}, ${options.join(', ')})`;
}

async function checkRows({ session, name, scope }: TableTarget, expected: number): Promise<void> {
  const sql = `SELECT count(*) FROM ${quoteName(name)}`;
  const outcome = await session.select({ sql, maxRows: 1, maxBytes: 1000, timeoutMs: 60_000, scope });
  if (!outcome.ok) throw new Error(outcome.message);
  const arrived = String(outcome.rows[0]?.[0]);
  if (arrived === String(expected)) return;
  await session.define(`DROP TABLE ${quoteName(name)}`);
  throw new Error(`${expected} rows were written but ${arrived} were read: the table is not offered`);
}
