import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BenchReport } from '../bench/bench-report.ts';
import { compareReports, type ReportComparison } from '../bench/compare-reports.ts';
import { ratioWithInterval } from '../bench/report/format-values.ts';
import { SoloistError } from '../core/errors.ts';

/**
 * Two reports that `soloist bench --json` wrote, the later against the earlier.
 *
 * @throws SoloistError `usage` when a file is no report, the suites differ, or no run of one has a like in the other.
 */
export function compareFiles(earlier: string, later: string, cwd: string): readonly ReportComparison[] {
  const [before, after] = [readReport(resolve(cwd, earlier)), readReport(resolve(cwd, later))];
  if (before.suite !== after.suite)
    throw new SoloistError('usage', `the reports are of two suites, ${before.suite} and ${after.suite}`, {
      fix: 'compare two runs of one suite',
    });
  const comparisons = compareReports(before, after);
  if (comparisons.length > 0) return comparisons;
  const kinds = (report: BenchReport): string => [...new Set(report.cells.map(({ timing }) => timing))].join(' and ') || 'empty';
  throw new SoloistError('usage', `no run of one has a like in the other (the first is ${kinds(before)}, the second ${kinds(after)})`, {
    fix: 'compare runs of the same designs, cases and seeds; simulated and measured times are never compared',
  });
}

function readReport(file: string): BenchReport {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const fact =
      error instanceof SyntaxError ? 'the file is not JSON' : `the file cannot be read (${(error as NodeJS.ErrnoException).code})`;
    throw new SoloistError('usage', fact, { where: file, fix: 'write a report with `soloist bench SUITE --json > FILE`' });
  }
  const report = value as Partial<BenchReport> | null;
  if (report?.format === 'soloist-bench-1' && Array.isArray(report.cells)) return report as BenchReport;
  throw new SoloistError('usage', 'the file is not a report of a suite', {
    where: file,
    fix: 'write one with `soloist bench SUITE --json > FILE`',
  });
}

export function renderComparison(comparisons: readonly ReportComparison[]): string {
  const blocks = comparisons.map(({ suite, earlier, later, timing, differences, verdicts, unpaired }) => {
    const wall = timing === 'simulated' ? 'wall, simulated' : 'wall';
    const lines = differences.map(
      ({ design, ratios, passed, baselinePassed, pairs }) =>
        `  ${design}: passed ${passed} against ${baselinePassed} of ${pairs}; times as much as before: tokens ${ratioWithInterval(ratios.tokens)}, ${wall} ${ratioWithInterval(ratios.wallMs)}, peak context ${ratioWithInterval(ratios.peakOrchestrator)}`,
    );
    const rest = unpaired > 0 ? [`${unpaired} runs have no like in the other report.`] : [];
    return [`${suite}: ${later} against ${earlier} (${timing})`, ...verdicts.map((one) => `- ${one}`), ...lines, ...rest].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}
