import { NUMBER_STYLES } from './classify-cell.ts';
import type { ColumnEvidence } from './column-evidence.ts';
import type { ColumnHints } from './decide-column.ts';
import type { DateOrder } from './parse-date.ts';

export type DateHints = Map<string, { readonly order: DateOrder; readonly from: string }>;

/** The decimal mark that every column with an unmistakable one uses; undefined when there is none or they differ. */
export function settledDecimalMark(columns: readonly ColumnEvidence[]): ',' | '.' | undefined {
  const marks = new Set<',' | '.'>();
  for (const { shapes, styleFits } of columns) {
    if (shapes.number === 0) continue;
    const fitting = NUMBER_STYLES.filter((_, index) => styleFits[index] === shapes.number).map((style) => style.decimal);
    const [mark] = fitting;
    if (mark !== undefined && fitting.every((other) => other === mark)) marks.add(mark);
  }
  return marks.size === 1 ? [...marks][0] : undefined;
}

/** True when a column's numbers fit with either decimal mark and no other column settles it. */
export function hasOpenDecimalMark(columns: readonly ColumnEvidence[]): boolean {
  if (settledDecimalMark(columns) !== undefined) return false;
  return columns.some(({ shapes, styleFits }) => {
    const fitting = NUMBER_STYLES.filter((_, index) => styleFits[index] === shapes.number);
    return shapes.number > 0 && new Set(fitting.map(({ decimal }) => decimal)).size > 1;
  });
}

/** Orders of day and month that a column's values settle, by the way the dates are written. */
export function settledDateOrders(
  columns: readonly { readonly name: string; readonly evidence: ColumnEvidence }[],
  place: string,
): DateHints {
  const hints: DateHints = new Map();
  const contradicted = new Set<string>();
  for (const { name, evidence } of columns) {
    for (const [family, { cells, fits }] of evidence.families) {
      if (family[0] === 'Y' || family[0] === 'n' || evidence.families.size > 1) continue;
      const fitting = (['dmy', 'mdy', 'ymd'] as const).filter((order) => fits[order] === cells);
      const [order] = fitting;
      if (order === undefined || fitting.length > 1) continue;
      if (hints.has(family) && hints.get(family)?.order !== order) contradicted.add(family);
      else hints.set(family, { order, from: `column "${name}"${place}` });
    }
  }
  for (const family of contradicted) hints.delete(family);
  return hints;
}

/** True when a column's dates fit several orders, so that a look at other files is worth it. */
export function hasOpenDateOrder(columns: readonly ColumnEvidence[], known: ColumnHints['dateOrders']): boolean {
  return columns.some(({ families }) =>
    [...families].some(
      ([family, { cells, fits }]) =>
        (family[0] === 'y' || family[0] === '2') && !known?.has(family) && fits.dmy === cells && fits.mdy === cells,
    ),
  );
}
