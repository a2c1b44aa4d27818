import { KINDS_BY_CAPABILITY } from '../../src/core/kinds-by-capability.ts';
import { FileAccessError, type Source, SourceChoiceError, type TableEngine, TableNotFoundError } from '../../src/core/source.ts';
import type { ToolContext } from '../../src/core/tool.ts';
import { failed, refused, type ToolOutcome } from '../../src/core/tool-result.ts';
import { cutText } from './fit-items.ts';
import { fitsPattern } from './fits-pattern.ts';

export const KINDS_WITH_TABLES: ReadonlySet<string> = new Set(KINDS_BY_CAPABILITY.tables.flat());

export interface OpenTables {
  readonly source: Source;
  readonly engine: TableEngine;
}

/** Where tables are looked for: the named source, else the only one that there is, else the only one that holds them all. */
export interface TablesChoice {
  readonly source?: string | undefined;
  readonly tables?: readonly string[] | undefined;
  /** In place of names: the source must have tables that fit it. */
  readonly pattern?: string | undefined;
}

/** Does `work` with the tables of the source that fits; a wrong source or table name becomes a `refused` outcome. */
export async function withTables<Data>(
  context: ToolContext,
  choice: TablesChoice,
  work: (tables: OpenTables) => Promise<ToolOutcome<Data | { message: string }>>,
): Promise<ToolOutcome<Data | { message: string }>> {
  try {
    return await work(await pickTables(context, choice));
  } catch (error) {
    return explainSourceError(error);
  }
}

/** @throws SourceChoiceError, TableNotFoundError; whatever the adapter throws when it cannot open. */
export async function pickTables(context: ToolContext, choice: TablesChoice): Promise<OpenTables> {
  const { source, tables = [], pattern } = choice;
  const candidates = context.sources.all.filter(({ kind }) => KINDS_WITH_TABLES.has(kind));
  if (source !== undefined || candidates.length < 2 || (tables.length === 0 && pattern === undefined)) return openNamed(context, source);
  const asked = await Promise.all(candidates.map(({ name }) => lookFor(choice, name, context)));
  const holders = asked.flatMap(({ holder }) => holder ?? []);
  const [only] = holders;
  if (only && holders.length === 1) return only;
  const shown = tables.length === 0 ? `tables like "${pattern}"` : tables.map((table) => `"${cutText(table, 100)}"`).join(' and ');
  if (holders.length > 1)
    throw new SourceChoiceError(
      `several sources hold ${shown}: say which with "source": ${holders.map((holder) => holder.source.name).join(', ')}`,
    );
  const because = asked.map(({ name, problem }) => `${name}: ${cutText(problem ?? 'no', 250)}`).join('; ');
  throw new TableNotFoundError(`no source holds ${shown} (${because})`);
}

async function openNamed(context: ToolContext, name: string | undefined): Promise<OpenTables> {
  const source = await context.sources.pick('tables', name);
  if (!source.tables) throw new SourceChoiceError(`source "${source.name}" has no tables`);
  return { source, engine: source.tables };
}

interface Answer {
  readonly name: string;
  readonly holder?: OpenTables;
  readonly problem?: string;
}

/** A table that is there but cannot be read is held as well: what is wrong with it is said when it is asked. */
async function lookFor({ tables = [], pattern }: TablesChoice, name: string, context: ToolContext): Promise<Answer> {
  try {
    const holder = await openNamed(context, name);
    if (tables.length === 0) {
      const listing = await holder.engine.listTables(context.scope);
      return listing.tables.some((table) => fitsPattern(table.name, pattern)) ? { name, holder } : { name, problem: 'none fits' };
    }
    for (const table of tables) {
      try {
        await holder.engine.describeTable(table, context.scope);
      } catch (error) {
        if (error instanceof TableNotFoundError) return { name, problem: error.message };
      }
    }
    return { name, holder };
  } catch (error) {
    return { name, problem: error instanceof Error ? error.message : 'it cannot be opened' };
  }
}

/** What went wrong with a source as an outcome. */
export function explainSourceError(error: unknown): ToolOutcome<{ message: string }> {
  if (error instanceof SourceChoiceError) return refused('source_choice', cutText(error.message, 1_000));
  if (error instanceof TableNotFoundError) return refused('unknown_table', cutText(error.message, 1_000));
  if (error instanceof FileAccessError) return failed('source_unreadable', cutText(error.message, 1_000));
  return failed('source_failed', error instanceof Error ? cutText(error.message, 1_000) : 'the source failed');
}
