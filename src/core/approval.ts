/** A question put to the person at the terminal before a tool with effects runs. */
export interface ApprovalRequest {
  readonly agent: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the tool says would change. */
  readonly preview?: unknown;
  /** True for a call that was under way when an earlier process was killed: it may have taken effect already. */
  readonly interrupted?: boolean;
}

/** Answers whether the call may run; absent where there is no terminal, which means no. */
export type Approve = (request: ApprovalRequest) => Promise<boolean>;
