import type { BenchReport, Difference } from './bench-report.ts';
import { cellKey, type Timing } from './cell.ts';
import { type CellPair, compareCells } from './compare-designs.ts';
import { verdictOf } from './verdict.ts';

/** What `soloist bench compare --json` prints; a public shape. The later report against the earlier, design by design. */
export interface ReportComparison {
  readonly suite: string;
  readonly earlier: string;
  readonly later: string;
  readonly timing: Timing;
  readonly differences: readonly Difference[];
  readonly verdicts: readonly string[];
  /** Cells that only one of the two has. */
  readonly unpaired: number;
}

/** One for each kind of timing that both reports have: simulated and measured are never compared. */
export function compareReports(earlier: BenchReport, later: BenchReport): readonly ReportComparison[] {
  return (['simulated', 'measured'] as const).flatMap((timing) => {
    const before = new Map(earlier.cells.filter((cell) => cell.timing === timing).map((cell) => [cellKey(cell), cell]));
    const after = later.cells.filter((cell) => cell.timing === timing);
    const pairs = after.flatMap((mine): CellPair[] => {
      const baseline = before.get(cellKey(mine));
      return baseline ? [{ mine, baseline }] : [];
    });
    if (pairs.length === 0) return [];
    const designs = [...new Set(pairs.map(({ mine }) => mine.design))];
    const differences = designs.map((design) => {
      const own = pairs.filter(({ mine }) => mine.design === design);
      return compareCells(own, { tag: 'all', design: `${design} now`, baseline: `${design} before` });
    });
    return [
      {
        suite: later.suite,
        earlier: earlier.run,
        later: later.run,
        timing,
        differences,
        verdicts: differences.map(verdictOf),
        unpaired: before.size + after.length - 2 * pairs.length,
      },
    ];
  });
}
