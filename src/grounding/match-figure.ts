import { chanceOf } from './chance-of.ts';
import { isCitedBy } from './cited-for.ts';
import type { Candidate } from './find-candidates.ts';
import { GENERIC, meaningsOf } from './label-words.ts';
import type { Mention } from './mention.ts';
import type { Context } from './read-context.ts';
import type { Entry, GroundingResult, ResultIndex } from './result-index.ts';
import { namesIn, nameWeight, saysNear, scoreLabel } from './score-label.ts';
import { secondsIn } from './units.ts';

/** A reading of a figure as a value of a result, with how well the words around agree with it. */
export interface Match extends Candidate {
  readonly score: number;
}

const CITED = 1;
const CITED_BESIDE = 0;
const NOT_CITED = -1;
const NO_UNIT = 0.3;
const COUNTED_LIST = 0.4;
const FROM_TEXT = 0.5;

/** The candidates with their scores, the best first; ties go to the earlier result, so that the same input gives the same sources. */
export function rankCandidates(candidates: readonly Candidate[], mention: Mention, context: Context, index: ResultIndex): Match[] {
  const matches = candidates.map((candidate): Match => ({ ...candidate, score: scoreCandidate(candidate, mention, { context, index }) }));
  return matches.sort((left, right) => right.score - left.score || left.entry.result - right.entry.result);
}

/** How well a reading fits where the figure stands: label, citation, unit, and where the value comes from. */
export function scoreCandidate(
  { entry, how }: Pick<Candidate, 'entry' | 'how'>,
  mention: Mention,
  { context, index }: { readonly context: Context; readonly index: ResultIndex },
): number {
  let score = scoreLabel(entry.label, context, index);
  score += citationScore(index.results[entry.result], context);
  if (mention.kind === 'number' && mention.unit === undefined && entry.unit !== undefined && entry.unit !== 'cents') score -= NO_UNIT;
  if (mention.kind === 'number' && mention.unit !== undefined && mention.unit === entry.unit) score += NO_UNIT;
  if (entry.origin === 'list') score -= COUNTED_LIST;
  if (entry.origin === 'text') score -= FROM_TEXT;
  if (how === 'rounded') score -= 0.1;
  return score;
}

function citationScore(result: GroundingResult | undefined, { cited, citedBeside }: Context): number {
  if (cited.length === 0) return 0;
  if (isCitedBy(result, cited)) return CITED;
  return isCitedBy(result, citedBeside) ? CITED_BESIDE : NOT_CITED;
}

/** How much agreement a figure needs: the likelier it is to be met by chance, the more. In results that are cited for it there is less to meet. */
export function neededScore(
  mention: Mention,
  { width, entry }: Pick<Match, 'width' | 'entry'>,
  { context, index }: { readonly context: Context; readonly index: ResultIndex },
): number {
  const isCited = isCitedBy(index.results[entry.result], context.cited);
  const places = isCited ? [...index.results.keys()].filter((place) => isCitedBy(index.results[place], context.cited)) : [];
  const chance = chanceOf(mention, width, { index, places });
  if (chance < 0.002) return Number.NEGATIVE_INFINITY;
  if (chance < 0.02) return 0.2;
  if (chance < 0.1) return 0.6;
  return 1.1;
}

const NEAR = 0.9;
const SAID = 0.45;

/** The readings that stand: enough agreement, and nothing that names another place. */
export function acceptMatches(matches: readonly Match[], mention: Mention, context: Context, index: ResultIndex, raised = 0): Match[] {
  return matches.slice(0, MOST_JUDGED).filter((match) => {
    const needed = neededScore(mention, match, { context, index });
    if (match.score < needed) return false;
    if ((needed > 1 || isClock(mention)) && isElsewhere(match, context, index)) return false;
    if (needed > 1 && raised === 0 && !saysNear(countLabel(match.entry), context, NEAR)) return false;
    if (match.entry.label.isGroup && !saysGroup(match.entry.label, context)) return false;
    if (needed > 0.3 && mention.kind === 'number' && raised === 0 && !saysField(match, mention, context, index)) return false;
    if (match.entry.origin === 'argument' && !isNamedArgument(match.entry, mention, context)) return false;
    return !namesOther(match, context, { index, clear: needed < 0 ? BEYOND_DOUBT : CLEAR });
  });
}

/** A time of any day. */
function isClock(mention: Mention): boolean {
  return mention.kind === 'moment' && mention.moments[0]?.date === undefined;
}

/** What may be met by chance counts only in the results that are cited for it, where those are. */
function isElsewhere({ entry }: Match, { cited, citedBeside }: Context, index: ResultIndex): boolean {
  const ids = [...cited, ...citedBeside];
  return !isCitedBy(index.results[entry.result], ids) && index.results.some((result) => isCitedBy(result, ids));
}

/** A count is told by what is counted, not by the name of the item that holds the list. */
function countLabel(entry: Entry): Entry['label'] {
  return entry.origin === 'list' ? { ...entry.label, names: [] } : entry.label;
}

/** How often a value is there says nothing unless the value is named: failed ones, those of a store. */
function saysGroup({ names, nameWords }: Entry['label'], { weights }: Context): boolean {
  return [...names, ...nameWords].some((token) => (weights.get(token) ?? weights.get(token.replace(/^=/, '~')) ?? 0) >= NEAR);
}

/** "For example 1093": said of ids. */
const EXAMPLES: readonly string[] = ['~example', 'example', '~e.g', '~such', '~beispiel'];

/** A field with a name of its own must be named; `count_star()` or `n` says nothing that could be. */
function saysField(match: Match, mention: Mention, context: Context, index: ResultIndex): boolean {
  const { label, kind } = match.entry;
  const { weights } = context;
  const { key, names, item, identifies } = label;
  if (identifies && EXAMPLES.some((word) => (weights.get(word) ?? 0) >= NEAR)) return true;
  // "the copy (1093)": an id of what the list above is called.
  if (identifies && label.parent.some((token) => (weights.get(token) ?? 0) >= CLOSE)) return true;
  // "`a` with 90.1 s" where the item holds one span of time only.
  if (
    mention.kind === 'number' &&
    mention.unit !== undefined &&
    names.some((name) => (weights.get(name) ?? 0) >= LINED) &&
    isOnlySpan(match, index)
  )
    return true;
  // "Lyon: 12" where the item holds one number only.
  const isOnly = (index.items.get(item) ?? []).filter((other) => other.kind === kind && !other.label.identifies).length === 1;
  if (isOnly && names.some((name) => (weights.get(name) ?? 0) >= ADJACENT)) return true;
  if (key.every((token) => GENERIC.has(token)) || key.some((token) => (weights.get(token) ?? 0) >= SAID)) return true;
  return isCitedItem(match, context, index);
}

/** In a result that is cited for it, with its item named close by, the field may be said anywhere in the sentence. */
function isCitedItem({ entry, how }: Match, context: Context, index: ResultIndex): boolean {
  const { cited, sentence, weights } = context;
  return (
    how === 'exact' &&
    entry.origin === 'field' &&
    isCitedBy(index.results[entry.result], cited) &&
    entry.label.names.some((name) => (weights.get(name) ?? 0) >= CLOSE) &&
    [...sentence].some((word) => meaningsOf(word).some((token) => entry.label.key.includes(token)))
  );
}

const CLOSE = 1.5;
const LINED = 1;

/** The only span of time that its item holds. */
function isOnlySpan({ entry }: Match, index: ResultIndex): boolean {
  const isSpan = (other: Entry): boolean => other.kind === 'span' || secondsIn(other.unit) !== undefined;
  return isSpan(entry) && (index.items.get(entry.label.item) ?? []).filter(isSpan).length === 1;
}

const MOST_JUDGED = 60;

/** What a call was made with counts for days, names and numbers that are said by their name: "store 9". */
function isNamedArgument(entry: Entry, mention: Mention, context: Context): boolean {
  if (mention.kind === 'moment') return true;
  return (
    mention.kind === 'number' &&
    mention.unit === undefined &&
    mention.readings[0]?.decimals === 0 &&
    saysNear({ ...entry.label, names: [] }, context, 2.4)
  );
}

/**
 * True where the words name, more clearly than this value's, a neighbour with another value: another item of the same list
 * for the same field, or another field of the same item.
 */
function namesOther({ entry }: Match, context: Context, { index, clear }: Naming): boolean {
  if (entry.origin !== 'field' && entry.origin !== 'text') return false;
  return namesOtherItem(entry, context, { index, clear }) || (entry.origin === 'field' && namesOtherField(entry, context, index));
}

interface Naming {
  readonly index: ResultIndex;
  /** How much more clearly the other has to be named. */
  readonly clear: number;
}

const CLEAR = 0.7;
/** What cannot be met by chance stands unless the name of another touches it. */
const BEYOND_DOUBT = 2;
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
const ADJACENT = 2.55;
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
