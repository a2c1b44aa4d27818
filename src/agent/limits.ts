import type { Limits } from '../core/agent-spec.ts';
import type { LimitName } from '../core/conclusion.ts';
import type { AgentState } from './agent-state.ts';

/** The first limit that the state has reached, with what was used of what. Seconds are watched by a timer instead. */
export function reachedLimit(state: AgentState, limits: Limits): { readonly limit: LimitName; readonly detail: string } | undefined {
  if (state.modelCalls >= limits.turns) return { limit: 'turns', detail: `${state.modelCalls} of ${limits.turns} turns` };
  if (state.toolCalls >= limits.toolCalls) return { limit: 'toolCalls', detail: `${state.toolCalls} of ${limits.toolCalls} tool calls` };
  const tokens = state.inputTokens + state.outputTokens;
  if (tokens >= limits.tokens) return { limit: 'tokens', detail: `${tokens} of ${limits.tokens} tokens` };
  return undefined;
}

/** What the agent is told on its last turn. */
export function lastTurnNotice(detail: string): string {
  return `The limit is reached (${detail}). No more tools can be called. Conclude now from what you have, and say what you could not look at.`;
}
