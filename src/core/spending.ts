import type { EventBody } from './event.ts';
import type { CallUsage } from './usage.ts';

/** What the model call that an event tells of used: that of an agent, of its plan, of its critic, or of a summary of old turns. */
export function modelUsageOf(body: EventBody): CallUsage | undefined {
  if (body.type === 'context.fitted') return body.compacted?.usage;
  const asks =
    body.type === 'model.replied' || body.type === 'model.failed' || body.type === 'plan.made' || body.type === 'answer.reflected';
  return asks ? body.usage : undefined;
}

/** What memory asked of an embedding model, which is no model call of an agent. */
export interface EmbeddingUsage {
  readonly calls: number;
  readonly tokens: number;
  /** In the currency of the model's price; absent where the project sets none. */
  readonly cost?: number;
}

/** What recall took, before the first turn or as a tool; undefined where it asked no embedding model. */
export function embeddingUsageOf(body: EventBody): EmbeddingUsage | undefined {
  if (body.type === 'memory.recalled') return usageFrom(body.embeddingCalls, body.embeddingTokens, body.cost);
  if (body.type !== 'tool.finished' || body.tool !== 'recall') return undefined;
  const { embedding_calls: calls, embedding_tokens: tokens, money } = costIn(body.content);
  return usageFrom(calls, tokens, money);
}

/** Both together; what one of them lacks the other has. */
export function addEmbeddings(one: EmbeddingUsage | undefined, other: EmbeddingUsage | undefined): EmbeddingUsage | undefined {
  if (!one || !other) return one ?? other;
  const cost = one.cost === undefined && other.cost === undefined ? undefined : (one.cost ?? 0) + (other.cost ?? 0);
  return { calls: one.calls + other.calls, tokens: one.tokens + other.tokens, ...(cost === undefined ? {} : { cost }) };
}

function usageFrom(calls: unknown, tokens: unknown, cost: unknown): EmbeddingUsage | undefined {
  if (typeof calls !== 'number' || calls === 0 || typeof tokens !== 'number') return undefined;
  return { calls, tokens, ...(typeof cost === 'number' ? { cost } : {}) };
}

/** The field `cost` of the result of `recall`, which it has where an embedding model was asked. */
function costIn(content: string): Readonly<Record<string, unknown>> {
  try {
    const result = JSON.parse(content) as { readonly data?: { readonly cost?: Readonly<Record<string, unknown>> } } | null;
    return result?.data?.cost ?? {};
  } catch {
    return {};
  }
}
