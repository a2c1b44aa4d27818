import type { Delta } from '../../core/model.ts';
import type { AnswerFacts, ChatAnswer, RawToolCall } from './chat-answer.ts';
import { RepetitionDetector } from './repetition-detector.ts';
import { splitStrayCloser, ThinkFilter } from './think-filter.ts';

export interface AssemblyOptions {
  readonly onDelta: ((delta: Delta) => void) | undefined;
  readonly detectLoops: boolean;
}

/**
 * Puts an answer together from its pieces, whatever server sent them: reasoning apart from text, tool calls in the order
 * they came. Text and reasoning are told as they come, joined per `tell`.
 */
export class AnswerAssembly {
  firstPieceAt: number | undefined;
  /** The model repeats itself without end. */
  looping = false;
  readonly toolCalls: RawToolCall[] = [];
  /** Told already; what came since stands in the two below, so that a long text is never taken apart. */
  private content = '';
  private thinking = '';
  private newText = '';
  private newThinking = '';
  private readonly filter = new ThinkFilter();
  private readonly detector: RepetitionDetector | undefined;
  private readonly onDelta: ((delta: Delta) => void) | undefined;

  constructor({ onDelta, detectLoops }: AssemblyOptions) {
    this.onDelta = onDelta;
    this.detector = detectLoops ? new RepetitionDetector() : undefined;
  }

  get partial(): string {
    return this.content + this.newText;
  }

  /** Whether the last pieces were equal often enough for a server to have cut the answer off. */
  get endedInRun(): boolean {
    return this.detector?.endedInRun ?? false;
  }

  takeText(piece: string): void {
    this.firstPieceAt ??= performance.now();
    if (this.filter.isOpen) this.newText += piece;
    else {
      this.filter.push(piece);
      this.newText += this.filter.text;
      this.newThinking += this.filter.thinking;
    }
    if (this.detector?.push(piece)) this.looping = true;
  }

  takeThinking(piece: string): void {
    this.firstPieceAt ??= performance.now();
    this.newThinking += piece;
    if (this.detector?.push(piece)) this.looping = true;
  }

  takeCalls(calls: readonly RawToolCall[]): void {
    if (calls.length === 0) return;
    this.notePiece();
    this.toolCalls.push(...calls);
  }

  /** The answer has begun, though what came can be taken only later. */
  notePiece(): void {
    this.firstPieceAt ??= performance.now();
  }

  /** Gives what came since the last time to the listener. */
  tell(): void {
    const { onDelta, newText, newThinking } = this;
    if (newThinking !== '') {
      this.thinking += newThinking;
      this.newThinking = '';
      onDelta?.({ type: 'thinking', text: newThinking });
    }
    if (newText === '') return;
    this.content += newText;
    this.newText = '';
    onDelta?.({ type: 'text', text: newText });
  }

  /** No more pieces will come. */
  finish(): void {
    this.filter.finish();
    this.newText += this.filter.text;
    this.newThinking += this.filter.thinking;
    this.tell();
  }

  answer(facts: AnswerFacts): ChatAnswer {
    const { text, thinking } = splitStrayCloser(this.content);
    const content = this.thinking === '' ? text : text.trimStart();
    return { ...facts, content, thinking: this.thinking + thinking, toolCalls: this.toolCalls };
  }
}
