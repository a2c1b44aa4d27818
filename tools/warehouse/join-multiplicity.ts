import { z } from 'zod';
import type { Cell } from '../../src/core/source.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, noData, type ToolWarning } from '../../src/core/tool-result.ts';
import { answerTable, type OpenTable, shownName } from './ask-table.ts';
import { type ComparedPair, comparePair } from './comparison.ts';
import { cutCell, cutText } from './fit-items.ts';
import { countAlmost, countApart, countTogether, type JoinCounts, sumInflation } from './join-counts.ts';
import { findPair, openSides, type Sides, sidesInput } from './open-sides.ts';

const SECONDS = 110;

const inputShape = z.object({
  ...sidesInput,
  on: z.array(z.string()).min(1).max(10).describe('Columns of the join: names both have, or left_name=right_name'),
});
type Input = z.output<typeof inputShape>;

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const outputShape = z.object({
  left: z.object({ source: z.string(), table: z.string(), rows: z.number(), null_key_rows: z.number(), double_keys: z.number() }),
  right: z.object({
    source: z.string(),
    table: z.string(),
    rows: z.number(),
    null_key_rows: z.number(),
    double_keys: z.number(),
    unmatched_rows: z.number(),
  }),
  on: z.array(z.string()),
  relation: z.enum(['one_to_one', 'many_to_one', 'one_to_many', 'many_to_many']),
  left_rows_with: z.object({ no_match: z.number(), one_match: z.number(), many_matches: z.number() }),
  most_matches: z.number(),
  rows_after: z.object({ inner_join: z.string(), left_join: z.string() }),
  multiplies: z.boolean(),
  sums: z.array(z.object({ column: z.string(), before: cell, after_left_join: cell })),
  almost_matching_rows: z.number().optional(),
  sample_many: z.array(z.object({ key: z.array(cell), left_rows: z.number(), right_rows: z.number() })),
  sample_no_match: z.array(z.object({ key: z.array(cell), left_rows: z.number() })),
});

/** What a join would do to the rows of left, before it is made. */
export const joinMultiplicity = defineTool({
  name: 'join_multiplicity',
  description:
    'Says what a join of two tables does: how many rows of left find no, one or many rows of right, how many rows come out of an inner and a left join, how sums of left grow, NULL keys (which never match), keys that would match but for case or blanks. Use when totals are too high after a join, or rows get lost.',
  input: inputShape,
  output: outputShape,
  effect: 'read',
  timeoutSeconds: SECONDS + 10,
  example: { left: 'orders', right: 'order_lines', on: ['order_id'] },
  run: (input, context) =>
    answerTable(async () => measure(input, await openSides(context, input, performance.now() + SECONDS * 1000), context)),
});

async function measure(input: Input, sides: Sides, context: ToolContext) {
  const on = input.on.map((name) => comparePair(findPair(sides, name)));
  const found = await (sides.together ? countTogether(sides, on) : countApart(sides, on));
  const warnings = warningsOf(found, on);
  const optional = async <Value>(what: string, work: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await work();
    } catch (error) {
      warnings.push({ code: 'not_measured', message: cutText(`${what}: ${error instanceof Error ? error.message : 'failed'}`, 200) });
      return undefined;
    }
  };
  const sums = sides.together && found.many > 0 ? await optional('sums', () => sumInflation(sides, on)) : [];
  const almost =
    sides.together && found.none > found.leftNull ? await optional('keys that nearly match', () => countAlmost(sides, on)) : undefined;
  const side = ({ source, description }: OpenTable, rows: number) => ({ source, table: cutText(description.name, 150), rows });
  const key = (cells: readonly Cell[]): Cell[] => cells.slice(0, 6).map((value) => cutCell(value, 60));
  const data = {
    left: { ...side(sides.left, found.leftRows), null_key_rows: found.leftNull, double_keys: found.doubleKeys.left },
    right: {
      ...side(sides.right, found.rightRows),
      null_key_rows: found.rightNull,
      double_keys: found.doubleKeys.right,
      unmatched_rows: found.rightUnmatched,
    },
    on: on.map(({ name }) => name),
    relation: relationOf(found),
    left_rows_with: { no_match: found.none, one_match: found.one, many_matches: found.many },
    most_matches: found.most,
    rows_after: { inner_join: found.innerRows, left_join: found.leftJoinRows },
    multiplies: found.many > 0,
    sums: (sums ?? []).map(({ column, before, after }) => ({ column: shownName(column), before, after_left_join: after })),
    ...(almost === undefined ? {} : { almost_matching_rows: almost }),
    sample_many: found.sampleMany.map((sample) => ({ key: key(sample.key), left_rows: sample.left, right_rows: sample.right })),
    sample_no_match: found.sampleNone.map((sample) => ({ key: key(sample.key), left_rows: sample.left })),
  };
  return (found.leftRows === 0 ? noData : complete)(data, {
    total: found.leftRows,
    returned: found.leftRows,
    warnings,
    asOf: context.now(),
  });
}

/** By the keys as they stand, NULL aside or not: a key that comes twice makes its side "many". */
function relationOf({ doubleKeys }: JoinCounts): z.output<typeof outputShape>['relation'] {
  const [left, right] = [doubleKeys.left > 0 ? 'many' : 'one', doubleKeys.right > 0 ? 'many' : 'one'] as const;
  return `${left}_to_${right}`;
}

function warningsOf(found: JoinCounts, on: readonly ComparedPair[]): ToolWarning[] {
  const warnings: ToolWarning[] = [];
  const retyped = on
    .filter(({ left, right }) => left.kind !== right.kind)
    .map(({ name, left, right, as }) => `${name} (${left.info.type} / ${right.info.type}, as ${as})`);
  if (found.many > 0)
    warnings.push({
      code: 'join_multiplies',
      message: `${found.many} rows of left find more than one row of right, up to ${found.most}; an inner join gives ${found.innerRows} rows from ${found.leftRows}`,
    });
  if (found.leftNull + found.rightNull > 0)
    warnings.push({ code: 'null_keys', message: `NULL never matches: ${found.leftNull} rows left, ${found.rightNull} rows right` });
  if (retyped.length > 0) warnings.push({ code: 'types_differ', message: cutText(`types differ: ${retyped.join('; ')}`, 300) });
  return warnings;
}
