import type { Cell } from '../../core/source.ts';
import type { ToolWarning } from '../../core/tool-result.ts';

/** How many cells beyond the largest sensible one are cut in a row that alone is larger than the limit. */
const CELL_OVERHEAD = 4;

export interface RowCollector {
  readonly rows: readonly (readonly Cell[])[];
  /** True once a row was left out. */
  readonly truncated: boolean;
  readonly warnings: readonly ToolWarning[];
  /** Takes a row; false when it, and so all after it, is left out. */
  add(row: readonly Cell[]): boolean;
}

/**
 * Keeps rows up to `maxRows` and up to about `maxBytes` of text. A first row that alone is larger has its long cells
 * cut, each saying how long it was.
 */
export function collectRows(limits: { readonly maxRows: number; readonly maxBytes: number }): RowCollector {
  const rows: (readonly Cell[])[] = [];
  const warnings: ToolWarning[] = [];
  let bytes = 0;
  let truncated = false;
  return {
    rows,
    warnings,
    get truncated() {
      return truncated;
    },
    add(row) {
      if (truncated) return false;
      const size = sizeOfRow(row);
      if (rows.length >= limits.maxRows || (rows.length > 0 && bytes + size > limits.maxBytes)) {
        truncated = true;
        if (rows.length < limits.maxRows)
          warnings.push({ code: 'byte_limit', message: `reading stopped after ${rows.length} rows: they hold ${bytes} bytes of text` });
        return false;
      }
      bytes += size;
      rows.push(size > limits.maxBytes ? cutCells(row, limits.maxBytes, warnings) : row);
      return true;
    },
  };
}

function sizeOfRow(row: readonly Cell[]): number {
  let size = 2;
  for (const cell of row) size += typeof cell === 'string' ? cell.length + CELL_OVERHEAD : 8;
  return size;
}

function cutCells(row: readonly Cell[], maxBytes: number, warnings: ToolWarning[]): Cell[] {
  const most = Math.max(64, Math.floor(maxBytes / Math.max(1, row.length)));
  warnings.push({ code: 'cells_cut', message: `texts of more than ${most} characters are cut; each says how long it is` });
  return row.map((cell) => (typeof cell === 'string' ? cutText(cell, most) : cell));
}

/** The text, or its beginning and how many characters it has in all. Never parts a surrogate pair. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most);
  const whole = /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept;
  return `${whole}… (${text.length} characters)`;
}
