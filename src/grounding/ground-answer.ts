import type { Figure, FigureSource, Grounding } from '../core/figure.ts';
import { checkAbsence } from './check-absence.ts';
import { findDisorder } from './check-order.ts';
import { createStateCheck } from './check-state.ts';
import { findWrongSums } from './check-sums.ts';
import { countNone } from './count-none.ts';
import { type Derivation, deriveFigure } from './derive-figure.ts';
import { countListed, countOthers, deriveFromColumn, isUnitFactor, sumOfNext } from './derive-list.ts';
import { countCalls, countMore } from './derive-rest.ts';
import { findCandidates } from './find-candidates.ts';
import { findStrangers } from './find-line-items.ts';
import { findMiscopied } from './find-miscopied.ts';
import { isTold, withoutRivalled } from './find-rivals.ts';
import { findSameParts } from './find-same-parts.ts';
import { findSwaps } from './find-swaps.ts';
import { findTuples } from './find-tuples.ts';
import { findVersion } from './find-version.ts';
import { indexResults } from './index-results.ts';
import { type Constants, judgeConstants } from './judge-constants.ts';
import { findSilent, readCitations } from './mask-text.ts';
import { acceptMatches, type Match, neededScore, rankCandidates } from './match-figure.ts';
import { findCopied, findMisquotes, findQuotes, findWholes, matchName, type NameMatch, namedWhole } from './match-name.ts';
import { type GivenFigures, isGiven, readGiven } from './match-question.ts';
import type { Mention } from './mention.ts';
import { type Operand, operandOf } from './operand.ts';
import { type Context, readContexts } from './read-context.ts';
import { readMentions } from './read-mentions.ts';
import { numberStyle } from './read-number.ts';
import type { Reading } from './reading.ts';
import type { Entry, GroundingResult, ResultIndex } from './result-index.ts';
import { withCompanions } from './with-companions.ts';
import { withRestated } from './with-restated.ts';

export interface GroundingInput {
  readonly answer: string;
  /** What the user gave: the question, or the task with its inputs. */
  readonly question: string;
  readonly results: readonly GroundingResult[];
}

/** A figure with its place in the answer. */
export interface PlacedFigure extends Figure {
  readonly start: number;
  readonly end: number;
}

export interface PlacedGrounding extends Grounding {
  readonly figures: readonly PlacedFigure[];
}

/**
 * Finds each figure of an answer in the tool results: as it stands, after a change of unit or format, or one step of
 * arithmetic away. A pure function: the same input gives the same figures, sources and formulas.
 */
export function groundAnswer({ answer, question, results }: GroundingInput): PlacedGrounding {
  const citations = readCitations(answer);
  const silent = [...findSilent(answer), ...citations];
  const read = readMentions(answer, numberStyle(answer), silent);
  // Most answers of children that only did something hold no figure: nothing is indexed for them.
  if (read.length === 0) return { figures: [], absences: checkAbsence(answer, results, citations) };
  const index = indexResults(results);
  const mentions = namedWhole(read, index);
  const constants = judgeConstants(index);
  const contexts = readContexts(answer, mentions, citations);
  const quotes = [...findQuotes(answer, index), ...findWholes(answer, mentions, index), ...findTuples(answer, results, citations)];
  const given = readGiven(question);
  const apart = mentions.map((mention, at) => readFigure(mention, contexts[at] as Context, index, constants));
  const found = withCompanions(apart, index);
  const inState = createStateCheck(index);
  const alone = found.map((reading, at) => ({ ...reading, accepted: inState(withoutRivalled(found, at, index), reading.context) }));
  const readings = withRestated(alone, answer);
  const inQuote = (mention: Mention): NameMatch | undefined =>
    quotes.find(({ start, end }) => mention.start >= start && mention.end <= end);
  const swaps = findSwaps(
    readings.map((reading) => (reading.accepted.length > 0 && !inQuote(reading.mention) ? reading : undefined)),
    answer,
    index,
  );
  const disorder = new Map([...findDisorder(mentions, answer), ...findWrongSums(mentions, answer), ...findSameParts(readings, answer)]);
  const misquotes = findMisquotes(answer, quotes);
  const strangers = findStrangers(answer, mentions, index);
  const figures = readings.map((reading, at): PlacedFigure => {
    const { text, start, end } = reading.mention;
    const place = { text, start, end };
    const stranger = strangers.get(at);
    if (stranger !== undefined) return { ...place, status: 'unsupported', sources: [], reason: stranger };
    const quote = inQuote(reading.mention);
    if (quote) return { ...place, status: 'stated', sources: [sourceOf(quote, text, index)] };
    const swap = swaps.get(at);
    if (swap !== undefined)
      return { ...place, status: 'unsupported', sources: [], reason: `it seems to stand in the place of ${mentions[swap]?.text}` };
    const reason = disorder.get(at);
    if (reason !== undefined) return { ...place, status: 'unsupported', sources: [], reason };
    const copied = isChancy(reading, index) ? findMiscopied(reading, answer, index) : undefined;
    if (copied !== undefined)
      return { ...place, status: 'unsupported', sources: [], reason: `the text that the words around are from has ${copied} there` };
    const isMisquoted = misquotes.some((span) => start >= span.start && end <= span.end);
    if (isMisquoted && isChancy(reading, index))
      return { ...place, status: 'unsupported', sources: [], reason: 'it stands in a quotation that no result holds word for word' };
    return { ...place, ...judge(reading, { at, readings, index, given, answer, constants }) };
  });
  return { figures, absences: checkAbsence(answer, results, citations) };
}

/** Within a quotation that is none only figures count that cannot be met by chance. */
function isChancy({ mention, context, accepted }: Reading, index: ResultIndex): boolean {
  if (mention.kind === 'identifier') return matchName(mention, index) === undefined;
  const best = accepted[0];
  return best === undefined || neededScore(mention, best, { context, index }) > 0;
}

interface Setting {
  readonly at: number;
  readonly readings: readonly Reading[];
  readonly index: ResultIndex;
  readonly given: GivenFigures;
  readonly answer: string;
  readonly constants: Constants;
}

function readFigure(mention: Mention, context: Context, index: ResultIndex, constants: Constants): Reading {
  const candidates = findCandidates(mention, context, index).filter(({ entry }) => constants.get(entry.result)?.isSound !== false);
  const matches = rankCandidates(candidates, mention, context, index);
  return { mention, context, matches, accepted: acceptMatches(matches, mention, context, index) };
}

type Judgement = Pick<Figure, 'status' | 'sources' | 'formula' | 'reason'>;

function judge(reading: Reading, setting: Setting): Judgement {
  const { mention, context, accepted, matches } = reading;
  const { index, given, answer } = setting;
  if (mention.kind === 'identifier') {
    const place = matchName(mention, index);
    if (place) return { status: 'stated', sources: [sourceOf(place, mention.text, index)] };
    return isGiven(mention, context, given) ? { status: 'given', sources: [] } : { status: 'unsupported', sources: [] };
  }
  const best = accepted[0];
  if (best) return statedAs(accepted, best, setting, mention);
  if (isGiven(mention, context, given)) return { status: 'given', sources: [] };
  const { readings, at } = setting;
  if (mention.kind === 'number') {
    const mentions = readings.map((other) => other.mention);
    const counted = countCalls(mention, { index, context }) ?? countMore(mention, answer, { index, context, mentions });
    if (counted) return derivedAs(counted, index);
    if (isTold(readings, at, index)) return unsupportedAs(matches, index);
  }
  const derived =
    deriveFigure({ mention, context, near: operandsNear(setting), index }) ??
    (mention.kind === 'number' ? deriveFromColumn(mention, answer, { index, context }) : undefined);
  if (derived) return derivedAs(derived, index);
  if (mention.kind === 'number') {
    const listed = countListed(mention, answer);
    if (listed !== undefined) return { status: 'derived', sources: [], formula: listed };
    const parts = sumOfNext(mention, answer, readings.slice(at + 1, at + 6));
    if (parts) return derivedAs(parts, index);
    const others = countOthers(mention, answer, { index, context });
    if (others) return derivedAs(others, index);
    const none = countNone(mention, answer, { index, context });
    if (none) return derivedAs(none, index);
    if (isUnitFactor(mention, context)) return { status: 'derived', sources: [], formula: 'a factor between units' };
  }
  const copied = findCopied(mention, answer, index);
  if (copied) return { status: 'stated', sources: [sourceOf(copied, mention.text, index)] };
  const version = mention.kind === 'number' ? findVersion(mention, answer, index) : undefined;
  if (version)
    return { status: 'stated', sources: [sourceOf(version, mention.text, index)], formula: `the first parts of ${version.whole}` };
  return unsupportedAs(matches, index);
}

function unsupportedAs([near]: readonly Match[], index: ResultIndex): Judgement {
  const place = near && `${index.results[near.entry.result]?.id} (${near.entry.path})`;
  const reason = place && `the number stands in ${place}, but nothing near it says that this is meant`;
  return { status: 'unsupported', sources: [], ...(reason === undefined ? {} : { reason }) };
}

function statedAs(accepted: readonly Match[], best: Match, { index, constants }: Setting, mention: Mention): Judgement {
  const sources = uniqueSources(
    accepted.filter((match) => match.score >= best.score - 0.5).map(({ entry }) => sourceOf(entry, mention.text, index)),
  );
  const arithmetic = constants.get(best.entry.result);
  if (arithmetic) return { status: 'derived', sources, formula: arithmetic.formula };
  if (best.entry.origin === 'list') return { status: 'derived', sources, formula: `count of ${best.entry.path}` };
  return { status: 'stated', sources, ...(best.formula === undefined ? {} : { formula: best.formula }) };
}

function derivedAs({ formula, entries }: Derivation, index: ResultIndex): Judgement {
  return { status: 'derived', sources: uniqueSources(entries.map((entry) => sourceOf(entry, entry.exact, index))), formula };
}

const MOST_SOURCES = 5;

function uniqueSources(sources: readonly FigureSource[]): FigureSource[] {
  const seen = new Map(sources.map((source) => [`${source.result} ${source.path}`, source]));
  return [...seen.values()].slice(0, MOST_SOURCES);
}

function sourceOf({ result, path }: NameMatch | Entry, text: string, index: ResultIndex): FigureSource {
  const held = index.results[result];
  const number = text.replace(/[^\d.].*$/s, '').replace(/\.$/, '');
  const onlyWhole = held?.whole !== undefined && !held.content.includes(number === '' ? text : number);
  return {
    result: held?.id ?? '',
    path,
    ...(onlyWhole ? { seen: 'whole' as const } : {}),
    ...(held?.through === undefined ? {} : { through: held.through }),
  };
}

const NEIGHBOURS = 7;

/** Stated figures of this sentence and the one before, the nearest first. */
function operandsNear({
  at,
  readings,
}: Setting): { readonly operand: Operand; readonly isAdjacent: boolean; readonly isSameSentence: boolean }[] {
  const place = readings[at]?.context.place ?? 0;
  const near: { operand: Operand; isAdjacent: boolean; isSameSentence: boolean; distance: number }[] = [];
  for (const [other, { accepted, context, mention }] of readings.entries()) {
    const distance = Math.abs(other - at);
    if (other === at || distance > NEIGHBOURS || Math.abs(context.place - place) > 1) continue;
    for (const { entry } of accepted.slice(0, mention.kind === 'moment' ? 8 : 3)) {
      const operand = operandOf(entry, other);
      if (operand) near.push({ operand, isAdjacent: distance <= 2, isSameSentence: context.place === place, distance });
    }
  }
  return near.sort((left, right) => left.distance - right.distance);
}
