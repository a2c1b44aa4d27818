import type { Policy } from 'soloist';
import { answerFrom } from './parts/recollect.ts';

/** Only what was recalled for this question stands in the task, each with its day. */
const recall: Policy = (play) => {
  const hits = [...(play.task.background ?? '').matchAll(/^\[[^\]]+\] (\d{4}-\d{2}-\d{2}).*\n> (.+)$/gm)];
  const today = Date.now();
  return answerFrom(
    play,
    hits.map(([, day = '', text = '']) => ({ text, daysAgo: (today - Date.parse(day)) / 86_400_000 })),
  );
};

export default recall;
