import type { CellResult } from '../bench/cell.ts';
import { renderCellLine, renderLiveTable } from '../bench/report/live-table.ts';
import type { BenchStart } from './bench-run-suite.ts';

export interface BenchProgress {
  readonly onStart: (start: BenchStart) => void;
  readonly onCell: (result: CellResult, done: readonly CellResult[]) => void;
}

export interface Screen {
  readonly columns: number;
  readonly rows: number;
}

/**
 * Tells how a suite gets on: by a table that is drawn over itself where there is a screen that holds it, else by a line for
 * each finished cell.
 *
 * @param note writes a line, or several, to stderr
 */
export function createBenchProgress(note: (text: string) => void, screen: Screen | undefined): BenchProgress {
  let start: BenchStart | undefined;
  let drawn = 0;
  const draw = ({ suite, planned }: BenchStart, results: readonly CellResult[]): boolean => {
    const lines = renderLiveTable(suite, results, planned).split('\n');
    if (!screen || lines.length >= screen.rows || lines.some((line) => line.length >= screen.columns)) return false;
    note(`${drawn > 0 ? `\x1b[${drawn}A\x1b[0J` : ''}${lines.join('\n')}`);
    drawn = lines.length;
    return true;
  };
  return {
    onStart: (begun) => {
      start = begun;
      const { suite, run, kept, planned, fairness } = begun;
      note(`${suite.name}: ${planned} runs, ${run}`);
      for (const { what, state, detail } of fairness) note(`  ${what}: ${state} (${detail})`);
      if (kept.length > 0) note(`  going on: ${kept.length} of ${planned} runs are done`);
      draw(begun, kept);
    },
    onCell: (result, done) => {
      if (!start || !draw(start, done)) note(renderCellLine(result, done.length, start?.planned ?? done.length));
    },
  };
}
