import { z } from 'zod';
import { defineTool } from '../../src/core/tool.ts';
import { complete, partial } from '../../src/core/tool-result.ts';
import { cutText, DATA_CHARACTERS, fitItems } from './fit-items.ts';
import { withTables } from './open-tables.ts';

const column = z.object({ name: z.string(), type: z.string(), nullable: z.boolean().nullable(), position: z.number() });

/** The columns of one table and where their types come from. */
export const describeTable = defineTool({
  name: 'describe_table',
  description:
    'Describes one table or file: columns with type and nullability, primary key, and where the types come from (declared, file schema, or inferred). Use before querying a table.',
  input: z.object({
    table: z.string().min(1).describe('Name as list_tables gives it'),
    source: z.string().optional(),
    from_column: z.number().int().min(1).default(1).describe('Position of the first column to show, for wide tables'),
  }),
  output: z.object({
    source: z.string(),
    table: z.string(),
    columns: z.array(column),
    primary_key: z.array(z.string()),
    types_from: z.string(),
  }),
  effect: 'read',
  example: { table: 'orders' },
  run: (input, context) =>
    withTables(context, { source: input.source, tables: [input.table] }, async ({ source, engine }) => {
      const description = await engine.describeTable(input.table, context.scope);
      const items = description.columns.map((item) => ({ ...item, name: cutText(item.name, 200), type: cutText(item.type, 200) }));
      const columns = fitItems(items.slice(input.from_column - 1), DATA_CHARACTERS - 1_000);
      const data = {
        source: source.name,
        table: cutText(description.name, 300),
        columns: [...columns],
        primary_key: description.primaryKey.slice(0, 10).map((name) => cutText(name, 60)),
        types_from: cutText(description.typesFrom, 200),
      };
      const warnings = description.warnings.slice(0, 5).map(({ code, message }) => ({ code, message: cutText(message, 200) }));
      const counts = { total: items.length, returned: columns.length, warnings, asOf: context.now() };
      return columns.length === items.length ? complete(data, counts) : partial(data, counts);
    }),
});
