import type { Policy } from 'soloist';
import { askedJob } from './parts/read-jobs.ts';
import { askChildren } from './parts/read-result.ts';

/** A subagent for each link: the next can only be asked when the one before has answered. */
const linkByLink: Policy = async (play) => {
  const call = { agent: 'link_reader', why: 'context_isolation', because: 'Each link is a question of its own.' };
  for (let job = askedJob(play.task.goal), links = 0; links < 50; links++) {
    const goal = `Say which job upstream of \`${job}\` failed according to the table jobs, or with which message \`${job}\` failed by itself.`;
    const [conclusion] = await askChildren(play, call, [{ goal, inputs: { job } }]);
    if (conclusion?.status !== 'ok') return 'The cause was not found.';
    const next = /failed because `([^`]+)` failed/.exec(conclusion.text)?.[1];
    if (next === undefined) return `[[${conclusion.id}]]`;
    job = next;
  }
  return 'The cause was not found.';
};

export default linkByLink;
