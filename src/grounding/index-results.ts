import { createCollector } from './collect-entries.ts';
import type { GroundingResult, ResultIndex } from './result-index.ts';
import { walkResult } from './walk-result.ts';

const known = new WeakMap<readonly GroundingResult[], ResultIndex>();

/**
 * Reads every result once and answers where which value stands. Text that is not JSON is read as one text. The same list
 * of results, which must not change, is read once for all answers that are checked against it.
 */
export function indexResults(results: readonly GroundingResult[]): ResultIndex {
  const index = known.get(results) ?? readResults(results);
  known.set(results, index);
  return index;
}

function readResults(results: readonly GroundingResult[]): ResultIndex {
  const collector = createCollector(results);
  for (const [place, result] of results.entries()) {
    if (!result.informative) continue;
    const value = parse(result.whole ?? result.content);
    walkResult(value, { collector, place, result });
  }
  return collector.finish();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
