import type { Limits } from '../core/agent-spec.ts';
import type { LimitName } from '../core/conclusion.ts';
import { type AgentState, usedInAll } from './agent-state.ts';

/** What an agent and its children have used of its limits so far. */
export function usedSoFar(state: AgentState): Readonly<Record<'turns' | 'toolCalls' | 'tokens', number>> {
  const used = usedInAll(state);
  const { allowanceFrom: from } = state;
  return { turns: used.turns - from.turns, toolCalls: used.toolCalls - from.toolCalls, tokens: used.tokens - from.tokens };
}

/** The first limit that the agent and its children have reached, with what was used of what. Seconds are watched by a timer instead. */
export function reachedLimit(state: AgentState, limits: Limits): { readonly limit: LimitName; readonly detail: string } | undefined {
  const used = usedSoFar(state);
  if (used.turns >= limits.turns) return { limit: 'turns', detail: `${used.turns} of ${limits.turns} turns` };
  if (used.toolCalls >= limits.toolCalls) return { limit: 'toolCalls', detail: `${used.toolCalls} of ${limits.toolCalls} tool calls` };
  if (used.tokens >= limits.tokens) return { limit: 'tokens', detail: `${used.tokens} of ${limits.tokens} tokens` };
  return undefined;
}

/** What the agent is told on its last turn. */
export function lastTurnNotice(detail: string): string {
  return `The limit is reached (${detail}). No more tools can be called. Conclude now from what you have, and say what you could not look at.`;
}
