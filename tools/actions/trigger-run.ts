import { z } from 'zod';
import { defineTool } from '../../src/core/tool.ts';
import { CHANGE_INPUT, CHANGE_OUTPUT, changeRuns, isDryRun } from './change-runs.ts';

/** Starts a run of a pipeline at a running Airflow. */
export const triggerRun = defineTool({
  name: 'trigger_run',
  description:
    'Starts a run of a pipeline in Airflow. By default it only shows what would happen; with dry_run false it asks a person first.',
  input: z.object({
    pipeline: z.string().min(1).describe('The DAG'),
    logical_date: z.iso.datetime({ offset: true }).optional().describe('ISO 8601 with zone; none for a run that stands for no date'),
    conf: z.record(z.string(), z.unknown()).optional().describe('Parameters of the run'),
    note: z.string().max(1000).optional(),
    ...CHANGE_INPUT,
  }),
  output: CHANGE_OUTPUT,
  effect: 'write',
  example: { source: 'airflow', pipeline: 'nightly_sales', conf: { partition: 117 } },
  isDryRun,
  run: ({ pipeline, logical_date: logicalDate, conf, note, ...how }, context) =>
    changeRuns(
      {
        ...{ kind: 'trigger', pipeline },
        ...(logicalDate === undefined ? {} : { logicalDate }),
        ...(conf ? { conf } : {}),
        ...(note === undefined ? {} : { note }),
      },
      how,
      context,
    ),
});
