import { isCitedBy } from './cited-for.ts';
import type { Match } from './match-figure.ts';
import type { Context } from './read-context.ts';
import type { ResultIndex } from './result-index.ts';

/** Only a word that touches the figure weighs as much. */
const TOUCHING = 2.9;

/**
 * True for a value that the figure equals digit for digit, in a result that is cited for it, with the whole name of the
 * field touching the figure: "99 rows [r2]". Another reading does not unseat it.
 */
export function isAnchored({ entry, how }: Match, { cited, weights }: Context, index: ResultIndex): boolean {
  return (
    how === 'exact' &&
    entry.origin === 'field' &&
    entry.label.key.length > 0 &&
    isCitedBy(index.results[entry.result], cited) &&
    entry.label.key.every((token) => (weights.get(token) ?? 0) >= TOUCHING)
  );
}
