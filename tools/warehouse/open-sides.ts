import { z } from 'zod';
import type { ToolContext } from '../../src/core/tool.ts';
import { findColumn, type OpenTable, openBeside, openTable, QuestionError, shownName } from './ask-table.ts';
import { isLoadColumn } from './load-columns.ts';
import type { ProfiledColumn } from './profile-sql.ts';

/** The inputs by which tools of two tables say which ones. */
export const sidesInput = {
  left: z.string().min(1).describe('Table that counts as the one to expect, as list_tables names it'),
  right: z.string().min(1).describe('Table to compare with it'),
  left_source: z.string().optional(),
  right_source: z
    .string()
    .optional()
    .describe('May be another source than that of left; that of left where it holds the table when left out'),
  left_where: z.string().max(2_000).optional().describe('A predicate over left'),
  right_where: z.string().max(2_000).optional().describe('A predicate over right'),
};

interface SidesChoice {
  readonly left: string;
  readonly right: string;
  readonly left_source?: string | undefined;
  readonly right_source?: string | undefined;
  readonly left_where?: string | undefined;
  readonly right_where?: string | undefined;
}

export interface Sides {
  readonly left: OpenTable;
  readonly right: OpenTable;
  /** One engine holds both, so that one query can see them together. */
  readonly together: boolean;
}

export async function openSides(context: ToolContext, choice: SidesChoice, deadline: number): Promise<Sides> {
  const left = await openTable(context, { table: choice.left, source: choice.left_source, where: choice.left_where }, deadline);
  const beside = { table: choice.right, source: choice.right_source, where: choice.right_where, beside: left.source };
  const right = await openBeside(context, beside, deadline);
  return { left, right, together: left.engine === right.engine };
}

/** A column of left and the one of right that answers to it. */
export interface ColumnPair {
  readonly name: string;
  readonly left: ProfiledColumn;
  readonly right: ProfiledColumn;
}

/** The pair that a name stands for: `name`, or `left_name=right_name`. @throws QuestionError */
export function findPair({ left, right }: Sides, name: string): ColumnPair {
  const whole = left.columns.some(({ info }) => info.name === name);
  const cut = whole ? -1 : name.indexOf('=');
  const [leftName, rightName] = cut < 0 ? [name, name] : [name.slice(0, cut).trim(), name.slice(cut + 1).trim()];
  if (leftName === '' || rightName === '')
    throw new QuestionError('bad_pair', `"${name.slice(0, 80)}" is no pair of columns; write left=right`);
  const column = findColumn(left, leftName);
  return { name: shownName(column), left: column, right: findColumn(right, rightName) };
}

/** Columns that both have by name, case ignored, those that say how a row was loaded aside. */
export function sharedColumns({ left, right }: Sides): readonly ColumnPair[] {
  const byName = new Map(right.columns.map((column) => [column.info.name.toLowerCase(), column]));
  return left.columns.flatMap((column) => {
    const other = byName.get(column.info.name.toLowerCase());
    return other === undefined || isLoadColumn(column.info.name) ? [] : [{ name: shownName(column), left: column, right: other }];
  });
}
