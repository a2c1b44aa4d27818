/**
 * The candidate closest to `word` by edit distance (case ignored), or `undefined` when none is close enough to be a
 * likely slip: at most a third of the longer word's letters may differ.
 */
export function nearestName(word: string, candidates: Iterable<string>): string | undefined {
  const sought = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = editDistance(sought, candidate.toLowerCase());
    const most = Math.max(1, Math.floor(Math.max(sought.length, candidate.length) / 3));
    if (distance <= most && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `; did you mean "x"?` when a near name exists, else the list of what exists. */
export function suggestName(word: string, candidates: readonly string[]): string {
  const near = nearestName(word, candidates);
  if (near !== undefined) return `did you mean "${near}"?`;
  if (candidates.length === 0) return 'there is none to choose from';
  const shown = candidates.slice(0, 12).join(', ');
  const more = candidates.length > 12 ? ` and ${candidates.length - 12} more` : '';
  return `choose one of: ${shown}${more}`;
}

/** Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours count one each. */
function editDistance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 20) return Number.POSITIVE_INFINITY;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? Number.POSITIVE_INFINITY;
}
