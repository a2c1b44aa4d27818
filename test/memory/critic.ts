import type { ChatModel } from '../../src/core/model.ts';

/** A model that judges in this order, and distils nothing of its own: it answers with no JSON where it is asked for facts. */
export function critic(verdicts: readonly string[], facts?: readonly object[]): ChatModel {
  let next = 0;
  return {
    id: 'test/critic',
    kind: 'model',
    startConversation: ({ system }) => ({
      append: () => undefined,
      replace: () => undefined,
      estimatedTokens: () => 0,
      reply: async () => {
        const distilling = system.includes('"facts"');
        const content = distilling
          ? facts
            ? `Here: ${JSON.stringify({ facts })}`
            : 'I cannot say.'
          : JSON.stringify({ verdict: verdicts[next++] ?? 'none' });
        return {
          ok: true,
          message: { role: 'assistant', content },
          finish: 'stop',
          usage: { totalMs: 1, inputTokens: 10, outputTokens: 5 },
          notices: [],
        };
      },
    }),
    close: async () => undefined,
  };
}
