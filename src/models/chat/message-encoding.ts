import type { AssistantMessage, ToolCall } from '../../core/message.ts';
import { writeAction } from './action-mode.ts';

/** How one server wants the messages of a history, each as JSON text. */
export interface MessageEncoding {
  /** @param thinking reasoning of a turn that is not over, for servers that take it back */
  assistant(message: AssistantMessage, thinking: string | undefined): string;
  /** @param content the result's text, with the call told in it where several calls share a name */
  result(call: ToolCall, content: string): string;
}

/** A history without tool calls, for a model whose template knows none: actions as it wrote them, results as messages. */
export const ACTION_ENCODING: MessageEncoding = {
  assistant: ({ content, toolCalls }) => {
    const actions = (toolCalls ?? []).map(writeAction);
    const text = actions.length > 0 ? actions.join('\n') : JSON.stringify({ action: { answer: content } });
    return JSON.stringify({ role: 'assistant', content: text });
  },
  result: (call, content) => JSON.stringify({ role: 'user', content: `Result of ${call.name} (${call.id}):\n${content}` }),
};
