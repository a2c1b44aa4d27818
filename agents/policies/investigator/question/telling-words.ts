import type { Question } from './read-question.ts';

const LEAST_LETTERS = 3;
/** Words that many pipelines, tables and questions bear. */
const OF_MANY: ReadonlySet<string> = new Set(
  'load data daily sync dag job table tables report the new raw etl hourly nightly night last rows from with that this have what when'.split(
    ' ',
  ),
);

/** The words of a question that may tell one pipeline from the others. */
export function tellingWords({ plain }: Question): readonly string[] {
  return plain.split(' ').filter((word) => word.length >= LEAST_LETTERS && !OF_MANY.has(word));
}
