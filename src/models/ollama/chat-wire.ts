/** A tool call as the server sends it: whole, but with any field missing or of another type. */
export interface WireToolCall {
  readonly id?: string;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
}

/** One line of a streamed chat answer. Counts and durations (nanoseconds) are absent when the server has none. */
export interface ChatPart {
  readonly model?: string;
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
  readonly total_duration?: number;
}

/** All lines of an answer as one. */
export interface ChatAnswer {
  readonly content: string;
  readonly thinking: string;
  readonly toolCalls: readonly WireToolCall[];
  readonly last: ChatPart;
}
