import { SoloistError } from '../../core/errors.ts';
import type { AssistantMessage, Message, ToolCall, ToolMessage } from '../../core/message.ts';
import { HistoryBuffer } from './history-buffer.ts';
import type { MessageEncoding } from './message-encoding.ts';

const ARGUMENTS_SHOWN = 200;

/**
 * The messages of a conversation as the server reads them, each encoded once. Results always follow their calls, all
 * present and in call order: one that comes early is held back, one that never comes is stood in for.
 */
export class WireHistory {
  private readonly buffer = new HistoryBuffer();
  private messages: Message[] = [];
  /** Calls whose results are not written yet, in call order. */
  private open: ToolCall[] = [];
  private readonly early = new Map<string, ToolMessage>();
  /** Names called more than once in the open turn: their results say which call they answer. */
  private shared = new Set<string>();
  private thinkingKept = false;
  private encoding: MessageEncoding;

  constructor(encoding: MessageEncoding) {
    this.encoding = encoding;
  }

  get size(): number {
    return this.buffer.size;
  }

  /** @throws SoloistError `internal` for a result that answers no open call: its call was lost on the way */
  append(message: Message): void {
    if (message.role === 'tool') this.takeResult(message);
    else {
      this.closeTurn();
      if (message.role === 'user' && this.thinkingKept) this.dropThinking();
      this.write(message, true);
    }
    this.messages.push(message);
  }

  replace(messages: readonly Message[]): void {
    this.buffer.clear();
    this.messages = [];
    this.open = [];
    this.early.clear();
    this.thinkingKept = false;
    for (const message of messages) this.append(message);
  }

  /** Writes everything anew in another encoding, under another system prompt. */
  recode(encoding: MessageEncoding, system: string): void {
    this.encoding = encoding;
    this.replace(this.messages.map((message) => (message.role === 'system' ? { role: 'system', content: system } : message)));
  }

  /** The encoded messages, ready to stand between the request's brackets. */
  bytes(): Buffer {
    this.closeTurn();
    return this.buffer.bytes();
  }

  private takeResult(message: ToolMessage): void {
    const next = this.open[0];
    if (next?.id === message.toolCallId && this.early.size === 0) {
      this.writeResult(next, message.content);
      this.open.shift();
      return;
    }
    this.holdResult(message);
  }

  private holdResult(message: ToolMessage): void {
    if (!this.open.some((call) => call.id === message.toolCallId) || this.early.has(message.toolCallId)) {
      throw new SoloistError('internal', `the result of call ${message.toolCallId} (${message.toolName}) follows no open call`);
    }
    this.early.set(message.toolCallId, message);
    for (let next = this.open[0]; next && this.early.has(next.id); next = this.open[0]) {
      this.writeResult(next, this.early.get(next.id)?.content ?? '');
      this.early.delete(next.id);
      this.open.shift();
    }
  }

  private closeTurn(): void {
    for (const call of this.open) this.writeResult(call, this.early.get(call.id)?.content ?? 'No result: the call did not run.');
    this.open = [];
    this.early.clear();
  }

  private writeResult(call: ToolCall, content: string): void {
    const text = this.shared.has(call.name) ? `${call.name}(${shortArguments(call)}):\n${content}` : content;
    this.writeObject(this.encoding.result(call, text));
  }

  private write(message: Exclude<Message, ToolMessage>, withThinking: boolean): void {
    if (message.role !== 'assistant') {
      this.writeObject(JSON.stringify({ role: message.role, content: message.content }));
      return;
    }
    this.openCalls(message.toolCalls ?? []);
    const thinking = withThinking && message.toolCalls?.length ? message.thinking : undefined;
    if (thinking) this.thinkingKept = true;
    this.writeObject(this.encoding.assistant(message, thinking));
  }

  private openCalls(calls: readonly ToolCall[]): void {
    this.open = [...calls];
    this.shared.clear();
    if (calls.length < 2) return;
    const seen = new Set<string>();
    for (const { name } of calls) (seen.has(name) ? this.shared : seen).add(name);
  }

  /** A new user turn: reasoning of the turns before is left out from here on. */
  private dropThinking(): void {
    const { messages } = this;
    this.replace(messages.map((message) => (message.role === 'assistant' && message.thinking ? withoutThinking(message) : message)));
    this.closeTurn();
  }

  private writeObject(json: string): void {
    this.buffer.append(this.buffer.size > 0 ? `,${json}` : json);
  }
}

function withoutThinking({ thinking: _, ...message }: AssistantMessage): AssistantMessage {
  return message;
}

function shortArguments(call: ToolCall): string {
  const text = JSON.stringify(call.arguments);
  return text.length <= ARGUMENTS_SHOWN ? text : `${text.slice(0, ARGUMENTS_SHOWN)}…`;
}
