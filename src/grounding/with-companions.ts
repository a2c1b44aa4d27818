import { acceptMatches } from './match-figure.ts';
import type { Context } from './read-context.ts';
import type { Reading } from './reading.ts';
import type { ResultIndex } from './result-index.ts';

const COMPANIONS_WITHIN = 8;
const COMPANION = 0.9;
/** "(201.37 + 104.27)": what is added up is of one field, whichever result is cited for the sum. */
const TERM = 2;
const isTermOfSum = ({ before, behind }: Context): boolean => /\+\s*$/.test(before) || /^\s*\+/.test(behind);

/** What stands in one enumeration is read from one list: a value of the same field as its neighbour needs less agreement. */
export function withCompanions(readings: readonly Reading[], index: ResultIndex): Reading[] {
  const done = [...readings];
  for (const [at, reading] of done.entries()) {
    if (reading.accepted.length > 0 || reading.matches.length === 0) continue;
    const lists = new Set<string>();
    for (const { accepted, context } of done.slice(Math.max(0, at - COMPANIONS_WITHIN), at + COMPANIONS_WITHIN))
      if (context.place === reading.context.place)
        for (const { entry } of accepted.slice(0, 4)) if (entry.origin === 'field') lists.add(entry.label.list);
    const raised = reading.matches
      .filter(({ entry }) => entry.origin === 'field' && lists.has(entry.label.list))
      .map((match) => ({ ...match, score: match.score + COMPANION + (isTermOfSum(reading.context) ? TERM : 0) }));
    const accepted = acceptMatches(raised, reading.mention, reading.context, index, COMPANION);
    if (accepted.length > 0) done[at] = { ...reading, accepted };
  }
  return done;
}
