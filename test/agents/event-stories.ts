import { airflowFiles, FIRST, lineageRun, nights, type SparkTaskFact, sparkLog } from './pipeline-files.ts';
import type { PipelineStory } from './pipeline-stories.ts';

const DAY = 86_400;

const fewExecutors = (ill: boolean) => {
  const stages = (executors: number) => {
    const waves = 32 / (4 * executors);
    const tasks = Array.from({ length: 32 }, (_, index): SparkTaskFact => ({ seconds: 30, executor: String(index % executors) }));
    return [{ name: 'scan at etl.py:3', seconds: 30 * waves, tasks }];
  };
  return {
    'spark=logs': { 'etl-1': sparkLog('etl', stages(4), [], 1), 'etl-2': sparkLog('etl', stages(ill ? 1 : 4), [], 2) },
  };
};

/** A plan as Spark prints it: the tree, and each node of it once more. */
const planned = (day: number, join: string, seconds: number, read: number): string => {
  const plan = `== Physical Plan ==\nAdaptiveSparkPlan (4)\n+- * ${join} Inner (3)\n   :- Scan parquet orders (1)\n   +- Scan parquet people (2)\n\n(3) ${join} [codegen id : 2]\nLeft keys [1]: [id]\n`;
  const log = sparkLog(
    'joined',
    [
      {
        name: 'save at join.py:9',
        seconds,
        tasks: Array.from({ length: 8 }, () => ({ seconds: seconds - 10, read })),
      },
    ],
    [],
    day,
  );
  const event = {
    Event: 'org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart',
    executionId: 0,
    physicalPlanDescription: plan,
  };
  const [first = '', ...rest] = log.split('\n');
  return [first, JSON.stringify(event), ...rest].join('\n');
};

const otherJoin = (ill: boolean) => ({
  'spark=logs': {
    'joined-1': planned(1, 'BroadcastHashJoin', 40, 0),
    'joined-2': ill ? planned(2, 'SortMergeJoin', 700, 900_000) : planned(2, 'BroadcastHashJoin', 41, 0),
  },
});

const otherColumns = (ill: boolean) => ({
  'ol=openlineage': {
    'events.json': [1, 2, 3, 4].flatMap((day) => {
      const columns = ill && day === 4 ? { id: 'BIGINT', person: 'VARCHAR' } : { id: 'BIGINT', person: 'BIGINT', currency: 'VARCHAR' };
      const fields = Object.entries(columns).map(([name, type]) => ({ name, type }));
      const run = {
        job: 'load_orders',
        id: `run-${day}`,
        at: `2026-05-0${day}T04:00:00Z`,
        inputs: ['raw.orders'],
        outputs: ['shop.orders'],
      };
      return (lineageRun(run) as { inputs: object[] }[]).map((event) => ({
        ...event,
        inputs: event.inputs.map((input) => ({ ...input, facets: { schema: { fields } } })),
      }));
    }),
  },
});

const reasonInLog = (ill: boolean) => {
  const last = FIRST + 8 * DAY;
  const at = (second: number, level: string, text: string): string =>
    `[${new Date((last + second) * 1000).toISOString().slice(0, 23)}+0000] {local.py:1} ${level} - ${text}`;
  const runs = nights('shop_load', 9, (night, isLast) => {
    const failed = ill && isLast;
    return [
      { task: 'extract', ready: 1, start: 3, end: 300 + night },
      { task: 'load', ready: 310, start: 312, end: failed ? 330 : 700, state: failed ? 'failed' : 'success' },
    ];
  }).map((run) => (ill && run.at === last ? { ...run, state: 'failed' } : run));
  return {
    'runs=airflow-export': airflowFiles(runs, [{ name: 'default_pool', slots: 128 }]),
    'logs=logs': {
      'dag_id=shop_load/run_id=r9/task_id=load/attempt=1.log': [
        at(312, 'INFO', 'Starting attempt 1 of 1'),
        ...(ill
          ? [
              at(320, 'ERROR', 'Database Error in model orders'),
              at(321, 'ERROR', 'permission denied for table orders'),
              at(330, 'ERROR', 'Task failed with exception'),
            ]
          : []),
        at(331, 'INFO', `Marking task as ${ill ? 'FAILED' : 'SUCCESS'}. dag_id=shop_load, task_id=load`),
      ].join('\n'),
    },
  };
};

const fewRows = (ill: boolean) => {
  const bad = (day: number): boolean => ill && day === 4;
  return {
    'ol=openlineage': {
      'events.json': [1, 2, 3, 4].flatMap((day) => [
        ...lineageRun({
          job: 'load_orders',
          id: `load-${day}`,
          at: `2026-05-0${day}T04:00:00Z`,
          inputs: ['raw.orders'],
          outputs: ['shop.orders'],
          rows: bad(day) ? 0 : 4000 + day,
        }),
        ...lineageRun({
          job: 'make_mart',
          id: `mart-${day}`,
          at: `2026-05-0${day}T05:00:00Z`,
          inputs: ['shop.orders'],
          outputs: ['mart.orders'],
          rows: bad(day) ? 0 : 300,
        }),
      ]),
    },
  };
};

/** Kubernetes' own programs give the month and the day, and no year. */
const kubelet = (ill: boolean) => {
  const lines = Array.from({ length: 20 }, (_, minute) => {
    const at = `0609 02:${String(minute).padStart(2, '0')}:00.100000       1`;
    return ill && minute >= 9
      ? `E${at} pod_workers.go:1300] "Error syncing pod, skipping" err="Back-off pulling image registry.acme/loader"`
      : `I${at} kubelet.go:2100] "SyncLoop UPDATE" pod="prod/loader-0"`;
  });
  return { 'logs=logs': { 'kubelet.log': `${lines.join('\n')}\n` } };
};

/** A program that is ended from outside writes nothing of it. */
const restarted = (ill: boolean) => {
  const line = (minute: number, text: string): string => `${new Date(Date.UTC(2026, 5, 9, 1, minute)).toISOString()} INFO  main - ${text}`;
  const lines = Array.from({ length: 40 }, (_, minute) =>
    minute === 0 || (ill && minute % 5 === 0)
      ? line(minute, 'Starting loader version 3.2.0')
      : line(minute, `loaded window ${minute} with 2000 events`),
  );
  return { 'logs=logs': { 'loader.log': `${lines.join('\n')}\n` } };
};

/** A service that tells every minute that it lives. */
const heartbeat = (ill: boolean) => {
  const line = (minute: number, level: string, message: string): string =>
    JSON.stringify({ timestamp: new Date(Date.UTC(2026, 5, 9, 1, minute)).toISOString(), level, message });
  const lines = Array.from({ length: 50 }, (_, minute) => [
    line(minute, 'INFO', 'Application heartbeat'),
    ...(ill && minute >= 30 ? [line(minute, 'ERROR', `KeyError: 'discount' while pricing order ${minute}`)] : []),
  ]).flat();
  return { 'logs=logs': { 'pricing.jsonl': `${lines.join('\n')}\n` } };
};

export const EVENT_STORIES: readonly PipelineStory[] = [
  {
    name: 'fewer executors',
    question: 'Why was the Spark job etl slow last night?',
    files: fewExecutors,
    cause:
      /^It ran on fewer executors: used 1, in the application before used 4, while its tasks worked 960 s in all, before 960 s; duration 240 s, in the application before duration 60 s/,
  },
  {
    name: 'a join that is done otherwise',
    question: 'What changed in the Spark job joined since yesterday?',
    files: otherJoin,
    cause:
      /^What took longer .* stage 0 "save at join\.py:9" took a duration of 700 s, before 40 s, .* shuffle read 7200000 bytes, before 0; its joins are SortMergeJoin 1, before BroadcastHashJoin 1/,
  },
  {
    name: 'columns of an input that changed',
    question: 'shop.orders has wrong currencies since yesterday. What changed upstream?',
    files: otherColumns,
    cause:
      /^The columns of `wh\/raw\.orders` changed between 2026-05-03T04:05:00Z and 2026-05-04T04:00:00Z, by the events of `\S+`: removed `currency`, of another type `person: BIGINT → VARCHAR`/,
  },
  {
    name: 'a failed task whose log says why',
    question: 'Why did shop_load fail last night?',
    files: reasonInLog,
    cause:
      /^Run .* failed: `load` \(failed at 2026-05-10T03:05:30Z\); the log says why: 2026-05-10T03:05:20Z `load` attempt 1: "Database Error in model orders" .*, and next "permission denied for table orders" \[/,
  },
  {
    name: 'a load that wrote nothing, and what was made from it',
    question: 'Why is mart.orders empty since this morning?',
    files: fewRows,
    cause:
      /^`etl\/load_orders` wrote another amount than before in its run `load-4`, .* `wh\/shop\.orders` \/ 0, the run before it `wh\/shop\.orders` \/ 4003/,
  },
  {
    name: 'errors of Kubernetes',
    question: 'Why does the loader not start?',
    files: kubelet,
    cause: /^The first cause in the logs: .*Error syncing pod, skipping.*Back-off pulling image.*\(kubelet\.log:10\)/,
  },
  {
    name: 'a program that begins again and again',
    question: 'Why does the loader make no progress?',
    files: restarted,
    cause:
      /^It began again and again .* "main - Starting loader version 3\.2\.0", count 8, first 2026-06-09T01:00:00Z, last 2026-06-09T01:35:00Z/,
  },
  {
    name: 'errors between lines that only say that a service lives',
    question: 'pricing is broken. Why?',
    files: heartbeat,
    cause: /^The first cause in the logs: 2026-06-09T01:30:00Z "KeyError: 'discount' while pricing order 30"/,
  },
];
