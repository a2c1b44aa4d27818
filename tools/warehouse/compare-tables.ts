import { z } from 'zod';
import type { Cell } from '../../src/core/source.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, noData, partial, type ToolWarning } from '../../src/core/tool-result.ts';
import { answerTable, type OpenTable, QuestionError, shownName } from './ask-table.ts';
import { compareApart } from './compare-apart.ts';
import { compareTogether } from './compare-together.ts';
import { type Comparison, type ComparisonQuestion, comparePair } from './comparison.ts';
import { parseExact } from './exact-number.ts';
import { cutCell, cutText, fitItems } from './fit-items.ts';
import { isLoadColumn } from './load-columns.ts';
import { type ColumnPair, findPair, openSides, type Sides, sharedColumns, sidesInput } from './open-sides.ts';
import { proposeKeys } from './propose-key.ts';

const SECONDS = 170;
const MOST_COLUMNS = 100;

const inputShape = z.object({
  ...sidesInput,
  key: z
    .array(z.string())
    .max(20)
    .optional()
    .describe('Columns that name a row: names both have, or left_name=right_name; primary key or proposed when left out'),
  columns: z
    .array(z.string())
    .max(MOST_COLUMNS)
    .optional()
    .describe('Columns compared, as in key; all that both have by name when left out, load columns aside'),
  tolerance: z.number().min(0).optional().describe('Numbers no further apart count as equal'),
  samples: z.number().int().min(0).max(20).default(3),
});
type Input = z.output<typeof inputShape>;

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const keyRows = z.object({ keys: z.number(), rows: z.number() });
const outputShape = z.object({
  left: z.object({ source: z.string(), table: z.string(), rows: z.number() }),
  right: z.object({ source: z.string(), table: z.string(), rows: z.number() }),
  key: z.array(z.string()),
  key_from: z.enum(['given', 'primary_key', 'proposed']),
  identical: z.boolean(),
  keys: z.number(),
  compared: z.number(),
  equal: z.number(),
  changed: z.number(),
  only_left: keyRows,
  only_right: keyRows,
  double_keys: z.object({ left: keyRows, right: keyRows }),
  null_key_rows: z.object({ left: z.number(), right: z.number() }),
  columns_compared: z.number(),
  changed_columns: z.array(z.object({ column: z.string(), rows: z.number() })),
  columns_only_left: z.array(z.string()),
  columns_only_right: z.array(z.string()),
  samples: z.object({
    only_left: z.array(z.array(cell)),
    only_right: z.array(z.array(cell)),
    changed: z.array(
      z.object({
        key: z.array(cell),
        columns: z.array(z.object({ column: z.string(), left: cell, right: cell })),
        columns_total: z.number(),
      }),
    ),
    double: z.array(z.object({ key: z.array(cell), left_rows: z.number(), right_rows: z.number() })),
  }),
});

/** Two tables row by row under a key: what only one has, what changed and in which column. */
export const compareTables = defineTool({
  name: 'compare_tables',
  description:
    'Compares two tables row by row under a key, also of different sources: keys only left or only right, rows changed by column, with samples. NULL in a key counts as a value; keys that are double on a side are counted and not compared. Numbers are compared exactly unless a tolerance is given. Use to check a migration, a copy, or a table before and after.',
  input: inputShape,
  output: outputShape,
  effect: 'read',
  timeoutSeconds: SECONDS + 10,
  example: { left: 'orders', right: 'stg_orders', key: ['order_id'] },
  run: (input, context) =>
    answerTable(async () => compare(input, await openSides(context, input, performance.now() + SECONDS * 1000), context)),
});

async function compare(input: Input, sides: Sides, context: ToolContext) {
  const { pairs: key, from } = await chooseKey(input, sides);
  const shared = sharedColumns(sides);
  const isKey = (pair: ColumnPair): boolean => key.some(({ left }) => left === pair.left);
  const wanted = (input.columns ? input.columns.map((name) => findPair(sides, name)) : shared).filter((pair) => !isKey(pair));
  const content = wanted.slice(0, MOST_COLUMNS).map(comparePair);
  const tolerance = input.tolerance === undefined ? undefined : parseExact(input.tolerance);
  const question: ComparisonQuestion = { key: key.map(comparePair), content, tolerance, samples: input.samples };
  const found = await (sides.together ? compareTogether(sides, question) : compareApart(sides, question));
  const onlyIn = (mine: OpenTable, other: OpenTable): string[] => {
    const names = new Set(other.columns.map(({ info }) => info.name.toLowerCase()));
    const renamed = [...key, ...content].flatMap((pair) => [pair.left.info.name, pair.right.info.name]);
    return mine.columns.filter(({ info }) => !names.has(info.name.toLowerCase()) && !renamed.includes(info.name)).map(shownName);
  };
  const [onlyLeft, onlyRight] = [onlyIn(sides.left, sides.right), onlyIn(sides.right, sides.left)];
  const side = ({ source, description }: OpenTable, rows: number) => ({ source, table: cutText(description.name, 150), rows });
  const data = {
    left: side(sides.left, found.leftRows),
    right: side(sides.right, found.rightRows),
    key: key.slice(0, 10).map(({ name }) => name),
    key_from: from,
    identical: isIdentical(found) && onlyLeft.length + onlyRight.length === 0 && content.length === wanted.length,
    keys: found.keys,
    compared: found.compared,
    equal: found.compared - found.changed,
    changed: found.changed,
    only_left: found.onlyLeft,
    only_right: found.onlyRight,
    double_keys: { left: found.doubleLeft, right: found.doubleRight },
    null_key_rows: { left: found.nullLeft, right: found.nullRight },
    columns_compared: content.length,
    ...shapeLists(found, question, { onlyLeft, onlyRight }),
  };
  const warnings = warningsOf(found, {
    content,
    leftOut: wanted.length - content.length,
    onlyLeft: onlyLeft.length,
    onlyRight: onlyRight.length,
  });
  const changedColumns = found.changedBy.filter((rows) => rows > 0).length;
  const counts = { total: changedColumns, returned: data.changed_columns.length, warnings, asOf: context.now() };
  if (found.leftRows + found.rightRows === 0) return noData(data, counts);
  const left =
    content.length < wanted.length || data.changed_columns.length < changedColumns || found.doubleLeft.keys + found.doubleRight.keys > 0;
  return left ? partial(data, counts) : complete(data, counts);
}

function isIdentical({ changed, onlyLeft, onlyRight, doubleLeft, doubleRight }: Comparison): boolean {
  return changed + onlyLeft.keys + onlyRight.keys + doubleLeft.keys + doubleRight.keys === 0;
}

async function chooseKey(
  input: Input,
  sides: Sides,
): Promise<{ pairs: readonly ColumnPair[]; from: 'given' | 'primary_key' | 'proposed' }> {
  if (input.key && input.key.length > 0) return { pairs: input.key.map((name) => findPair(sides, name)), from: 'given' };
  const { left } = sides;
  const primary = left.description.primaryKey;
  if (primary.length > 0) return { pairs: primary.map((name) => findPair(sides, name)), from: 'primary_key' };
  const shared = sharedColumns(sides).map((pair) => pair.left);
  const content = shared.filter(({ info }) => !isLoadColumn(info.name)).slice(0, MOST_COLUMNS);
  const [best] = content.length === 0 ? [] : await proposeKeys({ ...left, content });
  if (best) return { pairs: best.columns.map(({ info }) => findPair(sides, info.name)), from: 'proposed' };
  throw new QuestionError(
    'no_key',
    `no column that both tables have tells the rows of left apart; name the key in "key": columns of left are ${cutText(left.columns.slice(0, 20).map(shownName).join(', '), 600)}`,
  );
}

function shapeLists(
  found: Comparison,
  { content }: ComparisonQuestion,
  only: { readonly onlyLeft: readonly string[]; readonly onlyRight: readonly string[] },
) {
  const short = (value: Cell): Cell => cutCell(value, 60);
  const key = (cells: readonly Cell[]): Cell[] => cells.slice(0, 6).map(short);
  const byColumn = found.changedBy.flatMap((rows, index) => (rows > 0 ? [{ column: content[index]?.name ?? '', rows }] : []));
  const changed = found.samples.changed.map((sample) => ({
    key: key(sample.key),
    columns: sample.columns.slice(0, 4).map((index, place) => ({
      column: content[index]?.name ?? '',
      left: short(sample.left[place] ?? null),
      right: short(sample.right[place] ?? null),
    })),
    columns_total: sample.columns.length,
  }));
  return {
    changed_columns: [
      ...fitItems(
        byColumn.sort((a, b) => b.rows - a.rows),
        1_800,
      ),
    ],
    columns_only_left: [...fitItems(only.onlyLeft, 500)],
    columns_only_right: [...fitItems(only.onlyRight, 500)],
    samples: {
      only_left: [...fitItems(found.samples.onlyLeft.map(key), 600)],
      only_right: [...fitItems(found.samples.onlyRight.map(key), 600)],
      changed: [...fitItems(changed, 2_000)],
      double: [
        ...fitItems(
          found.samples.double.map((item) => ({ key: key(item.key), left_rows: item.left, right_rows: item.right })),
          600,
        ),
      ],
    },
  };
}

interface Seen {
  readonly content: ComparisonQuestion['content'];
  readonly leftOut: number;
  readonly onlyLeft: number;
  readonly onlyRight: number;
}

function warningsOf(found: Comparison, { content, leftOut, onlyLeft, onlyRight }: Seen): ToolWarning[] {
  const warnings: ToolWarning[] = [];
  const retyped = content
    .filter(({ left, right }) => left.kind !== right.kind)
    .map(({ name, left, right, as }) => `${name} (${left.info.type} / ${right.info.type}, as ${as})`);
  const doubles = found.doubleLeft.keys + found.doubleRight.keys;
  if (doubles > 0)
    warnings.push({
      code: 'double_keys',
      message: `${found.doubleLeft.keys} keys are double on the left, ${found.doubleRight.keys} on the right: their rows are not compared`,
    });
  if (found.nullLeft + found.nullRight > 0)
    warnings.push({
      code: 'null_keys',
      message: `rows with NULL in the key: ${found.nullLeft} left, ${found.nullRight} right; NULL counts as one value`,
    });
  if (retyped.length > 0) warnings.push({ code: 'types_differ', message: cutText(`types differ: ${retyped.join('; ')}`, 300) });
  if (onlyLeft + onlyRight > 0)
    warnings.push({ code: 'columns_on_one_side', message: `${onlyLeft} columns are only left, ${onlyRight} only right: not compared` });
  if (leftOut > 0)
    warnings.push({
      code: 'columns_left_out',
      message: `${leftOut} columns beyond the first ${MOST_COLUMNS} are not compared; name them in "columns"`,
    });
  return warnings;
}
