import { FileAccessError, type Source, SourceChoiceError, type TableEngine, TableNotFoundError } from '../../src/core/source.ts';
import type { ToolContext } from '../../src/core/tool.ts';
import { failed, refused, type ToolOutcome, type ToolWarning } from '../../src/core/tool-result.ts';
import { cutText } from './fit-items.ts';

export interface OpenTables {
  readonly source: Source;
  readonly engine: TableEngine;
}

/** Does `work` with the tables of the named or only source; a wrong source or table name becomes a `refused` outcome. */
export async function withTables<Data>(
  context: ToolContext,
  sourceName: string | undefined,
  work: (tables: OpenTables) => Promise<ToolOutcome<Data | { message: string }>>,
): Promise<ToolOutcome<Data | { message: string }>> {
  try {
    const source = await context.sources.pick('tables', sourceName);
    if (!source.tables) return refused('no_tables', `source "${source.name}" has no tables`);
    return await work({ source, engine: source.tables });
  } catch (error) {
    return explainSourceError(error);
  }
}

/** What went wrong with a source as an outcome. */
export function explainSourceError(error: unknown): ToolOutcome<{ message: string }> {
  if (error instanceof SourceChoiceError) return refused('source_choice', cutText(error.message, 1_000));
  if (error instanceof TableNotFoundError) return refused('unknown_table', cutText(error.message, 1_000));
  if (error instanceof FileAccessError) return failed('source_unreadable', cutText(error.message, 1_000));
  return failed('source_failed', error instanceof Error ? cutText(error.message, 1_000) : 'the source failed');
}

/** Places of a file that are no rows of its table, whatever they were meant to be. */
const LOST_ROWS: ReadonlySet<string> = new Set(['bad_json', 'broken_json']);

/** A result over a table of which places could not be read holds part of what there is, and says so. */
export function withLosses<Data>(outcome: ToolOutcome<Data>, described: readonly ToolWarning[]): ToolOutcome<Data> {
  const lost = described.filter(({ code }) => LOST_ROWS.has(code)).map(({ code, message }) => ({ code, message: cutText(message, 240) }));
  if (lost.length === 0) return outcome;
  return {
    ...outcome,
    status: outcome.status === 'ok' ? 'partial' : outcome.status,
    complete: false,
    warnings: [...lost, ...outcome.warnings],
  };
}
