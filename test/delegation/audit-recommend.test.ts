import { describe, expect, it } from 'vitest';
import type { Buys } from '../../src/core/agent-spec.ts';
import { auditEvents } from '../../src/delegation/audit.ts';
import type { DelegationAudit } from '../../src/delegation/audit-claims.ts';
import { startAgentRecords } from '../../src/delegation/audit-recommend.ts';
import { workedExample } from './audit-events.ts';

const [example] = auditEvents(workedExample());
const audited = (claims: Partial<Record<Buys, boolean>>, differences: Partial<DelegationAudit> = {}): DelegationAudit => ({
  ...example!,
  claims: Object.entries(claims).map(([claim, cameTrue]) => ({ claim: claim as Buys, cameTrue, measured: '' })),
  verdict: claims.parallelism ? 'paid' : 'did not pay',
  ...differences,
});

function recordOf(...delegations: readonly DelegationAudit[]) {
  const records = startAgentRecords();
  for (const [index, one] of delegations.entries()) records.take(`s-${index >> 1}`, [one]);
  return records.finish()[0]!;
}
const good = audited({ parallelism: true, context_isolation: true });
const leaky = audited({ parallelism: true, context_isolation: false });
const bad = audited({ parallelism: false, context_isolation: false });

describe('a recommendation', () => {
  it('adds up what the delegations used', () => {
    expect(recordOf(good, bad, good)).toMatchObject({
      ...{ agent: 'worker', sessions: 2, delegations: 3, paid: 2, children: 6, modelCalls: 15, toolCalls: 9, inputTokens: 14_100 },
      inline: { modelCalls: 9, inputTokens: 19_200 },
      claims: [
        { claim: 'parallelism', claimed: 3, cameTrue: 2 },
        { claim: 'context_isolation', claimed: 3, cameTrue: 2 },
      ],
    });
  });

  it('is to keep what holds', () => {
    expect(recordOf(good, good, good).recommendation).toBe('keep');
    expect(recordOf(good, bad, good).recommendation).toBe('keep');
  });

  it('waits until there are enough', () => {
    expect(recordOf(bad, bad)).toMatchObject({ recommendation: 'keep', reason: 'too few to judge: 2 of the 3 delegations needed' });
  });

  it('is to drop the claim that does not hold', () => {
    expect(recordOf(leaky, leaky, good)).toMatchObject({
      recommendation: 'drop a claim',
      reason: 'context_isolation came true 1 of 3 times',
    });
  });

  it('is a tool where no claim holds, or where children that do not pay make one call', () => {
    expect(recordOf(bad, bad, good)).toMatchObject({ recommendation: 'turn into a tool', reason: expect.stringMatching(/no claim holds/) });
    const single = audited({ parallelism: false, context_isolation: true }, { children: 4, toolCalls: 4 });
    expect(recordOf(single, single, single)).toMatchObject({
      recommendation: 'turn into a tool',
      reason: '0 of 3 paid, and a child makes 1.0 tool calls',
    });
  });

  it('is more concurrency where tasks waited for one another', () => {
    const held = audited({ parallelism: false, context_isolation: true }, { children: 8, concurrency: 1, toolCalls: 40 });
    expect(recordOf(held, held, leaky)).toMatchObject({
      recommendation: 'raise concurrency',
      reason: 'parallelism failed 2 times, 2 of them with more tasks than its concurrency of 1 let run',
    });
    const queued = { ...held, queueMs: held.wallMs };
    expect(recordOf(queued, queued, leaky).recommendation).not.toBe('raise concurrency');
  });
});
