import type { Message, ToolCall } from '../core/message.ts';
import type { ChatModel, Conversation, ConversationOpening, ModelFailure, ModelReply, ReplyRequest } from '../core/model.ts';
import { estimateTokens } from '../core/usage.ts';

/** One reply of a script: text, tool calls, or a failure, after an optional delay in milliseconds. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: Readonly<Record<string, unknown>>; readonly id?: string }[];
  readonly failure?: ModelFailure;
  readonly delayMs?: number;
}

export type Script =
  | readonly ScriptedTurn[]
  | ((messages: readonly Message[], opening: ConversationOpening, turn: number) => ScriptedTurn | Promise<ScriptedTurn>);

/**
 * A model that answers from a script, for tests. A list is played from the front by every conversation; when it is
 * over, the reply is a failure that says so. A function sees the history and decides.
 */
export function scriptedModel(
  script: Script,
  options: { readonly id?: string } = {},
): ChatModel & { readonly requests: readonly { readonly messages: readonly Message[]; readonly withTools: boolean }[] } {
  const requests: { messages: readonly Message[]; withTools: boolean }[] = [];
  return {
    id: options.id ?? 'scripted',
    kind: 'script',
    requests,
    startConversation: (opening) => startScripted(script, opening, requests),
    close: async () => {},
  };
}

function startScripted(
  script: Script,
  opening: ConversationOpening,
  requests: { messages: readonly Message[]; withTools: boolean }[],
): Conversation {
  let messages: Message[] = [];
  let turn = 0;
  let begun = false;
  const characters = (): number => opening.system.length + messages.reduce((sum, message) => sum + message.content.length, 0);
  return {
    append: (message) => {
      messages.push(message);
      // A history that is there before the first reply, of a resumed run, has used turns of the script already.
      if (!begun && message.role === 'assistant') turn++;
    },
    replace: (next) => {
      messages = [...next];
    },
    estimatedTokens: () => estimateTokens(characters()),
    reply: async (request) => {
      requests.push({ messages: [...messages], withTools: request.withTools });
      begun = true;
      const index = turn++;
      const inputTokens = estimateTokens(characters());
      const next = typeof script === 'function' ? await script(messages, opening, index) : script[index];
      return playTurn(next ?? { failure: { kind: 'protocol', message: `the script has no turn ${index + 1}` } }, request, {
        inputTokens,
        index,
      });
    },
  };
}

async function playTurn(
  turn: ScriptedTurn,
  request: ReplyRequest,
  { inputTokens, index }: { inputTokens: number; index: number },
): Promise<ModelReply> {
  const started = performance.now();
  const stopped = (turn.delayMs !== undefined && (await delay(turn.delayMs, request))) || request.scope.stopped;
  const usage = {
    inputTokens,
    outputTokens: estimateTokens((turn.text ?? '') + JSON.stringify(turn.calls ?? '')),
    totalMs: performance.now() - started,
    estimated: true,
  };
  if (stopped) return { ok: false, failure: { kind: 'stopped', message: 'the call was stopped' }, usage, notices: [] };
  if (turn.failure) return { ok: false, failure: turn.failure, usage, notices: [] };
  if (turn.text) request.onDelta?.({ type: 'text', text: turn.text });
  const toolCalls = turn.calls?.map(
    (call, place): ToolCall => ({ id: call.id ?? `call_${index + 1}_${place + 1}`, name: call.tool, arguments: call.input }),
  );
  return {
    ok: true,
    message: {
      role: 'assistant',
      content: turn.text ?? '',
      ...(turn.thinking ? { thinking: turn.thinking } : {}),
      ...(toolCalls?.length ? { toolCalls } : {}),
    },
    finish: 'stop',
    usage,
    notices: [],
  };
}

/** Answers true when the scope stopped before the time was over. */
function delay(milliseconds: number, request: ReplyRequest): Promise<boolean> {
  return new Promise((resolve) => {
    const hook = {
      stop: () => {
        clearTimeout(timer);
        resolve(true);
      },
    };
    const timer = setTimeout(() => {
      request.scope.remove(hook);
      resolve(false);
    }, milliseconds);
    request.scope.add(hook);
  });
}
