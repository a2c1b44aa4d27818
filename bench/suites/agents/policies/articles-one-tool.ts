import type { Policy } from 'soloist';
import { findingOf, readArticle, subjectsOf } from './parts/read-articles.ts';

const AT_ONCE = 5;

/** One agent reads every article through its tool, five a turn. */
const readAll: Policy = async (play) => {
  const subjects = await subjectsOf(play);
  const findings: string[] = [];
  for (let start = 0; start < subjects.length; start += AT_ONCE) {
    const read = await Promise.all(subjects.slice(start, start + AT_ONCE).map((subject) => readArticle(play, subject)));
    findings.push(...read.map(({ article, result }) => findingOf(article, ` [${result}]`)));
  }
  return findings.join('\n');
};

export default readAll;
