import type { ReadVerdict } from '../transport/exchange.ts';
import type { ChatAnswer } from './chat-answer.ts';
import type { StreamFault } from './stream-fault.ts';

/** Reads one streamed answer in one server's format, in pieces that break anywhere. */
export interface AnswerReader {
  /** Why the stream is no good, once that is known. */
  readonly fault: StreamFault | undefined;
  /** Text that arrived so far, without reasoning. */
  readonly partial: string;
  /** When the first piece of the answer itself came, on the clock of `performance.now()`. */
  readonly firstPieceAt: number | undefined;
  push(piece: string): ReadVerdict;
  /** The stream has ended; `fault` and `answer` are final from here on. */
  end(): void;
  /** The whole answer; only after `end` and without a fault. */
  answer(): ChatAnswer;
}
