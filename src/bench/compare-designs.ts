import { type Difference, METRICS, type Metric } from './bench-report.ts';
import { type CellResult, pairKey } from './cell.ts';
import { pairedRatio, pairsForShares } from './statistics/paired.ts';
import { type Estimate, pairedShareDifference } from './statistics/proportions.ts';
import { seedFrom } from './statistics/random.ts';

/** A difference in the share of success that matters: five points. */
export const MARGIN = 0.05;

/** Two runs on the same case with the same seed. */
export interface CellPair {
  readonly mine: CellResult;
  readonly baseline: CellResult;
}

/** Pairs of cells by case, seed and repeat; a cell without its other half is left out. */
export function pairCells(mine: readonly CellResult[], baseline: readonly CellResult[]): readonly CellPair[] {
  const others = new Map(baseline.map((cell) => [pairKey(cell), cell]));
  return mine.flatMap((cell) => {
    const other = others.get(pairKey(cell));
    return other ? [{ mine: cell, baseline: other }] : [];
  });
}

export interface Comparison {
  readonly tag: string;
  readonly design: string;
  readonly baseline: string;
}

/** One design against another over their pairs. Intervals are drawn with a seed made of what is compared. */
export function compareCells(pairs: readonly CellPair[], names: Comparison): Difference {
  const both = pairs.filter(({ mine, baseline }) => mine.passed && baseline.passed).length;
  const passed = pairs.filter(({ mine }) => mine.passed).length;
  const baselinePassed = pairs.filter(({ baseline }) => baseline.passed).length;
  const onlyThis = passed - both;
  const onlyBaseline = baselinePassed - both;
  const success = pairedShareDifference({ both, onlyThis, onlyBaseline, neither: pairs.length - both - onlyThis - onlyBaseline });
  const ratios: Partial<Record<Metric, Estimate>> = {};
  for (const metric of METRICS) {
    const values = pairs.map(({ mine, baseline }) => ({ mine: metricOf(mine, metric), baseline: metricOf(baseline, metric) }));
    if (values.some(({ mine, baseline }) => mine === undefined || baseline === undefined)) continue;
    const ratio = pairedRatio(values as { mine: number; baseline: number }[], seedFrom(`${names.tag} ${names.design} ${metric}`));
    if (ratio) ratios[metric] = ratio;
  }
  const discordant = pairs.length === 0 ? 0 : (onlyThis + onlyBaseline) / pairs.length;
  return {
    ...names,
    pairs: pairs.length,
    passed,
    baselinePassed,
    ...(success ? { success } : {}),
    ratios,
    pairsForSuccess: pairsForShares(MARGIN, discordant),
  };
}

/** A metric of a cell; cost is absent without a price. */
export function metricOf({ usage }: CellResult, metric: Metric): number | undefined {
  if (metric === 'tokens') return usage.inputTokens + usage.outputTokens;
  return usage[metric];
}
