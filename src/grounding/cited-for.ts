import type { Citation } from './mask-text.ts';
import type { Mention } from './mention.ts';
import type { GroundingResult } from './result-index.ts';

/** The results that are cited for one figure of a sentence, and those cited for others in it. */
export interface CitedResults {
  readonly cited: readonly string[];
  readonly citedBeside: readonly string[];
}

/**
 * "12 rows [r2]; 1 pair [r5, r6]": a citation speaks for the figures since the one before it. Where the sentence begins
 * with one ("By r2 …"), it speaks for the figures up to the next.
 */
export function citedFor(mention: Mention, citations: readonly Citation[], firstFigure: number | undefined): CitedResults {
  const leads = citations[0] !== undefined && firstFigure !== undefined && citations[0].start < firstFigure;
  const behind = citations.find(({ start }) => start >= mention.end);
  const before = citations.findLast(({ end }) => end <= mention.start);
  const own = leads ? (before ?? behind) : (behind ?? before);
  const cited = new Set(own?.ids);
  // "[r1][r2]", "[r1] [r2]": side by side they are one.
  const group = own === undefined ? [] : besideOne(own, citations);
  for (const { ids } of group) for (const id of ids) cited.add(id);
  return { cited: [...cited], citedBeside: citations.flatMap(({ ids }) => ids).filter((id) => !cited.has(id)) };
}

function besideOne(own: Citation, citations: readonly Citation[]): Citation[] {
  const group: Citation[] = [];
  let end = own.end;
  for (const citation of citations) {
    if (citation.start < end || citation.start - end > WIDEST_GAP) continue;
    group.push(citation);
    end = citation.end;
  }
  return group;
}

/** A blank, or a comma and a blank, between two citations. */
const WIDEST_GAP = 2;

/** True where the ids name the result, or the conclusion that brought it up. */
export function isCitedBy(result: GroundingResult | undefined, ids: readonly string[]): boolean {
  return result !== undefined && ids.some((id) => id === result.id || id === result.through || result.id.startsWith(`${id}.`));
}
