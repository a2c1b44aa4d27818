import { z } from 'zod';
import { defineTool } from '../../src/core/tool.ts';
import { CHANGE_INPUT, CHANGE_OUTPUT, changeRuns, isDryRun } from './change-runs.ts';

/** Makes tasks of a run run again. */
export const clearTasks = defineTool({
  name: 'clear_tasks',
  description:
    'Clears tasks of a run in Airflow, so that they run again: the failed ones unless said otherwise. By default it only lists which would be cleared; with dry_run false it asks a person first.',
  input: z.object({
    pipeline: z.string().min(1).describe('The DAG'),
    run_id: z.string().min(1),
    task_ids: z.array(z.string().min(1)).min(1).max(100).optional().describe('Only these tasks; all of the run when left out'),
    only_failed: z.boolean().default(true),
    downstream: z.boolean().default(false).describe('Also what depends on them'),
    ...CHANGE_INPUT,
  }),
  output: CHANGE_OUTPUT,
  effect: 'write',
  example: { source: 'airflow', pipeline: 'nightly_sales', run_id: 'scheduled__2026-03-16T02:00:00+00:00' },
  isDryRun,
  run: ({ pipeline, run_id: runId, task_ids: taskIds, only_failed: onlyFailed, downstream, ...how }, context) =>
    changeRuns({ kind: 'clear', pipeline, runId, ...(taskIds ? { taskIds } : {}), onlyFailed, downstream }, how, context),
});
