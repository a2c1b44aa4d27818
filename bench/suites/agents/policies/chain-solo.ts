import type { Policy } from 'soloist';
import { askedJob, followChain } from './parts/read-jobs.ts';

const follow: Policy = (play) => followChain(play, askedJob(play.task.goal));

export default follow;
