import type { MessageEncoding } from '../chat/message-encoding.ts';

/** Messages as chat completions take them: arguments as JSON text, results by id. Reasoning is not sent back. */
export const OPENAI_ENCODING: MessageEncoding = {
  assistant: ({ content, toolCalls }) =>
    JSON.stringify({
      role: 'assistant',
      content,
      ...(toolCalls?.length
        ? {
            tool_calls: toolCalls.map((call) => ({
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: JSON.stringify(call.arguments) },
            })),
          }
        : {}),
    }),
  result: (call, content) => JSON.stringify({ role: 'tool', tool_call_id: call.id, content }),
};
