import { z } from 'zod';
import type { stageShape } from './analyse-stage.ts';

type Stage = z.output<typeof stageShape>;

const named = z.object({ stage: z.number(), attempt: z.number(), name: z.string() });

export const totalsShape = z.object({
  stages: z.number(),
  task_s_sum: z.number(),
  spill_memory_bytes: z.number(),
  spill_disk_bytes: z.number(),
  stages_with_spill: z.number(),
  stages_with_skew: z.number(),
  longest: named
    .extend({ duration_s: z.number(), share_of_application: z.number().nullable(), share_of_task_time: z.number().nullable() })
    .nullable()
    .describe('the stage that took longest from its submission to its end'),
  most_uneven: named
    .extend({ tasks: z.number(), median_s: z.number(), max_s: z.number(), times: z.number() })
    .nullable()
    .describe('of the stages of at least 4 tasks, the one whose slowest task is furthest above the median'),
});

/** What all stages come to, those that are not listed included. Shares are of 1, to three decimals. */
export function sumStages(stages: readonly Stage[], applicationSeconds: number | null): z.output<typeof totalsShape> {
  const sum = (pick: (stage: Stage) => number): number => stages.reduce((total, stage) => total + pick(stage), 0);
  const taskSeconds = Math.round(sum((stage) => stage.task_s_sum) * 1000) / 1000;
  return {
    stages: stages.length,
    task_s_sum: taskSeconds,
    spill_memory_bytes: sum((stage) => stage.spill_memory_bytes),
    spill_disk_bytes: sum((stage) => stage.spill_disk_bytes),
    stages_with_spill: stages.filter((stage) => stage.spill_disk_bytes > 0).length,
    stages_with_skew: stages.filter(({ findings }) => findings.some((text) => text.startsWith('skew'))).length,
    longest: longestOf(stages, applicationSeconds, taskSeconds),
    most_uneven: mostUneven(stages),
  };
}

function longestOf(stages: readonly Stage[], whole: number | null, taskSeconds: number): z.output<typeof totalsShape>['longest'] {
  const [first] = [...stages].sort((left, right) => (right.duration_s ?? 0) - (left.duration_s ?? 0));
  if (!first || first.duration_s === null) return null;
  const { stage, attempt, name, duration_s } = first;
  return {
    ...{ stage, attempt, name, duration_s },
    share_of_application: share(duration_s, whole),
    share_of_task_time: share(first.task_s_sum, taskSeconds),
  };
}

function mostUneven(stages: readonly Stage[]): z.output<typeof totalsShape>['most_uneven'] {
  const uneven = stages.flatMap(({ stage, attempt, name, tasks, task_s }) =>
    tasks >= 4 && task_s !== null && task_s.median > 0
      ? [
          {
            stage,
            attempt,
            name,
            tasks,
            median_s: task_s.median,
            max_s: task_s.max,
            times: Math.round((task_s.max / task_s.median) * 10) / 10,
          },
        ]
      : [],
  );
  return uneven.sort((left, right) => right.times - left.times)[0] ?? null;
}

function share(part: number, whole: number | null): number | null {
  return whole === null || whole <= 0 ? null : Math.round((part / whole) * 1000) / 1000;
}
