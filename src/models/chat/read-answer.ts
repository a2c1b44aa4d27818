import type { AssistantMessage, ToolCall } from '../../core/message.ts';
import type { ModelNotice } from '../../core/model.ts';
import { readAction } from './action-mode.ts';
import type { ChatAnswer } from './chat-answer.ts';
import type { DescribedFailure } from './describe-error-text.ts';
import { readArguments } from './read-arguments.ts';
import { salvageCalls } from './salvage-calls.ts';

export interface AnswerContext {
  /** Names of the tools offered in this request; none when it offered none. */
  readonly offered: ReadonlySet<string>;
  /** The answer is one action as JSON, not native calls. */
  readonly asAction: boolean;
  /** The next id of a call, unique in the conversation. */
  readonly nextId: () => string;
}

export type ReadAnswer =
  | { readonly ok: true; readonly message: AssistantMessage; readonly finish: 'stop' | 'length' | 'unknown'; readonly notice?: ModelNotice }
  | { readonly ok: false; readonly failure: DescribedFailure };

/** The answer as a message: native tool calls with our own ids, else calls printed as text, else text. */
export function readAnswer(answer: ChatAnswer, context: AnswerContext): ReadAnswer {
  if (context.asAction) return readActionAnswer(answer, context);
  const { content } = answer;
  const native = context.offered.size > 0 ? nativeCalls(answer, context) : [];
  const salvaged = native.length === 0 && context.offered.size > 0 ? printedCalls(content, context) : undefined;
  const toolCalls = salvaged ?? native;
  if (toolCalls.length === 0 && content.trim() === '') return { ok: false, failure: emptyFailure(answer) };
  const message = messageOf(answer, salvaged ? '' : content, toolCalls);
  if (!salvaged) return { ok: true, message, finish: answer.finish };
  const names = salvaged.map((call) => call.name).join(', ');
  const notice = { code: 'calls_salvaged', message: `the model printed its calls as text: ${names}` };
  return { ok: true, message, finish: answer.finish, notice };
}

function readActionAnswer(answer: ChatAnswer, { offered, nextId }: AnswerContext): ReadAnswer {
  if (answer.content.trim() === '') return { ok: false, failure: emptyFailure(answer) };
  const action = readAction(answer.content);
  if (action.kind === 'answer') return { ok: true, message: messageOf(answer, action.text, []), finish: answer.finish };
  if (action.kind === 'calls' && offered.size > 0) {
    const calls = action.calls.map((call) => ({ id: nextId(), ...call, salvaged: 'action_mode' as const }));
    return { ok: true, message: messageOf(answer, '', calls), finish: answer.finish };
  }
  const cut = answer.finish === 'length' ? ' (its output was cut off)' : '';
  return {
    ok: false,
    failure: { kind: 'output_invalid', message: `the model's action could not be read${cut}`, partial: answer.content },
  };
}

function messageOf({ thinking }: ChatAnswer, content: string, toolCalls: readonly ToolCall[]): AssistantMessage {
  return {
    role: 'assistant',
    content,
    ...(thinking === '' ? {} : { thinking }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}

function nativeCalls({ toolCalls }: ChatAnswer, { nextId }: AnswerContext): ToolCall[] {
  return toolCalls.map(
    ({ name, arguments: given }) => ({ id: nextId(), name: typeof name === 'string' ? name : '', ...readArguments(given) }) as ToolCall,
  );
}

function printedCalls(content: string, { offered, nextId }: AnswerContext): ToolCall[] | undefined {
  return salvageCalls(content, (name) => offered.has(name))?.map((call) => ({ id: nextId(), ...call, salvaged: 'text' as const }));
}

function emptyFailure({ thinking, finish }: ChatAnswer): DescribedFailure {
  if (finish === 'length')
    return {
      kind: 'thinking_exhausted',
      message: 'the model used up its output without an answer',
      fix: 'raise the output limit of the agent, or set think: false for the model',
    };
  return { kind: 'empty_turn', message: thinking === '' ? 'the model answered nothing' : 'the model reasoned but answered nothing' };
}
