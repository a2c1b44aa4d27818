/** A call of a tool, as the loop sees it: `arguments` is always an object, `id` always ours and unique. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** How the call was found when it did not come as a native tool call. */
  readonly salvaged?: 'text' | 'action_mode';
  /** Set when the arguments could not be read as an object: the raw text, for the error that goes back. */
  readonly unreadable?: string;
}

export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: string;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  /** Reasoning kept apart from the answer; sent back only within the tool turn it belongs to. */
  readonly thinking?: string;
  readonly toolCalls?: readonly ToolCall[];
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: string;
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;
