import { chanceOf } from './chance-of.ts';
import { isCitedBy } from './cited-for.ts';
import type { Candidate } from './find-candidates.ts';
import { isCounting } from './is-counting.ts';
import { GENERIC, meaningsOf } from './label-words.ts';
import type { Mention, NumberMention } from './mention.ts';
import { ADJACENT, BEYOND_DOUBT, CLEAR, namesOther } from './names-other.ts';
import type { Context } from './read-context.ts';
import type { Entry, GroundingResult, ResultIndex } from './result-index.ts';
import { saysNear, scoreLabel } from './score-label.ts';

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
    if (needed > 1 && raised === 0 && !saysNear(match.entry.label, context, NEAR)) return false;
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

/** How often a value is there says nothing unless the value is named: failed ones, those of a store. */
function saysGroup({ names, nameWords }: Entry['label'], { weights }: Context): boolean {
  return [...names, ...nameWords].some((token) => (weights.get(token) ?? weights.get(token.replace(/^=/, '~')) ?? 0) >= NEAR);
}

/** "For example 1093": said of ids. */
const EXAMPLES: readonly string[] = ['~example', '~such', '~beispiel'];

/** A field with a name of its own must be named; `count_star()` or `n` says nothing that could be. */
function saysField(match: Match, mention: Mention, context: Context, index: ResultIndex): boolean {
  const { label, kind } = match.entry;
  const { weights } = context;
  const { key, names, item, identifies } = label;
  if (identifies && EXAMPLES.some((word) => (weights.get(word) ?? 0) >= NEAR)) return true;
  if (mention.kind === 'number' && isHeldValue(match.entry, mention, context)) return true;
  // "Lyon: 12" where the item holds one number only.
  const isOnly = (index.items.get(item) ?? []).filter((other) => other.kind === kind && !other.label.identifies).length === 1;
  if (isOnly && names.some((name) => (weights.get(name) ?? 0) >= ADJACENT)) return true;
  if (key.every((token) => GENERIC.has(token)) || key.some((token) => (weights.get(token) ?? 0) >= SAID)) return true;
  return isCitedItem(match, context, index);
}

/** "`amount` holds -1": the smallest, largest or middle value of a column is one that it holds. */
function isHeldValue({ label }: Entry, mention: NumberMention, { weights }: Context): boolean {
  return (
    !isCounting(mention) &&
    label.key.every((token) => END_VALUES.has(token)) &&
    label.names.some((name) => (weights.get(name) ?? 0) >= ADJACENT) &&
    ['hold', 'value', 'contain'].some((token) => (weights.get(token) ?? 0) >= ADJACENT)
  );
}

const END_VALUES: ReadonlySet<string> = new Set(['min', 'max', 'median', 'top']);

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
