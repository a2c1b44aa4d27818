import type { CaseSummary, Summary } from './bench-report.ts';
import type { CellResult, FailureKind } from './cell.ts';
import { wilson } from './statistics/proportions.ts';
import type { CaseSpec } from './suite-spec.ts';

/** Adds up cells of one design. */
export function summarise(design: string, cells: readonly CellResult[]): Summary {
  const count = cells.length;
  const passed = cells.filter((cell) => cell.passed).length;
  const mean = (of: (cell: CellResult) => number): number => (count === 0 ? 0 : cells.reduce((sum, cell) => sum + of(cell), 0) / count);
  const most = (of: (cell: CellResult) => number): number => cells.reduce((high, cell) => Math.max(high, of(cell)), 0);
  const success = wilson(passed, count);
  const cached = cells.some(({ usage }) => usage.cachedTokens !== undefined);
  const priced = count > 0 && cells.every(({ usage }) => usage.cost !== undefined);
  const cost = mean(({ usage }) => usage.cost ?? 0);
  const lookedUp = cells.some(({ unsupportedFigures }) => unsupportedFigures !== undefined);
  return {
    design,
    cells: count,
    passed,
    ...(success ? { success } : {}),
    inputTokens: mean(({ usage }) => usage.inputTokens),
    outputTokens: mean(({ usage }) => usage.outputTokens),
    ...(cached ? { cachedTokens: mean(({ usage }) => usage.cachedTokens ?? 0) } : {}),
    modelCalls: mean(({ usage }) => usage.modelCalls),
    toolCalls: mean(({ usage }) => usage.toolCalls),
    badCalls: mean(({ usage }) => usage.badCalls),
    wallMs: mean(({ usage }) => usage.wallMs),
    peakOrchestrator: most(({ usage }) => usage.peakOrchestrator),
    peakAny: most(({ usage }) => usage.peakAny),
    ...(priced ? { cost } : {}),
    ...(priced && passed > 0 ? { costPerSuccess: (cost * count) / passed } : {}),
    ...(lookedUp ? { unsupportedFigures: cells.reduce((sum, cell) => sum + (cell.unsupportedFigures ?? 0), 0) } : {}),
    failures: countFailures(cells),
    delegations: cells.reduce((sum, cell) => sum + cell.delegations, 0),
    paid: cells.reduce((sum, cell) => sum + cell.paid, 0),
  };
}

/** The same for each case and design, in the order of the suite. */
export function summariseCases(
  designs: readonly string[],
  cases: readonly CaseSpec[],
  cells: readonly CellResult[],
): readonly CaseSummary[] {
  return cases.flatMap(({ id, tags, x }) =>
    designs.flatMap((design) => {
      const own = cells.filter((cell) => cell.case === id && cell.design === design);
      return own.length === 0 ? [] : [{ ...summarise(design, own), case: id, tags, ...(x === undefined ? {} : { x }) }];
    }),
  );
}

function countFailures(cells: readonly CellResult[]): Summary['failures'] {
  const counts: Partial<Record<FailureKind, number>> = {};
  for (const { failure } of cells) if (failure) counts[failure] = (counts[failure] ?? 0) + 1;
  return counts;
}
