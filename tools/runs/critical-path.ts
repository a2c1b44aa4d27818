import type { TaskTry } from '../../src/core/source.ts';
import { waitingSeconds } from './analyse-run.ts';
import { seconds } from './statistics.ts';

/** A stretch of the chain: one task, or several indexes of one mapped task after another. */
export interface PathStep {
  readonly task_id: string;
  readonly tasks: number;
  /** Waiting before the stretch began. */
  readonly waited_s: number | null;
  readonly worked_s: number | null;
  /** Before the stretch nothing of the chain ran or waited for so long: earlier tries, and delays between them. Left out where it is short. */
  readonly idle_s?: number;
  readonly ended_at: string | null;
}

const MOST_LINKS = 500;
const MOST_STEPS = 15;
/** Shorter gaps are what a scheduler takes. */
const LEAST_IDLE = 60;

/**
 * The chain of tasks that the end of the run hung on, by time alone: from the task that ended last back to the one whose
 * end last preceded its start, and so on. The source does not give dependencies, so this is a reading of the times.
 */
export function criticalPath(tries: readonly TaskTry[]): PathStep[] {
  const ended = tries.filter(
    (one): one is TaskTry & { started_at: string; ended_at: string } => one.started_at !== null && one.ended_at !== null,
  );
  const byEnd = ended.sort((left, right) => (left.ended_at < right.ended_at ? 1 : -1));
  const chain: TaskTry[] = [];
  for (let next = byEnd[0]; next && chain.length < MOST_LINKS; ) {
    chain.unshift(next);
    const { started_at } = next;
    next = byEnd.find((one) => one.ended_at <= started_at);
  }
  return stretches(chain).slice(-MOST_STEPS);
}

function stretches(chain: readonly TaskTry[]): PathStep[] {
  const steps: PathStep[] = [];
  for (const one of chain) {
    const before = steps.at(-1);
    const worked = one.duration_s ?? 0;
    if (before && before.task_id === one.task_id) {
      steps[steps.length - 1] = {
        ...before,
        tasks: before.tasks + 1,
        worked_s: seconds((before.worked_s ?? 0) + worked),
        ended_at: one.ended_at,
      };
    } else {
      const idle = idleSeconds(one, before);
      steps.push({
        task_id: one.task_id,
        tasks: 1,
        waited_s: seconds(waitingSeconds(one)),
        worked_s: seconds(worked),
        ...(idle < LEAST_IDLE ? {} : { idle_s: idle }),
        ended_at: one.ended_at,
      });
    }
  }
  return steps;
}

/** From the end of the stretch before to when the task was ready. */
function idleSeconds({ scheduled_at, queued_at, started_at }: TaskTry, before: PathStep | undefined): number {
  const ready = scheduled_at ?? queued_at ?? started_at;
  if (!before || before.ended_at === null || ready === null) return 0;
  return seconds((Date.parse(ready) - Date.parse(before.ended_at)) / 1000) ?? 0;
}
