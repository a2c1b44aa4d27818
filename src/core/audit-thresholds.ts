/** What must be reached for a claim of a delegation to have come true; each is `at least`. */
export interface AuditThresholds {
  readonly overlappingChildren: number;
  /** Working time of the children together ÷ time elapsed. */
  readonly parallelSpeedup: number;
  /** Tokens consumed in the children ÷ tokens returned. */
  readonly isolationRatio: number;
  readonly reasoningSteps: number;
  /** Delegations of an agent before a recommendation is made. */
  readonly delegationsToJudge: number;
  /** Share of the times claimed that a claim must come true to be worth its line. */
  readonly shareToKeep: number;
}

export const DEFAULT_THRESHOLDS: AuditThresholds = {
  overlappingChildren: 2,
  parallelSpeedup: 1.5,
  isolationRatio: 5,
  reasoningSteps: 2,
  delegationsToJudge: 3,
  shareToKeep: 0.5,
};
