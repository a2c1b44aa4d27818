import type { Buys } from '../core/agent-spec.ts';
import type { AuditThresholds } from '../core/audit-thresholds.ts';
import type { ChildAccount, DelegationAccount } from './audit-account.ts';
import { type Inline, inlineOf } from './audit-inline.ts';

export interface ClaimAudit {
  readonly claim: Buys;
  readonly cameTrue: boolean;
  /** What was measured against what, in words and figures. */
  readonly measured: string;
}

/** The verdict on one delegation; a public shape. Tokens as the model counted, times in milliseconds. */
export interface DelegationAudit {
  readonly id: string;
  /** `main`, or the child that delegated. */
  readonly caller: string;
  readonly agent: string;
  readonly why: Buys;
  readonly because: string;
  /** `ok`: every child; `partial`: some; `failed`: none; `open`: the log ends before a child concluded. */
  readonly status: 'ok' | 'partial' | 'failed' | 'open';
  /** `paid`: the claim named in `why` came true, and a child concluded. */
  readonly verdict: 'paid' | 'did not pay';
  readonly claims: readonly ClaimAudit[];
  readonly children: number;
  readonly concurrency: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The largest window of any child. */
  readonly peakContextTokens: number;
  readonly returnedTokens: number;
  readonly callerPeakTokens: number;
  readonly wallMs: number;
  /** What the children's model calls together waited for a place at the model server. */
  readonly queueMs: number;
  /** The same, had the children's calls run in the caller. */
  readonly inline: Inline;
}

interface Surroundings {
  readonly thresholds: AuditThresholds;
  readonly callerPeak: number;
}

export function judgeDelegation(account: DelegationAccount, { thresholds, callerPeak }: Surroundings): DelegationAudit {
  const { children, agent, why, because, concurrency } = account;
  const add = (of: (child: ChildAccount) => number): number => children.reduce((sum, child) => sum + of(child), 0);
  const inputTokens = add((child) => child.inputTokens);
  const outputTokens = add((child) => child.outputTokens);
  const returnedTokens = account.returnedTokens ?? add((child) => child.textTokens);
  const inline = inlineOf(account, returnedTokens);
  const isolation = { consumed: inputTokens + outputTokens, returned: returnedTokens, callerPeak, inlinePeak: inline.peakContextTokens };
  const status = statusOf(children);
  const claims = account.buys.map((claim) => judgeClaim(claim, { account, isolation, thresholds }));
  const paid = claims.some((one) => one.claim === why && one.cameTrue) && (status === 'ok' || status === 'partial');
  return {
    ...{ id: account.resultId, caller: account.caller, agent, why, because, status },
    verdict: paid ? 'paid' : 'did not pay',
    claims,
    children: children.length,
    concurrency,
    modelCalls: add((child) => child.modelCalls),
    toolCalls: add((child) => child.toolCalls),
    inputTokens,
    outputTokens,
    peakContextTokens: Math.max(0, ...children.map((child) => child.peakTokens)),
    returnedTokens,
    callerPeakTokens: callerPeak,
    wallMs: elapsedOf(account),
    queueMs: add((child) => child.queueMs),
    inline,
  };
}

function statusOf(children: readonly ChildAccount[]): DelegationAudit['status'] {
  if (children.some((child) => child.status === 'open')) return 'open';
  const good = children.filter((child) => child.status === 'ok').length;
  return good === children.length ? 'ok' : good > 0 ? 'partial' : 'failed';
}

function elapsedOf({ children, startedAt }: DelegationAccount): number {
  return Math.max(startedAt, ...children.map((child) => child.endedAt)) - startedAt;
}

interface ClaimFacts {
  readonly account: DelegationAccount;
  readonly thresholds: AuditThresholds;
  readonly isolation: { readonly consumed: number; readonly returned: number; readonly callerPeak: number; readonly inlinePeak: number };
}

function judgeClaim(claim: Buys, facts: ClaimFacts): ClaimAudit {
  return { claim, ...JUDGES[claim](facts) };
}

const JUDGES: Readonly<Record<Buys, (facts: ClaimFacts) => Omit<ClaimAudit, 'claim'>>> = {
  parallelism: judgeParallelism,
  context_isolation: judgeIsolation,
  scoped_tools: judgeScopedTools,
  multi_step_reasoning: judgeReasoning,
};

/** Time spent in the queue of the model server is no work: where calls wait for one another, nothing runs in parallel. */
function judgeParallelism({ account, thresholds }: ClaimFacts): Omit<ClaimAudit, 'claim'> {
  const overlapping = mostAtOnce(account.children);
  const work = account.children.reduce((sum, child) => sum + Math.max(0, wallOf(child) - child.queueMs), 0);
  const elapsed = elapsedOf(account);
  const speedup = work / Math.max(1, elapsed);
  return {
    cameTrue: overlapping >= thresholds.overlappingChildren && speedup >= thresholds.parallelSpeedup,
    measured: `${overlapping} of ${account.children.length} children at once; ${seconds(work)} s of work in ${seconds(elapsed)} s: ${figure(speedup)} times (${thresholds.parallelSpeedup} needed)`,
  };
}

function wallOf(child: ChildAccount): number {
  return child.startedAt === undefined ? 0 : child.endedAt - child.startedAt;
}

/** How many children were at work at the same time at the most; one that ends as another begins does not overlap it. */
function mostAtOnce(children: readonly Pick<ChildAccount, 'startedAt' | 'endedAt'>[]): number {
  const changes = children.flatMap(({ startedAt, endedAt }) =>
    startedAt === undefined || endedAt <= startedAt
      ? []
      : [
          { at: startedAt, by: 1 },
          { at: endedAt, by: -1 },
        ],
  );
  changes.sort((left, right) => left.at - right.at || left.by - right.by);
  let now = 0;
  let most = 0;
  for (const { by } of changes) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

function judgeIsolation({ isolation, thresholds }: ClaimFacts): Omit<ClaimAudit, 'claim'> {
  const { consumed, returned, callerPeak, inlinePeak } = isolation;
  const ratio = consumed / Math.max(1, returned);
  return {
    cameTrue: ratio >= thresholds.isolationRatio && callerPeak < inlinePeak,
    measured: `${consumed} tokens consumed, ${returned} returned: ${figure(ratio)} times (${thresholds.isolationRatio} needed); the caller's peak ${callerPeak}, inline ${inlinePeak}`,
  };
}

function judgeScopedTools({ account }: ClaimFacts): Omit<ClaimAudit, 'claim'> {
  const tools = [...new Set(account.children.flatMap((child) => [...child.foreignTools]))].sort();
  const measured = tools.length > 0 ? `used ${tools.join(', ')}, which the caller lacks` : 'used no tool that the caller lacks';
  return { cameTrue: tools.length > 0, measured };
}

function judgeReasoning({ account, thresholds }: ClaimFacts): Omit<ClaimAudit, 'claim'> {
  const steps = Math.max(0, ...account.children.map((child) => child.dependentSteps.size));
  return {
    cameTrue: steps >= thresholds.reasoningSteps,
    measured: `at most ${steps} steps of a child used values from its earlier results (${thresholds.reasoningSteps} needed)`,
  };
}

function figure(value: number): string {
  return value.toFixed(value < 10 ? 2 : 0);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2);
}
