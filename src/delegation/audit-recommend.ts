import type { Buys } from '../core/agent-spec.ts';
import { type AuditThresholds, DEFAULT_THRESHOLDS } from '../core/audit-thresholds.ts';
import type { DelegationAudit } from './audit-claims.ts';

export interface ClaimRecord {
  readonly claim: Buys;
  readonly claimed: number;
  readonly cameTrue: number;
}

/** What the delegations to one agent amount to over many sessions; a public shape. */
export interface AgentRecord {
  readonly agent: string;
  readonly sessions: number;
  readonly delegations: number;
  readonly paid: number;
  readonly children: number;
  readonly claims: readonly ClaimRecord[];
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly wallMs: number;
  readonly inline: { readonly modelCalls: number; readonly inputTokens: number };
  readonly recommendation: 'keep' | 'turn into a tool' | 'raise concurrency' | 'drop a claim';
  readonly reason: string;
}

export interface AgentRecords {
  take(session: string, delegations: readonly DelegationAudit[]): void;
  /** One record for each agent that was delegated to, by name. */
  finish(): readonly AgentRecord[];
}

type Counts = {
  -readonly [Name in 'delegations' | 'paid' | 'children' | 'modelCalls' | 'toolCalls' | 'inputTokens' | 'outputTokens' | 'wallMs']: number;
};

interface Tally extends Counts {
  sessions: number;
  lastSession: string;
  readonly inline: { modelCalls: number; inputTokens: number };
  readonly claims: Map<Buys, { claimed: number; cameTrue: number }>;
  /** Delegations whose parallelism failed though more children waited than might run. */
  heldBack: number;
  /** The highest concurrency of these. */
  concurrency: number;
}

/** Adds up audits, agent by agent, and says what to do about each agent's file. */
export function startAgentRecords(thresholds: AuditThresholds = DEFAULT_THRESHOLDS): AgentRecords {
  const tallies = new Map<string, Tally>();
  return {
    take: (session, delegations) => {
      for (const one of delegations) {
        const tally = tallies.get(one.agent) ?? emptyTally();
        tallies.set(one.agent, tally);
        addDelegation(tally, session, one);
      }
    },
    finish: () =>
      [...tallies]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([agent, { lastSession, heldBack, concurrency, claims, ...counts }]) => ({
          agent,
          ...counts,
          claims: recordsOf(claims),
          ...recommend({ ...counts, heldBack, concurrency, claims: recordsOf(claims) }, thresholds),
        })),
  };
}

function emptyTally(): Tally {
  return {
    ...{ sessions: 0, lastSession: '', delegations: 0, paid: 0, children: 0, modelCalls: 0, toolCalls: 0 },
    ...{ inputTokens: 0, outputTokens: 0, wallMs: 0, heldBack: 0, concurrency: 0 },
    inline: { modelCalls: 0, inputTokens: 0 },
    claims: new Map(),
  };
}

function addDelegation(tally: Tally, session: string, one: DelegationAudit): void {
  if (tally.lastSession !== session) tally.sessions++;
  tally.lastSession = session;
  tally.delegations++;
  if (one.verdict === 'paid') tally.paid++;
  for (const name of ['children', 'modelCalls', 'toolCalls', 'inputTokens', 'outputTokens', 'wallMs'] as const) tally[name] += one[name];
  tally.inline.modelCalls += one.inline.modelCalls;
  tally.inline.inputTokens += one.inline.inputTokens;
  for (const { claim, cameTrue } of one.claims) {
    const record = tally.claims.get(claim) ?? { claimed: 0, cameTrue: 0 };
    tally.claims.set(claim, record);
    record.claimed++;
    if (cameTrue) record.cameTrue++;
    else if (claim === 'parallelism' && isHeldBack(one)) {
      tally.heldBack++;
      tally.concurrency = Math.max(tally.concurrency, one.concurrency);
    }
  }
}

/** Where calls queue at the model server, more concurrency only makes the queue longer. */
function isHeldBack({ children, concurrency, queueMs, wallMs }: DelegationAudit): boolean {
  return children > concurrency && queueMs * 2 < wallMs;
}

function recordsOf(claims: Tally['claims']): ClaimRecord[] {
  return [...claims].map(([claim, counts]) => ({ claim, ...counts }));
}

type Recommendation = Pick<AgentRecord, 'recommendation' | 'reason'>;
type Judged = Pick<Tally, 'delegations' | 'paid' | 'children' | 'toolCalls' | 'heldBack' | 'concurrency'> & {
  readonly claims: readonly ClaimRecord[];
};

/** The first that applies: too few to judge, more concurrency, no claim true, one-call children, a claim that does not hold. */
function recommend(tally: Judged, { delegationsToJudge, shareToKeep }: AuditThresholds): Recommendation {
  const { delegations, paid, children, toolCalls, heldBack, concurrency, claims } = tally;
  if (delegations < delegationsToJudge) {
    return { recommendation: 'keep', reason: `too few to judge: ${delegations} of the ${delegationsToJudge} delegations needed` };
  }
  const weak = claims.filter((one) => one.cameTrue < one.claimed * shareToKeep);
  const parallel = weak.find((one) => one.claim === 'parallelism');
  if (parallel && heldBack * 2 > parallel.claimed - parallel.cameTrue) {
    const failed = parallel.claimed - parallel.cameTrue;
    return {
      recommendation: 'raise concurrency',
      reason: `parallelism failed ${failed} times, ${heldBack} of them with more tasks than its concurrency of ${concurrency} let run`,
    };
  }
  const worth = paid >= delegations * shareToKeep;
  if (weak.length === claims.length) {
    return { recommendation: 'turn into a tool', reason: `no claim holds: ${claims.map(shareOf).join('; ')}` };
  }
  if (!worth && toolCalls <= children) {
    const each = (toolCalls / Math.max(1, children)).toFixed(1);
    return { recommendation: 'turn into a tool', reason: `${paid} of ${delegations} paid, and a child makes ${each} tool calls` };
  }
  if (weak.length > 0) return { recommendation: 'drop a claim', reason: weak.map(shareOf).join('; ') };
  return { recommendation: 'keep', reason: `${paid} of ${delegations} delegations paid; ${claims.map(shareOf).join('; ')}` };
}

function shareOf({ claim, claimed, cameTrue }: ClaimRecord): string {
  return `${claim} came true ${cameTrue} of ${claimed} times`;
}
