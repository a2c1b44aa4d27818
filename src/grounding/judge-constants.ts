import { constantsOf } from './constant-query.ts';
import type { ResultIndex } from './result-index.ts';

/** What queries that read no table compute, by the place of their result. */
export type Constants = ReadonlyMap<number, { readonly isSound: boolean; readonly formula: string }>;

/** Queries that read no table compute from their own text: sound where every number in it stands in another result. */
export function judgeConstants(index: ResultIndex): Constants {
  const judged = new Map<number, { isSound: boolean; formula: string }>();
  for (const [place, result] of index.results.entries()) {
    const constants = constantsOf(result.arguments);
    if (!constants) continue;
    const isSound = constants.every(
      (constant) => Number(constant) <= 1 || FACTORS.has(Number(constant)) || holdsElsewhere(constant, place, index),
    );
    judged.set(place, {
      isSound,
      formula: String(result.arguments.sql)
        .replace(/^\s*select\s+/i, '')
        .slice(0, 200),
    });
  }
  return judged;
}

const FACTORS: ReadonlySet<number> = new Set([10, 24, 60, 100, 1000, 1024, 3600, 86_400]);

function holdsElsewhere(constant: string, place: number, index: ResultIndex): boolean {
  const exact = constant.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  return (index.numbers.get(exact) ?? []).some((entry) => entry.result !== place && entry.origin !== 'argument');
}
