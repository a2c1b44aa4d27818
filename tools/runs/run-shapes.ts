import { z } from 'zod';

/** Shapes that several run tools return. */
export const retryShape = z.object({ task_id: z.string(), map_index: z.number(), try_number: z.number(), state: z.string() });

export const failureShape = retryShape.extend({ ended_at: z.string().nullable(), message: z.string().optional() });

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
