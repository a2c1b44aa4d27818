import { z } from 'zod';
import { suggestName } from '../../src/core/nearest.ts';
import type { QueryOutcome } from '../../src/core/source.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, refused, type ToolWarning } from '../../src/core/tool-result.ts';
import { MOST_FILTERED_COLUMNS } from './ask-table.ts';
import { cutText, fitItems } from './fit-items.ts';
import { type OpenTables, withTables } from './open-tables.ts';
import { type SqlScan, scanSql } from './scan-sql.ts';

const inputShape = z.object({
  sql: z.string().min(1).max(20_000).describe('The statement to check; it is bound to the tables but not run'),
  source: z.string().optional(),
});

const column = z.object({ name: z.string(), type: z.string() });
const outputShape = z.object({
  source: z.string(),
  dialect: z.enum(['duckdb', 'sqlite', 'postgres']),
  statement: z.string(),
  /** It could be run by query_sql: one SELECT whose tables, columns and types exist. */
  valid: z.boolean(),
  error: z.string().optional(),
  tables: z.array(z.object({ name: z.string(), kind: z.string() })),
  unknown_tables: z.array(z.object({ name: z.string(), hint: z.string() })),
  columns: z.array(column),
  columns_total: z.number(),
});

/** Whether a statement would run on a source, what kind it is and which tables it touches; nothing is run. */
export const checkSql = defineTool({
  name: 'check_sql',
  description:
    "Checks one SQL statement against a source without running it: valid or the engine's error, kind of statement, tables it touches, unknown tables with the nearest name, result columns with types. Only a SELECT can be valid here. Use before a long query, or on the SQL of a model.",
  input: inputShape,
  output: outputShape,
  effect: 'read',
  timeoutSeconds: 60,
  example: { sql: 'SELECT state, COUNT(*) AS orders FROM orders GROUP BY state' },
  run: (input, context) =>
    withTables(context, { source: input.source, tables: scanSql(input.sql).mentions }, (tables) => check(input.sql, tables, context)),
});

async function check(sql: string, { source, engine }: OpenTables, context: ToolContext) {
  const scan = scanSql(sql);
  const { tables } = await engine.listTables(context.scope);
  const found = scan.mentions.map((mention) => ({ mention, table: findMention(mention, tables) }));
  for (const { table } of found.slice(0, 50)) {
    const width = table === undefined ? 0 : await widthOf(table.name, engine, context);
    if (width > MOST_FILTERED_COLUMNS)
      return refused(
        'too_wide',
        `"${cutText(table?.name ?? '', 100)}" has ${width} columns: statements about it are not checked; run one that names its columns with query_sql`,
      );
  }
  const outcome = scan.statement === 'select' ? await bind(sql, engine, context) : undefined;
  const known = [...new Map(found.flatMap(({ table }) => (table ? [[table.name, table] as const] : []))).values()];
  const failure = failureOf(scan, outcome);
  const missing = failure === undefined ? [] : found.filter(({ table }) => table === undefined);
  const names = tables.map(({ name }) => name);
  const columns = outcome?.ok ? outcome.columns.map(({ name, type }) => ({ name: cutText(name, 100), type: cutText(type, 80) })) : [];
  const shownTables = fitItems(
    known.map(({ name, kind }) => ({ name: cutText(name, 200), kind })),
    2_000,
  );
  const shownColumns = fitItems(columns, 3_500);
  const data = {
    source: source.name,
    dialect: engine.dialect,
    statement: cutText(scan.statement, 40),
    valid: failure === undefined,
    ...(failure === undefined ? {} : { error: cutText(failure, 800) }),
    tables: [...shownTables],
    unknown_tables: [
      ...fitItems(
        missing.map(({ mention }) => ({ name: cutText(mention, 100), hint: cutText(suggestName(mention, names), 200) })),
        1_200,
      ),
    ],
    columns: columns.length === 0 ? [] : [...shownColumns],
    columns_total: columns.length,
  };
  const warnings: ToolWarning[] = [];
  if (shownColumns.length < columns.length)
    warnings.push({ code: 'columns_left_out', message: `${columns.length - shownColumns.length} columns are not shown` });
  return complete(data, { total: known.length, returned: shownTables.length, warnings, asOf: context.now() });
}

/** Zero for what cannot be described: the check itself says why. */
async function widthOf(name: string, engine: OpenTables['engine'], context: ToolContext): Promise<number> {
  return engine.describeTable(name, context.scope).then(
    ({ columns }) => columns.length,
    () => 0,
  );
}

/** As a subquery of which no row is asked for, a statement is parsed and bound but not run. */
async function bind(sql: string, engine: OpenTables['engine'], context: ToolContext): Promise<QueryOutcome> {
  const inner = sql.replace(/[\s;]+$/, '');
  const ask = (text: string): Promise<QueryOutcome> =>
    engine.query({ sql: text, maxRows: 1, maxBytes: 1_000_000, timeoutMs: 45_000, scope: context.scope });
  const outcome = await ask(`SELECT * FROM (${inner}\n) AS checked LIMIT 0`);
  return outcome;
}

function failureOf({ statement, hasTemplate }: SqlScan, outcome: QueryOutcome | undefined): string | undefined {
  if (outcome?.ok) return undefined;
  if (hasTemplate) return 'the text holds a template ({{ … }} or {% … %}); give the compiled SQL';
  if (outcome) return outcome.message;
  if (statement === 'none') return 'the text holds no statement';
  return `a ${statement.toUpperCase()} is not a SELECT: it was not checked further, and nothing that changes data is run through these tools`;
}

/** A table of that name, or of its last part. */
function findMention<Table extends { readonly name: string }>(mention: string, tables: readonly Table[]): Table | undefined {
  const wanted = mention.toLowerCase();
  const exact = tables.find(({ name }) => name.toLowerCase() === wanted);
  const last = wanted.split('.').at(-1);
  const tail = tables.filter(({ name }) => name.toLowerCase() === last || name.toLowerCase().split(/[./]/).at(-1) === last);
  return exact ?? (tail.length === 1 ? tail[0] : undefined);
}
