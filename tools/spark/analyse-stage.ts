import { z } from 'zod';
import { shortenText } from '../artifacts/shorten-text.ts';
import { median, quantile } from '../runs/statistics.ts';
import type { SparkStage, SparkTask } from './spark-application.ts';
import { tellingLine } from './telling-line.ts';

const quantiles = z.object({ min: z.number(), p25: z.number(), median: z.number(), p75: z.number(), p95: z.number(), max: z.number() });

export const stageShape = z.object({
  stage: z.number(),
  attempt: z.number(),
  name: z.string(),
  status: z.enum(['complete', 'failed', 'unfinished']),
  duration_s: z.number().nullable(),
  tasks: z.number().describe('tasks that ended well'),
  planned_tasks: z.number(),
  failed_tasks: z.number(),
  killed_tasks: z.number(),
  task_s: quantiles.nullable().describe('launch to finish, exact quantiles by linear interpolation'),
  task_s_sum: z.number(),
  input_bytes: z.number(),
  shuffle_read_bytes: z.number(),
  shuffle_write_bytes: z.number(),
  spill_memory_bytes: z.number(),
  spill_disk_bytes: z.number(),
  gc_share: z.number().nullable().describe('of executor run time'),
  findings: z.array(z.string()),
  failure: z.string().optional(),
});

/** What counts as odd, stated in the result. */
export const LIMITS = {
  skew: 'slowest task at least 3 times the median and 1 s above it, of at least 4 tasks',
  small_inputs: 'at least 20 tasks that read less than 8 MiB each (median)',
  gc: 'more than 10 % of executor run time in garbage collection',
};

/** Figures of one stage and what is odd in it. Failed and killed tasks do not enter the quantiles. */
export function analyseStage(stage: SparkStage): z.output<typeof stageShape> {
  const { tasks } = stage;
  const sum = (pick: (task: SparkTask) => number): number => tasks.reduce((total, task) => total + pick(task), 0);
  const run = sum((task) => task.run);
  const failed = stage.failure !== null;
  const totals = { input: sum((task) => task.input), shuffle: sum((task) => task.shuffleRead), disk: sum((task) => task.spillDisk) };
  const gcShare = run > 0 ? Math.round((sum((task) => task.gc) / run) * 1000) / 1000 : null;
  return {
    stage: stage.id,
    attempt: stage.attempt,
    name: shortenText(stage.name, 120),
    status: failed ? 'failed' : stage.completed === null ? 'unfinished' : 'complete',
    duration_s: stage.submitted !== null && stage.completed !== null ? (stage.completed - stage.submitted) / 1000 : null,
    tasks: tasks.length,
    planned_tasks: stage.planned,
    failed_tasks: stage.failedTasks,
    killed_tasks: stage.killedTasks,
    task_s: quantilesOf(tasks.map((task) => task.total)),
    task_s_sum: sum((task) => task.total) / 1000,
    input_bytes: totals.input,
    shuffle_read_bytes: totals.shuffle,
    shuffle_write_bytes: sum((task) => task.shuffleWrite),
    spill_memory_bytes: sum((task) => task.spillMemory),
    spill_disk_bytes: totals.disk,
    gc_share: gcShare,
    findings: findingsOf(stage, { gcShare, spilled: totals.disk }),
    ...(stage.failure === null ? {} : { failure: shortenText(tellingLine(stage.failure), 400) }),
  };
}

function quantilesOf(values: readonly number[]): z.output<typeof quantiles> | null {
  if (values.length === 0) return null;
  const at = (share: number): number => Math.round(quantile(values, share) ?? 0) / 1000;
  return { min: at(0), p25: at(0.25), median: at(0.5), p75: at(0.75), p95: at(0.95), max: at(1) };
}

function findingsOf(stage: SparkStage, { gcShare, spilled }: { readonly gcShare: number | null; readonly spilled: number }): string[] {
  const { tasks } = stage;
  const findings: string[] = [];
  const skew = tasks.length >= 4 ? skewOf(tasks) : undefined;
  if (skew !== undefined) findings.push(skew);
  if (spilled > 0)
    findings.push(`spill: ${tasks.filter((task) => task.spillDisk > 0).length} of ${tasks.length} tasks spilled ${spilled} bytes to disk`);
  const middle = median(tasks.map((task) => task.input)) ?? 0;
  if (tasks.length >= 20 && middle > 0 && middle < 8 * 1024 * 1024)
    findings.push(`small inputs: ${tasks.length} tasks read ${Math.round(middle)} bytes each (median)`);
  if (gcShare !== null && gcShare > 0.1) findings.push(`garbage collection: ${Math.round(gcShare * 1000) / 10} % of executor run time`);
  if (stage.failedTasks > 0) findings.push(failuresOf(stage));
  return findings;
}

/** Whether it is always the same task that fails, and whether it had more to read than the others. */
function failuresOf({ failedTasks, failedIndexes, tasks }: SparkStage): string {
  const [worst] = [...failedIndexes].sort((left, right) => right[1].times - left[1].times);
  if (!worst || worst[1].times < 2 || worst[1].times * 2 < failedTasks) return `${failedTasks} tasks failed`;
  const [index, { times, read }] = worst;
  const usual = Math.round(median(tasks.map((task) => task.shuffleRead + task.input)) ?? 0);
  const more =
    read > 0 && usual > 0
      ? `; it had read ${read} bytes, the median task that ended well ${usual}${read >= 3 * usual ? ': the data is skewed' : ''}`
      : '';
  return `${failedTasks} tasks failed, ${times} times the one of index ${index}${more}`;
}

/** One task that takes far longer than the rest, and whether it also had far more to read. */
function skewOf(tasks: readonly SparkTask[]): string | undefined {
  const middle = median(tasks.map((task) => task.total)) ?? 0;
  const slowest = tasks.reduce((most, task) => (task.total > most.total ? task : most));
  if (slowest.total < 3 * middle || slowest.total - middle < 1000) return undefined;
  const read = (task: SparkTask): number => task.shuffleRead + task.input;
  const usual = median(tasks.map(read)) ?? 0;
  const times = middle > 0 ? Math.round((slowest.total / middle) * 10) / 10 : null;
  const more = `${read(slowest)} bytes against a median of ${Math.round(usual)}`;
  const data =
    read(slowest) >= 3 * usual && read(slowest) > 0
      ? `it read ${more}: the data is skewed`
      : `it read ${more}: not more data, a slow executor or slow rows`;
  return `skew: task ${slowest.index} on executor ${slowest.executor} took ${slowest.total / 1000} s, the median ${middle / 1000} s${times === null ? '' : ` (${times} times)`}; ${data}`;
}
