import type { TextEncodingName } from '../../core/file-reading.ts';
import type { ColumnEvidence } from './column-evidence.ts';
import type { ColumnDecision } from './decide-column.ts';
import type { Dialect } from './read-records.ts';
import type { RecordsInside } from './records-inside.ts';
import type { PlainFile } from './scan-plain.ts';
import type { TableShape } from './shape-table.ts';

/** More columns than this are not typed and not made into a table. */
export const MOST_COLUMNS = 2000;

export interface PlannedColumn {
  readonly name: string;
  readonly decision: ColumnDecision;
}

interface PlanParts {
  readonly gzip: boolean;
  readonly encoding: TextEncodingName;
  readonly columns: readonly PlannedColumn[];
  /** Rows that the scan of the whole file counted; undefined after a partial scan. */
  readonly rows: number | undefined;
}

/** All that is needed to turn a file into a table without a further guess. */
export type TablePlan =
  | (PlanParts & {
      readonly kind: 'delimited';
      readonly dialect: Dialect;
      readonly shape: TableShape;
      readonly surplus: boolean;
      readonly direct?: DirectReading;
    })
  | (PlanParts & { readonly kind: 'json'; readonly keys: readonly string[]; readonly inside: RecordsInside | null });

/** What the engine's own reading of a plain file needs; all of it is checked against every cell when it is read. */
export interface DirectReading {
  readonly file: PlainFile;
  readonly dialect: Dialect;
  readonly shape: TableShape;
  readonly rows: number;
  /** What the columns look like in a sample; cells that do not fit are added to it. */
  readonly evidence: readonly ColumnEvidence[];
  readonly decide: (evidence: readonly ColumnEvidence[]) => readonly PlannedColumn[];
}

/** The column for cells beyond the table's width. */
export const SURPLUS_COLUMN = '_extra';
