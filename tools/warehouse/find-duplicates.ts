import { z } from 'zod';
import { suggestName } from '../../src/core/nearest.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, failed, noData, partial, refused, type ToolWarning } from '../../src/core/tool-result.ts';
import type { RowParts } from './duplicate-sql.ts';
import { cutText, fitItems } from './fit-items.ts';
import { isLoadColumn } from './load-columns.ts';
import { breakDown, copiesSample, countAlike, countAll, sumCopies, versionColumns, versionsSample } from './measure-duplicates.ts';
import { type OpenTables, withTables } from './open-tables.ts';
import { type ProfiledColumn, toProfiledColumn } from './profile-sql.ts';
import { type KeyCandidate, proposeKeys } from './propose-key.ts';
import { splitRows } from './repeated-rows.ts';
import { type Asking, filteredRelation, QueryError } from './run-query.ts';
import { dialectOf } from './sql-dialect.ts';

const SECONDS = 110;
/** Engines take minutes to bind the groupings of wider rows. */
const MOST_COLUMNS = 1_000;
const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const inputShape = z.object({
  table: z.string().min(1).describe('Name as list_tables gives it'),
  source: z.string().optional(),
  key: z.array(z.string()).max(20).optional().describe('Columns that should tell rows apart; proposed from the data when left out'),
  load_columns: z
    .array(z.string())
    .max(50)
    .optional()
    .describe('Columns that say how a row was loaded (run, batch, try, load time), not what it says; guessed by name when left out'),
  where: z.string().max(2_000).optional().describe('A predicate over the table'),
});

const outputShape = z.object({
  source: z.string(),
  table: z.string(),
  key: z.array(z.string()),
  key_from: z.enum(['given', 'primary_key', 'proposed', 'all_columns']),
  other_keys: z.array(z.array(z.string())),
  load_columns: z.array(z.string()),
  rows: z.number(),
  distinct_keys: z.number(),
  groups: z.number(),
  extra_rows: z.number(),
  exact_copies: z.number(),
  reload_copies: z.number(),
  versions: z.number(),
  keys_with_copies: z.number(),
  keys_with_versions: z.number(),
  null_key_rows: z.number(),
  lookalikes: z
    .object({ contents: z.number(), rows: z.number(), samples: z.array(z.object({ keys: z.array(cell), count: z.number() })) })
    .optional(),
  by_load: z.array(
    z.object({
      column: z.string(),
      values: z.array(z.object({ value: cell, kept: z.number(), extra: z.number() })),
      values_total: z.number(),
    }),
  ),
  sums: z.array(z.object({ column: z.string(), all_rows: cell, extra_copies: cell })),
  version_columns: z.array(z.object({ column: z.string(), keys: z.number() })),
  sample_copies: z.array(z.object({ key: z.array(cell), rows: z.number() })),
  sample_versions: z.array(z.object({ key: z.array(cell), versions: z.number() })),
});

type Input = z.output<typeof inputShape>;

/** Rows that share a key, told apart: copies, re-loaded copies, new versions, and look-alikes under other keys. */
export const findDuplicates = defineTool({
  name: 'find_duplicates',
  description:
    'Finds rows that share a key (NULL counts as a value) and tells the extra rows apart: exact_copies (equal in every column), reload_copies (equal but for load columns such as try_number, batch, loaded_at), versions (same key, other content: an update, not a duplicate). Also lookalikes: same content under different keys (not duplicates of the key). by_load says with which run, batch or try the extra copies came; sums what they add to totals. Without a key one is proposed from the data.',
  input: inputShape,
  output: outputShape,
  effect: 'read',
  timeoutSeconds: SECONDS + 10,
  example: { table: 'orders' },
  run: (input, context) => withTables(context, { source: input.source, tables: [input.table] }, (tables) => find(input, tables, context)),
});

async function find(input: Input, { source, engine }: OpenTables, context: ToolContext) {
  const asking: Asking = { engine, scope: context.scope, deadline: performance.now() + SECONDS * 1000 };
  const description = await engine.describeTable(input.table, context.scope);
  if (description.columns.length > MOST_COLUMNS)
    return refused(
      'too_wide',
      `a table of ${description.columns.length} columns is too wide to compare whole rows; count its keys with query_sql (GROUP BY … HAVING COUNT(*) > 1)`,
    );
  const columns = description.columns.map((info) => toProfiledColumn(info, engine.quote));
  const wrong = [...(input.key ?? []), ...(input.load_columns ?? [])].find((name) => !named(columns, name));
  if (wrong !== undefined) {
    const names = columns.map(({ info }) => info.name);
    return refused('unknown_column', cutText(`there is no column "${cutText(wrong, 100)}"; ${suggestName(wrong, names)}`, 800));
  }
  try {
    const from = await filteredRelation(asking, await engine.relation(input.table, context.scope), input.where);
    const load = chooseLoad(columns, input);
    const content = columns.filter((column) => !load.includes(column));
    const dialect = dialectOf(engine);
    const choice = await chooseKey(input, description.primaryKey, {
      columns,
      propose: () => proposeKeys({ ...asking, from, dialect, content }),
    });
    const key = choice.key.length > 0 ? choice.key : content;
    const parts: RowParts = {
      from,
      dialect,
      key,
      content: content.filter((column) => !key.includes(column)),
      load: load.filter((column) => !key.includes(column)),
    };
    const found = await measure(asking, parts);
    const names = (list: readonly ProfiledColumn[]): string[] => [
      ...fitItems(
        list.map(({ info }) => cutText(info.name, 60)),
        900,
      ),
    ];
    const data = {
      source: source.name,
      table: cutText(description.name, 200),
      key: names(key),
      key_from: choice.from,
      other_keys: choice.others.slice(0, 3).map((other) => names(other.columns)),
      load_columns: names(parts.load),
      ...found.data,
    };
    const answer = found.data.rows === 0 ? noData : found.warnings.some(({ code }) => code === 'not_measured') ? partial : complete;
    return answer(data, {
      total: found.data.groups,
      returned: found.data.groups,
      warnings: [...choice.warnings, ...found.warnings],
      asOf: context.now(),
    });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return (error.code === 'bad_where' ? refused : failed)(error.code, cutText(error.message, 1_000));
  }
}

function named(columns: readonly ProfiledColumn[], name: string): ProfiledColumn | undefined {
  return columns.find(({ info }) => info.name === name) ?? columns.find(({ info }) => info.name.toLowerCase() === name.toLowerCase());
}

function pick(columns: readonly ProfiledColumn[], names: readonly string[]): readonly ProfiledColumn[] {
  return names.flatMap((name) => named(columns, name) ?? []);
}

/** Given ones, else those named like load columns; never the key, and never all there is. */
function chooseLoad(columns: readonly ProfiledColumn[], input: Input): readonly ProfiledColumn[] {
  if (input.load_columns) return pick(columns, input.load_columns);
  const key = pick(columns, input.key ?? []);
  const load = columns.filter((column) => isLoadColumn(column.info.name) && !key.includes(column));
  return load.length < columns.length - key.length || key.length > 0 ? load : [];
}

interface KeyChoice {
  readonly from: 'given' | 'primary_key' | 'proposed' | 'all_columns';
  readonly key: readonly ProfiledColumn[];
  readonly others: readonly KeyCandidate[];
  readonly warnings: readonly ToolWarning[];
}

async function chooseKey(
  input: Input,
  primaryKey: readonly string[],
  table: { readonly columns: readonly ProfiledColumn[]; readonly propose: () => Promise<readonly KeyCandidate[]> },
): Promise<KeyChoice> {
  const plain = { others: [], warnings: [] };
  if (input.key && input.key.length > 0) return { ...plain, from: 'given', key: pick(table.columns, input.key) };
  if (primaryKey.length > 0) return { ...plain, from: 'primary_key', key: pick(table.columns, primaryKey) };
  const [best, ...others] = await table.propose();
  if (best) return { from: 'proposed', key: best.columns, others, warnings: [] };
  const message =
    'no column that is named like a key, alone or with another, tells the rows apart; name the key if there is one; whole rows (load columns aside) are compared: only copies can be found';
  return { from: 'all_columns', key: [], others: [], warnings: [{ code: 'no_key', message }] };
}

/** The counts must work; of the rest, what fails or takes too long is named and left out. */
async function measure(asking: Asking, parts: RowParts) {
  const warnings: ToolWarning[] = [];
  const optional = async <Value>(what: string, work: () => Promise<Value>, none: Value): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      warnings.push({ code: 'not_measured', message: cutText(`${what}: ${error instanceof Error ? error.message : 'failed'}`, 200) });
      return none;
    }
  };
  const split = await splitRows({ ...asking, ...parts, columns: parts.key });
  const repeated = { ...parts, from: split.repeated };
  const counts = await countAll(asking, repeated, split);
  const hasCopies = counts.exact_copies + counts.reload_copies > 0;
  const lookalikes = await optional('look-alikes', () => countAlike(asking, parts), undefined);
  const data = {
    ...counts,
    ...(lookalikes === undefined ? {} : { lookalikes }),
    by_load: hasCopies ? await optional('by load', () => breakDown(asking, repeated), []) : [],
    sums: hasCopies ? await optional('sums', () => sumCopies(asking, repeated, parts.from), []) : [],
    version_columns: counts.versions > 0 ? await optional('columns that differ', () => versionColumns(asking, repeated), []) : [],
    sample_copies: hasCopies ? await optional('samples of copies', () => copiesSample(asking, repeated), []) : [],
    sample_versions: counts.versions > 0 ? await optional('samples of versions', () => versionsSample(asking, repeated), []) : [],
  };
  if (counts.null_key_rows > 0)
    warnings.push({
      code: 'null_keys',
      message: `${counts.null_key_rows} rows have NULL in the key; NULL is counted as one value like any other`,
    });
  return { data, warnings };
}
