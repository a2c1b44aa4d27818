import { z } from 'zod';
import { defineTool } from '../../src/core/tool.ts';
import { CHANGE_INPUT, CHANGE_OUTPUT, changeRuns, isDryRun } from './change-runs.ts';

/** Retries what failed in a run, and what could not run because of it. */
export const retryJob = defineTool({
  name: 'retry_job',
  description:
    'Runs the failed tasks of a run in Airflow again, with all that depends on them; what succeeded stays. By default it only lists which would run; with dry_run false it asks a person first. For chosen tasks use clear_tasks.',
  input: z.object({ pipeline: z.string().min(1).describe('The DAG'), run_id: z.string().min(1), ...CHANGE_INPUT }),
  output: CHANGE_OUTPUT,
  effect: 'write',
  example: { source: 'airflow', pipeline: 'nightly_sales', run_id: 'scheduled__2026-03-16T02:00:00+00:00' },
  isDryRun,
  run: ({ pipeline, run_id: runId, ...how }, context) =>
    changeRuns({ kind: 'clear', pipeline, runId, onlyFailed: true, downstream: true }, how, context),
});
