import type { Mention, NumberMention } from './mention.ts';
import { epochOf } from './read-moment.ts';
import { secondsIn } from './units.ts';

/** Pairs of figures whose order contradicts itself, each with the reason: "16 of 12", "from the 17th to the 16th". */
export function findDisorder(mentions: readonly Mention[], text: string): Map<number, string> {
  const wrong = new Map<number, string>();
  for (const [at, left] of mentions.entries()) {
    const right = mentions[at + 1];
    if (!right) break;
    const between = text.slice(left.end, right.start);
    const before = text.slice(Math.max(0, left.start - 60), left.start);
    const reason =
      wrongDifference(left, right, mentions[at + 2], text) ??
      sameTwice(left, right, { between, before }) ??
      partOfLess(left, right, between) ??
      wrongDirection(left, right, { between, before }) ??
      saidOtherwise(left, right, { between, behind: text.slice(right.end, right.end + 2) }) ??
      reversed(left, right, { between, before });
    if (reason === undefined) continue;
    wrong.set(at, reason);
    wrong.set(at + 1, reason);
  }
  return wrong;
}

function partOfLess(left: Mention, right: Mention, between: string): string | undefined {
  if (left.kind !== 'number' || right.kind !== 'number' || left.unit !== undefined || right.unit !== undefined) return undefined;
  if (!/^\s+(?:(?:out )?of|der|von(?:\s+den)?)\s+(?:the\s+|all\s+|its\s+|these\s+|those\s+|about\s+)?$/i.test(between)) return undefined;
  const part = (left.readings[0]?.value ?? 0) * (left.factors[0] ?? 1);
  const whole = (right.readings[0]?.value ?? 0) * (right.factors[0] ?? 1);
  return part > whole ? `${left.text} is more than the ${right.text} that it is said to be a part of` : undefined;
}

/** "467.5 s, 5.3 s less than the 462.2 s before": the first has to be the last less the one between, or with it. */
function wrongDifference(whole: Mention, difference: Mention, other: Mention | undefined, text: string): string | undefined {
  if (whole.kind !== 'number' || difference.kind !== 'number' || other?.kind !== 'number') return undefined;
  if (whole.unit !== difference.unit || other.unit !== whole.unit || whole.unit === '%') return undefined;
  if (!/^(?:,|\s*\(|,?\s+(?:which is|that is|i\.e\.|so|or))\s*(?:about\s+)?$/i.test(text.slice(whole.end, difference.start)))
    return undefined;
  const word = /^\s+(?:(less|fewer|shorter|faster|below)|(more|longer|slower|above))(?:\s+than)?\s+[^.;,\d]{0,40}$/i.exec(
    text.slice(difference.end, other.start),
  );
  if (!word) return undefined;
  const [left, step, right] = [whole, difference, other].map(({ readings, factors }) => (readings[0]?.value ?? 0) * (factors[0] ?? 1));
  const half = Math.max(...[whole, difference, other].map(({ readings }) => 0.5 * 10 ** -(readings[0]?.decimals ?? 0)));
  const told = (right ?? 0) + (word[1] === undefined ? 1 : -1) * (step ?? 0);
  return Math.abs(told - (left ?? 0)) > half * 3
    ? `${whole.text} is not ${difference.text} ${word[1] ?? word[2]} than ${other.text}`
    : undefined;
}

/** "attempts 1 and 1": two of a kind, told apart by their number, cannot have the same. */
function sameTwice(
  left: Mention,
  right: Mention,
  { between, before }: { readonly between: string; readonly before: string },
): string | undefined {
  if (left.kind !== 'number' || right.kind !== 'number' || left.unit !== undefined || left.text !== right.text) return undefined;
  const isPair = /^\s+(?:and|und|&)\s+$/.test(between) && /\b(?:attempts|tries|batches|lines|steps|stores|ids|versuche)\s+$/i.test(before);
  return isPair ? `${left.text} is named twice` : undefined;
}

const ROSE =
  /\b(?:rose|rises?|risen|rising|increas\w*|grew|grow\w*|climb\w*|jump\w*|up|soar\w*|stieg\w*|wuchs)\s+(?:[\p{L}_`]+\s+){0,2}(?:from|von)\s+$/iu;
const FELL =
  /\b(?:fell|falls?|fallen|falling|drop\w*|decreas\w*|declin\w*|sunk|shrank|shrunk|shrink\w*|down|reduced|slipped|fiel\w*|sank\w*)\s+(?:[\p{L}_`]+\s+){0,2}(?:from|von)\s+$/iu;

/** "rose from 5 to 4". */
function wrongDirection(
  left: Mention,
  right: Mention,
  { between, before }: { readonly between: string; readonly before: string },
): string | undefined {
  if (!/^\s+(?:to|auf)\s+(?:about\s+|rund\s+)?$/i.test(between)) return undefined;
  if (left.kind === 'number' && right.kind === 'number' && left.unit !== undefined && left.unit !== right.unit) return undefined;
  const to = amountOf(right);
  const from = inMeasureOf(left, right).map(amountOf);
  const isEach = (isWrong: (from: number, to: number) => boolean): boolean =>
    to !== undefined && from.every((amount) => amount !== undefined && isWrong(amount, to));
  if (ROSE.test(before) && isEach((less, more) => less > more)) return `${left.text} to ${right.text} is no rise`;
  return FELL.test(before) && isEach((more, less) => more < less) ? `${left.text} to ${right.text} is no fall` : undefined;
}

/** "From 40 to 95 ms": the unit of the second holds for the first as well; "from 1.2 to 3.4 million": what multiplies it may. */
function inMeasureOf(left: Mention, right: Mention): Mention[] {
  if (left.kind !== 'number' || right.kind !== 'number' || left.unit !== undefined) return [left];
  return [left.factors, right.factors].map((factors) => ({ ...left, unit: right.unit, factors }));
}

/** "6494.8 s (38 min)": in parentheses stands the same span in another unit, or cut off there. */
function saidOtherwise(
  left: Mention,
  right: Mention,
  { between, behind }: { readonly between: string; readonly behind: string },
): string | undefined {
  if (!/^\s*\((?:about\s|~|≈)?\s*$/.test(between) || !/^\s*[);]/.test(behind)) return undefined;
  const [one, other] = [left, right].map(amountOf);
  const [step, otherStep] = [left, right].map(stepOf);
  if (one === undefined || other === undefined || step === undefined || otherStep === undefined || step === otherStep) return undefined;
  return Math.abs(one - other) > step + otherStep ? `${left.text} are not ${right.text}` : undefined;
}

/** Seconds of the smallest unit that a span of time is written in. */
function stepOf(mention: Mention): number | undefined {
  if (mention.kind === 'span') return mention.precision;
  const unit = mention.kind === 'number' ? secondsIn(mention.unit) : undefined;
  return unit === undefined || mention.kind !== 'number' ? undefined : unit * 10 ** -(mention.readings[0]?.decimals ?? 0);
}

/** What a number or a span amounts to, where it can be read in one way only. */
function amountOf(mention: Mention): number | undefined {
  if (mention.kind === 'span') return mention.seconds;
  if (mention.kind !== 'number' || mention.readings.length !== 1 || mention.factors.length !== 1) return undefined;
  const seconds = mention.unit === undefined ? 1 : (secondsIn(mention.unit) ?? 1);
  return (mention.negative ? -1 : 1) * (mention.readings[0]?.value ?? 0) * (mention.factors[0] ?? 1) * seconds;
}

function reversed(
  left: Mention,
  right: Mention,
  { between, before }: { readonly between: string; readonly before: string },
): string | undefined {
  if (left.kind === 'number' && right.kind === 'number') return fallingRange(left, right, { between, before });
  if (left.kind !== 'moment' || right.kind !== 'moment' || left.moments.length !== 1 || right.moments.length !== 1) return undefined;
  if (
    !/^\s*(?:to|until|till|through|–|—|bis(?:\s+zum)?)\s+(?:the\s+)?$/i.test(between) ||
    /\b(?:moved|changed|shifted|slipped|from back)\b/i.test(before)
  )
    return undefined;
  const from = epochOf(left.moments[0] ?? {});
  const to = epochOf(right.moments[0] ?? {});
  return from !== undefined && to !== undefined && from > to ? `${left.text} comes after ${right.text}` : undefined;
}

const MOVED =
  /\b(?:from|went|fell|falls?|drop\w*|down|reduc\w*|chang\w*|decreas\w*|shr\w+|ratio|cut|lower\w*|slip\w*|odds|versus|vs|moved|came|won|lost|improv\w*|compared|next|von)\b/i;

/** "5 to 1" where nothing fell: the ends of a range in the wrong order. */
function fallingRange(
  left: NumberMention,
  right: NumberMention,
  { between, before }: { readonly between: string; readonly before: string },
): string | undefined {
  if (!/^\s+to\s+$/.test(between) || MOVED.test(before)) return undefined;
  if (left.unit !== undefined && left.unit !== right.unit) return undefined;
  const from = (left.readings[0]?.value ?? 0) * (left.factors[0] ?? 1);
  const to = (right.readings[0]?.value ?? 0) * (right.factors[0] ?? 1);
  return from > to && !left.negative ? `${left.text} is more than ${right.text}, the end of the range` : undefined;
}
