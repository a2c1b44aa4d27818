import type { Mention } from './mention.ts';
import type { Reading } from './reading.ts';

/** What stands between a figure and the same in other words: "776 s (13 min)", "5000000 bytes, about 5 MB". */
const BETWEEN = /^\s*[(=≈/,]?\s*(?:(?:or|i\.e\.|that is|about|roughly|some|around|oder|also|etwa|rund)\s+)*[~≈]?$/;

/** A figure said once more in another unit, right beside: it needs no words of its own, where its neighbour's value is what it rounds. */
export function withRestated(readings: readonly Reading[], answer: string): Reading[] {
  return readings.map((reading, at) => {
    if (reading.accepted.length > 0 || unitOf(reading.mention) === undefined) return reading;
    const said = [readings[at - 1], readings[at + 1]].filter(
      (other) => other !== undefined && isBeside(other.mention, reading.mention, answer),
    );
    const values = new Set(said.flatMap((other) => other?.accepted.map(({ entry }) => entry) ?? []));
    return { ...reading, accepted: reading.matches.filter(({ entry }) => values.has(entry)) };
  });
}

function isBeside(one: Mention, other: Mention, answer: string): boolean {
  const [first, second] = one.start < other.start ? [one, other] : [other, one];
  return unitOf(one) !== undefined && unitOf(one) !== unitOf(other) && BETWEEN.test(answer.slice(first.end, second.start));
}

function unitOf(mention: Mention): string | undefined {
  return mention.kind === 'number' ? mention.unit : mention.kind === 'span' ? 'span' : undefined;
}
