import { z } from 'zod';
import type { Cell } from '../../src/core/source.ts';
import { cutCell, cutText } from './fit-items.ts';
import { guessUnit } from './guess-unit.ts';
import type { MeasuredColumn } from './profile-columns.ts';
import type { TopValues } from './top-values.ts';

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Counts that are zero are left out, save `null`. */
export const columnProfile = z.object({
  name: z.string(),
  type: z.string(),
  null: z.number().optional(),
  distinct: z.number().optional(),
  distinct_exact: z.boolean().optional(),
  min: cell.optional(),
  max: cell.optional(),
  sum: cell.optional(),
  sum_exact: z.boolean().optional(),
  true_count: z.number().optional(),
  /** Values at 5, 25, 50, 75 and 95 per cent of the rows in order. */
  quantiles: z.array(cell).optional(),
  quantiles_exact: z.boolean().optional(),
  blank: z.number().optional(),
  placeholder_words: z.number().optional(),
  padded: z.number().optional(),
  leading_zeros: z.number().optional(),
  longest: z.number().optional(),
  non_finite: z.number().optional(),
  sentinel_dates: z.number().optional(),
  texts_among_numbers: z.number().optional(),
  /** Values that are JSON objects, or lists, written as text. */
  json_objects: z.number().optional(),
  json_lists: z.number().optional(),
  top: z.array(z.tuple([z.string(), z.number()])).optional(),
  unit_guess: z.object({ unit: z.string(), because: z.string() }).optional(),
  error: z.string().optional(),
});

export type ColumnProfile = z.infer<typeof columnProfile>;

interface Shaping {
  readonly rows: number;
  /** Whether distinct counts and quantiles are exact. */
  readonly distinctExact: boolean;
  readonly quantilesExact: boolean;
}

const VALUE_CHARACTERS = 60;

/** The measures of a column as they are shown. */
export function shapeProfile(measured: MeasuredColumn, top: TopValues | undefined, shaping: Shaping): ColumnProfile {
  const { column, measures, error } = measured;
  const { kind, info } = column;
  const filled = measures.filled === undefined ? undefined : Number(measures.filled);
  const unit = guessUnit({ name: info.name, kind, min: measures.min, max: measures.max });
  const isNumber = kind === 'integer' || kind === 'decimal' || kind === 'float';
  return {
    name: cutText(info.name, 120),
    type: cutText(info.type, 80),
    ...(filled === undefined ? {} : { null: shaping.rows - filled }),
    ...(measures.distinct === undefined
      ? {}
      : { distinct: Math.min(Number(measures.distinct), filled ?? shaping.rows), distinct_exact: shaping.distinctExact }),
    ...ifGiven('min', measures.min),
    ...ifGiven('max', measures.max),
    ...(isNumber ? ifGiven('sum', measures.sum) : {}),
    ...(isNumber && measures.sum !== undefined && measures.sum !== null ? { sum_exact: isExactSum(kind, measures.sum) } : {}),
    ...(kind === 'boolean' ? ifGiven('true_count', measures.sum) : {}),
    ...shapeQuantiles(measures.quantiles, shaping.quantilesExact),
    ...ifAny('blank', measures.blank),
    ...ifAny('placeholder_words', measures.placeholder),
    ...ifAny('padded', measures.padded),
    ...ifAny('leading_zeros', measures.leading_zeros),
    ...ifAny('longest', measures.longest),
    ...ifAny('non_finite', measures.non_finite),
    ...ifAny('sentinel_dates', measures.sentinel),
    ...ifAny('texts_among_numbers', measures.not_text),
    ...ifAny('json_objects', measures.json_objects),
    ...ifAny('json_lists', measures.json_lists),
    ...(top && top.length > 0 ? { top: top.map(([value, count]) => [cutText(value, VALUE_CHARACTERS), count] as [string, number]) } : {}),
    ...(unit ? { unit_guess: unit } : {}),
    ...(error === undefined ? {} : { error: cutText(error, 200) }),
  } as ColumnProfile;
}

/** Sums of decimals and whole numbers come without loss; those of binary floats are rounded. */
function isExactSum(kind: string, sum: Cell): boolean {
  return kind !== 'float' && (typeof sum === 'string' || Number.isSafeInteger(sum));
}

function ifGiven(name: string, value: Cell | undefined): Record<string, Cell> {
  return value === undefined || value === null ? {} : { [name]: cutCell(value, VALUE_CHARACTERS * 2) };
}

function ifAny(name: string, value: Cell | undefined): Record<string, number> {
  return Number(value ?? 0) > 0 ? { [name]: Number(value) } : {};
}

function shapeQuantiles(value: Cell | undefined, exact: boolean): Pick<ColumnProfile, 'quantiles' | 'quantiles_exact'> {
  if (typeof value !== 'string') return {};
  const items = JSON.parse(value) as (Cell | undefined)[];
  return { quantiles: items.map((item) => cutCell(item ?? null, VALUE_CHARACTERS)), quantiles_exact: exact };
}
