import type { Buys } from './agent-spec.ts';
import type { ChildConclusion, Conclusion, LimitName } from './conclusion.ts';
import type { Grounding } from './figure.ts';
import type { MemoryEventBody } from './memory-event.ts';
import type { AssistantMessage } from './message.ts';
import type { ModelFailure, ModelNotice } from './model.ts';
import type { Task } from './task.ts';
import type { ToolStatus } from './tool-result.ts';
import type { CallUsage } from './usage.ts';

/** What happened; the log is nothing but these, and an agent's state is a fold over them. */
export type EventBody =
  | {
      readonly type: 'session.opened';
      readonly project: string;
      readonly agent: string;
      readonly question: string;
      readonly model: string;
      /** The model named on the command line, which then holds for every agent of the session. */
      readonly modelAsked?: string;
      readonly version: string;
      /** For the record of what could have been looked at. */
      readonly sources: readonly RecordedSource[];
    }
  | {
      readonly type: 'agent.started';
      readonly agent: string;
      readonly model: string;
      readonly task: Task;
      readonly tools: readonly string[];
      /** Hash of a payload `{system, tools: [{name, description, parameters}]}`: the front of every request, kept once. */
      readonly prompt?: string;
    }
  | {
      readonly type: 'agent.resumed';
      readonly agent: string;
      readonly model: string;
      /** How it had ended before: `killed` when nothing says so, else the status it goes on from with its limits anew. */
      readonly after: 'killed' | Conclusion['status'];
      /** Ids of the results that calls under way had not given; they are run again or refused. */
      readonly unfinished: readonly string[];
      readonly prompt?: string;
    }
  /** The front of the requests changes, since more tools were brought; `prompt` as in `agent.started`. */
  | { readonly type: 'prompt.changed'; readonly prompt: string }
  | {
      readonly type: 'model.replied';
      readonly message: AssistantMessage;
      readonly finish: 'stop' | 'length' | 'unknown';
      readonly usage: CallUsage;
    }
  | { readonly type: 'model.failed'; readonly failure: ModelFailure; readonly usage: CallUsage }
  | { readonly type: 'model.noticed'; readonly notice: ModelNotice }
  | {
      readonly type: 'tool.called';
      readonly callId: string;
      readonly resultId: string;
      readonly tool: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'tool.finished';
      readonly callId: string;
      readonly resultId: string;
      readonly tool: string;
      readonly status: ToolStatus;
      readonly complete: boolean;
      /** The text that the model got. */
      readonly content: string;
      /** Hash of the whole result in the blob store, when the content is only part of it. */
      readonly reference?: string;
      readonly elapsedMs: number;
    }
  | {
      readonly type: 'delegation.started';
      /** Id of the tool result that the conclusions will come back in. */
      readonly resultId: string;
      readonly agent: string;
      /** What the agent's file says that the subagent buys. */
      readonly buys: readonly Buys[];
      /** Which of these this call claims. */
      readonly why: Buys;
      readonly because: string;
      readonly concurrency: number;
      /** `path` is the agent under which the child's events stand: its own id, or that of the child it goes on with. */
      readonly children: readonly { readonly id: string; readonly path: string; readonly task: Task }[];
    }
  | { readonly type: 'child.concluded'; readonly conclusion: ChildConclusion }
  | {
      readonly type: 'user.said';
      readonly content: string;
      readonly why: 'nudge' | 'repair' | 'shorten' | 'ground' | 'limit' | 'follow_up';
    }
  | {
      /** What a critic said of an answer; its words never become part of the conversation. */
      readonly type: 'answer.reflected';
      readonly round: number;
      readonly done: boolean;
      readonly missing?: string;
      /** False where its reply could not be read, which counts as done. */
      readonly readable: boolean;
      readonly by: string;
      readonly usage: CallUsage;
    }
  | { readonly type: 'plan.made'; readonly steps: readonly string[]; readonly by: string; readonly usage: CallUsage }
  | ({ readonly type: 'answer.grounded'; readonly mode: 'strict' | 'report' } & Grounding)
  | {
      readonly type: 'permission.decided';
      readonly tool: string;
      readonly decision: 'allowed' | 'denied';
      readonly by: 'rule' | 'person' | 'no_terminal';
    }
  | {
      /** Before a request that would not have fitted: what gave way in the window. The log keeps all of it. */
      readonly type: 'context.fitted';
      readonly beforeTokens: number;
      /** Results that their heads stand for, by call. */
      readonly shortened: readonly { readonly callId: string; readonly content: string }[];
      /** Messages of the window, counted from 0, that one message with a summary stands for. */
      readonly compacted?: {
        readonly from: number;
        readonly messages: number;
        readonly summary: string;
        /** The model that wrote it; `digest` for fixed rules. */
        readonly by: string;
        readonly usage?: CallUsage;
      };
    }
  | { readonly type: 'limit.reached'; readonly limit: LimitName; readonly detail: string }
  | { readonly type: 'loop.blocked'; readonly tool: string; readonly times: number }
  | { readonly type: 'interrupted' }
  | { readonly type: 'agent.concluded'; readonly conclusion: Conclusion }
  | { readonly type: 'session.closed'; readonly status: Conclusion['status'] }
  | MemoryEventBody;

/** A source of a session by name and kind. */
export interface RecordedSource {
  readonly name: string;
  readonly kind: string;
  /** What brings it again as `--source`, without passwords, where no file of the project declares it. */
  readonly flag?: string;
}

/** An event with its place: unique per (tenant, session, step, agent, sequence), `sequence` rising within an agent. */
export interface Event {
  readonly session: string;
  readonly round: number;
  readonly step: number;
  /** `main`, or the id of the child's conclusion. */
  readonly agent: string;
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly body: EventBody;
}

/** Where events and large payloads go. Appending is durable (survives `kill -9`) once it returns. */
export interface EventLog {
  /** One transaction; all or nothing. @throws SoloistError `store_unusable` when the disk is full or the file damaged. */
  append(events: readonly Event[]): void;
  /** Stores a payload once under its SHA-256 and answers the hash. */
  putBlob(text: string): string;
  getBlob(hash: string): string | undefined;
  /** Events of a session in the order they were appended. */
  read(session: string): Iterable<Event>;
  listSessions(limit: number): readonly SessionSummary[];
  close(): void;
}

export interface SessionSummary {
  readonly session: string;
  readonly openedAt: number;
  readonly lastEventAt: number;
  readonly agent: string;
  readonly question: string;
  readonly model: string;
  /** `open` when no closing event was written. */
  readonly status: string;
  readonly events: number;
}
