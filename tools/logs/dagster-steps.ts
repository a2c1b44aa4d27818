import type { LogRecord } from './log-record.ts';

const MOST_STEPS = 20_000;

const STEP_ENDS: Readonly<Record<string, string>> = {
  STEP_SUCCESS: 'success',
  STEP_FAILURE: 'failed',
  STEP_SKIPPED: 'skipped',
  STEP_UP_FOR_RETRY: 'up_for_retry',
};

export function isDagsterRecord({ format }: LogRecord): boolean {
  return format === 'dagster_text' || format === 'dagster_json';
}

/** How the step ended, where the record says it. */
export function stepOutcome(record: LogRecord): string | undefined {
  return isDagsterRecord(record) ? STEP_ENDS[record.status ?? ''] : undefined;
}

/** Dagster does not number the tries of a step; it says when one is made again. */
export function countRestarts(restarts: Map<string, number>, record: LogRecord): number {
  const key = `${record.pipeline}\0${record.task}\0${record.runId}`;
  const attempt = (restarts.get(key) ?? 1) + (record.status === 'STEP_RESTARTED' ? 1 : 0);
  if (record.status === 'STEP_RESTARTED' && restarts.size < MOST_STEPS) restarts.set(key, attempt);
  return attempt;
}
