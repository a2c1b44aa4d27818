import type { WarmUp } from '../bench/bench-report.ts';
import type { ChatModel } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';

/**
 * One short call, so that no design pays for the loading of the model: it counts for none of them. A failure is told and
 * the suite goes on, since the first cell will say more.
 */
export async function warmUp(model: ChatModel, scope: Scope): Promise<WarmUp> {
  const task = { goal: 'Answer with the word ready.' };
  const conversation = model.startConversation({
    agent: 'warm-up',
    system: 'You are being started.',
    tools: [],
    task,
    sources: [],
    maxOutputTokens: 64,
    contextTokens: 16_384,
  });
  conversation.append({ role: 'user', content: task.goal });
  const reply = await conversation.reply({ scope, withTools: false });
  const { inputTokens = 0, outputTokens = 0, tries = 1 } = reply.usage;
  return { model: model.id, calls: tries, inputTokens, outputTokens, ...(reply.ok ? {} : { failure: reply.failure.message }) };
}
