import type { MessageEncoding } from '../chat/message-encoding.ts';

/** Messages as Ollama reads them: arguments as objects, reasoning in its own field. */
export const OLLAMA_ENCODING: MessageEncoding = {
  assistant: (message, thinking) => {
    const content = `{"role":"assistant","content":${JSON.stringify(message.content)}`;
    const reasoning = thinking ? `,"thinking":${JSON.stringify(thinking)}` : '';
    if (!message.toolCalls?.length) return `${content}${reasoning}}`;
    const calls = message.toolCalls.map(
      (call) => `{"id":"${call.id}","function":{"name":${JSON.stringify(call.name)},"arguments":${JSON.stringify(call.arguments)}}}`,
    );
    return `${content}${reasoning},"tool_calls":[${calls.join(',')}]}`;
  },
  result: (call, content) =>
    `{"role":"tool","tool_name":${JSON.stringify(call.name)},"tool_call_id":"${call.id}","content":${JSON.stringify(content)}}`,
};
