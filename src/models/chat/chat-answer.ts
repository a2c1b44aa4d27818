/** A tool call as it came: whole, but with any field missing or of another type. */
export interface RawToolCall {
  readonly name: unknown;
  readonly arguments: unknown;
}

/** What a server told of a finished answer. What it did not tell is absent. */
export interface AnswerFacts {
  readonly finish: 'stop' | 'length' | 'unknown';
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  readonly loadMs?: number;
  /** The machine that really answered, when it is not the server's own. */
  readonly remoteHost?: string;
}

/** All pieces of an answer as one. */
export interface ChatAnswer extends AnswerFacts {
  readonly content: string;
  readonly thinking: string;
  readonly toolCalls: readonly RawToolCall[];
}
