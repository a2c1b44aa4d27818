import type { CheckOutcome, FailureKind } from './cell.ts';

export interface EndedRun {
  readonly status: string;
  readonly reason: string | undefined;
  readonly looped: boolean;
  /** Results that held data. */
  readonly toolCalls: number;
  readonly checks: readonly CheckOutcome[];
}

const BY_STATUS: Readonly<Record<string, FailureKind>> = {
  empty: 'empty',
  no_evidence: 'no_check',
  schema_invalid: 'wrong_answer',
  budget: 'budget',
  timeout: 'timeout',
  aborted: 'aborted',
};

const BY_CHECK: readonly (readonly [kinds: readonly string[], failure: FailureKind])[] = [
  [['must_not'], 'forbidden_claim'],
  [['grounded'], 'unsupported_figure'],
  [['number'], 'wrong_figure'],
];

/**
 * Why a cell failed, or `undefined` when it passed. How the run ended goes before what it answered: an answer that a
 * limit cut short is a matter of the budget. A run that passed all its checks has still failed when it did not end well.
 */
export function classifyFailure({ status, reason, looped, toolCalls, checks }: EndedRun): FailureKind | undefined {
  if (looped) return 'repetition';
  if (status === 'failed') return reason?.startsWith('the cell crashed') ? 'crashed' : 'model_failed';
  const ended = BY_STATUS[status];
  if (ended) return ended;
  const failed = checks.filter(({ outcome }) => outcome === 'failed').map(({ kind }) => kind);
  if (failed.length === 0) return undefined;
  const found = BY_CHECK.find(([kinds]) => kinds.some((kind) => failed.includes(kind)))?.[1] ?? 'wrong_answer';
  return toolCalls === 0 && found !== 'forbidden_claim' ? 'no_check' : found;
}

/** Kinds of failure as they are written in reports. */
export const FAILURE_WORDS: Readonly<Record<FailureKind, string>> = {
  repetition: 'repetition',
  no_check: 'no check',
  empty: 'empty',
  budget: 'budget',
  timeout: 'time',
  aborted: 'aborted',
  model_failed: 'model failed',
  crashed: 'crashed',
  wrong_figure: 'wrong figure',
  unsupported_figure: 'unsupported figure',
  forbidden_claim: 'forbidden claim',
  wrong_answer: 'wrong answer',
};
