import type { ToolCall } from '../../core/message.ts';
import type { MessageEncoding } from '../chat/message-encoding.ts';

/**
 * Messages as chat completions take them: arguments as JSON text, results by id.
 *
 * @param returnsReasoning whether reasoning goes back within its tool turn, as local servers want it and OpenAI does not
 */
export function openAiEncoding(returnsReasoning: boolean): MessageEncoding {
  return {
    assistant: ({ content, toolCalls }, thinking) =>
      JSON.stringify({
        role: 'assistant',
        content,
        ...(thinking && returnsReasoning ? { reasoning_content: thinking } : {}),
        ...(toolCalls?.length ? { tool_calls: toolCalls.map(wireCall) } : {}),
      }),
    result: (call, content) => JSON.stringify({ role: 'tool', tool_call_id: call.id, content }),
  };
}

function wireCall({ id, name, arguments: input }: ToolCall): object {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}
