import { describe, expect, it } from 'vitest';
import { countEvidence, restsOnData } from '../../src/agent/evidence-count.ts';
import type { ConclusionStatus } from '../../src/core/conclusion.ts';

/** What an agent rests on after one call of a subagent with these children. */
function afterChildren(...children: readonly { readonly status: ConclusionStatus; readonly evidence?: readonly string[] }[]): boolean {
  const evidence = { informative: 0, listings: 0, failedLooks: 0 };
  const ids = children.map((_, index) => `c${index + 1}`);
  const conclusions = new Map(children.map(({ status, evidence: cited = [] }, index) => [`c${index + 1}`, { status, evidence: cited }]));
  const delegations = new Map([['r1', ids.map((id) => ({ id }))]]);
  countEvidence({ evidence, delegations, conclusions }, { tool: 'profiler', status: 'ok', resultId: 'r1' });
  return restsOnData(evidence);
}

describe('what an answer rests on after a delegation', () => {
  it('is nothing when every child failed or had no evidence itself', () => {
    expect(afterChildren({ status: 'failed' }, { status: 'no_evidence', evidence: ['c2.r1'] })).toBe(false);
  });

  it('is the child that came through, whatever became of the others', () => {
    expect(afterChildren({ status: 'failed' }, { status: 'ok' })).toBe(true);
  });

  it('is a child that ran out of its budget, when it had read something by then', () => {
    expect(afterChildren({ status: 'budget', evidence: ['c1.r2'] })).toBe(true);
    expect(afterChildren({ status: 'budget' })).toBe(false);
  });
});
