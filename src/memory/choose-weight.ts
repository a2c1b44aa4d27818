import type { GenerationSettings } from '../core/memory-index.ts';
import { ndcgAt10, rankByWords } from './rank-words.ts';
import { cosineOf, similarityOf, spreadOf } from './similarity.ts';

const WEIGHTS = [0.25, 0.5, 0.75, 1, 1.5, 2, 3];
/** Gain over words alone, in standard errors of the paired difference, that a weight has to show. */
const STANDARD_ERRORS = 2;
/** Scores nothing and parts texts that score alike. */
const BY_LOT = 1e-6;

/** A question with, for each text that could answer it, how words and vectors score it. */
export interface TestedQuestion {
  /** Scores from 0 to 1, the best one being 1. */
  readonly lexical: readonly number[];
  readonly cosines: readonly number[];
  readonly relevant: ReadonlySet<number>;
}

/** Questions of pairs whose place is the place of their answer, with their vectors. */
export function testedPairs(
  pairs: readonly (readonly [string, string])[],
  vectors: { readonly questions: readonly Float32Array[]; readonly texts: readonly Float32Array[] },
): readonly TestedQuestion[] {
  const rank = rankByWords(pairs.map(([, text]) => text));
  return pairs.map(([question], place) => {
    const scores = rank(question);
    const best = Math.max(...scores, 0);
    const own = vectors.questions[place] ?? new Float32Array();
    return {
      lexical: scores.map((score) => (best > 0 ? score / best : 0)),
      cosines: vectors.texts.map((vector) => cosineOf(own, vector)),
      relevant: new Set([place]),
    };
  });
}

/** How far apart the model holds a question and its answer, and a question and another's answer. */
export function calibrate(tested: readonly TestedQuestion[]): Pick<GenerationSettings, 'related' | 'unrelated'> {
  const related = tested.flatMap(({ cosines, relevant }) => cosines.filter((_, place) => relevant.has(place)));
  const unrelated = tested.flatMap(({ cosines, relevant }) => cosines.filter((_, place) => !relevant.has(place)));
  return { related: spreadOf(related), unrelated: spreadOf(unrelated) };
}

/** The weight of the vectors that serves the questions best; 0 unless the gain over words alone is more than chance. */
export function chooseWeight(
  tested: readonly TestedQuestion[],
  calibration: Pick<GenerationSettings, 'related' | 'unrelated'>,
): Pick<GenerationSettings, 'weight' | 'quality'> {
  const qualities = (weight: number): readonly number[] => tested.map((question) => qualityOf(question, weight, calibration));
  const words = qualities(0);
  let best = { weight: 0, both: spreadOf(words).mean };
  for (const weight of WEIGHTS) {
    const both = qualities(weight);
    const gain = spreadOf(both.map((value, place) => value - (words[place] ?? 0)));
    const error = gain.deviation / Math.sqrt(Math.max(1, tested.length));
    const mean = spreadOf(both).mean;
    if (gain.mean > STANDARD_ERRORS * error && mean > best.both) best = { weight, both: mean };
  }
  return { weight: best.weight, quality: { words: spreadOf(words).mean, both: best.both, questions: tested.length } };
}

function qualityOf(
  { lexical, cosines, relevant }: TestedQuestion,
  weight: number,
  calibration: Pick<GenerationSettings, 'related' | 'unrelated'>,
): number {
  const scores = lexical.map((score, place) => score + (weight === 0 ? 0 : weight * similarityOf(cosines[place] ?? 0, calibration)));
  // Words that find nothing leave the order to chance, as the vectors would if they knew nothing: else any vectors would win.
  const order = scores.map((score, place) => ({ score: score + BY_LOT * lotOf(place), place }));
  order.sort((a, b) => b.score - a.score);
  return ndcgAt10(
    order.map(({ place }) => relevant.has(place)),
    relevant.size,
  );
}

/** A number from 0 to 1 that has nothing to do with the place. */
function lotOf(place: number): number {
  return ((place * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;
}
