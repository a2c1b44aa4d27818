import type { TaskTry } from '../../src/core/source.ts';
import { waitingSeconds } from './analyse-run.ts';
import { seconds } from './statistics.ts';

export interface PathStep {
  readonly task_id: string;
  readonly map_index: number;
  readonly waited_s: number | null;
  readonly worked_s: number | null;
  readonly ended_at: string | null;
}

const MOST_STEPS = 12;

/**
 * The chain of tasks that the end of the run hung on, by time alone: from the task that ended last back to the one whose
 * end last preceded its start, and so on. The source does not give dependencies, so this is a reading of the times.
 */
export function criticalPath(tries: readonly TaskTry[]): PathStep[] {
  const ended = tries.filter(
    (one): one is TaskTry & { started_at: string; ended_at: string } => one.started_at !== null && one.ended_at !== null,
  );
  const byEnd = [...ended].sort((left, right) => (left.ended_at < right.ended_at ? 1 : -1));
  const path: PathStep[] = [];
  let next = byEnd[0];
  while (next && path.length < MOST_STEPS) {
    const { task_id, map_index, ended_at, started_at } = next;
    path.unshift({ task_id, map_index, waited_s: seconds(waitingSeconds(next)), worked_s: seconds(next.duration_s), ended_at });
    next = byEnd.find((one) => one.ended_at <= started_at);
  }
  return path;
}
