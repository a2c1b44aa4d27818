import type { Cell, TableEngine } from '../../src/core/source.ts';
import { isNumeric } from './column-class.ts';
import { type ExactNumber, exactText, parseExact } from './exact-number.ts';
import type { ColumnPair } from './open-sides.ts';
import type { ProfiledColumn } from './profile-sql.ts';

/** How the values of a pair of columns are held against one another. */
export type ComparedAs = 'number' | 'time' | 'boolean' | 'text';

export interface ComparedPair extends ColumnPair {
  readonly as: ComparedAs;
}

export interface ComparisonQuestion {
  readonly key: readonly ComparedPair[];
  readonly content: readonly ComparedPair[];
  /** Numbers no further apart than that count as equal. */
  readonly tolerance: ExactNumber | undefined;
  readonly samples: number;
}

export interface KeyRows {
  readonly keys: number;
  readonly rows: number;
}

/** What two tables have in common and what not. Keys with NULL are keys like others; double keys are not compared. */
export interface Comparison {
  readonly keys: number;
  readonly leftRows: number;
  readonly rightRows: number;
  readonly compared: number;
  readonly changed: number;
  readonly onlyLeft: KeyRows;
  readonly onlyRight: KeyRows;
  readonly doubleLeft: KeyRows;
  readonly doubleRight: KeyRows;
  readonly nullLeft: number;
  readonly nullRight: number;
  /** Rows that differ, for each content column. */
  readonly changedBy: readonly number[];
  readonly samples: {
    readonly onlyLeft: readonly (readonly Cell[])[];
    readonly onlyRight: readonly (readonly Cell[])[];
    readonly double: readonly { readonly key: readonly Cell[]; readonly left: number; readonly right: number }[];
    readonly changed: readonly {
      readonly key: readonly Cell[];
      readonly left: readonly Cell[];
      readonly right: readonly Cell[];
      readonly columns: readonly number[];
    }[];
  };
}

export function comparePair(pair: ColumnPair): ComparedPair {
  const { left, right } = pair;
  const isFlag = (column: ProfiledColumn): boolean => column.kind === 'boolean';
  if (isNumeric(left.kind) && isNumeric(right.kind)) return { ...pair, as: 'number' };
  if (left.kind === 'time' && right.kind === 'time') return { ...pair, as: 'time' };
  if ((isFlag(left) && isFlag(right)) || (isFlag(left) && right.kind === 'integer') || (left.kind === 'integer' && isFlag(right)))
    return { ...pair, as: 'boolean' };
  return { ...pair, as: 'text' };
}

/** SQL of one side's value in the form in which it is compared. */
export function comparedSql(column: ProfiledColumn, as: ComparedAs, dialect: TableEngine['dialect']): string {
  if (as === 'boolean') return dialect === 'sqlite' ? column.sql : `CAST(${column.sql} AS INTEGER)`;
  if (as === 'text')
    return column.kind === 'text' && !/^(ENUM|NAME|CITEXT)/i.test(column.info.type) ? column.sql : `CAST(${column.sql} AS TEXT)`;
  return column.sql;
}

/** A cell in the form in which those of different engines can be compared. */
export function normaliseCell(cell: Cell, as: ComparedAs): string | null {
  if (cell === null) return null;
  const text = String(cell);
  if (as === 'number') {
    const exact = parseExact(cell);
    return exact === undefined ? text : exactText(exact);
  }
  if (as === 'boolean') return /^(true|t|1)$/i.test(text) ? '1' : /^(false|f|0)$/i.test(text) ? '0' : text;
  return as === 'time' ? normaliseTime(text) : text;
}

/** Engines differ in `T`, in zeros at the end of fractions, and in how they write UTC; a date is its first moment. */
function normaliseTime(text: string): string {
  const match = /^(\d{4,}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(text);
  if (!match) return text;
  const [, day = '', clock = '00:00:00', fraction = '', zone = ''] = match;
  const rest = fraction.replace(/\.?0+$/, '');
  const offset = /^(Z|[+-]00(:?00)?)?$/.test(zone) ? '' : zone;
  return `${day} ${clock.length === 5 ? `${clock}:00` : clock}${rest}${offset}`;
}
