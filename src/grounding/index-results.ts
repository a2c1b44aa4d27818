import { createCollector } from './collect-entries.ts';
import type { GroundingResult, ResultIndex } from './result-index.ts';
import { walkResult } from './walk-result.ts';

/** Reads every result once and answers where which value stands. Text that is not JSON is read as one text. */
export function indexResults(results: readonly GroundingResult[]): ResultIndex {
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
