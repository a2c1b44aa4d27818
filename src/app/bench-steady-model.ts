import type { Message } from '../core/message.ts';
import type { ChatModel } from '../core/model.ts';
import type { Tool } from '../core/tool.ts';

/** Times that were measured, of which a result has the more digits the slower the machine is. */
const MEASURED = /"(elapsed_ms|wall_ms)":\d+(?:\.\d+)?/g;

/** The text of a result without measured times, so that its length is the same on every machine. */
export function withoutMeasuredTimes(text: string): string {
  return text.replace(MEASURED, '"$1":0');
}

/** Tools that say of themselves that they took no time: what is cut out of their results, and into summaries, is then the same in every run. */
export function steadyTools(tools: ReadonlyMap<string, Tool>): ReadonlyMap<string, Tool> {
  return new Map([...tools].map(([name, tool]) => [name, steadyTool(tool)]));
}

function steadyTool(tool: Tool): Tool {
  return {
    ...tool,
    run: async (input, context) => {
      const outcome = await tool.run(input, context);
      const { data } = outcome;
      if (data === null || typeof data !== 'object' || !('elapsed_ms' in data)) return outcome;
      return { ...outcome, data: { ...data, elapsed_ms: 0 } };
    },
  };
}

/** Rules whose estimate of tokens is the same in every run: results enter the window without measured times. */
export function steadyModel(model: ChatModel): ChatModel {
  const steady = (message: Message): Message =>
    message.role === 'tool' ? { ...message, content: withoutMeasuredTimes(message.content) } : message;
  return {
    id: model.id,
    kind: model.kind,
    close: () => model.close(),
    startConversation: (opening) => {
      const inner = model.startConversation(opening);
      return {
        append: (message) => inner.append(steady(message)),
        replace: (messages) => inner.replace(messages.map(steady)),
        estimatedTokens: () => inner.estimatedTokens(),
        reply: (request) => inner.reply(request),
        ...(inner.windowTokens ? { windowTokens: () => inner.windowTokens?.() ?? Number.POSITIVE_INFINITY } : {}),
      };
    },
  };
}
