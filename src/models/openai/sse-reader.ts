import type { Delta } from '../../core/model.ts';
import { AnswerAssembly } from '../chat/answer-assembly.ts';
import type { AnswerReader } from '../chat/answer-reader.ts';
import type { AnswerFacts, ChatAnswer } from '../chat/chat-answer.ts';
import type { StreamFault } from '../chat/stream-fault.ts';
import type { ReadVerdict } from '../transport/exchange.ts';
import { CallFragments } from './call-fragments.ts';
import { type ChunkMessage, type CompletionChunk, errorOf, finishOf, type Usage, usageFacts } from './chunk-wire.ts';

const LONGEST_LINE = 32 * 1024 * 1024;

/** Reads a chat completion as server-sent events: comments passed over, `data:` lines with or without a blank. */
export class SseReader implements AnswerReader {
  fault: StreamFault | undefined;
  private rest = '';
  private finish: AnswerFacts['finish'] | undefined;
  private usage: Usage | undefined;
  private closed = false;
  private readonly calls = new CallFragments();
  private readonly assembly: AnswerAssembly;

  constructor(onDelta: ((delta: Delta) => void) | undefined, detectLoops: boolean) {
    this.assembly = new AnswerAssembly({ onDelta, detectLoops });
  }

  get partial(): string {
    return this.assembly.partial;
  }

  get firstPieceAt(): number | undefined {
    return this.assembly.firstPieceAt;
  }

  push(piece: string): ReadVerdict {
    if (this.closed || this.fault) return 'enough';
    const text = this.rest === '' ? piece : this.rest + piece;
    let from = 0;
    for (let end = text.indexOf('\n', this.rest.length); end >= 0 && !this.closed && !this.fault; end = text.indexOf('\n', from)) {
      if (end > from) this.takeLine(text.slice(from, end));
      from = end + 1;
    }
    this.rest = from === 0 ? text : text.slice(from);
    if (this.rest.length > LONGEST_LINE) this.fault ??= { kind: 'broken_line', line: this.rest };
    this.assembly.tell();
    // The counts come after the finish, so what follows it is still read.
    if (this.closed || this.fault || this.finish !== undefined) return 'enough';
    return this.firstPieceAt === undefined ? 'waiting' : 'more';
  }

  end(): void {
    if (!this.closed && !this.fault && this.rest.trim() !== '') this.takeLine(this.rest);
    this.rest = '';
    this.assembly.takeCalls(this.calls.whole());
    this.assembly.finish();
    // A server that swallowed an error ends without a finish and without its last mark.
    if (!this.closed && this.finish === undefined) this.fault ??= { kind: 'incomplete', looped: this.assembly.endedInRun };
  }

  answer(): ChatAnswer {
    return this.assembly.answer({ finish: this.finish ?? 'unknown', ...usageFacts(this.usage) });
  }

  private takeLine(line: string): void {
    const bare = line.trim();
    if (bare === '' || bare.startsWith(':')) return;
    const data = dataOf(bare);
    if (data === undefined) {
      // Fields of the format that carry nothing here: event, id, retry.
      if (!/^(?:event|id|retry)\b/.test(bare)) this.fault = { kind: 'broken_line', line: bare };
      return;
    }
    if (data === '[DONE]') this.closed = true;
    else if (data !== '') this.takeData(data, bare.startsWith('error:'));
  }

  private takeData(data: string, isError: boolean): void {
    const chunk = parseObject(data);
    if (!chunk) {
      this.fault = isError ? { kind: 'server_error', error: data } : { kind: 'broken_line', line: data };
      return;
    }
    const error = isError ? (errorOf(chunk) ?? chunk) : errorOf(chunk);
    if (error !== undefined) {
      this.fault = { kind: 'server_error', error };
      return;
    }
    if (chunk.usage) this.usage = chunk.usage;
    const [choice] = chunk.choices ?? [];
    if (!choice) return;
    const message = choice.delta ?? choice.message;
    if (message) this.takeMessage(message, choice.delta === undefined);
    if (choice.finish_reason) this.finish = finishOf(choice.finish_reason);
  }

  private takeMessage(message: ChunkMessage, whole: boolean): void {
    const thinking = message.reasoning_content || message.reasoning;
    if (typeof thinking === 'string' && thinking !== '') this.assembly.takeThinking(thinking);
    const content = textOf(message.content);
    if (content !== '') this.assembly.takeText(content);
    if (this.assembly.looping) this.fault ??= { kind: 'loop' };
    if (Array.isArray(message.tool_calls) && message.tool_calls.length > 0) {
      this.assembly.notePiece();
      for (const fragment of message.tool_calls) this.calls.take(fragment, whole);
    }
  }
}

/** What a line carries; `undefined` for another field. A text may hold characters that a pattern takes for the end of a line. */
function dataOf(line: string): string | undefined {
  if (line.startsWith('data:')) return line.slice(5).trimStart();
  if (line.startsWith('error:')) return line.slice(6).trimStart();
  return line.startsWith('{') ? line : undefined;
}

/** Some servers send content in parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : '')).join('');
}

function parseObject(data: string): CompletionChunk | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as CompletionChunk) : undefined;
  } catch {
    return undefined;
  }
}
