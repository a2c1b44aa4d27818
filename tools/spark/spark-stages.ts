import { z } from 'zod';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { noData, refused, type ToolWarning } from '../../src/core/tool-result.ts';
import { answerLists } from '../artifacts/answer-lists.ts';
import { findArtifacts } from '../artifacts/find-artifacts.ts';
import { shortenText } from '../artifacts/shorten-text.ts';
import { fitList, listOf } from '../dbt/shape-changes.ts';
import { createListShortener, type ListShortener } from '../runs/shorten-lists.ts';
import { analyseStage, LIMITS, stageShape } from './analyse-stage.ts';
import { chooseLog, groupLogs, type ReadLog, readLog } from './read-event-log.ts';
import type { SparkApplication } from './spark-application.ts';
import { sumStages, totalsShape } from './sum-stages.ts';

const output = z.object({
  source: z.string(),
  path: z.string(),
  files: z.number(),
  app_id: z.string().nullable(),
  app_name: z.string().nullable(),
  spark_version: z.string().nullable(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable().describe('null where the log has no end: still running, killed, or cut'),
  last_event_at: z.string().nullable(),
  duration_s: z.number().nullable(),
  events: z.number(),
  bad_lines: z.number(),
  cut_last_line: z.boolean(),
  jobs: z.number(),
  failed_jobs: z.number(),
  tasks: z.number(),
  failed_tasks: z.number(),
  totals: totalsShape.describe('of all stages, listed or not'),
  stages: listOf(stageShape).describe('failed ones first, then by seconds of tasks'),
  failures: listOf(z.object({ reason: z.string(), count: z.number(), example: z.string(), first_at: z.string().nullable() })),
  executors: z.object({
    added: z.number(),
    used: z.number().describe('those on which tasks ended well'),
    lost: listOf(z.object({ executor: z.string(), at: z.string().nullable(), reason: z.string() })),
  }),
  joins: z.record(z.string(), z.number()).optional().describe('joins of all SQL plans by kind'),
  settings: z.record(z.string(), z.string()),
  limits: z.record(z.string(), z.string()).describe('what counts as odd'),
  other_apps: z.array(z.string()),
});

const input = z.object({
  source: z.string().optional().describe('Name of the source; all that have files unless named'),
  path: z.string().optional().describe('One event log, or the beginning of paths'),
  app: z.string().optional().describe('Application id or name; the newest unless given'),
  limit: z.number().int().min(1).max(200).default(12).describe('Most stages listed'),
});

/** The stages of a Spark application, from its event log. */
export const sparkStages = defineTool({
  name: 'spark_stages',
  description:
    'Reads a Spark event log (plain, gzip or zstd; rolling ones too): per stage exact quantiles of task time, skew (and whether the slow task read more), spill, small inputs, garbage collection, failed tasks with reasons, executors lost (out of memory), unfinished stages, a cut last line. Use it when a Spark job was slow or died.',
  input,
  output,
  effect: 'read',
  example: { source: 'spark' },
  timeoutSeconds: 120,
  run: readStages,
});

async function readStages(request: z.output<typeof input>, context: ToolContext) {
  const found = await findArtifacts(context, { ...request, kinds: ['spark_event_log'] });
  const lists = createListShortener();
  lists.warn(found.warnings);
  if (found.artifacts.length === 0)
    return noData({ message: 'no file is a Spark event log' }, { warnings: lists.warnings(), asOf: context.now() });
  const { chosen, others } = await chooseLog(groupLogs(found.artifacts), request.app);
  if (!chosen)
    return refused(
      'no_such_app',
      `there is no application "${shortenText(request.app ?? '', 80)}"; there are: ${others.slice(0, 10).join(', ')}`,
    );
  const log = await readLog(chosen, context.scope);
  lists.warn(warningsOf(log));
  const stages = [...log.app.stages.values()].map(analyseStage);
  const rank = ({ status }: z.output<typeof stageShape>): number => (status === 'failed' ? 0 : status === 'unfinished' ? 1 : 2);
  stages.sort((left, right) => rank(left) - rank(right) || right.task_s_sum - left.task_s_sum);
  const data = shape(log, stages, { lists, limit: request.limit, others });
  const whole = found.complete && log.problems.length === 0 && log.app.badLines === 0 && log.longLines === 0 && log.finished;
  return answerLists(data, { lists, whole, now: context.now(), total: stages.length, returned: data.stages.returned });
}

interface Shaping {
  readonly lists: ListShortener;
  readonly limit: number;
  readonly others: readonly string[];
}

function shape(log: ReadLog, stages: readonly z.output<typeof stageShape>[], { lists, limit, others }: Shaping): z.output<typeof output> {
  const { app } = log;
  const failures = [...app.failures].map(([reason, one]) => ({
    reason: shortenText(reason, 160),
    count: one.count,
    example: shortenText(one.example, 300),
    first_at: time(one.first),
  }));
  const lost = app.executorsLost.map(({ executor, at, reason }) => ({
    executor: shortenText(executor, 40),
    at: time(at),
    reason: shortenText(reason.split('\n', 1)[0] ?? '', 240),
  }));
  return {
    source: log.source,
    path: shortenText(log.path, 200),
    files: log.files,
    app_id: app.id,
    app_name: app.name === null ? null : shortenText(app.name, 120),
    spark_version: app.sparkVersion,
    started_at: time(app.started),
    ended_at: time(app.ended),
    last_event_at: time(app.last),
    duration_s: durationOf(app),
    events: app.events,
    bad_lines: app.badLines,
    cut_last_line: log.cutLastLine,
    jobs: app.jobs,
    failed_jobs: app.failedJobs,
    tasks: stages.reduce((sum, stage) => sum + stage.tasks, 0),
    failed_tasks: stages.reduce((sum, stage) => sum + stage.failed_tasks, 0),
    totals: sumStages(stages, durationOf(app)),
    stages: fitList(lists, 'stages', stages, { characters: 5200, most: limit }),
    failures: fitList(
      lists,
      'failures',
      failures.sort((left, right) => right.count - left.count),
      { characters: 1500 },
    ),
    executors: {
      added: app.executorsAdded,
      used: usedExecutors(app),
      lost: fitList(lists, 'executors lost', lost, { characters: 1200 }),
    },
    ...(app.joins.size > 0 ? { joins: sumJoins(app) } : {}),
    settings: Object.fromEntries([...app.settings].map(([key, value]) => [key, shortenText(value, 80)])),
    limits: LIMITS,
    other_apps: others.slice(0, 6).map((name) => shortenText(name, 120)),
  };
}

function usedExecutors({ stages }: SparkApplication): number {
  return new Set([...stages.values()].flatMap(({ tasks }) => tasks.map(({ executor }) => executor))).size;
}

function sumJoins({ joins }: SparkApplication): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of joins.values()) for (const [kind, count] of Object.entries(counts)) sums[kind] = (sums[kind] ?? 0) + count;
  return sums;
}

function durationOf({ started, ended, first, last }: SparkApplication): number | null {
  const [from, to] = [started ?? first, ended ?? last];
  return from === null || to === null ? null : (to - from) / 1000;
}

function time(at: number | null): string | null {
  return at === null || at <= 0 ? null : new Date(at).toISOString();
}

function warningsOf(log: ReadLog): ToolWarning[] {
  const warnings: ToolWarning[] = log.problems.map((message) => ({ code: 'not_all_read', message }));
  if (log.app.ended === null)
    warnings.push({
      code: 'no_end',
      message:
        'the log has no end of the application: it is still running, was killed, or the log is cut; the duration reaches to the last event',
    });
  if (log.cutLastLine) warnings.push({ code: 'cut_last_line', message: 'the last line is cut in the middle and was left out' });
  else if (log.app.badLines > 0) warnings.push({ code: 'bad_lines', message: `${log.app.badLines} lines are no events and were left out` });
  if (log.missingParts.length > 0)
    warnings.push({ code: 'parts_missing', message: `parts ${log.missingParts.join(', ')} of the rolling log are not in the folder` });
  if (log.longLines > 0) warnings.push({ code: 'long_lines', message: `${log.longLines} lines are longer than 1 MiB and were left out` });
  return warnings;
}
