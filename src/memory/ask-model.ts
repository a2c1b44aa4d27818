import { parseLenientJson } from '../core/lenient-json.ts';
import type { ChatModel } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';
import type { CallUsage } from '../core/usage.ts';

export interface Asked {
  /** The JSON that the model answered with; absent where it gave none. */
  readonly value?: unknown;
  readonly usage: CallUsage;
}

export interface Question {
  readonly system: string;
  readonly prompt: string;
  readonly outputTokens: number;
}

/** One question to a model without tools or history, answered in JSON. Never rejects. */
export async function askModel(model: ChatModel, { system, prompt, outputTokens }: Question, scope: Scope): Promise<Asked> {
  const conversation = model.startConversation({
    agent: 'memory',
    system,
    tools: [],
    task: { goal: prompt },
    sources: [],
    maxOutputTokens: outputTokens,
    contextTokens: 8192,
  });
  conversation.append({ role: 'user', content: prompt });
  const reply = await conversation.reply({ scope, withTools: false });
  if (!reply.ok) return { usage: reply.usage };
  const text = reply.message.content;
  const from = text.search(/[[{]/);
  const parsed = from < 0 ? undefined : parseLenientJson(text.slice(from, Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1));
  return parsed?.ok ? { value: parsed.value, usage: reply.usage } : { usage: reply.usage };
}
