/** Equal pieces in a row after which the server itself ends an answer without a last line. */
const SERVER_RUN = 30;
const PIECE_RUN = 200;
const CHECK_EVERY = 1_024;
const TAIL = 3_000;
const SHORTEST_REPEATS = 12;

/**
 * Notices a model that repeats itself: the same piece over and over, or a passage again and again until the last 3,000
 * characters are nothing else.
 */
export class RepetitionDetector {
  private last = '';
  private run = 0;
  private sinceCheck = 0;
  private tail = '';

  /** Takes the next piece of the answer and says whether the model is in a loop. */
  push(piece: string): boolean {
    const trimmed = piece.trim();
    this.run = trimmed === this.last ? this.run + 1 : 0;
    this.last = trimmed;
    if (this.run >= PIECE_RUN) return true;
    this.tail += piece;
    this.sinceCheck += piece.length;
    if (this.sinceCheck < CHECK_EVERY) return false;
    this.sinceCheck = 0;
    this.tail = this.tail.slice(-TAIL);
    return this.tail.length === TAIL && isPeriodic(this.tail);
  }

  /** Whether the last pieces were equal often enough for the server to have cut the answer off. */
  get endedInRun(): boolean {
    return this.run >= SERVER_RUN;
  }
}

/** A text of the same passage at least twelve times, by its smallest period (Knuth, Morris and Pratt's border table). */
function isPeriodic(text: string): boolean {
  const border = new Uint16Array(text.length);
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text[at] !== text[length]) length = border[length - 1] as number;
    if (text[at] === text[length]) length++;
    border[at] = length;
  }
  const period = text.length - (border[text.length - 1] as number);
  return text.length / period >= SHORTEST_REPEATS;
}
