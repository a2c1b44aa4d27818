import { z } from 'zod';
import type { PipelineRun } from '../../src/core/source.ts';
import { seconds } from './statistics.ts';

/** Shapes that several run tools return. */
export const retryShape = z.object({ task_id: z.string(), map_index: z.number(), try_number: z.number(), state: z.string() });

/** The run that a result is about. */
export const runShape = z.object({
  pipeline: z.string(),
  run_id: z.string(),
  type: z.string(),
  state: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  duration_s: z.number().nullable(),
});

export function shapeRun({ pipeline, run_id, type, state, started_at, ended_at, duration_s }: PipelineRun): z.output<typeof runShape> {
  return { pipeline, run_id, type, state, started_at, ended_at, duration_s: seconds(duration_s) };
}

export const failureShape = retryShape.extend({
  ended_at: z.string().nullable(),
  message: z.string().optional(),
  operator: z.string().optional(),
});

export const groupShape = z.object({
  task_id: z.string(),
  count: z.number(),
  working_s: z.number(),
  waiting_s: z.number().nullable().describe('sum of start minus scheduled'),
  median_s: z.number().nullable(),
  max_parallel: z.number(),
  span_s: z.number().nullable(),
  first_start: z.string().nullable(),
  last_end: z.string().nullable(),
  pools: z.array(z.string()),
  retried: z.number(),
  failed: z.number(),
});
