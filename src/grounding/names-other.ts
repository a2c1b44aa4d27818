import type { Candidate } from './find-candidates.ts';
import type { Context } from './read-context.ts';
import type { Entry, ResultIndex } from './result-index.ts';
import { namesIn, nameWeight } from './score-label.ts';

/**
 * True where the words name, more clearly than this value's, a neighbour with another value: another item of the same list
 * for the same field, or another field of the same item.
 */
export function namesOther({ entry }: Pick<Candidate, 'entry'>, context: Context, { index, clear }: Naming): boolean {
  if (entry.origin !== 'field' && entry.origin !== 'text') return false;
  return namesOtherItem(entry, context, { index, clear }) || (entry.origin === 'field' && namesOtherField(entry, context, index));
}

export interface Naming {
  readonly index: ResultIndex;
  /** How much more clearly the other has to be named. */
  readonly clear: number;
}

export const CLEAR = 0.7;
/** What cannot be met by chance stands unless the name of another touches it. */
export const BEYOND_DOUBT = 2;
/** "In most other files": said of items that are not named. */
const ELSEWHERE: readonly string[] = ['other', '~most', '~elsewhere', '~remaining', '~rest'];
const ELSEWHERE_WEIGHT = 1.8;
const MOST_RIVALS = 60;

/** Another item of the list is named near by, and this one is not, or much farther off. */
function namesOtherItem(entry: Entry, context: Context, { index, clear }: Naming): boolean {
  if ((index.lists.get(entry.label.list)?.length ?? 0) < 2) return false;
  const around = entry.kind === 'moment' ? withoutDays(context) : context;
  if (ELSEWHERE.some((word) => (context.weights.get(word) ?? 0) >= ELSEWHERE_WEIGHT)) return false;
  const own = nameWeight(entry.label, around);
  const named = index.named(entry.label.list);
  const looked = new Set<number>([entry.label.item]);
  for (const name of namesIn(around)) {
    for (const other of (named.get(name) ?? []).slice(0, MOST_NAMED)) {
      if (looked.has(other.label.item)) continue;
      looked.add(other.label.item);
      const rival = nameWeight(other.label, around);
      if (rival - own >= clear && rival >= own * 1.2) return true;
    }
    if (looked.size > MOST_RIVALS) return false;
  }
  return false;
}

const DAY_NAME = /^=\d{4}-\d{2}-\d{2}$/;

/** In a list of days one names no other. */
function withoutDays(context: Context): Context {
  const weights = new Map([...context.weights].filter(([token]) => !DAY_NAME.test(token)));
  return weights.size === context.weights.size ? context : { ...context, weights, scores: new Map() };
}

const MOST_NAMED = 25;
/** What touches the figure, or nearly. */
export const ADJACENT = 2.55;
const FAR = 1.2;

/** The word directly at the figure is another field of the same item, and the own field is not named near by. */
function namesOtherField(entry: Entry, { weights }: Context, index: ResultIndex): boolean {
  const own = Math.max(0, ...entry.label.key.map((token) => weights.get(token) ?? 0));
  if (own >= FAR) return false;
  return (index.items.get(entry.label.item) ?? [])
    .slice(0, MOST_RIVALS)
    .some(
      (other) =>
        other.kind === entry.kind &&
        !isSameValue(other, entry) &&
        other.label.key.some((token) => !entry.label.key.includes(token) && (weights.get(token) ?? 0) >= ADJACENT),
    );
}

function isSameValue(left: Entry, right: Entry): boolean {
  return (
    left.kind === right.kind &&
    left.exact === right.exact &&
    left.moment?.date === right.moment?.date &&
    left.moment?.time === right.moment?.time
  );
}
