import { type Json, objectOf, objectsOf, textOf } from '../artifacts/read-artifact.ts';
import { joinsIn } from './read-plan.ts';
import type { SparkApplication, SparkStage } from './spark-application.ts';
import { tellingLine } from './telling-line.ts';

const SETTINGS = [
  'spark.executor.memory',
  'spark.executor.cores',
  'spark.executor.instances',
  'spark.executor.memoryOverhead',
  'spark.dynamicAllocation.enabled',
  'spark.sql.shuffle.partitions',
  'spark.default.parallelism',
  'spark.sql.adaptive.enabled',
  'spark.sql.adaptive.skewJoin.enabled',
  'spark.sql.autoBroadcastJoinThreshold',
  'spark.memory.fraction',
];

/** Adds one line of the log; a line that is no event is counted. */
export function addLine(app: SparkApplication, line: string): void {
  if (line.trim() === '') return;
  let event: Json;
  try {
    event = objectOf(JSON.parse(line));
  } catch {
    app.badLines++;
    return;
  }
  const kind = textOf(event.Event);
  if (kind === undefined) {
    app.badLines++;
    return;
  }
  app.events++;
  HANDLERS[kind.slice(kind.lastIndexOf('.') + 1)]?.(app, event);
}

const HANDLERS: Readonly<Record<string, (app: SparkApplication, event: Json) => void>> = {
  SparkListenerLogStart: (app, event) => {
    app.sparkVersion = textOf(event['Spark Version']) ?? null;
  },
  SparkListenerApplicationStart: (app, event) => {
    app.id = textOf(event['App ID']) ?? null;
    app.name = textOf(event['App Name']) ?? null;
    app.started = numeric(event.Timestamp);
    see(app, app.started);
  },
  SparkListenerApplicationEnd: (app, event) => {
    app.ended = numeric(event.Timestamp);
    see(app, app.ended);
  },
  SparkListenerEnvironmentUpdate: (app, event) => {
    const properties = objectOf(event['Spark Properties']);
    for (const key of SETTINGS) {
      const value = textOf(properties[key]);
      if (value !== undefined) app.settings.set(key, value);
    }
  },
  SparkListenerJobStart: (app) => {
    app.jobs++;
  },
  SparkListenerJobEnd: (app, event) => {
    see(app, numeric(event['Completion Time']));
    if (textOf(objectOf(event['Job Result']).Result) !== 'JobSucceeded') app.failedJobs++;
  },
  SparkListenerExecutorAdded: (app) => {
    app.executorsAdded++;
  },
  SparkListenerExecutorRemoved: (app, event) => {
    const at = numeric(event.Timestamp);
    see(app, at);
    app.executorsLost.push({
      executor: String(event['Executor ID'] ?? '?'),
      at,
      reason: textOf(event['Removed Reason']) ?? 'no reason given',
    });
  },
  SparkListenerSQLExecutionStart: readPlan,
  SparkListenerSQLAdaptiveExecutionUpdate: readPlan,
  SparkListenerStageSubmitted: (app, event) => applyStage(app, objectOf(event['Stage Info'])),
  SparkListenerStageCompleted: (app, event) => applyStage(app, objectOf(event['Stage Info'])),
  SparkListenerTaskEnd: (app, event) => addTask(app, event),
};

function readPlan(app: SparkApplication, event: Json): void {
  const plan = textOf(event.physicalPlanDescription);
  if (plan !== undefined) app.joins.set(String(event.executionId ?? ''), joinsIn(plan));
}

function see(app: SparkApplication, at: number | null): void {
  if (at === null || at <= 0) return;
  app.first = app.first === null ? at : Math.min(app.first, at);
  app.last = app.last === null ? at : Math.max(app.last, at);
}

function stageOf(app: SparkApplication, id: number, attempt: number): SparkStage {
  const key = `${id}.${attempt}`;
  const known = app.stages.get(key);
  if (known) return known;
  const stage: SparkStage = {
    id,
    attempt,
    name: '',
    planned: 0,
    submitted: null,
    completed: null,
    failure: null,
    tasks: [],
    failedTasks: 0,
    failedIndexes: new Map(),
    killedTasks: 0,
  };
  app.stages.set(key, stage);
  return stage;
}

function applyStage(app: SparkApplication, info: Json): void {
  const stage = stageOf(app, numeric(info['Stage ID']) ?? -1, numeric(info['Stage Attempt ID']) ?? 0);
  stage.name = textOf(info['Stage Name']) ?? stage.name;
  stage.planned = numeric(info['Number of Tasks']) ?? stage.planned;
  stage.submitted = numeric(info['Submission Time']) ?? stage.submitted;
  stage.completed = numeric(info['Completion Time']) ?? stage.completed;
  stage.failure = textOf(info['Failure Reason']) ?? stage.failure;
  see(app, stage.submitted);
  see(app, stage.completed);
}

function addTask(app: SparkApplication, event: Json): void {
  const [info, metrics] = [objectOf(event['Task Info']), objectOf(event['Task Metrics'])];
  const stage = stageOf(app, numeric(event['Stage ID']) ?? -1, numeric(event['Stage Attempt ID']) ?? 0);
  const finished = numeric(info['Finish Time']);
  see(app, finished);
  const reason = objectOf(event['Task End Reason']);
  const word = textOf(reason.Reason) ?? 'Success';
  if (word !== 'Success') {
    if (word === 'TaskKilled' || info.Killed === true) stage.killedTasks++;
    else countFailedTask(stage, info, metrics);
    countFailure(app, reason, finished);
    return;
  }
  const [read, write, input] = [
    objectOf(metrics['Shuffle Read Metrics']),
    objectOf(metrics['Shuffle Write Metrics']),
    objectOf(metrics['Input Metrics']),
  ];
  const launched = numeric(info['Launch Time']);
  stage.tasks.push({
    run: numeric(metrics['Executor Run Time']) ?? 0,
    total: launched !== null && finished !== null ? finished - launched : 0,
    input: numeric(input['Bytes Read']) ?? 0,
    shuffleRead: (numeric(read['Remote Bytes Read']) ?? 0) + (numeric(read['Local Bytes Read']) ?? 0),
    shuffleWrite: numeric(write['Shuffle Bytes Written']) ?? 0,
    records: (numeric(input['Records Read']) ?? 0) + (numeric(read['Total Records Read']) ?? 0),
    spillMemory: numeric(metrics['Memory Bytes Spilled']) ?? 0,
    spillDisk: numeric(metrics['Disk Bytes Spilled']) ?? 0,
    gc: numeric(metrics['JVM GC Time']) ?? 0,
    executor: String(info['Executor ID'] ?? '?'),
    index: numeric(info.Index) ?? -1,
  });
}

function countFailedTask(stage: SparkStage, info: Json, metrics: Json): void {
  stage.failedTasks++;
  const index = numeric(info.Index) ?? -1;
  const [shuffle, input] = [objectOf(metrics['Shuffle Read Metrics']), objectOf(metrics['Input Metrics'])];
  const read =
    (numeric(shuffle['Remote Bytes Read']) ?? 0) + (numeric(shuffle['Local Bytes Read']) ?? 0) + (numeric(input['Bytes Read']) ?? 0);
  const known = stage.failedIndexes.get(index);
  stage.failedIndexes.set(index, { times: (known?.times ?? 0) + 1, read: Math.max(known?.read ?? 0, read) });
}

function countFailure(app: SparkApplication, reason: Json, at: number | null): void {
  const word = textOf(reason.Reason) ?? 'unknown';
  const detail =
    textOf(reason['Loss Reason']) ??
    textOf(reason.Description) ??
    textOf(reason['Kill Reason']) ??
    textOf(reason.Message) ??
    textOf(objectsOf(reason['Accumulator Updates'])[0]?.Name) ??
    '';
  const name = textOf(reason['Class Name']);
  const key = name === undefined ? word : `${word}: ${name}`;
  const known = app.failures.get(key);
  if (known) known.count++;
  else app.failures.set(key, { count: 1, example: tellingLine(detail), first: at });
}

function numeric(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
