import type { Policy } from 'soloist';
import { causeOf, readJob } from './parts/read-jobs.ts';

const readLink: Policy = async (play) => {
  const { job = '' } = (play.task.inputs ?? {}) as { readonly job?: string };
  const { upstream, message, result } = await readJob(play, job);
  return upstream === '' || upstream === 'null'
    ? causeOf(job, message, result)
    : `\`${job}\` failed because \`${upstream}\` failed [${result}]`;
};

export default readLink;
