import type { ConversationOpening } from '../../core/model.ts';
import type { Variation } from './retry-ladder.ts';
import type { ServerLink } from './server-link.ts';

const THINKING_ROOM = 2_048;

/** The agent's limit, with room to reason before; never more than half the window, so that the prompt has the rest. */
export function outputTokensFor(
  { traits, settings }: ServerLink,
  { maxOutputTokens }: ConversationOpening,
  { variation, windowTokens }: { readonly variation: Variation; readonly windowTokens: number },
): number {
  const thinks = traits?.thinking === true && settings.think !== false;
  const wanted = maxOutputTokens + (thinks ? THINKING_ROOM : 0);
  return Math.min(variation.moreOutput ? wanted * 2 : wanted, Math.max(1, Math.floor(windowTokens / 2)));
}
