import type { AnswerFacts } from '../chat/chat-answer.ts';

/** A tool call as the server sends it: whole, but with any field missing or of another type. */
export interface WireToolCall {
  readonly id?: string;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
}

/** One line of a streamed chat answer. Counts and durations (nanoseconds) are absent when the server has none. */
export interface ChatPart {
  readonly message?: {
    readonly content?: string | null;
    readonly thinking?: string | null;
    readonly tool_calls?: readonly WireToolCall[] | null;
  };
  readonly done?: boolean;
  readonly done_reason?: string;
  readonly error?: unknown;
  readonly remote_host?: string;
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
  readonly load_duration?: number;
}

/** What the last line says of the answer. */
export function factsOf(last: ChatPart): AnswerFacts {
  const { done_reason: reason, prompt_eval_count: input, eval_count: output, load_duration: load, remote_host: remoteHost } = last;
  const facts: { -readonly [Name in keyof AnswerFacts]: AnswerFacts[Name] } = {
    finish: reason === 'stop' || reason === 'length' ? reason : 'unknown',
  };
  if (typeof input === 'number') facts.inputTokens = input;
  if (typeof output === 'number') facts.outputTokens = output;
  if (typeof load === 'number') facts.loadMs = load / 1e6;
  if (remoteHost) facts.remoteHost = remoteHost;
  return facts;
}
