import type { Ollama } from 'ollama';
import type { ChatAnswer, ChatPart } from './chat-wire.ts';
import { type ChatCall, type ChatResult, streamChat } from './stream-chat.ts';

type ChatFailure = Extract<ChatResult, { ok: false }>;

class ChatFailed extends Error {
  readonly result: ChatFailure;

  constructor(result: ChatFailure) {
    super(result.failure.message);
    this.name = 'ChatFailed';
    this.result = result;
  }
}

/**
 * The `ollama` client of one conversation, on our transport. Its `fetch` sends the bytes we hold, not the small body it
 * is given, reads and tells the stream itself, and hands the client the whole answer as one last line.
 */
export class ChatClient {
  private client: Ollama | undefined;
  private readonly host: string;
  private pending: ChatCall | undefined;
  private firstByteMs = 0;

  constructor(host: string) {
    this.host = host;
  }

  /** One chat; never rejects for what the server does. Not to be called again before it has answered. */
  async chat(call: ChatCall): Promise<ChatResult> {
    this.client ??= await this.open();
    this.pending = call;
    try {
      let last: ChatPart = {};
      for await (const part of await this.client.chat({ model: call.addressee.model, messages: [], stream: true })) last = part as ChatPart;
      return { ok: true, answer: answerOf(last), firstByteMs: this.firstByteMs };
    } catch (error) {
      if (error instanceof ChatFailed) return error.result;
      throw error;
    }
  }

  private async open(): Promise<Ollama> {
    const { Ollama: Client } = await import('ollama');
    return new Client({ host: this.host, fetch: (() => this.fetch()) as unknown as typeof globalThis.fetch });
  }

  private async fetch(): Promise<unknown> {
    const result = await streamChat(this.pending as ChatCall);
    if (!result.ok) throw new ChatFailed(result);
    this.firstByteMs = result.firstByteMs;
    return { ok: true, status: 200, body: bodyOf(Buffer.from(joinedLine(result.answer))) };
  }
}

/** A body of one piece, as the client reads it. */
function bodyOf(bytes: Buffer): unknown {
  const pieces = [{ done: false, value: bytes }];
  return { getReader: () => ({ read: async () => pieces.shift() ?? { done: true }, releaseLock: () => {} }) };
}

function joinedLine({ content, thinking, toolCalls, last }: ChatAnswer): string {
  return `${JSON.stringify({ ...last, message: { role: 'assistant', content, thinking, tool_calls: toolCalls } })}\n`;
}

function answerOf(last: ChatPart): ChatAnswer {
  const { content, thinking, tool_calls: toolCalls } = last.message ?? {};
  return { content: content ?? '', thinking: thinking ?? '', toolCalls: toolCalls ?? [], last };
}
