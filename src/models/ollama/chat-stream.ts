import type { Delta } from '../../core/model.ts';
import { quoteLargeIntegers } from '../read-arguments.ts';
import type { ChatAnswer, ChatPart, WireToolCall } from './chat-wire.ts';
import { RepetitionDetector } from './repetition-detector.ts';
import { splitStrayCloser, ThinkFilter } from './think-filter.ts';

const LONGEST_LINE = 32 * 1024 * 1024;

/** What ended a stream other than its last line. */
export type StreamFault =
  | { readonly kind: 'broken_line'; readonly line: string }
  | { readonly kind: 'server_error'; readonly error: unknown }
  | { readonly kind: 'loop' }
  | { readonly kind: 'incomplete'; readonly looped: boolean };

/**
 * Reads a chat answer, one JSON object a line, in pieces that break anywhere. Text and reasoning are told as they come,
 * joined per piece; tool calls are collected from every line.
 */
export class ChatStream {
  fault: StreamFault | undefined;
  private rest = '';
  private content = '';
  private thinking = '';
  private readonly toolCalls: WireToolCall[] = [];
  private last: ChatPart | undefined;
  private newText = '';
  private newThinking = '';
  private readonly filter = new ThinkFilter();
  private readonly detector: RepetitionDetector | undefined;
  private readonly onDelta: ((delta: Delta) => void) | undefined;

  constructor(onDelta: ((delta: Delta) => void) | undefined, detectLoops: boolean) {
    this.onDelta = onDelta;
    this.detector = detectLoops ? new RepetitionDetector() : undefined;
  }

  /** Takes the next piece; `true` when nothing more is needed. */
  push(piece: string): boolean {
    const text = this.rest === '' ? piece : this.rest + piece;
    let from = 0;
    for (let end = text.indexOf('\n', this.rest.length); end >= 0 && !this.over; end = text.indexOf('\n', from)) {
      if (end > from) this.takeLine(text.slice(from, end));
      from = end + 1;
    }
    this.rest = from === 0 ? text : text.slice(from);
    if (this.rest.length > LONGEST_LINE) this.fault ??= { kind: 'broken_line', line: this.rest };
    this.tell();
    return this.over;
  }

  /** The stream has ended: its last line may lack a newline. */
  end(): void {
    if (!this.over && this.rest.trim() !== '') this.takeLine(this.rest);
    this.rest = '';
    this.filter.finish();
    this.take(this.filter.text, this.filter.thinking);
    this.tell();
    if (!this.over) this.fault = { kind: 'incomplete', looped: this.detector?.endedInRun ?? false };
  }

  /** Text that arrived so far, without reasoning. */
  get partial(): string {
    return this.content;
  }

  /** The whole answer; only after `end` and without a fault. */
  answer(): ChatAnswer {
    const { text, thinking } = splitStrayCloser(this.content);
    const content = this.thinking === '' ? text : text.trimStart();
    return { content, thinking: this.thinking + thinking, toolCalls: this.toolCalls, last: this.last ?? {} };
  }

  private get over(): boolean {
    return this.last !== undefined || this.fault !== undefined;
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

  private takeMessage(message: NonNullable<ChatPart['message']>, line: string): void {
    const { content, thinking, tool_calls: calls } = message;
    if (thinking) this.take('', thinking);
    if (content) {
      this.filter.push(content);
      this.take(this.filter.text, this.filter.thinking);
    }
    if ((content || thinking) && this.detector?.push(content || (thinking as string))) this.fault ??= { kind: 'loop' };
    if (Array.isArray(calls) && calls.length > 0) this.toolCalls.push(...exactCalls(calls, line));
  }

  private take(text: string, thinking: string): void {
    if (text !== '') {
      this.content += text;
      this.newText += text;
    }
    if (thinking !== '') {
      this.thinking += thinking;
      this.newThinking += thinking;
    }
  }

  private tell(): void {
    const { newText, newThinking, onDelta } = this;
    this.newText = '';
    this.newThinking = '';
    if (!onDelta) return;
    if (newThinking !== '') onDelta({ type: 'thinking', text: newThinking });
    if (newText !== '') onDelta({ type: 'text', text: newText });
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

function holdsRounded(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (value === null || typeof value !== 'object') return false;
  for (const key in value) if (holdsRounded((value as Record<string, unknown>)[key])) return true;
  return false;
}
