import type { ConclusionStatus } from '../core/conclusion.ts';
import type { Grounding } from '../core/figure.ts';
import type { EmbeddingUsage } from '../core/spending.ts';
import type { Task } from '../core/task.ts';
import type { CallUsage, Usage } from '../core/usage.ts';

/** One session as `soloist trace show --json` prints it; a public shape. Times are milliseconds since the epoch. */
export interface SessionTrace {
  readonly session: string;
  readonly agent: string;
  readonly question: string;
  readonly model: string;
  readonly version: string;
  /** `open` until the session is closed. */
  readonly status: string;
  readonly openedAt: number;
  readonly lastEventAt: number;
  readonly events: number;
  /** What all that had a price cost, children and `embeddings` included; absent when nothing had one. */
  readonly cost?: number;
  /** What memory asked of an embedding model; absent where it asked none. */
  readonly embeddings?: EmbeddingUsage;
  readonly main: AgentTrace;
}

/** One agent's part: its own events, with the children of its calls below them. */
export interface AgentTrace {
  /** `main`, or the id of the conclusion. */
  readonly id: string;
  /** The agent under which its events stand; another than `id` where it goes on from an earlier conclusion. */
  readonly path: string;
  readonly agent: string;
  readonly model: string;
  readonly task: Task | undefined;
  readonly startedAt: number | undefined;
  readonly status: ConclusionStatus | 'unfinished';
  readonly text: string;
  readonly evidence: readonly string[];
  readonly reason?: string;
  readonly usage: Usage | undefined;
  readonly steps: readonly StepTrace[];
  readonly grounding?: Grounding;
}

export interface StepTrace {
  readonly step: number;
  readonly at: number;
  readonly replies: readonly ReplyTrace[];
  readonly calls: readonly CallTrace[];
  /** What else happened, in one line each: notices, limits, notes, verdicts, messages to the agent. */
  readonly remarks: readonly Remark[];
}

export interface ReplyTrace {
  readonly text: string;
  readonly thinkingCharacters: number;
  readonly calls: number;
  readonly finish?: 'stop' | 'length' | 'unknown';
  readonly usage: CallUsage;
  /** Set where the model failed. */
  readonly failure?: string;
}

export interface CallTrace {
  readonly resultId: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly status: string;
  readonly complete: boolean;
  readonly elapsedMs: number | undefined;
  /** The beginning of its data, or all of it. */
  readonly head: string;
  readonly characters: number;
  readonly reference?: string;
  /** Why the agent delegated, where the tool is a subagent. */
  readonly because?: string;
  readonly children: readonly AgentTrace[];
}

export interface Remark {
  readonly type: string;
  readonly text: string;
}
