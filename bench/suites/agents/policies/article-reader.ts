import type { Policy } from 'soloist';
import { findingOf, readArticle } from './parts/read-articles.ts';

const readOne: Policy = async (play) => {
  const { subject = '' } = (play.task.inputs ?? {}) as { readonly subject?: string };
  const { article, result } = await readArticle(play, subject);
  return findingOf(article, ` [${result}]`);
};

export default readOne;
