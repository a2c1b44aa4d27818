import type { AgentState } from '../agent/agent-state.ts';
import { usedSoFar } from '../agent/limits.ts';
import type { Limits } from '../core/agent-spec.ts';
import type { Usage } from '../core/usage.ts';

/** The limits of an agent that is asked further: they count from where it left off. */
export function limitsBeyond(limits: Limits, prior: AgentState): Limits {
  const used = usedSoFar(prior);
  return { ...limits, turns: limits.turns + used.turns, tokens: limits.tokens + used.tokens, toolCalls: limits.toolCalls + used.toolCalls };
}

/** What was used since then: an earlier conclusion of the same agent has been charged for already. */
export function usageSince(usage: Usage, prior: AgentState): Usage {
  return {
    ...usage,
    modelCalls: usage.modelCalls - prior.modelCalls - prior.childrenUsed.modelCalls,
    toolCalls: usage.toolCalls - prior.toolCalls - prior.childrenUsed.toolCalls,
    inputTokens: usage.inputTokens - prior.inputTokens - prior.childrenUsed.inputTokens,
    outputTokens: usage.outputTokens - prior.outputTokens - prior.childrenUsed.outputTokens,
  };
}
