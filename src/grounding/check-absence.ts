import type { AbsenceClaim } from '../core/figure.ts';
import { saysAbsent } from './absence-words.ts';
import { meaningsOfName } from './label-words.ts';
import type { Citation } from './mask-text.ts';
import { splitSentences } from './read-context.ts';
import type { GroundingResult } from './result-index.ts';

/** Statements that something is not there. Each needs a result that is complete: one that it cites, else one about the same thing. */
export function checkAbsence(answer: string, results: readonly GroundingResult[], citations: readonly Citation[]): AbsenceClaim[] {
  const informative = results.filter((result) => result.informative);
  return splitSentences(answer).flatMap(({ start, end }): AbsenceClaim[] => {
    const sentence = answer.slice(start, end).trim();
    if (!saysAbsent(sentence)) return [];
    const cited = citations.filter((citation) => citation.start >= start && citation.start < end).flatMap(({ ids }) => ids);
    return [judgeClaim(sentence.slice(0, 200), { cited, results: informative, words: meaningsOfName(sentence) })];
  });
}

function judgeClaim(
  text: string,
  {
    cited,
    results,
    words,
  }: { readonly cited: readonly string[]; readonly results: readonly GroundingResult[]; readonly words: readonly string[] },
): AbsenceClaim {
  const named = results.filter(({ id, through }) => cited.includes(id) || (through !== undefined && cited.includes(through)));
  if (cited.length > 0 && named.length > 0)
    return claim(
      text,
      named,
      named.some((result) => result.complete),
    );
  const about = results.filter((result) => speaksOf(result, words));
  const looked = about.length > 0 ? about : results;
  return claim(
    text,
    looked,
    looked.some((result) => result.complete),
  );
}

function claim(text: string, looked: readonly GroundingResult[], supported: boolean): AbsenceClaim {
  const ids = looked.filter((result) => !supported || result.complete).map(({ id }) => id);
  const reason = looked.length === 0 ? 'no tool looked for it' : 'every result about it says "complete": false';
  return { text, supported, results: ids.slice(0, 5), ...(supported ? {} : { reason }) };
}

/** A result speaks of what its fields, its tool or its arguments name. */
function speaksOf(result: GroundingResult, words: readonly string[]): boolean {
  const keys = new Set(meaningsOfName(`${result.tool} ${JSON.stringify(result.arguments)}`));
  for (const match of result.content.slice(0, 20_000).matchAll(/"([A-Za-z_]{3,40})":/g))
    for (const meaning of meaningsOfName(match[1] ?? '')) keys.add(meaning);
  return words.filter((word) => word.length > 2 && keys.has(word)).length > 0;
}
