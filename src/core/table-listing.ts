import type { ToolWarning } from './tool-result.ts';

export interface TableInfo {
  readonly name: string;
  readonly kind: 'table' | 'view' | 'file';
  /** Rows as text; `exact` false for an engine's estimate. Absent when it is not cheap to know. */
  readonly rows?: { readonly count: string; readonly exact: boolean };
  readonly bytes?: number;
  readonly modified?: Date;
  /** Places of it that are no rows, where that is known. */
  readonly warnings?: readonly ToolWarning[];
}

export interface TableListing {
  readonly tables: readonly TableInfo[];
  readonly warnings: readonly ToolWarning[];
  /** False when tables may be missing. */
  readonly complete: boolean;
}
