import type { AnswerFacts } from '../chat/chat-answer.ts';

/** Part of a tool call: its name and id come once, its arguments in any number of pieces. */
export interface CallFragment {
  readonly index?: number;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null;
}

/** What a chunk adds to the message. */
export interface ChunkMessage {
  readonly content?: unknown;
  /** Reasoning, by the name that vLLM and Ollama give it, and by that of llama-server and DeepSeek. */
  readonly reasoning?: unknown;
  readonly reasoning_content?: unknown;
  readonly tool_calls?: readonly CallFragment[] | null;
}

export interface Usage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null;
}

/** One event of a streamed completion; a server that does not stream sends one with a whole message. */
export interface CompletionChunk {
  readonly choices?: readonly {
    readonly delta?: ChunkMessage | null;
    readonly message?: ChunkMessage | null;
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: Usage | null;
  readonly error?: unknown;
  readonly object?: string;
  readonly message?: unknown;
}

/** The error that a chunk tells, in the forms of different servers. */
export function errorOf(chunk: CompletionChunk): unknown {
  if (chunk.error) return chunk.error;
  return chunk.object === 'error' ? (chunk.message ?? chunk) : undefined;
}

export function finishOf(reason: string): AnswerFacts['finish'] {
  if (reason === 'stop' || reason === 'tool_calls' || reason === 'function_call') return 'stop';
  return reason === 'length' ? 'length' : 'unknown';
}

/** The counts, each only where the server told it. */
export function usageFacts(usage: Usage | undefined): Omit<AnswerFacts, 'finish'> {
  const cached = usage?.prompt_tokens_details?.cached_tokens;
  return {
    ...(typeof usage?.prompt_tokens === 'number' ? { inputTokens: usage.prompt_tokens } : {}),
    ...(typeof usage?.completion_tokens === 'number' ? { outputTokens: usage.completion_tokens } : {}),
    ...(typeof cached === 'number' ? { cachedTokens: cached } : {}),
  };
}
