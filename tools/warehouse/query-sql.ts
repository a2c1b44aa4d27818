import { z } from 'zod';
import type { Cell, QueryOutcome } from '../../src/core/source.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete, failed, noData, partial, refused, type ToolWarning } from '../../src/core/tool-result.ts';
import { cutCell, cutText, DATA_CHARACTERS, fitItems } from './fit-items.ts';
import { withTables } from './open-tables.ts';
import { scanSql } from './scan-sql.ts';

const COLUMN_CHARACTERS = 2_500;
const CELL_CHARACTERS = 300;
const MOST_BYTES = 4_000_000;

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** What a reading left out of values or names, and no row: the result is whole all the same. */
const NOTES = new Set(['numbers_with_signs', 'short_header']);

/** One SELECT over one source, in the SQL of its engine. */
export const querySql = defineTool({
  name: 'query_sql',
  description:
    'Runs one SELECT (or WITH … SELECT) over one source and returns columns with types and rows as arrays. Reads only; one statement. SQL dialect: DuckDB for files and duckdb sources, else SQLite or PostgreSQL. Numbers are exact: 64-bit integers beyond 2^53, decimals and times are text. Aggregate in SQL rather than reading many rows.',
  input: z.object({
    sql: z
      .string()
      .min(1)
      .max(20_000)
      .describe('One SELECT; tables by the names that list_tables gives; quote a name part by part where needed: "schema"."table"'),
    source: z.string().optional(),
    max_rows: z.number().int().min(1).max(1000).default(50),
    timeout_seconds: z.number().min(0.1).max(120).default(30),
  }),
  output: z.object({
    source: z.string(),
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    rows: z.array(z.array(cell)),
    truncated: z.boolean(),
    elapsed_ms: z.number(),
  }),
  effect: 'read',
  timeoutSeconds: 130,
  example: { sql: 'SELECT COUNT(*) AS orders FROM orders' },
  run: (input, context) =>
    withTables(context, { source: input.source, tables: scanSql(input.sql).mentions }, async ({ source, engine }) => {
      const outcome = await engine.query({
        sql: input.sql,
        maxRows: input.max_rows,
        maxBytes: MOST_BYTES,
        timeoutMs: input.timeout_seconds * 1000,
        scope: context.scope,
      });
      if (!outcome.ok) return (outcome.status === 'refused' ? refused : failed)(outcome.code, cutText(outcome.message, 1_000));
      const fitted = fitRows(outcome);
      const { warnings, whole, ...shown } = fitted;
      const data = { source: source.name, ...shown, elapsed_ms: outcome.elapsedMs };
      const asOf = context.now();
      if (outcome.rows.length === 0) return noData(data, { warnings, asOf });
      const returned = data.rows.length;
      if (outcome.truncated) return partial(data, { returned, warnings, asOf });
      const total = outcome.rows.length;
      return data.truncated || warnings.some(({ code }) => !NOTES.has(code))
        ? partial(data, { total, returned, warnings, asOf })
        : complete(data, { total, returned, warnings, asOf });
    }),
});

type Rows = Extract<QueryOutcome, { ok: true }>;

/** Whole rows up to the size of a result; columns beyond it are named as left out, long texts say their length. */
function fitRows(outcome: Rows) {
  const warnings: ToolWarning[] = outcome.warnings.slice(0, 3).map(({ code, message }) => ({ code, message: cutText(message, 200) }));
  const named = outcome.columns.map(({ name, type }) => ({ name: cutText(name, 120), type: cutText(type, 80) }));
  let columns = fitItems(named, COLUMN_CHARACTERS);
  let cut = false;
  const shorten = (value: Cell): Cell => {
    const shorter = cutCell(value, CELL_CHARACTERS);
    cut ||= shorter !== value;
    return shorter;
  };
  const first = fitItems((outcome.rows[0] ?? []).slice(0, columns.length).map(shorten), DATA_CHARACTERS - COLUMN_CHARACTERS);
  if (outcome.rows.length > 0) columns = columns.slice(0, first.length);
  const cells = outcome.rows.map((row) => row.slice(0, columns.length).map(shorten));
  const rows = fitItems(cells, DATA_CHARACTERS - JSON.stringify(columns).length);
  if (columns.length < named.length)
    warnings.push({
      code: 'columns_left_out',
      message: `${columns.length} of ${named.length} columns are shown; select the ones you need`,
    });
  if (cut)
    warnings.push({ code: 'texts_cut', message: `texts longer than ${CELL_CHARACTERS} characters are cut; each says how long it is` });
  if (outcome.truncated)
    warnings.push({ code: 'rows_truncated', message: 'there are more rows than max_rows; aggregate, filter or count them' });
  if (rows.length < cells.length)
    warnings.push({
      code: 'rows_left_out',
      message: `${rows.length} of the ${cells.length} rows read fit in a result; select fewer columns or aggregate`,
    });
  const whole = !cut && columns.length === named.length && rows.length === cells.length;
  return {
    whole,
    columns: [...columns],
    rows: rows.map((row) => [...row]),
    truncated: outcome.truncated || rows.length < cells.length,
    warnings,
  };
}
