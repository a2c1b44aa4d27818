import { FileAccessError, type Source, SourceChoiceError, type TableEngine, TableNotFoundError } from '../../src/core/source.ts';
import type { ToolContext } from '../../src/core/tool.ts';
import { failed, refused, type ToolOutcome } from '../../src/core/tool-result.ts';
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
