import { z } from 'zod';
import type { Cell } from '../../src/core/source.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, noData, partial, type ToolWarning } from '../../src/core/tool-result.ts';
import { answerTable, QuestionError } from './ask-table.ts';
import { chooseTime } from './choose-time.ts';
import { isNumeric } from './column-class.ts';
import { cutText, fitItems } from './fit-items.ts';
import { isIdentifierName } from './load-columns.ts';
import { type ColumnPair, findPair, openSides, type Sides, sharedColumns, sidesInput } from './open-sides.ts';
import { type DaySums, differenceOf, readDays, type SideDays } from './read-days.ts';
import { readFrame } from './time-frame.ts';

const SECONDS = 110;
const MOST_SUMS = 6;

const inputShape = z.object({
  ...sidesInput,
  left_time: z.string().optional().describe('Time column of left that says the day; may be left out where only one fits'),
  right_time: z.string().optional(),
  sums: z
    .array(z.string())
    .max(MOST_SUMS)
    .optional()
    .describe('Numbers to add up: names both have, or left_name=right_name; numbers that both have by name when left out'),
  zone: z.string().max(60).default('UTC').describe('Zone whose days are compared'),
  column_zone: z.string().max(60).default('UTC').describe('Zone of the clock that times without a zone were written by'),
  from: z.string().max(40).optional(),
  to: z.string().max(40).optional().describe('First moment no longer compared'),
});
type Input = z.output<typeof inputShape>;

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const sumShape = z.object({ column: z.string(), left: cell, right: cell, difference: z.string().nullable() });
const dayShape = z.object({ day: z.string(), left_rows: z.number(), right_rows: z.number(), sums: z.array(sumShape) });
const sideShape = z.object({
  source: z.string(),
  table: z.string(),
  time: z.string(),
  rows: z.number(),
  without_day: z.number(),
  days: z.number(),
});

/** Two tables by day: where their rows and sums first part. */
export const reconcileDays = defineTool({
  name: 'reconcile_days',
  description:
    'Reconciles two tables by day, also of different sources: row counts and exact sums of each day on both sides, the first day that differs, days that only one side has, and the totals. Use when a mart, a copy or a target does not agree with its origin.',
  input: inputShape,
  output: z.object({
    left: sideShape,
    right: sideShape,
    zone: z.string(),
    sums: z.array(z.string()),
    sums_exact: z.boolean(),
    days_compared: z.number(),
    days_equal: z.number(),
    days_different: z.number(),
    only_left_days: z.number(),
    only_right_days: z.number(),
    first_difference: z.string().nullable(),
    totals: z.object({ left_rows: z.number(), right_rows: z.number(), sums: z.array(sumShape) }),
    different: z.array(dayShape),
  }),
  effect: 'read',
  timeoutSeconds: SECONDS + 10,
  example: { left: 'stg_orders', right: 'mart_daily_sales', left_time: 'sales_day', right_time: 'sales_day', sums: ['amount=revenue'] },
  run: (input, context) =>
    answerTable(async () => reconcile(input, await openSides(context, input, performance.now() + SECONDS * 1000), context)),
});

async function reconcile(input: Input, sides: Sides, context: ToolContext) {
  const pairs = input.sums ? input.sums.map((name) => findPair(sides, name)) : proposeSums(sides);
  for (const { name, left, right } of pairs)
    if (!isNumeric(left.kind) || !isNumeric(right.kind))
      throw new QuestionError(
        'not_numbers',
        `"${name}" cannot be added up: it is ${cutText(left.info.type, 60)} on the left and ${cutText(right.info.type, 60)} on the right`,
      );
  const frame = {
    grain: 'day' as const,
    zone: input.zone,
    columnZone: input.column_zone,
    from: input.from,
    to: input.to,
    now: context.now(),
  };
  const leftFrame = await readFrame(sides.left, await chooseTime(sides.left, input.left_time), frame);
  const rightFrame = await readFrame(sides.right, await chooseTime(sides.right, input.right_time), frame);
  const left = await readDays(
    sides.left,
    leftFrame,
    pairs.map((pair) => pair.left),
  );
  const right = await readDays(
    sides.right,
    rightFrame,
    pairs.map((pair) => pair.right),
  );
  const days = [...new Set([...left.days.keys(), ...right.days.keys()])].sort((a, b) => a - b);
  const different = days.filter((day) => isDifferent(left.days.get(day), right.days.get(day)));
  const shown = fitItems(
    different.map((day) => describeDay(day, left, right, pairs)),
    6_000,
  );
  const side = (table: Sides['left'], { days: own, rows, withoutDay }: SideDays, time: string) => ({
    source: table.source,
    table: cutText(table.description.name, 150),
    time: cutText(time, 80),
    rows,
    without_day: withoutDay,
    days: own.size,
  });
  const data = {
    left: side(sides.left, left, leftFrame.time.column.info.name),
    right: side(sides.right, right, rightFrame.time.column.info.name),
    zone: input.zone,
    sums: pairs.map(({ name }) => name),
    sums_exact: left.exact && right.exact,
    days_compared: days.length,
    days_equal: days.length - different.length,
    days_different: different.length,
    only_left_days: days.filter((day) => !right.days.has(day)).length,
    only_right_days: days.filter((day) => !left.days.has(day)).length,
    first_difference: different[0] === undefined ? null : dayText(different[0]),
    totals: { left_rows: left.total.rows, right_rows: right.total.rows, sums: describeSums(left.total, right.total, pairs) },
    different: [...shown],
  };
  const counts = {
    total: different.length,
    returned: shown.length,
    warnings: warningsOf(left, right, pairs, different.length - shown.length),
    asOf: context.now(),
  };
  if (days.length === 0) return noData(data, counts);
  return shown.length < different.length ? partial(data, counts) : complete(data, counts);
}

/** Numbers that both have by name and that make sense as a sum. */
function proposeSums(sides: Sides): readonly ColumnPair[] {
  const fits = ({ left, right }: ColumnPair): boolean => isNumeric(left.kind) && isNumeric(right.kind) && !isIdentifierName(left.info.name);
  return sharedColumns(sides).filter(fits).slice(0, MOST_SUMS);
}

function isDifferent(left: DaySums | undefined, right: DaySums | undefined): boolean {
  if (left === undefined || right === undefined || left.rows !== right.rows) return true;
  return left.sums.some((sum, index) => differenceOf(sum, right.sums[index] ?? null).different);
}

function describeDay(day: number, left: SideDays, right: SideDays, pairs: readonly ColumnPair[]): z.output<typeof dayShape> {
  const [mine, other] = [left.days.get(day), right.days.get(day)];
  return { day: dayText(day), left_rows: mine?.rows ?? 0, right_rows: other?.rows ?? 0, sums: describeSums(mine, other, pairs) };
}

/** The sums that differ. */
function describeSums(left: DaySums | undefined, right: DaySums | undefined, pairs: readonly ColumnPair[]): z.output<typeof sumShape>[] {
  return pairs.flatMap(({ name }, index) => {
    const [mine, other]: [Cell, Cell] = [left?.sums[index] ?? null, right?.sums[index] ?? null];
    const { different, difference } = differenceOf(mine, other);
    return different ? [{ column: name, left: mine, right: other, difference }] : [];
  });
}

function dayText(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

function warningsOf(left: SideDays, right: SideDays, pairs: readonly ColumnPair[], leftOut: number): ToolWarning[] {
  const warnings: ToolWarning[] = [];
  if (leftOut > 0)
    warnings.push({ code: 'days_left_out', message: `${leftOut} later days that differ are not shown; give "from" to see them` });
  if (!left.exact || !right.exact)
    warnings.push({
      code: 'sums_rounded',
      message: 'floating point sums are rounded; differences below a billionth of the sum do not count',
    });
  if (left.nonFinite + right.nonFinite > 0)
    warnings.push({
      code: 'non_finite',
      message: `NaN and infinite values are left out of the sums: ${left.nonFinite} left, ${right.nonFinite} right`,
    });
  if (pairs.length === 0)
    warnings.push({
      code: 'no_sums',
      message: 'no number is in both tables by name; only rows are compared. Give "sums" as left_name=right_name',
    });
  if (left.withoutDay + right.withoutDay > 0)
    warnings.push({
      code: 'rows_without_day',
      message: `rows without a plausible time belong to no day: ${left.withoutDay} left, ${right.withoutDay} right`,
    });
  return warnings;
}
