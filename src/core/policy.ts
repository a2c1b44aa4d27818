import type { Task } from './task.ts';
import type { ToolResult } from './tool-result.ts';

/**
 * What a policy plays on. A policy is a plain async function that stands in for the model: it calls the same tools,
 * sees the same results, and concludes. It must be deterministic: after a restart it is run again from the start with
 * the recorded results.
 */
export interface Play {
  readonly task: Task;
  /** Names of the tools (and subagents) on offer. */
  readonly tools: ReadonlySet<string>;
  /** The names and kinds of the sources, as the system prompt tells a model. */
  readonly sources: readonly { readonly name: string; readonly kind: string }[];
  /** One tool call. Calls made before the next await run in parallel, as the calls of one turn do. */
  call<Data = unknown>(tool: string, input: Readonly<Record<string, unknown>>): Promise<ToolResult<Data>>;
}

/** Answers the text of the conclusion. */
export type Policy = (play: Play) => Promise<string>;
