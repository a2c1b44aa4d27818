import type { Finding } from './tool.ts';
import type { Usage } from './usage.ts';

/** How an agent's run ended. Only `ok` is a finished answer. */
export type ConclusionStatus = 'ok' | 'empty' | 'no_evidence' | 'schema_invalid' | 'budget' | 'timeout' | 'aborted' | 'failed';

/** A subagent's conclusion as it comes up to its caller: with its id (`c3`), who made it and for which task. */
export interface ChildConclusion extends Conclusion {
  readonly id: string;
  readonly agent: string;
  readonly goal: string;
  /** The agent under which its events stand in the log. */
  readonly path: string;
  /** Hash of the full text in the blob store, where the text was too long to come up whole. */
  readonly fullText?: string;
}

/** Which limit ended a run. */
export type LimitName = 'turns' | 'tokens' | 'seconds' | 'toolCalls';

/** The only thing that comes up from an agent: never the trail. */
export interface Conclusion {
  readonly status: ConclusionStatus;
  readonly text: string;
  /** Ids of the tool results it rests on. */
  readonly evidence: readonly string[];
  readonly findings: readonly Finding[];
  readonly usage: Usage;
  readonly model: string;
  /** What went wrong, for any status but `ok`. */
  readonly reason?: string;
  readonly limit?: LimitName;
}
