import { isCitedBy } from './cited-for.ts';
import { fitsUnit } from './find-candidates.ts';
import { type Head, headOf } from './head-of.ts';
import { QUALIFIERS } from './label-words.ts';
import { type Match, scoreCandidate } from './match-figure.ts';
import type { Context } from './read-context.ts';
import type { Reading } from './reading.ts';
import type { Entry, ResultIndex } from './result-index.ts';
import { calledBy, namesIn, nameWeight } from './score-label.ts';
import { secondsIn } from './units.ts';

/** How much better another value has to fit: one that is called as the word at the figure says, and one of the same name. */
const HEAD_GAIN = 0.55;
const TWIN_GAIN = 1.6;
const SIBLING_GAIN = 0.15;
const SAID_MORE = 0.5;
/** A word that stands so near is said of the figure. */
const SAID_OF = 1.2;
const SMALL_LIST = 60;
const MOST_NAMED = 25;
const MOST_RIVALS = 600;

/**
 * The readings that no other value with another number puts out of its place. The word at the figure says what is counted
 * ("5 attempts"): a value of another field does not stand where one of that name fits clearly better, nor does one of
 * another item of the same name, or one whose name says less.
 */
export function withoutRivalled(readings: readonly Reading[], at: number, index: ResultIndex): readonly Match[] {
  const reading = readings[at];
  if (!reading || reading.accepted.length === 0 || reading.mention.kind === 'identifier') return reading?.accepted ?? [];
  const { mention, context, accepted } = reading;
  const setting: Setting = { reading, head: headOf(mention, context), neighbours: neighboursOf(readings, at), index };
  const { words } = setting.head;
  const called = words.length === 0 ? undefined : bestScore(rivalsCalled(setting), setting);
  let unnamed: number | undefined | null = null;
  // A number within a text says less than a field, even one of an item that is not named.
  const anyCalled = (): number | undefined => {
    if (unnamed === null) unnamed = words.length === 0 ? undefined : bestScore(rivalsCalled(setting), setting, true);
    return unnamed;
  };
  const twins = new Map<string, number | undefined>();
  const isCalled = ({ entry }: Match): boolean => entry.origin !== 'text' && calledBy(entry.label).some((token) => words.includes(token));
  const left = accepted.filter((match) => {
    const { label, origin } = match.entry;
    const score = scoreCandidate(match, mention, { context, index });
    const best = origin === 'text' ? anyCalled() : called;
    if (best !== undefined && !isCalled(match) && best - score >= HEAD_GAIN) return false;
    if ((origin !== 'field' && origin !== 'list') || label.isGroup || label.key.length === 0 || label.identifies) return true;
    const id = `${match.entry.result} ${label.key.join(' ')}`;
    if (!twins.has(id)) twins.set(id, bestScore(twinsOf(match.entry, setting), setting));
    if ((twins.get(id) ?? Number.NEGATIVE_INFINITY) - score >= TWIN_GAIN) return false;
    const sibling = origin === 'field' ? bestScore(siblingsOf(match.entry, setting), setting) : undefined;
    return sibling === undefined || sibling - score < SIBLING_GAIN;
  });
  // A weaker reading does not come in for a better one that had to go.
  return left[0] === accepted[0] ? left : left.filter(isCalled);
}

/** True where the words at a figure are the name of a value with another number: then it is not reckoned from others. */
export function isTold(readings: readonly Reading[], at: number, index: ResultIndex): boolean {
  const reading = readings[at];
  if (!reading || reading.mention.kind === 'identifier') return false;
  const { mention, context } = reading;
  const head = headOf(mention, context);
  const setting: Setting = { reading, head, neighbours: [], index };
  for (const entry of rivalsCalled(setting)) {
    const { key, identifies } = entry.label;
    if (!canBeMeant(entry, setting) || isUnnamed(entry, context)) continue;
    const isWhole = key.every((token) => head.words.includes(token));
    const isTelling = head.leads
      ? (identifies && isWhole) || key.some((token) => QUALIFIERS.has(token) && head.words.includes(token))
      : isWhole && (key.some((token) => QUALIFIERS.has(token)) || key.length > 1);
    if (isTelling && scoreCandidate({ entry, how: 'exact' }, mention, { context, index }) >= LEAST_TOLD) return true;
  }
  return false;
}

const LEAST_TOLD = 3;

interface Setting {
  readonly reading: Reading;
  readonly head: Head;
  readonly neighbours: readonly Reading[];
  readonly index: ResultIndex;
}

const BESIDE = 6;

/** The figures around in the same sentence: what fits better there is no rival here. */
function neighboursOf(readings: readonly Reading[], at: number): Reading[] {
  const place = readings[at]?.context.place;
  return readings
    .slice(Math.max(0, at - BESIDE), at + BESIDE + 1)
    .filter((other) => other !== readings[at] && other.context.place === place);
}

function bestScore(rivals: Iterable<Entry>, setting: Setting, withUnnamed = false): number | undefined {
  const { reading, neighbours, index } = setting;
  const { mention, context, matches } = reading;
  const own = new Set(matches.map(({ entry }) => entry));
  // Not every place of a number is a reading of it: one that holds the same is no rival either.
  const values = new Set(matches.flatMap(({ entry }) => entry.value ?? []));
  // A figure that its own citation holds is told of what is cited.
  const isCited = ({ result }: Entry): boolean => isCitedBy(index.results[result], context.cited);
  const onlyCited = reading.accepted.some(({ entry }) => isCited(entry));
  let best: number | undefined;
  let looked = 0;
  for (const entry of rivals) {
    if (
      own.has(entry) ||
      (entry.value !== undefined && values.has(entry.value)) ||
      !canBeMeant(entry, setting) ||
      (!withUnnamed && isUnnamed(entry, context))
    )
      continue;
    if ((onlyCited && !isCited(entry)) || isPartOfAll(entry, reading)) continue;
    if (++looked > MOST_RIVALS) break;
    const score = scoreCandidate({ entry, how: 'exact' }, mention, { context, index });
    if (best !== undefined && score <= best) continue;
    if (!isBetterBeside(entry, score, neighbours, index)) best = score;
  }
  return best;
}

/** "All tasks worked 55 s": what one item of a list holds is no rival of what all hold together. */
function isPartOfAll(entry: Entry, { accepted, context }: Reading): boolean {
  return (
    ITEM.test(entry.path) &&
    !entry.label.key.includes('sum') &&
    (context.weights.get('sum') ?? 0) >= SAID_ALL &&
    accepted.some((match) => !ITEM.test(match.entry.path))
  );
}

const ITEM = /\[\d+\]/;
const SAID_ALL = 2;

/** True where a neighbour states this value, and the words there agree with it no less. */
function isBetterBeside(entry: Entry, score: number, neighbours: readonly Reading[], index: ResultIndex): boolean {
  return neighbours.some(
    ({ accepted, mention, context }) =>
      accepted.some((match) => match.entry === entry) && scoreCandidate({ entry, how: 'exact' }, mention, { context, index }) >= score,
  );
}

/** Of an item of a list that nothing near by names. */
function isUnnamed({ path, label }: Entry, context: Context): boolean {
  return /\[\d+\]/.test(path) && label.names.length > 0 && nameWeight({ ...label, aboveNames: [] }, context) === 0;
}

/** Of the same kind and measure as the figure, so that the figure could be told of it. */
function canBeMeant(entry: Entry, { reading: { mention, matches }, head }: Setting): boolean {
  if ((entry.kind === 'moment') !== (mention.kind === 'moment')) return false;
  // How many rows a query answered with is told of no table.
  if (/^(?:total|returned)$/.test(entry.path) || (entry.origin === 'list' && entry.path === 'data.rows')) return false;
  if (mention.kind !== 'number') return true;
  if (entry.label.identifies && !head.leads && !matches.some((match) => match.entry.label.identifies)) return false;
  return isTime(entry) === (secondsIn(mention.unit) !== undefined) && (isTime(entry) || fitsUnit(mention, entry));
}

function isTime({ kind, unit }: Entry): boolean {
  return kind === 'span' || secondsIn(unit) !== undefined;
}

function* rivalsCalled({ head, reading, index }: Setting): Generator<Entry> {
  for (const token of head.words)
    for (const [list, entries] of index.called(token)) {
      yield* entries.length <= SMALL_LIST ? entries : namedOf(list, reading.context, index);
    }
}

function* twinsOf(entry: Entry, { reading, index }: Setting): Generator<Entry> {
  const { key } = entry.label;
  for (const [list, entries] of index.called(key[0] ?? '')) {
    const pool = entries.length <= SMALL_LIST ? entries : namedOf(list, reading.context, index);
    for (const other of pool)
      if (
        (other.result === entry.result || isCitedBy(index.results[other.result], reading.context.cited)) &&
        other.origin === 'field' &&
        key.every((token) => other.label.key.includes(token)) &&
        (other.label.key.length === key.length || isSaid(other, key, reading.context))
      )
        yield other;
  }
}

/**
 * Fields that differ in one word, which the words around say for the other and not for this one: `baseline_waiting_s` beside
 * `baseline_working_s` of one item, or the same field of two parents.
 */
function* siblingsOf({ label, result }: Entry, { index, reading }: Setting): Generator<Entry> {
  const weightOf = (tokens: readonly string[]): number => Math.max(0, ...tokens.map((token) => reading.context.weights.get(token) ?? 0));
  const isSaidOfOther = (own: readonly string[], others: readonly string[]): boolean => {
    const mine = weightOf(own.filter((token) => !others.includes(token)));
    return mine < SAID_OF && weightOf(others.filter((token) => !own.includes(token))) - mine >= SAID_MORE;
  };
  if (label.key.length < 2) return;
  for (const [, entries] of index.called(label.key[0] ?? ''))
    for (const other of entries.slice(0, SMALL_LIST)) {
      if (other.result !== result || other.origin !== 'field' || other.label.key.length !== label.key.length) continue;
      const shared = label.key.filter((token) => other.label.key.includes(token)).length;
      if (shared === label.key.length && other.label.item !== label.item && isSaidOfOther(label.parent, other.label.parent)) yield other;
      if (shared === label.key.length - 1 && other.label.item === label.item && isSaidOfOther(label.key, other.label.key)) yield other;
    }
}

/** What its name says beyond these words stands near by. */
function isSaid({ label }: Entry, key: readonly string[], { weights }: Context): boolean {
  return label.key.every((token) => key.includes(token) || (weights.get(token) ?? 0) >= SAID);
}

const SAID = 1;

/** Of a long list only the items that the words around name. */
function* namedOf(list: string, context: Context, index: ResultIndex): Generator<Entry> {
  const named = index.named(list);
  for (const name of namesIn(context))
    for (const entry of (named.get(name) ?? []).slice(0, MOST_NAMED)) if (nameWeight(entry.label, context) > 0) yield entry;
}
