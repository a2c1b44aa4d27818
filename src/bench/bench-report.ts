import type { CellResult, FailureKind, Timing } from './cell.ts';
import type { FairnessLine } from './fairness.ts';
import type { Estimate } from './statistics/proportions.ts';
import type { PriceSpec, SimulatedSpeed } from './suite-spec.ts';

/** What `soloist bench --json` prints; a public shape. Times are milliseconds. */
export interface BenchReport {
  readonly format: 'soloist-bench-1';
  readonly suite: string;
  readonly about: string;
  readonly claim: string;
  readonly run: string;
  readonly startedAt: string;
  /** Of soloist. */
  readonly version: string;
  readonly baseline: string;
  readonly designs: readonly { readonly name: string; readonly about: string }[];
  readonly axis?: string;
  readonly seeds: readonly number[];
  readonly repeat: number;
  readonly cellsPlanned: number;
  readonly fairness: readonly FairnessLine[];
  /** How it was run, in sentences. */
  readonly conditions: readonly string[];
  readonly simulate: SimulatedSpeed;
  readonly price?: PriceSpec;
  /** The model that judged, where one was asked to. */
  readonly judge?: string;
  /** Calls that made the models ready; not part of any cell. */
  readonly warmUps: readonly WarmUp[];
  /** One for simulated times, one for measured times, as far as there are cells of the kind. */
  readonly groups: readonly ReportGroup[];
  readonly cells: readonly CellResult[];
}

export interface WarmUp {
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Why it did not work, if so. */
  readonly failure?: string;
}

/** What is comparable: all its times are simulated, or all are measured. */
export interface ReportGroup {
  readonly timing: Timing;
  readonly designs: readonly Summary[];
  readonly cases: readonly CaseSummary[];
  /** For every tag, and for `all`, each design against the baseline. */
  readonly differences: readonly Difference[];
  /** The differences in words, a sentence each. */
  readonly verdicts: readonly string[];
}

/** Cells of one design added up; means are per cell. */
export interface Summary {
  readonly design: string;
  readonly cells: number;
  readonly passed: number;
  readonly success?: Estimate;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly badCalls: number;
  readonly wallMs: number;
  /** The largest of all cells. */
  readonly peakOrchestrator: number;
  readonly peakAny: number;
  readonly cost?: number;
  /** Cost of all cells ÷ cells that passed; absent without a price, or when none passed. */
  readonly costPerSuccess?: number;
  readonly unsupportedFigures?: number;
  readonly failures: Readonly<Partial<Record<FailureKind, number>>>;
  readonly delegations: number;
  readonly paid: number;
}

export interface CaseSummary extends Summary {
  readonly case: string;
  readonly tags: readonly string[];
  readonly x?: number;
}

export const METRICS = ['wallMs', 'tokens', 'peakOrchestrator', 'modelCalls', 'cost'] as const;
export type Metric = (typeof METRICS)[number];

/** A design against the baseline over the pairs of a tag. */
export interface Difference {
  readonly tag: string;
  readonly design: string;
  readonly baseline: string;
  readonly pairs: number;
  readonly passed: number;
  readonly baselinePassed: number;
  /** Difference of the shares of success. */
  readonly success?: Estimate;
  /** Times as much as the baseline; absent where it cannot be told. */
  readonly ratios: Readonly<Partial<Record<Metric, Estimate>>>;
  /** Pairs that would tell a difference of five points of success. */
  readonly pairsForSuccess: number;
}
