import type { AssistantMessage, Message } from './message.ts';
import type { Scope } from './scope.ts';
import type { Task } from './task.ts';
import type { CallUsage } from './usage.ts';

/** JSON Schema of a tool's arguments, as plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool as a model sees it. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** What a conversation starts from; all of it stays byte-stable at the front of every request. */
export interface ConversationOpening {
  readonly agent: string;
  readonly system: string;
  readonly tools: readonly ToolOffer[];
  readonly task: Task;
  readonly sources: readonly { readonly name: string; readonly kind: string }[];
  readonly maxOutputTokens: number;
  /** The most tokens the window may hold; the model's own maximum may lower it. */
  readonly contextTokens: number;
}

export type FailureKind =
  | 'unreachable'
  | 'model_not_found'
  | 'context_overflow'
  | 'output_invalid'
  | 'empty_turn'
  | 'thinking_exhausted'
  | 'incomplete_stream'
  | 'first_token_timeout'
  | 'stall_timeout'
  | 'busy'
  | 'bad_request'
  | 'not_authorised'
  | 'refused'
  | 'server_fault'
  | 'protocol'
  | 'stopped';

/** A model call that did not end well: a value, never thrown. `message` is readable and free of secrets. */
export interface ModelFailure {
  readonly kind: FailureKind;
  readonly message: string;
  readonly fix?: string;
  /** Text that had arrived before the failure. */
  readonly partial?: string;
  readonly promptTokens?: number;
  readonly windowTokens?: number;
}

/** Something a reader of the run should know though the call succeeded: a retry, a salvage, a reload. */
export interface ModelNotice {
  readonly code: string;
  readonly message: string;
}

export type ModelReply =
  | {
      readonly ok: true;
      readonly message: AssistantMessage;
      readonly finish: 'stop' | 'length' | 'unknown';
      readonly usage: CallUsage;
      readonly notices: readonly ModelNotice[];
    }
  | {
      readonly ok: false;
      readonly failure: ModelFailure;
      readonly usage: CallUsage;
      readonly notices: readonly ModelNotice[];
    };

/** A piece of a reply under way. `waiting` is time spent in a queue, which no timeout counts. */
export type Delta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'waiting'; readonly ahead: number };

export interface ReplyRequest {
  readonly scope: Scope;
  /** False on an agent's last turn: it may only conclude. */
  readonly withTools: boolean;
  readonly onDelta?: (delta: Delta) => void;
}

/** One agent's exchange with one model. It owns the encoded history: every message is serialised once. */
export interface Conversation {
  append(message: Message): void;
  /** Swaps the whole history (after compaction); rare, since it encodes all again. */
  replace(messages: readonly Message[]): void;
  /** Tokens that the next request would hold, by the estimate calibrated so far. */
  estimatedTokens(): number;
  /** The most tokens the window may hold, as far as the server told; absent where nothing bounds it but the agent's limit. */
  windowTokens?(): number;
  /** Never rejects. */
  reply(request: ReplyRequest): Promise<ModelReply>;
}

/** A source of replies: a model server, fixed rules, or a script. */
export interface ChatModel {
  /** As the user names it: `ollama/qwen3:8b`, `rules`. */
  readonly id: string;
  /** Whether a language model answers; `rules` and `script` do not. */
  readonly kind: 'model' | 'rules' | 'script';
  startConversation(opening: ConversationOpening): Conversation;
  close(): Promise<void>;
}
