import { z } from 'zod';
import { defineTool } from '../../src/core/tool.ts';
import { CHANGE_INPUT, CHANGE_OUTPUT, changeRuns, isDryRun } from './change-runs.ts';

/** Stops a pipeline from starting new runs, or lets it again. */
export const pausePipeline = defineTool({
  name: 'pause_pipeline',
  description:
    'Pauses a pipeline in Airflow, so that no new run starts, or unpauses it; runs under way go on. By default it only shows what would change; with dry_run false it asks a person first.',
  input: z.object({ pipeline: z.string().min(1).describe('The DAG'), paused: z.boolean().default(true), ...CHANGE_INPUT }),
  output: CHANGE_OUTPUT,
  effect: 'write',
  example: { source: 'airflow', pipeline: 'reload_2025' },
  isDryRun,
  run: ({ pipeline, paused, ...how }, context) => changeRuns({ kind: 'pause', pipeline, paused }, how, context),
});
