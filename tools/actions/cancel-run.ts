import { z } from 'zod';
import { defineTool } from '../../src/core/tool.ts';
import { CHANGE_INPUT, CHANGE_OUTPUT, changeRuns, isDryRun } from './change-runs.ts';

/** Ends a run that is under way. */
export const cancelRun = defineTool({
  name: 'cancel_run',
  description:
    'Cancels a run in Airflow that has not ended: it is marked as failed and its running tasks are stopped. By default it only shows what would change; with dry_run false it asks a person first.',
  input: z.object({ pipeline: z.string().min(1).describe('The DAG'), run_id: z.string().min(1), ...CHANGE_INPUT }),
  output: CHANGE_OUTPUT,
  effect: 'write',
  example: { source: 'airflow', pipeline: 'reload_2025', run_id: 'manual__2026-03-17' },
  isDryRun,
  run: ({ pipeline, run_id: runId, ...how }, context) => changeRuns({ kind: 'cancel', pipeline, runId }, how, context),
});
