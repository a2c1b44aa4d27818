/** What one model call used. Counts a server did not tell are absent, never 0 or NaN; times are milliseconds. */
export interface CallUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  /** Spent waiting for a place at the model server. */
  readonly queueMs?: number;
  readonly loadMs?: number;
  readonly firstTokenMs?: number;
  readonly totalMs: number;
  /** Requests that the reply took, where it was asked for more than once; the counts are those of all of them. */
  readonly tries?: number;
  /** Tokens in and out of the largest of several tries. */
  readonly peakTokens?: number;
  /** In the currency of the model's price; absent where the project sets none. */
  readonly cost?: number;
  /** True where the counts are our estimate (rules, or a server that told none). */
  readonly estimated?: boolean;
}

/** What an agent's run used in all, children included. */
export interface Usage {
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The largest window any single model call of this agent had, in tokens. */
  readonly peakContextTokens: number;
  readonly wallMs: number;
  /** What all calls with a price cost, children included; absent where no model has a price. */
  readonly cost?: number;
}

/** Four characters a token: the estimate used until a model's own counts calibrate it. */
export function estimateTokens(text: string | number): number {
  return Math.ceil((typeof text === 'number' ? text : text.length) / 4);
}
