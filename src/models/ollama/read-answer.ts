import type { AssistantMessage, ToolCall } from '../../core/message.ts';
import type { ModelNotice } from '../../core/model.ts';
import { readArguments } from '../read-arguments.ts';
import { salvageCalls } from '../salvage-calls.ts';
import type { ChatAnswer } from './chat-wire.ts';
import type { DescribedFailure } from './describe-failure.ts';

export interface AnswerContext {
  /** Names of the tools offered in this request; none when it offered none. */
  readonly offered: ReadonlySet<string>;
  /** The next id of a call, unique in the conversation. */
  readonly nextId: () => string;
}

export type ReadAnswer =
  | { readonly ok: true; readonly message: AssistantMessage; readonly finish: 'stop' | 'length' | 'unknown'; readonly notice?: ModelNotice }
  | { readonly ok: false; readonly failure: DescribedFailure };

/** The answer as a message: native tool calls with our own ids, else calls printed as text, else text. */
export function readAnswer(answer: ChatAnswer, context: AnswerContext): ReadAnswer {
  const { content, thinking, last } = answer;
  const finish = last.done_reason === 'stop' || last.done_reason === 'length' ? last.done_reason : 'unknown';
  const native = context.offered.size > 0 ? nativeCalls(answer, context) : [];
  const salvaged = native.length === 0 && context.offered.size > 0 ? printedCalls(content, context) : undefined;
  const toolCalls = salvaged ?? native;
  if (toolCalls.length === 0 && content.trim() === '') return { ok: false, failure: emptyFailure(answer, finish) };
  const message: AssistantMessage = {
    role: 'assistant',
    content: salvaged ? '' : content,
    ...(thinking === '' ? {} : { thinking }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
  if (!salvaged) return { ok: true, message, finish };
  const names = salvaged.map((call) => call.name).join(', ');
  return { ok: true, message, finish, notice: { code: 'calls_salvaged', message: `the model printed its calls as text: ${names}` } };
}

function nativeCalls({ toolCalls }: ChatAnswer, { nextId }: AnswerContext): ToolCall[] {
  return toolCalls.map((call) => {
    const name = typeof call.function?.name === 'string' ? call.function.name : '';
    return { id: nextId(), name, ...readArguments(call.function?.arguments) } as ToolCall;
  });
}

function printedCalls(content: string, { offered, nextId }: AnswerContext): ToolCall[] | undefined {
  return salvageCalls(content, (name) => offered.has(name))?.map((call) => ({ id: nextId(), ...call, salvaged: 'text' as const }));
}

function emptyFailure({ thinking }: ChatAnswer, finish: string): DescribedFailure {
  if (finish === 'length')
    return {
      kind: 'thinking_exhausted',
      message: 'the model used up its output without an answer',
      fix: 'raise the output limit of the agent, or set think: false for the model',
    };
  return { kind: 'empty_turn', message: thinking === '' ? 'the model answered nothing' : 'the model reasoned but answered nothing' };
}
