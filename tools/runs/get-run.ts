import { z } from 'zod';
import { defineTool } from '../../src/core/tool.ts';
import { complete, partial } from '../../src/core/tool-result.ts';
import { analyseRun } from './analyse-run.ts';
import { findRun } from './find-run.ts';
import { failureShape, groupShape, retryShape, runShape, shapeRun } from './run-shapes.ts';
import { createListShortener } from './shorten-lists.ts';
import { milliseconds } from './statistics.ts';

const MOST_RUNNING = 8;
/** States of tasks that began and are not done. */
const AT_WORK = /^(running|restarting|deferred|up_for_retry|up_for_reschedule)$/;

/** One run taken apart: every task and try, waiting and working apart. */
export const getRun = defineTool({
  name: 'get_run',
  description:
    'Takes one run apart: all its tasks and tries (every page), counts by state, waiting and working seconds apart per task, what ran in parallel, retries, failures, the slowest tasks. Says when task instances are missing.',
  input: z.object({
    run_id: z.string().min(1),
    pipeline: z.string().optional().describe('Needed only where run ids repeat between pipelines'),
    source: z.string().optional(),
  }),
  output: z.object({
    source: z.string(),
    run: runShape,
    task_instances: z.number(),
    by_state: z.record(z.string(), z.number()),
    working_s: z.number(),
    waiting_s: z.number().nullable(),
    groups: z.array(groupShape),
    retried: z.array(retryShape),
    failed: z.array(failureShape),
    running: z
      .array(z.object({ task_id: z.string(), map_index: z.number(), state: z.string(), try_number: z.number(), started_at: z.string() }))
      .optional()
      .describe('what the run is at: started and not done, the oldest first'),
    cut_off: z
      .array(z.object({ task_id: z.string(), state: z.string(), duration_s: z.number(), ended_at: z.string().nullable() }))
      .optional()
      .describe('tasks that had worked for a while and then did not end by themselves, as when their run is ended'),
    slowest: z.array(z.object({ task_id: z.string(), map_index: z.number(), duration_s: z.number(), rows: z.string().optional() })),
  }),
  effect: 'read',
  example: { source: 'runs', run_id: 'scheduled__2026-03-16T02:00:00+00:00' },
  async run(input, context) {
    const { source, detail } = await findRun(context, input);
    const { run } = detail;
    const analysis = analyseRun(detail);
    const lists = createListShortener();
    lists.warn(detail.warnings);
    const byWeight = [...analysis.groups].sort(
      (left, right) => right.working_s + (right.waiting_s ?? 0) - left.working_s - (left.waiting_s ?? 0),
    );
    const groups = lists.shorten('groups', byWeight, { characters: 4000 });
    const retried = lists.shorten('retried', analysis.retried, { characters: 1200 });
    const failures = lists.shorten('failed', analysis.failed, { characters: 1600 });
    const slowest = [...detail.tries].sort((left, right) => (right.duration_s ?? 0) - (left.duration_s ?? 0)).slice(0, 5);
    const running = detail.tries
      .flatMap(({ task_id, map_index, state, try_number, started_at }) =>
        started_at !== null && AT_WORK.test(state) ? [{ task_id, map_index, state, try_number, started_at }] : [],
      )
      .sort((left, right) => (left.started_at < right.started_at ? -1 : 1))
      .slice(0, MOST_RUNNING);
    const cut = detail.tries
      .flatMap(({ task_id, state, duration_s, ended_at }) =>
        /skipped|removed/.test(state) && (duration_s ?? 0) > 0
          ? [{ task_id, state, duration_s: milliseconds(duration_s) ?? 0, ended_at }]
          : [],
      )
      .slice(0, MOST_RUNNING);
    const data = {
      source: source.name,
      run: shapeRun(run),
      task_instances: analysis.tasks,
      by_state: analysis.by_state,
      working_s: analysis.working_s,
      waiting_s: analysis.waiting_s,
      groups: groups.map((group) => ({ ...group, pools: [...group.pools] })),
      retried: retried.map((one) => ({ ...one })),
      failed: failures.map((one) => ({ ...one })),
      ...(cut.length > 0 ? { cut_off: cut } : {}),
      ...(running.length > 0 ? { running } : {}),
      slowest: slowest.map((one) => ({
        task_id: one.task_id,
        map_index: one.map_index,
        duration_s: milliseconds(one.duration_s) ?? 0,
        ...(one.rows === undefined ? {} : { rows: one.rows }),
      })),
    };
    const extra = { total: detail.total, returned: detail.tries.length, warnings: lists.warnings(), asOf: context.now() };
    return detail.complete && !lists.cut ? complete(data, extra) : partial(data, extra);
  },
});
