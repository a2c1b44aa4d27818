/** One run of one design on one case with one seed. */
export interface CellPlace {
  readonly design: string;
  readonly case: string;
  readonly seed: number;
  /** From 1. */
  readonly repeat: number;
}

/** `simulated`: no model was called, and time is worked out from a stated speed. The two never stand in one table. */
export type Timing = 'simulated' | 'measured';

/** What a cell used in all, children and stopped calls included, as its log says. Times are milliseconds. */
export interface CellUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Read from the prompt cache; absent where the server does not tell. */
  readonly cachedTokens?: number;
  readonly modelCalls: number;
  /** Model calls that failed or were stopped: part of `modelCalls`; what they used is not known. */
  readonly failedCalls: number;
  readonly toolCalls: number;
  /** Calls that could not be run as the model wrote them. */
  readonly badCalls: number;
  readonly wallMs: number;
  /** The largest window of a single model call of the agent that was asked. */
  readonly peakOrchestrator: number;
  /** … and of any agent. */
  readonly peakAny: number;
  readonly children: number;
  /** Absent where no price is known. */
  readonly cost?: number;
}

export type FailureKind =
  | 'repetition'
  | 'no_check'
  | 'empty'
  | 'budget'
  | 'timeout'
  | 'aborted'
  | 'model_failed'
  | 'crashed'
  | 'wrong_figure'
  | 'unsupported_figure'
  | 'forbidden_claim'
  | 'wrong_answer';

export interface CheckOutcome {
  readonly label: string;
  readonly kind: string;
  /** `not available`: the check could not be made, which is neither passed nor failed. */
  readonly outcome: 'passed' | 'failed' | 'not available';
  readonly detail: string;
}

export interface CellResult extends CellPlace {
  /** Id of the session in the log; empty when none was opened. */
  readonly session: string;
  readonly status: string;
  readonly model: string;
  readonly timing: Timing;
  readonly passed: boolean;
  readonly failure?: FailureKind;
  readonly checks: readonly CheckOutcome[];
  readonly usage: CellUsage;
  /** Figures of the answer that no tool result holds; absent where figures were not looked up. */
  readonly unsupportedFigures?: number;
  readonly delegations: number;
  /** Delegations whose claim came true. */
  readonly paid: number;
  /** The beginning of the answer. */
  readonly answer: string;
  readonly reason?: string;
}

/** What makes two cells a pair. */
export function pairKey({ case: name, seed, repeat }: Omit<CellPlace, 'design'>): string {
  return `${name} ${seed} ${repeat}`;
}

/** What makes a cell one of a kind in a run. */
export function cellKey(place: CellPlace): string {
  return `${place.design} ${pairKey(place)}`;
}
