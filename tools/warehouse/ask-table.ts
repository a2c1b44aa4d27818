import { suggestName } from '../../src/core/nearest.ts';
import { type TableDescription, TableNotFoundError } from '../../src/core/source.ts';
import type { ToolContext } from '../../src/core/tool.ts';
import { failed, refused, type ToolOutcome } from '../../src/core/tool-result.ts';
import { cutText } from './fit-items.ts';
import { explainSourceError, pickTables } from './open-tables.ts';
import { type ProfiledColumn, toProfiledColumn } from './profile-sql.ts';
import { type Asking, filteredRelation, QueryError } from './run-query.ts';
import { dialectOf, type SqlDialect } from './sql-dialect.ts';

/** A question that cannot be asked of this table: `message` says what can. Becomes a `refused` outcome. */
export class QuestionError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'QuestionError';
    this.code = code;
  }
}

/** One table, opened, described and filtered, ready to be asked. */
export interface OpenTable extends Asking {
  readonly source: string;
  readonly description: TableDescription;
  readonly columns: readonly ProfiledColumn[];
  /** What stands after FROM. */
  readonly from: string;
  readonly dialect: SqlDialect;
}

/** Engines bind a subquery of more columns in minutes. */
export const MOST_FILTERED_COLUMNS = 10_000;

export interface TableChoice {
  readonly table: string;
  readonly source?: string | undefined;
  readonly where?: string | undefined;
}

/** @throws SourceChoiceError, TableNotFoundError, QueryError: what `answerTable` turns into outcomes. */
export async function openTable(context: ToolContext, choice: TableChoice, deadline: number): Promise<OpenTable> {
  const { source, engine } = await pickTables(context, { source: choice.source, tables: [choice.table] });
  const asking: Asking = { engine, scope: context.scope, deadline };
  const description = await engine.describeTable(choice.table, context.scope);
  if (choice.where !== undefined && description.columns.length > MOST_FILTERED_COLUMNS)
    throw new QuestionError('too_wide', `a table of ${description.columns.length} columns cannot be filtered; leave "where" out`);
  const from = await filteredRelation(asking, await engine.relation(choice.table, context.scope), choice.where);
  const columns = description.columns.map((info) => toProfiledColumn(info, engine.quote));
  return { ...asking, source: source.name, description, columns, from, dialect: dialectOf(engine) };
}

/** As `openTable`, looked for first in the source named `beside`: that of the table it is held against, where there is one yet. */
export async function openBeside(
  context: ToolContext,
  choice: TableChoice & { readonly beside: string | undefined },
  deadline: number,
): Promise<OpenTable> {
  if (choice.source !== undefined || choice.beside === undefined) return openTable(context, choice, deadline);
  try {
    return await openTable(context, { ...choice, source: choice.beside }, deadline);
  } catch (error) {
    if (error instanceof TableNotFoundError) return openTable(context, choice, deadline);
    throw error;
  }
}

/** Does `work`; what is wrong with the call, a source or a query becomes a `refused` or `error` outcome. */
export async function answerTable<Data>(
  work: () => Promise<ToolOutcome<Data | { message: string }>>,
): Promise<ToolOutcome<Data | { message: string }>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof QuestionError) return refused(error.code, cutText(error.message, 1_000));
    if (error instanceof QueryError) return (error.code === 'bad_where' ? refused : failed)(error.code, cutText(error.message, 1_000));
    return explainSourceError(error);
  }
}

/** The column of that name, else the only one that differs in case alone. @throws QuestionError naming the nearest. */
export function findColumn(table: OpenTable, name: string): ProfiledColumn {
  const exact = table.columns.find(({ info }) => info.name === name);
  const found = exact ?? table.columns.find(({ info }) => info.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = table.columns.map(({ info }) => info.name);
  const where = `${cutText(table.description.name, 100)} has no column "${cutText(name, 100)}"`;
  throw new QuestionError('unknown_column', cutText(`${where}; ${suggestName(name, names)}`, 800));
}

/** A column's name as results show it. */
export function shownName(column: ProfiledColumn): string {
  return cutText(column.info.name, 80);
}
