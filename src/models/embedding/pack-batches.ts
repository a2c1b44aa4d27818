import { estimateTokens } from '../../core/usage.ts';
import type { Placed } from './embed-batch.ts';

const MOST_TEXTS = 32;

/**
 * Texts in batches of bounded size, in order. A text that may fill half the window goes alone, so that the server's count
 * of tokens is of this text and shows whether it was cut.
 */
export function packBatches(texts: readonly Placed[], windowTokens: number): Placed[][] {
  const batches: Placed[][] = [];
  let open: Placed[] = [];
  let tokens = 0;
  for (const text of texts) {
    const more = estimateTokens(text.text);
    if (more > windowTokens / 2) {
      batches.push([text]);
      continue;
    }
    if (open.length === MOST_TEXTS || tokens + more > windowTokens * 4) {
      batches.push(open);
      open = [];
      tokens = 0;
    }
    open.push(text);
    tokens += more;
  }
  if (open.length > 0) batches.push(open);
  return batches;
}
