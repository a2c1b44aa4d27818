import { groupBy } from '../../src/core/group-by.ts';
import { dropEmpty } from './drop-empty.ts';
import { clipText, compareTimes } from './log-record.ts';
import type { ExecutionSummary, LogSummary } from './summary-schema.ts';
import type { Execution } from './track-executions.ts';

type TaskSummary = LogSummary['tasks']['items'][number];

/** Executions as they are shown: by start; those that did not succeed come first when not all fit. */
export function renderExecutions(executions: readonly Execution[]): ExecutionSummary[] {
  const troubled = (execution: Execution): number => (execution.outcome === 'success' && execution.errors === 0 ? 1 : 0);
  return [...executions]
    .sort((left, right) => troubled(left) - troubled(right) || compareTimes(left.start, right.start))
    .map(renderExecution);
}

function renderExecution(execution: Execution): ExecutionSummary {
  return dropEmpty({
    kind: execution.kind,
    pipeline: clipped(execution.pipeline),
    task: clipped(execution.task),
    run_id: clipped(execution.runId),
    attempt: execution.attempt ?? undefined,
    of: execution.of ?? undefined,
    start: execution.start,
    end: execution.end,
    outcome: execution.outcome ?? 'unknown',
    outcome_from: execution.outcomeFrom ?? undefined,
    file: clipText(execution.file, 200),
    line: execution.line,
    errors: execution.errors || undefined,
    warnings: execution.warnings || undefined,
  });
}

function clipped(text: string | null): string | undefined {
  return text === null ? undefined : clipText(text, 120);
}

/** One line a task: how many attempts it had over how many runs, and how the last one ended. */
export function renderTasks(executions: readonly Execution[]): TaskSummary[] {
  const tasks = executions.filter(({ kind, task }) => kind === 'task' && task !== null);
  const byTask = groupBy(tasks, ({ pipeline, task }) => `${pipeline ?? ''}\0${task}`);
  return [...byTask.values()]
    .map(renderTask)
    .sort((left, right) => rankState(left) - rankState(right) || compareTimes(left.start, right.start));
}

function rankState({ final_state }: TaskSummary): number {
  return final_state === 'success' ? 2 : final_state === 'unknown' ? 1 : 0;
}

function renderTask(executions: readonly Execution[]): TaskSummary {
  const ordered = [...executions].sort(
    (left, right) => compareTimes(left.start, right.start) || (left.attempt ?? 0) - (right.attempt ?? 0),
  );
  const last = ordered.at(-1);
  const runs = new Set(ordered.map((execution) => execution.runId)).size;
  const attempts = new Set(
    ordered.map((one) => (one.attempt === null || one.runId === null ? `${one.file}\0${one.line}` : `${one.runId}\0${one.attempt}`)),
  );
  const ends = ordered.map((execution) => execution.end).filter((end) => end !== null);
  return dropEmpty({
    pipeline: clipped(last?.pipeline ?? null),
    task: clipText(last?.task ?? '', 120),
    attempts: attempts.size,
    runs: runs > 1 ? runs : undefined,
    final_state: last?.outcome ?? 'unknown',
    start: ordered[0]?.start ?? null,
    end: ends.sort(compareTimes).at(-1) ?? null,
  });
}
