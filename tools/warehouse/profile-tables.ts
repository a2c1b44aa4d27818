import { z } from 'zod';
import type { TableInfo } from '../../src/core/source.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, noData, partial, refused, type ToolWarning } from '../../src/core/tool-result.ts';
import { type OpenTable, openTable } from './ask-table.ts';
import { cutText, DATA_CHARACTERS, fitItems } from './fit-items.ts';
import { fitsPattern } from './fits-pattern.ts';
import { type OpenTables, withTables } from './open-tables.ts';
import { type MeasuredColumn, profileColumns } from './profile-columns.ts';
import { runQuery } from './run-query.ts';

const MOST_COLUMNS = 60;
const EXACT_VALUES = 3_000_000;
const MOST_NAMES = 3;

const inputShape = z.object({
  source: z.string().optional(),
  tables: z.array(z.string()).max(200).optional().describe('Tables to profile; all of the source when left out'),
  pattern: z.string().max(200).optional().describe('Instead of names: part of a name, or a pattern with * and ?'),
  budget_seconds: z.number().min(1).max(300).default(60).describe('No new table is begun after this time'),
  parallel: z.number().int().min(1).max(4).default(2),
});
type Input = z.output<typeof inputShape>;

const lineShape = z.object({
  table: z.string(),
  rows: z.number().optional(),
  columns: z.number().optional(),
  /** False where distinct counts are estimates. */
  exact: z.boolean().optional(),
  unique_columns: z.array(z.string()).optional(),
  /** What is odd, one phrase each, e.g. "email: 7 % null". */
  odd: z.array(z.string()).optional(),
  odd_total: z.number().optional(),
  error: z.string().optional(),
  /** The call that measures this table again, and in full; cite the id of this result with the name of the table. */
  again: z.object({ tool: z.literal('profile_table'), input: z.object({ source: z.string(), table: z.string() }) }),
});
type Line = z.output<typeof lineShape>;

/** One line about each of many tables. */
export const profileTables = defineTool({
  name: 'profile_tables',
  description:
    'Profiles many tables at once, one line each: rows, columns, columns that are unique, and what is odd (all null, constant, NULL shares, placeholder words, blanks, NaN, sentinel dates). Stops at budget_seconds and names what was not profiled. Use for an overview; "again" of a line is the call for the whole of that table.',
  input: inputShape,
  output: z.object({ source: z.string(), tables: z.array(lineShape), not_profiled: z.array(z.string()), not_profiled_total: z.number() }),
  effect: 'read',
  timeoutSeconds: 320,
  example: { pattern: 'mart_*' },
  run: (input, context) => withTables(context, input, (tables) => profileAll(input, tables, context)),
});

async function profileAll(input: Input, { source, engine }: OpenTables, context: ToolContext) {
  const listing = await engine.listTables(context.scope);
  const wanted = chooseTables(input, listing.tables);
  if (wanted.length === 0 && input.tables === undefined && input.pattern === undefined)
    return noData({ source: source.name, tables: [], not_profiled: [], not_profiled_total: 0 }, { asOf: context.now() });
  if (wanted.length === 0) return refused('no_table', `no table of "${source.name}" fits; list_tables shows what there is`);
  const begun = performance.now();
  const budget = begun + input.budget_seconds * 1000;
  const lines = new Map<string, Line>();
  const queue = [...wanted];
  const work = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined && performance.now() < budget && !context.scope.stopped; name = queue.shift()) {
      const again = { tool: 'profile_table' as const, input: { source: source.name, table: name } };
      lines.set(name, { ...(await profileOne(name, source.name, { context, deadline: budget + 10_000 })), again });
    }
  };
  await Promise.all(Array.from({ length: input.parallel }, work));
  const done = wanted.flatMap((name) => lines.get(name) ?? []);
  const shown = fitItems(done, DATA_CHARACTERS - 1_500);
  const profiled = wanted.filter((name) => lines.has(name));
  const left = [...profiled.slice(shown.length), ...wanted.filter((name) => !lines.has(name))];
  const data = {
    source: source.name,
    tables: [...shown],
    not_profiled: [
      ...fitItems(
        left.map((name) => cutText(name, 120)),
        1_200,
      ),
    ],
    not_profiled_total: left.length,
  };
  const warnings: ToolWarning[] = [];
  if (done.length < wanted.length)
    warnings.push({
      code: 'budget_over',
      message: `${wanted.length - done.length} tables were not begun within ${input.budget_seconds} s`,
    });
  if (shown.length < done.length)
    warnings.push({
      code: 'tables_left_out',
      message: `${done.length - shown.length} profiled tables do not fit in a result; name those in not_profiled`,
    });
  const failures = done.filter(({ error }) => error !== undefined).length;
  if (failures > 0) warnings.push({ code: 'tables_failed', message: `${failures} tables could not be read or not wholly` });
  const counts = { total: wanted.length, returned: shown.length, warnings, asOf: context.now() };
  return (left.length === 0 && failures === 0 ? complete : partial)(data, counts);
}

function chooseTables(input: Input, tables: readonly TableInfo[]): readonly string[] {
  if (input.tables !== undefined) return [...new Set(input.tables)];
  return tables.filter(({ name }) => fitsPattern(name, input.pattern)).map(({ name }) => name);
}

/** A table that cannot be read costs only its own line. */
async function profileOne(
  name: string,
  source: string,
  { context, deadline }: { readonly context: ToolContext; readonly deadline: number },
): Promise<Omit<Line, 'again'>> {
  const shown = cutText(name, 150);
  try {
    const table = await openTable(context, { table: name, source }, deadline);
    const [[count] = []] = await runQuery(table, `SELECT COUNT(*) FROM ${table.from}`);
    const rows = Number(count ?? 0);
    const columns = table.columns.slice(0, MOST_COLUMNS);
    if (rows === 0 || columns.length === 0) return { table: shown, rows, columns: table.columns.length, odd: ['no rows'], odd_total: 1 };
    const exact = rows * columns.length <= EXACT_VALUES;
    const measured = await profileColumns({ ...table, columns, rows, exact, withQuantiles: false });
    return { table: shown, ...describeLine(table, { measured, rows, exact }) };
  } catch (error) {
    return { table: shown, error: cutText(error instanceof Error ? error.message : 'failed', 200) };
  }
}

interface Found {
  readonly measured: readonly MeasuredColumn[];
  readonly rows: number;
  readonly exact: boolean;
}

function describeLine(table: OpenTable, { measured, rows, exact }: Found): Omit<Line, 'table' | 'again'> {
  const isExact = exact || !table.dialect.estimatesDistinct;
  const unique = measured
    .filter(({ measures }) => isExact && Number(measures.distinct ?? 0) === rows)
    .map(({ column }) => cutText(column.info.name, 50));
  const odd = measured.flatMap((item) => oddities(item, rows));
  if (table.columns.length > MOST_COLUMNS) odd.push(`only the first ${MOST_COLUMNS} of ${table.columns.length} columns were looked at`);
  const failed = measured.filter(({ error }) => error !== undefined);
  return {
    rows,
    columns: table.columns.length,
    exact: isExact,
    ...(unique.length > 0 ? { unique_columns: unique.slice(0, MOST_NAMES) } : {}),
    ...(odd.length > 0 ? { odd: odd.slice(0, 6), odd_total: odd.length } : {}),
    ...(failed.length > 0
      ? { error: cutText(`${failed.length} columns could not be measured wholly: ${failed[0]?.error ?? ''}`, 200) }
      : {}),
  };
}

function oddities({ column, measures }: MeasuredColumn, rows: number): string[] {
  const name = cutText(column.info.name, 50);
  const filled = Number(measures.filled ?? rows);
  const found: string[] = [];
  const count = (value: unknown, what: string): void => {
    if (Number(value ?? 0) > 0) found.push(`${name}: ${Number(value)} ${what}`);
  };
  if (filled === 0) return [`${name}: all null`];
  if (filled < rows) found.push(`${name}: ${rows - filled} null (${share(rows - filled, rows)})`);
  if (rows > 1 && Number(measures.distinct ?? 0) === 1 && filled === rows) found.push(`${name}: one value in all rows`);
  count(measures.non_finite, 'NaN or infinite');
  count(measures.placeholder, 'placeholder words');
  count(measures.blank, 'blank');
  count(measures.sentinel, 'sentinel dates');
  count(measures.not_text, 'texts among numbers');
  const [objects, lists] = [Number(measures.json_objects ?? 0), Number(measures.json_lists ?? 0)];
  if (objects !== filled && lists !== filled) {
    count(objects, `JSON objects among ${filled} values`);
    count(lists, `JSON lists among ${filled} values`);
  }
  return found;
}

function share(part: number, whole: number): string {
  const percent = (part / whole) * 100;
  return percent < 0.1 ? 'below 0.1 %' : `${percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent)} %`;
}
