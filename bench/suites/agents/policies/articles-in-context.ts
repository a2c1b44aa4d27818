import type { Policy } from 'soloist';
import { findingOf } from './parts/read-articles.ts';

/** All texts stand in the task: nothing is called. */
const readGiven: Policy = async ({ task }) => {
  const given = [...task.goal.matchAll(/\[article \d+\] ([^:]+): (.+)/g)];
  return given.map(([, subject = '', text = '']) => findingOf({ subject, text }, '')).join('\n');
};

export default readGiven;
