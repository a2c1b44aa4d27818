import type { ChatModel } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';
import type { CallUsage } from '../core/usage.ts';

/** A single question to a model, outside any agent's conversation. */
export interface Question {
  /** Who asks, for the model's own log. */
  readonly name: string;
  readonly system: string;
  readonly text: string;
  readonly maxOutputTokens: number;
  readonly scope: Scope;
}

export type ModelAnswer =
  | { readonly ok: true; readonly text: string; readonly model: string; readonly usage: CallUsage }
  | { readonly ok: false; readonly reason: string; readonly model: string; readonly usage: CallUsage };

/** The window asked for: the question, the answer, and room for a wrong estimate. */
const SPARE_TOKENS = 1_024;

/** Asks one question without tools. Never rejects. */
export async function askModel(model: ChatModel, { name, system, text, maxOutputTokens, scope }: Question): Promise<ModelAnswer> {
  const conversation = model.startConversation({
    agent: name,
    system,
    tools: [],
    task: { goal: text },
    sources: [],
    maxOutputTokens,
    contextTokens: Math.ceil((system.length + text.length) / 3) + maxOutputTokens + SPARE_TOKENS,
  });
  conversation.append({ role: 'user', content: text });
  const reply = await conversation.reply({ scope, withTools: false });
  const { usage } = reply;
  if (!reply.ok) return { ok: false, reason: `${reply.failure.kind}: ${reply.failure.message}`, model: model.id, usage };
  const answer = reply.message.content.trim();
  return answer ? { ok: true, text: answer, model: model.id, usage } : { ok: false, reason: 'it answered nothing', model: model.id, usage };
}
