import type { AgentState } from '../agent/agent-state.ts';
import { usedSoFar } from '../agent/limits.ts';
import type { Limits } from '../core/agent-spec.ts';
import type { Conclusion } from '../core/conclusion.ts';
import type { Usage } from '../core/usage.ts';

/** The limits of an agent that is asked further: they count from where it left off. */
export function limitsBeyond(limits: Limits, prior: AgentState): Limits {
  const used = usedSoFar(prior);
  return { ...limits, turns: limits.turns + used.turns, tokens: limits.tokens + used.tokens, toolCalls: limits.toolCalls + used.toolCalls };
}

/** What was used since an earlier conclusion of the same agent, which has been charged for already. */
export function usageSince(usage: Usage, before: UsedCounts): Usage {
  return {
    ...usage,
    modelCalls: usage.modelCalls - before.modelCalls,
    toolCalls: usage.toolCalls - before.toolCalls,
    inputTokens: usage.inputTokens - before.inputTokens,
    outputTokens: usage.outputTokens - before.outputTokens,
  };
}

type UsedCounts = Pick<Usage, 'modelCalls' | 'toolCalls' | 'inputTokens' | 'outputTokens'>;

/** What an agent and its children have used up to a state. */
export function countsOf(state: AgentState): UsedCounts {
  const { childrenUsed: children } = state;
  return {
    modelCalls: state.modelCalls + children.modelCalls,
    toolCalls: state.toolCalls + children.toolCalls,
    inputTokens: state.inputTokens + children.inputTokens,
    outputTokens: state.outputTokens + children.outputTokens,
  };
}

/** What a further question brought: not the findings and the cost of those before it. */
export function conclusionSince(conclusion: Conclusion, before: { readonly findings: number; readonly used: UsedCounts }): Conclusion {
  return { ...conclusion, findings: conclusion.findings.slice(before.findings), usage: usageSince(conclusion.usage, before.used) };
}
