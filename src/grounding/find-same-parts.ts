import type { Reading } from './reading.ts';

const OF = /^\s+(?:(?:out )?of|der|von)\s+(?:the\s+|all\s+|its\s+)?$/i;

/** "120 of 120 rows" where the results hold that number only as the whole: nothing says that the part is as large. */
export function findSameParts(readings: readonly Reading[], text: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const [at, { mention, accepted }] of readings.entries()) {
    const whole = readings[at + 1];
    if (!whole || mention.kind !== 'number' || whole.mention.kind !== 'number' || mention.text !== whole.mention.text) continue;
    if (accepted.length === 0 || !OF.test(text.slice(mention.end, whole.mention.start))) continue;
    const key = whole.accepted[0]?.entry.label.key.join(' ');
    if (accepted.every(({ entry }) => entry.label.key.join(' ') === key))
      found.set(at, `the results hold ${mention.text} only as the whole, not as the part`);
  }
  return found;
}
