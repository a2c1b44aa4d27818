import type { ChildAccount, DelegationAccount } from './audit-account.ts';

/** What stands in place of a delegation's own figures when its children's calls run in the caller, one after the other. */
export interface Inline {
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly peakContextTokens: number;
}

/**
 * The counterfactual; docs/audit.md derives it with an example. W is the caller's window after the turn that delegated,
 * which stays: it is the plan. Every child's calling turn is made once more with the prompt W + what earlier children
 * added + what its own child's window had grown by then. A child's last, answering turns are not made: the caller
 * concludes itself. Every later turn of the caller carries what the children added instead of what they returned.
 */
export function inlineOf({ children, windowBefore, peakBefore, laterTurns, laterPeak }: DelegationAccount, returnedTokens: number): Inline {
  let added = 0;
  let modelCalls = 0;
  let inputTokens = 0;
  let peak = peakBefore;
  for (const child of children) {
    const { callingTurns, grownOverTurns, grownPeak } = child;
    modelCalls += callingTurns;
    inputTokens += callingTurns * (windowBefore + added) + grownOverTurns;
    if (callingTurns > 0) peak = Math.max(peak, windowBefore + added + grownPeak);
    added += addedBy(child);
  }
  const shift = added - returnedTokens;
  if (laterTurns > 0) peak = Math.max(peak, laterPeak + shift);
  return { modelCalls, inputTokens: inputTokens + laterTurns * shift, peakContextTokens: peak };
}

function addedBy({ grown, pending }: ChildAccount): number {
  return grown + pending;
}
