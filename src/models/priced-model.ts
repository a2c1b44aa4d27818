import type { ChatModel, Conversation, ModelReply } from '../core/model.ts';
import type { CallUsage } from '../core/usage.ts';

/** Price of a million tokens, in any one currency. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** The same model, with each reply's usage telling what it cost. */
export function createPricedModel(model: ChatModel, price: Price): ChatModel {
  return { ...model, startConversation: (opening) => priced(model.startConversation(opening), price) };
}

/** What a call cost; nothing where the server counted no tokens, since an estimate is no bill. */
export function costOf({ inputTokens, outputTokens }: CallUsage, { input, output }: Price): number | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return ((inputTokens ?? 0) * input + (outputTokens ?? 0) * output) / 1e6;
}

function priced(conversation: Conversation, price: Price): Conversation {
  return {
    append: (message) => conversation.append(message),
    replace: (messages) => conversation.replace(messages),
    estimatedTokens: () => conversation.estimatedTokens(),
    windowTokens: () => conversation.windowTokens?.() ?? Number.POSITIVE_INFINITY,
    reply: async (request) => withCost(await conversation.reply(request), price),
  };
}

function withCost(reply: ModelReply, price: Price): ModelReply {
  const cost = costOf(reply.usage, price);
  return cost === undefined ? reply : { ...reply, usage: { ...reply.usage, cost } };
}
