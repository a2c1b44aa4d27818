import type { CellResult } from '../bench/cell.ts';
import { renderCellLine, renderLiveTable } from '../bench/report/live-table.ts';
import type { BenchStart } from './bench-run-suite.ts';

export interface BenchProgress {
  readonly onStart: (start: BenchStart) => void;
  readonly onCell: (result: CellResult, done: readonly CellResult[]) => void;
}

/**
 * Tells how a suite gets on.
 *
 * @param note writes a line, or several, to stderr
 * @param redraw whether the table may be drawn over itself; else each finished cell is a line
 */
export function createBenchProgress(note: (text: string) => void, redraw: boolean): BenchProgress {
  let start: BenchStart | undefined;
  let drawn = 0;
  const draw = (results: readonly CellResult[]): void => {
    if (!start) return;
    const table = renderLiveTable(start.suite, results, start.planned);
    note(`${drawn > 0 ? `\x1b[${drawn}A\x1b[0J` : ''}${table}`);
    drawn = table.split('\n').length;
  };
  return {
    onStart: (begun) => {
      start = begun;
      const { suite, run, kept, planned, fairness } = begun;
      note(`${suite.name}: ${planned} runs, ${run}`);
      for (const { what, state, detail } of fairness) note(`  ${what}: ${state} (${detail})`);
      if (kept.length > 0) note(`  going on: ${kept.length} of ${planned} runs are done`);
      if (redraw) draw(kept);
    },
    onCell: (result, done) => {
      if (redraw) draw(done);
      else note(renderCellLine(result, done.length, start?.planned ?? done.length));
    },
  };
}
