import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ARTICLES } from './made-up-articles.ts';
import { type GeneratorRequest, seededRandom } from './seeded-random.ts';

/**
 * Writes `articles` of the made-up articles, in an order of the seed's own, as a table of subject and text. Answers their
 * subjects, what has to be said of each, and, where `inline` is true, all texts for the task itself.
 */
export function generate({ folder, seed, parameters }: GeneratorRequest): Record<string, unknown> {
  const random = seededRandom(seed);
  const chosen = random.draw(ARTICLES, Number(parameters.articles ?? ARTICLES.length));
  const data = join(folder, 'data');
  mkdirSync(data);
  const rows = chosen.map(({ subject, text }, place) => JSON.stringify({ id: place + 1, subject, text }));
  writeFileSync(join(data, 'articles.jsonl'), `${rows.join('\n')}\n`);
  return {
    count: chosen.length,
    subjects: chosen.map(({ subject }) => subject),
    firsts: chosen.map(({ first }) => first),
    seconds: chosen.map(({ second }) => second),
    texts: chosen.map(({ subject, text }, place) => `[article ${place + 1}] ${subject}: ${text}`).join('\n\n'),
  };
}
