import type { Policy } from 'soloist';
import { askedJob } from './parts/read-jobs.ts';
import { askChildren } from './parts/read-result.ts';

/** The whole chain to one subagent, whose conclusion is passed on. */
const handOver: Policy = async (play) => {
  const asked = askedJob(play.task.goal);
  const call = { agent: 'chain_reader', why: 'context_isolation', because: 'The chain takes many results and its end is one line.' };
  const goal = `The job \`${asked}\` failed. Follow its upstream jobs in the table jobs to the one that failed by itself.`;
  const [conclusion] = await askChildren(play, call, [{ goal, inputs: { job: asked } }]);
  return conclusion?.status === 'ok' ? `[[${conclusion.id}]]` : 'The cause was not found.';
};

export default handOver;
