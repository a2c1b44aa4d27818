import type { AnswerFacts } from './chat-answer.ts';

const FIRST_BYTES_PER_TOKEN = 4;
const FEWEST = 1.5;
const MOST = 8;
/** Below this the marks of the template weigh too much for the count to tell of a long prompt. */
const TELLING_TOKENS = 256;

/** Bytes a token of one model, learnt in one conversation and the first guess of the next. */
export interface Calibration {
  bytesPerToken: number;
}

export function firstCalibration(): Calibration {
  return { bytesPerToken: FIRST_BYTES_PER_TOKEN };
}

/** Estimates tokens from bytes, calibrated by what the server counted for requests before. */
export class TokenMeter {
  private readonly shared: Calibration;
  private bytesPerToken: number;
  private calibrated = false;

  constructor(shared: Calibration) {
    this.shared = shared;
    this.bytesPerToken = shared.bytesPerToken;
  }

  estimate(bytes: number): number {
    return Math.ceil(bytes / this.bytesPerToken);
  }

  /**
   * Takes the counts of a finished request and says whether they show that the server silently cut the prompt: it then
   * holds half the window, or far fewer tokens than a calibrated estimate expects in a nearly full one.
   */
  take(bytes: number, windowTokens: number, answer: AnswerFacts): 'plausible' | 'cut' {
    const counted = answer.inputTokens;
    if (counted === undefined || counted <= 0) return 'plausible';
    const expected = this.estimate(bytes);
    const halved = Math.abs(counted - (windowTokens / 2 + 2)) <= 8 && expected > windowTokens / 2 + 10;
    const shrunk = this.calibrated && expected > windowTokens && counted < expected * 0.8;
    const overrun = answer.finish !== 'length' && counted + (answer.outputTokens ?? 0) > windowTokens;
    if (halved || shrunk || overrun) return 'cut';
    const ratio = bytes / counted;
    // A count outside these bounds is of the newly read part only, as some servers report it.
    if (ratio >= FEWEST && ratio <= MOST) {
      this.bytesPerToken = ratio;
      this.shared.bytesPerToken = ratio;
      this.calibrated ||= counted >= TELLING_TOKENS;
    }
    return 'plausible';
  }
}
