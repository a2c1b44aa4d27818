import { z } from 'zod';
import type { TableInfo } from '../../src/core/source.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, failed, noData, partial, refused, type ToolWarning } from '../../src/core/tool-result.ts';
import { cutText, DATA_CHARACTERS, fitItems } from './fit-items.ts';
import { fitsPattern } from './fits-pattern.ts';
import { explainSourceError, KINDS_WITH_TABLES } from './open-tables.ts';

const MOST_WARNINGS = 8;

const table = z.object({
  source: z.string(),
  name: z.string(),
  kind: z.enum(['table', 'view', 'file']),
  rows: z.string().optional(),
  rows_exact: z.boolean().optional(),
  bytes: z.number().optional(),
  modified: z.string().optional(),
});

/** Tables, views and files that can be queried, of one source or of all. */
export const listTables = defineTool({
  name: 'list_tables',
  description:
    'Lists tables, views and queryable files with row counts, size and last change, of one source or of all. Row counts marked rows_exact=false are estimates. Start here to learn what data there is.',
  input: z.object({
    source: z.string().optional().describe('Name of a source; all sources with tables when left out'),
    pattern: z.string().max(200).optional().describe('Part of a name, or a pattern with * and ?, e.g. "stg_*"'),
    limit: z.number().int().min(1).max(500).default(100),
    offset: z.number().int().min(0).default(0).describe('Tables to skip: returned + offset of the last call gives the next page'),
  }),
  output: z.object({ tables: z.array(table) }),
  effect: 'read',
  example: { pattern: 'orders*' },
  async run(input, context) {
    const names =
      input.source === undefined ? context.sources.all.filter(({ kind }) => KINDS_WITH_TABLES.has(kind)) : [{ name: input.source }];
    if (names.length === 0)
      return refused('source_choice', `this project has no source with tables (${[...KINDS_WITH_TABLES].join(', ')})`);
    const found: z.infer<typeof table>[] = [];
    const warnings: ToolWarning[] = [];
    let listedAll = true;
    for (const { name } of names) {
      const listing = await listOne(name, context);
      if ('failure' in listing) {
        if (input.source !== undefined) return listing.failure;
        warnings.push({ code: 'source_failed', message: `${name}: ${cutText(listing.failure.data.message, 300)}` });
        continue;
      }
      warnings.push(...listing.warnings);
      if (!listing.complete) listedAll = false;
      const fitting = listing.tables.filter((item) => fitsPattern(item.name, input.pattern));
      found.push(...fitting.map((item) => toItem(name, item)));
      warnings.push(...fitting.flatMap(lostPlaces));
    }
    const tables = fitItems(found.slice(input.offset, input.offset + input.limit), DATA_CHARACTERS);
    const counts = { total: found.length, returned: tables.length, warnings: boundWarnings(warnings), asOf: context.now() };
    const unread = warnings.filter(({ code }) => code === 'source_failed').map(({ message }) => message);
    if (found.length === 0 && unread.length > 0) return failed('source_failed', cutText(unread.join('; '), 1_000));
    if (found.length === 0 && listedAll) return noData({ tables: [] }, counts);
    const all = tables.length === found.length && unread.length === 0 && listedAll;
    return (all ? complete : partial)({ tables: [...tables] }, counts);
  },
});

async function listOne(name: string, context: ToolContext) {
  try {
    const source = await context.sources.pick('tables', name);
    if (!source.tables) return { failure: refused('no_tables', `source "${name}" has no tables`) };
    return await source.tables.listTables(context.scope);
  } catch (error) {
    return { failure: explainSourceError(error) };
  }
}

function lostPlaces({ name, warnings = [] }: TableInfo): ToolWarning[] {
  return warnings.map(({ code, message }) => ({ code, message: `${name}: ${message}` }));
}

function toItem(source: string, info: TableInfo): z.infer<typeof table> {
  return {
    source,
    name: cutText(info.name, 300),
    kind: info.kind,
    ...(info.rows ? { rows: info.rows.count, rows_exact: info.rows.exact } : {}),
    ...(info.bytes === undefined ? {} : { bytes: info.bytes }),
    ...(info.modified ? { modified: info.modified.toISOString() } : {}),
  };
}

function boundWarnings(warnings: readonly ToolWarning[]): ToolWarning[] {
  const shown = warnings.slice(0, MOST_WARNINGS).map(({ code, message }) => ({ code, message: cutText(message, 160) }));
  const left = warnings.length - shown.length;
  return left > 0 ? [...shown, { code: 'more_warnings', message: `${left} more warnings are left out` }] : shown;
}
