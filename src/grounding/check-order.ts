import type { Mention, NumberMention } from './mention.ts';
import { epochOf } from './read-moment.ts';

/** Pairs of figures whose order contradicts itself, each with the reason: "16 of 12", "from the 17th to the 16th". */
export function findDisorder(mentions: readonly Mention[], text: string): Map<number, string> {
  const wrong = new Map<number, string>();
  for (const [at, left] of mentions.entries()) {
    const right = mentions[at + 1];
    if (!right) break;
    const between = text.slice(left.end, right.start);
    const before = text.slice(Math.max(0, left.start - 60), left.start);
    const reason =
      sameTwice(left, right, { between, before }) ??
      partOfLess(left, right, between) ?? reversed(left, right, { between, before });
    if (reason === undefined) continue;
    wrong.set(at, reason);
    wrong.set(at + 1, reason);
  }
  return wrong;
}

function partOfLess(left: Mention, right: Mention, between: string): string | undefined {
  if (left.kind !== 'number' || right.kind !== 'number' || left.unit !== undefined || right.unit !== undefined) return undefined;
  if (!/^\s+(?:out )?of\s+(?:the\s+|all\s+|its\s+|these\s+|those\s+|about\s+)?$/i.test(between)) return undefined;
  const part = (left.readings[0]?.value ?? 0) * (left.factors[0] ?? 1);
  const whole = (right.readings[0]?.value ?? 0) * (right.factors[0] ?? 1);
  return part > whole ? `${left.text} is more than the ${right.text} that it is said to be a part of` : undefined;
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

function reversed(
  left: Mention,
  right: Mention,
  { between, before }: { readonly between: string; readonly before: string },
): string | undefined {
  if (left.kind === 'number' && right.kind === 'number') return fallingRange(left, right, { between, before });
  if (left.kind !== 'moment' || right.kind !== 'moment' || left.moments.length !== 1 || right.moments.length !== 1) return undefined;
  if (!/^\s*(?:to|until|till|through|–|—|bis)\s+$/i.test(between) || /\b(?:moved|changed|shifted|slipped|from back)\b/i.test(before))
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
