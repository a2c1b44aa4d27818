import type { Mention } from './mention.ts';

const LEAST_TERMS = 3;
const LOOKED_BACK = 3;

/**
 * A sum that is written out, "comes to 60 (10 + 20 + 3 * 10)", and that comes to none of the figures before it: its first
 * term with the reason, and the figure that is told for it.
 */
export function findWrongSums(mentions: readonly Mention[], text: string): Map<number, string> {
  const wrong = new Map<number, string>();
  for (let at = 0; at < mentions.length; at++) {
    const first = mentions[at] as Mention;
    if (!/\(\s*$/.test(text.slice(0, first.start))) continue;
    const terms = [amountOf(first)];
    let product = terms[0] ?? 0;
    let sum = 0;
    let last = at;
    while (mentions[last + 1]) {
      const next = mentions[last + 1] as Mention;
      const sign = /^\s*([+*×])\s*$/.exec(text.slice(mentions[last]?.end, next.start))?.[1];
      if (sign === undefined) break;
      if (sign === '+') sum += product;
      product = sign === '+' ? amountOf(next) : product * amountOf(next);
      terms.push(amountOf(next));
      last++;
    }
    sum += product;
    if (terms.length < LEAST_TERMS || terms.some(Number.isNaN)) continue;
    const told = mentions.slice(Math.max(0, at - LOOKED_BACK), at).map(amountOf);
    if (told.length > 0 && !told.some((value) => Math.abs(value - sum) < 0.5)) wrong.set(at, `the sum that is written out comes to ${sum}`);
    at = last;
  }
  return wrong;
}

function amountOf(mention: Mention): number {
  if (mention.kind !== 'number' || mention.unit !== undefined) return Number.NaN;
  return (mention.readings[0]?.value ?? Number.NaN) * (mention.factors[0] ?? 1);
}
