import type { Policy } from 'soloist';
import { askChildren } from './parts/read-result.ts';

const askEach: Policy = async (play) => {
  const tasks = play.sources.map(({ name }) => ({ goal: `${play.task.goal} Begin with the source ${name}.`, inputs: { source: name } }));
  const why = tasks.length > 1 ? 'parallelism' : 'context_isolation';
  const conclusions = await askChildren(play, { agent: 'investigator', why, because: 'Each source is looked at by itself.' }, tasks);
  return conclusions
    .map(({ id, status }) => (status === 'ok' ? `[[${id}]]` : `One investigator gave no conclusion (${status}).`))
    .join('\n\n');
};

export default askEach;
