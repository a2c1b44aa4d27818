import type { Play } from 'soloist';
import { subjectsOf } from './read-articles.ts';
import { askChildren, type Conclusion } from './read-result.ts';

/** A subagent for every article. */
export async function askReaders(play: Play): Promise<readonly Conclusion[]> {
  const subjects = await subjectsOf(play);
  const tasks = subjects.map((subject) => ({
    goal: `Read the article on ${subject} and say in one line what it measured, with every figure.`,
    inputs: { subject },
  }));
  const because = 'The articles have nothing to do with one another.';
  return askChildren(play, { agent: 'article_reader', why: 'parallelism', because }, tasks);
}
