import type { Delta } from '../../core/model.ts';
import { AnswerAssembly } from '../chat/answer-assembly.ts';
import type { AnswerReader } from '../chat/answer-reader.ts';
import type { ChatAnswer, RawToolCall } from '../chat/chat-answer.ts';
import { quoteLargeIntegers } from '../chat/read-arguments.ts';
import type { StreamFault } from '../chat/stream-fault.ts';
import type { ReadVerdict } from '../transport/exchange.ts';
import { type ChatPart, factsOf, type WireToolCall } from './chat-wire.ts';
import { joinedPlainLines, textOfPlainLines } from './plain-lines.ts';

const LONGEST_LINE = 32 * 1024 * 1024;
/** Reads a chat answer of Ollama, one JSON object a line. Tool calls are collected from every line. */
export class NdjsonReader implements AnswerReader {
  fault: StreamFault | undefined;
  private rest = '';
  private last: ChatPart | undefined;
  private readonly detectLoops: boolean;
  private readonly assembly: AnswerAssembly;

  constructor(onDelta: ((delta: Delta) => void) | undefined, detectLoops: boolean) {
    this.detectLoops = detectLoops;
    this.assembly = new AnswerAssembly({ onDelta, detectLoops });
  }

  get partial(): string {
    return this.assembly.partial;
  }

  get firstPieceAt(): number | undefined {
    return this.assembly.firstPieceAt;
  }

  push(piece: string): ReadVerdict {
    if (this.over) return 'enough';
    const text = this.rest === '' ? piece : this.rest + piece;
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) this.takeLines(end === text.length ? text : text.slice(0, end));
    this.rest = end === text.length ? '' : text.slice(end);
    if (this.rest.length > LONGEST_LINE) this.fault ??= { kind: 'broken_line', line: this.rest };
    this.assembly.tell();
    return this.over ? 'enough' : 'more';
  }

  end(): void {
    if (!this.over && this.rest.trim() !== '') this.takeLine(this.rest);
    this.rest = '';
    this.assembly.finish();
    if (!this.over) this.fault = { kind: 'incomplete', looped: this.assembly.endedInRun };
  }

  answer(): ChatAnswer {
    return this.assembly.answer(factsOf(this.last ?? {}));
  }

  private get over(): boolean {
    return this.last !== undefined || this.fault !== undefined;
  }

  private takeLines(lines: string): void {
    if (this.takePlain(lines)) return;
    let from = 0;
    for (let end = lines.indexOf('\n'); end >= 0 && !this.over; end = lines.indexOf('\n', from)) {
      if (end > from) this.takeLine(lines.slice(from, end));
      from = end + 1;
    }
  }

  private takePlain(lines: string): boolean {
    if (!this.detectLoops) {
      const text = joinedPlainLines(lines);
      if (text) this.assembly.takeText(text);
      return text !== undefined;
    }
    const texts = textOfPlainLines(lines);
    if (!texts) return false;
    for (const text of texts) if (text !== '') this.assembly.takeText(text);
    if (this.assembly.looping) this.fault = { kind: 'loop' };
    return true;
  }

  private takeLine(line: string): void {
    const part = parseLine(line);
    if (part === null) return;
    if (part === undefined) this.fault = { kind: 'broken_line', line };
    else if (part.error !== undefined) this.fault = { kind: 'server_error', error: part.error };
    else {
      if (part.message) this.takeMessage(part.message, line);
      if (part.done === true) this.last = part;
    }
  }

  private takeMessage({ content, thinking, tool_calls: calls }: NonNullable<ChatPart['message']>, line: string): void {
    if (typeof thinking === 'string' && thinking !== '') this.assembly.takeThinking(thinking);
    if (typeof content === 'string' && content !== '') this.assembly.takeText(content);
    if (this.assembly.looping) this.fault ??= { kind: 'loop' };
    if (Array.isArray(calls) && calls.length > 0) this.assembly.takeCalls(exactCalls(calls, line).map(rawCall));
  }
}

/** The line's object; `null` for a blank line, `undefined` for anything else. */
function parseLine(line: string): ChatPart | null | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  } catch {
    return line.trim() === '' ? null : undefined;
  }
}

/** The calls with integers that a number cannot hold kept as text. */
function exactCalls(calls: readonly WireToolCall[], line: string): readonly WireToolCall[] {
  if (!calls.some((call) => holdsRounded(call?.function?.arguments))) return calls;
  return (JSON.parse(quoteLargeIntegers(line)) as ChatPart).message?.tool_calls ?? calls;
}

function rawCall(call: WireToolCall): RawToolCall {
  return { name: call?.function?.name, arguments: call?.function?.arguments };
}

function holdsRounded(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (value === null || typeof value !== 'object') return false;
  for (const key in value) if (holdsRounded((value as Record<string, unknown>)[key])) return true;
  return false;
}
