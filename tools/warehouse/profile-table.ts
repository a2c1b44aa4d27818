import { z } from 'zod';
import { suggestName } from '../../src/core/nearest.ts';
import { rowMeaning } from '../../src/core/row-warnings.ts';
import type { ColumnInfo, TableDescription } from '../../src/core/source.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, failed, noData, partial, refused, type ToolWarning } from '../../src/core/tool-result.ts';
import { cutText, DATA_CHARACTERS, fitItems } from './fit-items.ts';
import { type OpenTables, withTables } from './open-tables.ts';
import { type ProfileRequest, profileColumns } from './profile-columns.ts';
import { toProfiledColumn } from './profile-sql.ts';
import { type Asking, filteredRelation, QueryError, runQuery } from './run-query.ts';
import { columnProfile, shapeProfile } from './shape-profile.ts';
import { dialectOf } from './sql-dialect.ts';
import { readTopValues } from './top-values.ts';

const COLUMNS_PER_CALL = 30;
/** Up to so many values, distinct counts and quantiles are exact unless asked otherwise. */
const EXACT_VALUES = 3_000_000;
const SECONDS = 110;

const inputShape = z.object({
  table: z.string().min(1).describe('Name as list_tables gives it'),
  source: z.string().optional(),
  columns: z.array(z.string()).max(200).optional().describe('Columns to profile; the first ones when left out'),
  mode: z
    .enum(['auto', 'exact', 'approx'])
    .default('auto')
    .describe('auto: exact up to three million values, else estimates marked as such'),
  where: z.string().max(2_000).optional().describe(`A predicate over the table, e.g. "loaded_at >= '2026-01-01'"`),
});

type Input = z.output<typeof inputShape>;

/** Counts, range, spread, frequent and suspicious values of each column of a table. */
export const profileTable = defineTool({
  name: 'profile_table',
  description:
    'Profiles the columns of one table or file: nulls, blanks, placeholder words, distinct values, min, max, exact sum, quantiles (5, 25, 50, 75, 95 %), top values, NaN and infinity, sentinel dates such as 9999-12-31, leading zeros, likely unit. Counts of zero are left out; distinct_exact and quantiles_exact say whether a figure is an estimate. Use to find what is odd in a table.',
  input: inputShape,
  output: z.object({
    source: z.string(),
    table: z.string(),
    rows: z.number(),
    columns: z.array(columnProfile),
    not_profiled: z.array(z.string()),
  }),
  effect: 'read',
  timeoutSeconds: SECONDS + 10,
  example: { table: 'orders' },
  run: (input, context) =>
    withTables(context, { source: input.source, tables: [input.table] }, (tables) => profile(input, tables, context)),
});

async function profile(input: Input, { source, engine }: OpenTables, context: ToolContext) {
  const asking: Asking = { engine, scope: context.scope, deadline: performance.now() + SECONDS * 1000 };
  const description = await engine.describeTable(input.table, context.scope);
  const wanted = chooseColumns(description.columns, input.columns);
  if (typeof wanted === 'string') return refused('unknown_column', wanted);
  try {
    const from = await filteredRelation(asking, await engine.relation(input.table, context.scope), input.where);
    const rows = Number((await runQuery(asking, `SELECT COUNT(*) FROM ${from}`))[0]?.[0] ?? 0);
    const shown = { source: source.name, table: cutText(description.name, 200), rows };
    if (rows === 0) return noData({ ...shown, columns: [], not_profiled: [] }, { asOf: context.now() });
    const columns = wanted.slice(0, COLUMNS_PER_CALL).map((info) => toProfiledColumn(info, engine.quote));
    const exact = input.mode === 'auto' ? rows * columns.length <= EXACT_VALUES : input.mode === 'exact';
    const profiles = await measure({ ...asking, from, dialect: dialectOf(engine), columns, rows, exact });
    const fitted = fitItems(profiles, DATA_CHARACTERS - 1_200);
    const left = wanted.slice(fitted.length).map((column) => cutText(column.name, 60));
    const data = { ...shown, columns: [...fitted], not_profiled: [...fitItems(left, 900)] };
    const own = collectWarnings(profiles, left.length);
    const warnings = [...warningsOnRows(description), ...own];
    const counts = { total: wanted.length, returned: fitted.length, warnings, asOf: context.now() };
    return (left.length === 0 && own.length === 0 ? complete : partial)(data, counts);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return (error.code === 'bad_where' ? refused : failed)(error.code, cutText(error.message, 1_000));
  }
}

async function measure(request: ProfileRequest) {
  const measured = await profileColumns(request);
  const tops = await readTopValues(request, measured);
  const distinctExact = request.exact || !request.dialect.estimatesDistinct;
  const quantilesExact = request.exact || !request.dialect.estimatesDistinct;
  return measured.map((item, index) => shapeProfile(item, tops.get(index), { rows: request.rows, distinctExact, quantilesExact }));
}

function chooseColumns(columns: readonly ColumnInfo[], names: readonly string[] | undefined): readonly ColumnInfo[] | string {
  if (names === undefined || names.length === 0) return columns;
  const chosen: ColumnInfo[] = [];
  for (const name of names) {
    const column = columns.find((item) => item.name === name) ?? columns.find((item) => item.name.toLowerCase() === name.toLowerCase());
    if (!column)
      return `there is no column "${cutText(name, 100)}"; ${cutText(
        suggestName(
          name,
          columns.map((item) => item.name),
        ),
        600,
      )}`;
    chosen.push(column);
  }
  return chosen;
}

/** What of the file is in no row, and rows that may be none. */
function warningsOnRows({ warnings }: TableDescription): ToolWarning[] {
  const telling = warnings.filter(({ code }) => ['unread', 'doubtful'].includes(rowMeaning(code) ?? ''));
  return telling.slice(0, 3).map(({ code, message }) => ({ code, message: cutText(message, 200) }));
}

function collectWarnings(profiles: readonly { readonly name: string; readonly error?: string | undefined }[], left: number): ToolWarning[] {
  const wrong = profiles.filter((item) => item.error !== undefined).map((item) => item.name);
  return [
    ...(left > 0
      ? [{ code: 'columns_left_out', message: `${left} columns are not shown; name those in not_profiled that matter in "columns"` }]
      : []),
    ...(wrong.length > 0 ? [{ code: 'column_errors', message: cutText(`not all could be measured of: ${wrong.join(', ')}`, 300) }] : []),
  ];
}
