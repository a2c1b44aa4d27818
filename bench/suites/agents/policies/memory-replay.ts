import type { Policy } from 'soloist';
import { answerFrom } from './parts/recollect.ts';

/** All that was ever said stands in the task. */
const replay: Policy = (play) => {
  const sessions = play.task.goal.split(/\n\n(?=\[session )/).slice(1);
  return answerFrom(
    play,
    sessions.map((text) => ({ text, daysAgo: Number(/(\d+) days ago/.exec(text)?.[1] ?? 0) })),
  );
};

export default replay;
