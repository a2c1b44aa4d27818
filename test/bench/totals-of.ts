import type { BenchReport } from '../../src/bench/bench-report.ts';

/** All that the report says was used, warm-ups included. */
export function totalsOf(report: BenchReport) {
  const add = (of: (usage: BenchReport['cells'][number]['usage']) => number): number =>
    report.cells.reduce((sum, { usage }) => sum + of(usage), 0);
  const warm = (of: (one: BenchReport['warmUps'][number]) => number): number => report.warmUps.reduce((sum, one) => sum + of(one), 0);
  return {
    calls: add((usage) => usage.modelCalls) + warm(({ calls }) => calls),
    failed: add((usage) => usage.failedCalls),
    input: add((usage) => usage.inputTokens) + warm(({ inputTokens }) => inputTokens),
    output: add((usage) => usage.outputTokens) + warm(({ outputTokens }) => outputTokens),
  };
}
