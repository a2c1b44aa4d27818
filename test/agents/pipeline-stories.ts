import { manifest, runResults } from '../tools/dbt/dbt-files.ts';
import { airflowFiles, FIRST, lineageRun, nights, type RunFact, type SparkTaskFact, sparkLog, type TaskFact } from './pipeline-files.ts';

/** An incident, and the same night without it; the files of each source, by `name=kind`. */
export interface PipelineStory {
  readonly name: string;
  readonly question: string;
  /** What the answer has to begin with or hold first. */
  readonly cause: RegExp;
  readonly files: (ill: boolean) => Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const DAY = 86_400;
const POOLS = [
  { name: 'default_pool', slots: 128 },
  { name: 'warehouse', slots: 4 },
];
const NIGHTS = 9;

const one = (task: string, ready: number, start: number, seconds: number, more: Partial<TaskFact> = {}): TaskFact => ({
  task,
  ready,
  start,
  end: start + seconds,
  ...more,
});

/** Tasks one after the other, two seconds apart. */
function chain(steps: readonly (readonly [string, number, Partial<TaskFact>?])[], from = 1): TaskFact[] {
  let at = from;
  return steps.map(([task, seconds, more]) => {
    const made = one(task, at, at + 2, seconds, more);
    at = made.end ?? at;
    return made;
  });
}

const airflow = (runs: readonly RunFact[]) => ({ 'runs=airflow-export': airflowFiles(runs, POOLS) });

const lateSensor = (ill: boolean) =>
  airflow([
    ...nights('finance_close', NIGHTS, (night, last) =>
      chain([
        ['wait_for_ledger', ill && last ? 6900 : 240 + night * 7, { operator: 'ExternalTaskSensor' }],
        ['extract', 300 + night],
        ['post', 200],
      ]),
    ),
    ...nights('ledger_export', NIGHTS, (night, last) => chain([['export', ill && last ? 6880 : 220 + night * 7]])),
  ]);

const retryStorm = (ill: boolean) =>
  airflow(
    nights('crm_sync', NIGHTS, (night, last) => {
      const tries = ill && last ? 4 : 1;
      const calls = Array.from({ length: 12 }, (_, index) =>
        one('call_api', 65, ill && last ? 65 + 1900 + index * 3 : 67 + index, 60 + (night % 3), { index, tries }),
      );
      const end = Math.max(...calls.map((task) => task.end ?? 0));
      return [one('list_accounts', 1, 3, 60), ...calls, one('merge', end, end + 2, 90)];
    }),
  );

/** A backfill of the same pipeline holds the pool. */
const ownBackfill = (ill: boolean) => {
  const loads = (from: number, width: number, night: number): TaskFact[] =>
    Array.from({ length: 8 }, (_, index) =>
      one('load', from, from + 2 + Math.floor(index / width) * 200, 190 + (night % 4), { index, pool: 'warehouse' }),
    );
  const regular = nights('orders_daily', NIGHTS, (night, last) => {
    const made = loads(60, ill && last ? 1 : 4, night);
    const end = Math.max(...made.map((task) => task.end ?? 0));
    return [one('extract', 1, 3, 57), ...made, one('publish', end, end + 2, 30)];
  });
  const at = FIRST + (NIGHTS - 1) * DAY - (ill ? 600 : 40_000);
  const backfill: RunFact = {
    dag: 'orders_daily',
    id: 'backfill__2026-01-01T00:00:00+00:00',
    type: 'backfill',
    at,
    tasks: Array.from({ length: 3 }, (_, index) => one('load', 0, 2, 4200, { index, pool: 'warehouse' })),
  };
  return airflow([...regular, backfill]);
};

const slowMapped = (ill: boolean) =>
  airflow(
    nights('tenant_reports', NIGHTS, (night, last) => {
      const made = Array.from({ length: 30 }, (_, index) =>
        one('report', 62, 64, index === 17 && ill && last ? 5400 : 100 + ((index + night) % 7), { index }),
      );
      const end = Math.max(...made.map((task) => task.end ?? 0));
      return [one('list_tenants', 1, 3, 58), ...made, one('mail', end, end + 2, 20)];
    }),
  );

/** Nothing started in any pipeline for forty minutes. */
const schedulerGap = (ill: boolean) => {
  const shift = (tasks: readonly TaskFact[], last: boolean): TaskFact[] =>
    tasks.map((task) =>
      ill && last && (task.start ?? 0) >= 300
        ? { ...task, start: (task.start ?? 0) + 2400, end: (task.end ?? 0) + 2400, ready: task.ready }
        : task,
    );
  return airflow(
    ['shop_load', 'web_load', 'stock_load'].flatMap((dag, place) =>
      nights(dag, NIGHTS, (night, last) =>
        shift(
          chain([
            ['extract', 290 + place + (night % 3)],
            ['load', 500 + place],
            ['check', 40],
          ]),
          last,
        ),
      ),
    ),
  );
};

const pausedPool = (ill: boolean) => ({
  'runs=airflow-export': airflowFiles(
    nights('exports', NIGHTS, (night, last) => [
      one('build', 1, 3, 300 + night),
      ill && last
        ? { task: 'ship', ready: 310, start: null, end: null, pool: 'partner', state: 'queued' }
        : one('ship', 304 + night, 306 + night, 60, { pool: 'partner' }),
    ]).map((run, place) => (ill && place === NIGHTS - 1 ? { ...run, state: 'running' } : run)),
    [...POOLS, { name: 'partner', slots: ill ? 0 : 4 }],
  ),
});

const deadlock = (ill: boolean) =>
  airflow(
    (
      [
        ['billing', 'wait_for_usage'],
        ['usage', 'wait_for_billing'],
      ] as const
    ).flatMap(([dag, sensor]) =>
      nights(dag, NIGHTS, (night, last) =>
        ill && last
          ? [
              one('extract', 1, 3, 120),
              one(sensor, 123, 125, 7200, { operator: 'ExternalTaskSensor', state: 'failed' }),
              { task: 'publish', ready: 7325, start: null, end: null, state: 'upstream_failed' },
            ]
          : chain([
              ['extract', 120 + (night % 4)],
              [sensor, 30, { operator: 'ExternalTaskSensor' }],
              ['publish', 50],
            ]),
      ).map((run, place) => (ill && place === NIGHTS - 1 ? { ...run, state: 'failed' } : run)),
    ),
  );

const total = (results: Parameters<typeof runResults>[0]): number => results.reduce((sum, [, , seconds]) => sum + seconds, 0);

const dbtPair = (
  before: { nodes: Parameters<typeof manifest>[0]; results: Parameters<typeof runResults>[0] },
  after: { nodes: Parameters<typeof manifest>[0]; results: Parameters<typeof runResults>[0]; full?: boolean },
) => {
  const [old, now] = [
    { invocation: 'run-mon', at: '2026-05-04T03:00:00Z' },
    { invocation: 'run-tue', at: '2026-05-05T03:00:00Z' },
  ];
  const results = runResults(after.results, now) as { args: Record<string, unknown>; elapsed_time: number };
  const first = runResults(before.results, old) as { elapsed_time: number };
  results.elapsed_time = total(after.results);
  first.elapsed_time = total(before.results);
  if (after.full) results.args = { ...results.args, full_refresh: true };
  return {
    'dbt=dbt': {
      'mon/manifest.json': manifest(before.nodes, old),
      'mon/run_results.json': first,
      'tue/manifest.json': manifest(after.nodes, now),
      'tue/run_results.json': results,
    },
  };
};

const events = { id: 'model.web.fct_events', sql: 'select *\nfrom raw', config: { materialized: 'incremental', unique_key: 'id' } };
const people = { id: 'model.web.dim_people', sql: 'select 1', config: { materialized: 'table' } };
const rows = (count: number) => ({ adapter_response: { rows_affected: count } });

const fullRefresh = (ill: boolean) =>
  dbtPair(
    {
      nodes: [events, people],
      results: [
        ['model.web.fct_events', 'success', 41, rows(120_000)],
        ['model.web.dim_people', 'success', 12, rows(9000)],
      ],
    },
    {
      nodes: [events, people],
      full: ill,
      results: [
        ['model.web.fct_events', 'success', ill ? 2950 : 42, rows(ill ? 88_000_000 : 121_000)],
        ['model.web.dim_people', 'success', 12.5, rows(9010)],
      ],
    },
  );

const goneTest = (ill: boolean) => {
  const test = { id: 'test.web.not_null_events_user.a1', test: 'not_null', column: 'user_id', parents: [events.id] };
  const other = { id: 'test.web.unique_events_id.b2', test: 'unique', column: 'id', parents: [events.id] };
  const model = (): [string, string, number, Record<string, unknown>] => [events.id, 'success', 40, rows(1000)];
  return {
    ...dbtPair(
      {
        nodes: [events, test, other],
        results: [model(), [test.id, ill ? 'fail' : 'pass', 1, { failures: ill ? 214 : 0 }], [other.id, 'pass', 1, { failures: 0 }]],
      },
      ill
        ? { nodes: [events, other], results: [model(), [other.id, 'pass', 1, { failures: 0 }]] }
        : {
            nodes: [events, test, other],
            results: [model(), [test.id, 'pass', 1, { failures: 0 }], [other.id, 'pass', 1, { failures: 0 }]],
          },
    ),
    'data=files': {
      'fct_events.csv': `id,user_id,day\n${Array.from({ length: 60 }, (_, row) => `${row + 1},${ill && row % 10 === 3 ? '' : 100 + (row % 9)},2026-05-0${1 + (row % 4)}`).join('\n')}\n`,
    },
  };
};

const becameView = (ill: boolean) => {
  const sessions = (materialized: string) => ({ id: 'model.web.int_sessions', sql: 'select heavy', config: { materialized } });
  const report = { id: 'model.web.mart_report', sql: 'select 2', config: { materialized: 'table' }, parents: ['model.web.int_sessions'] };
  return dbtPair(
    {
      nodes: [sessions('table'), report, people],
      results: [
        ['model.web.int_sessions', 'success', 300, rows(50_000)],
        ['model.web.mart_report', 'success', 20, rows(400)],
        ['model.web.dim_people', 'success', 12, rows(10)],
      ],
    },
    {
      nodes: [sessions(ill ? 'view' : 'table'), report, people],
      results: [
        ['model.web.int_sessions', 'success', ill ? 0.6 : 302, rows(50_000)],
        ['model.web.mart_report', 'success', ill ? 640 : 20.5, rows(401)],
        ['model.web.dim_people', 'success', 12.2, rows(10)],
      ],
    },
  );
};

const tasks = (count: number, make: (index: number) => SparkTaskFact): SparkTaskFact[] =>
  Array.from({ length: count }, (_, index) => make(index));

const lostExecutor = (ill: boolean) => ({
  'spark=logs': {
    'app-9': sparkLog(
      'daily_join',
      [
        {
          name: 'scan at job.py:5',
          seconds: 20,
          tasks: tasks(8, (index) => ({ seconds: 15 + (index % 3), executor: String(1 + (index % 4)) })),
        },
        {
          name: 'join at job.py:40',
          seconds: ill ? 400 : 60,
          tasks: [
            ...(ill ? tasks(3, () => ({ seconds: 20, executor: '3', failed: 'Executor heartbeat timed out after 130000 ms' })) : []),
            ...tasks(12, (index) => ({
              seconds: ill ? 180 + index : 40 + (index % 3),
              executor: String(ill ? 1 + (index % 2) : 1 + (index % 4)),
              spill: ill ? 700_000_000 : 0,
            })),
          ],
        },
      ],
      ill ? [{ executor: '3', at: 45, reason: 'Executor heartbeat timed out after 130000 ms' }] : [],
    ),
  },
});

const smallFiles = (ill: boolean) => ({
  'spark=logs': {
    'app-8': sparkLog('compact_events', [
      {
        name: 'parquet at load.py:12',
        seconds: ill ? 900 : 60,
        tasks: ill
          ? tasks(4000, () => ({ seconds: 1, input: 20_000, read: 0 }) as SparkTaskFact)
          : tasks(24, (index) => ({ seconds: 30 + (index % 4), input: 120_000_000, read: 0 }) as SparkTaskFact),
      },
      { name: 'save at load.py:30', seconds: 30, tasks: tasks(8, () => ({ seconds: 20 })) },
    ]),
  },
});

const lostInput = (ill: boolean) => ({
  'ol=openlineage': {
    'events.json': [
      ...[1, 2, 3, 4].flatMap((day) =>
        lineageRun({
          job: 'build_revenue',
          id: `r-rev-${day}`,
          at: `2026-05-0${day}T04:00:00Z`,
          inputs: ill && day === 4 ? ['shop.orders', 'shop.fx'] : ['shop.orders', 'shop.refunds', 'shop.fx'],
          outputs: ['mart.revenue'],
          rows: ill && day === 4 ? 1310 : 1000 + day * 5,
        }),
      ),
      ...[1, 2, 3, 4].flatMap((day) =>
        lineageRun({
          job: 'load_refunds',
          id: `r-ref-${day}`,
          at: `2026-05-0${day}T02:00:00Z`,
          inputs: ['raw.refunds'],
          outputs: ['shop.refunds'],
          rows: 90,
        }),
      ),
    ],
  },
});

const clockChange = (ill: boolean) => {
  const line = (minute: number, text: string): string => {
    const at = new Date(Date.UTC(2026, 5, 3, 1, minute)).toISOString().replace('T', ' ').slice(0, 19);
    return `${at} INFO loader ${text}`;
  };
  const lines = Array.from({ length: 120 }, (_, minute) =>
    ill && minute > 40 && minute < 95 ? [] : [line(minute, `loaded batch ${minute} rows 500`)],
  ).flat();
  return { 'logs=logs': { 'loader.log': `${lines.join('\n')}\n` } };
};

const zombie = (ill: boolean) => {
  const at = (second: number, text: string): string =>
    `[2026-07-01T01:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}.000+0000] {x.py:1} ${text}`;
  return {
    'logs=logs': {
      'dag_id=ml/run_id=r1/task_id=train/attempt=1.log': [
        at(0, 'INFO - Starting attempt 1 of 1'),
        at(20, 'WARNING - Retrying download of model.bin, read timed out'),
        at(200, 'INFO - epoch 3 of 9, resident memory 15.2 GB of 16 GB'),
        ...(ill ? [] : [at(600, 'INFO - Marking task as SUCCESS. dag_id=ml, task_id=train')]),
      ].join('\n'),
      'scheduler/scheduler.log': [
        at(1, 'INFO - Sending TaskInstanceKey(dag_id=ml, task_id=train) to executor'),
        ...(ill
          ? [
              at(
                520,
                "ERROR - Detected zombie job: {'full_filepath': '/dags/ml.py', 'simple_task_instance': <ml.train>} (See https://airflow.apache.org/docs/zombies)",
              ),
            ]
          : []),
      ].join('\n'),
      'worker/worker.log': ill
        ? [
            at(
              231,
              'INFO - Task ml.train pid 4411 exited with signal SIGKILL: Out of memory: Killed process 4411 (python) anon-rss:16120000kB',
            ),
          ].join('\n')
        : at(600, 'INFO - Task ml.train exited with return code 0'),
    },
  };
};

/** All that the worker says of it is the code that the task ended with. */
const killCode = (ill: boolean) => {
  const at = (minute: number, text: string): string => `[2026-07-01T01:${String(minute).padStart(2, '0')}:00.000+0000] {x.py:1} ${text}`;
  return {
    'logs=logs': {
      'dag_id=ml/run_id=r1/task_id=prepare/attempt=1.log': [
        at(0, 'INFO - Starting attempt 1 of 1'),
        at(1, 'INFO - Task exited with return code 0'),
      ].join('\n'),
      'dag_id=ml/run_id=r1/task_id=train/attempt=1.log': [
        at(2, 'INFO - Starting attempt 1 of 1'),
        at(3, 'WARNING - deprecated option seed'),
        at(14, `INFO - Task exited with return code ${ill ? -9 : 0}`),
      ].join('\n'),
      'scheduler/scheduler.log': [
        at(1, 'INFO - Sending TaskInstanceKey(dag_id=ml, task_id=train) to executor'),
        ...(ill ? [at(21, "ERROR - Detected zombie job: {'simple_task_instance': <ml.train>}")] : []),
      ].join('\n'),
    },
  };
};

/** One index takes as long every night; what is new is that the whole waits for the pool. */
const alwaysUneven = (ill: boolean) => {
  const regular = nights('partner_feed', NIGHTS, (night, last) => {
    const late = ill && last ? 4000 : 0;
    const made = Array.from({ length: 4 }, (_, index) =>
      one('send', 60, 62 + late, index === 2 ? 1900 + night : 100 + index, { index, pool: 'warehouse' }),
    );
    const end = Math.max(...made.map((task) => task.end ?? 0));
    return [one('extract', 1, 3, 57), ...made, one('publish', end, end + 2, 30)];
  });
  const blocker: RunFact = {
    dag: 'reload_history',
    id: 'manual__1',
    type: 'manual',
    at: FIRST + (NIGHTS - 1) * DAY - (ill ? 900 : 50_000),
    tasks: Array.from({ length: 4 }, (_, index) => one('reload', 0, 2, 4940, { index, pool: 'warehouse' })),
  };
  return airflow([...regular, blocker]);
};

/** The join is skewed every night; on the last night the scan reads small files. */
const alwaysSkewed = (ill: boolean) => {
  const night = (small: boolean) => [
    {
      name: 'scan at feed.py:3',
      seconds: small ? 900 : 60,
      tasks: small
        ? tasks(3000, () => ({ seconds: 1, input: 9000, read: 0 }))
        : tasks(8, () => ({ seconds: 50, input: 120_000_000, read: 0 })),
    },
    { name: 'join at feed.py:9', seconds: 100, tasks: [...tasks(9, () => ({ seconds: 10 })), { seconds: 95, read: 90_000 }] },
  ];
  return { 'spark=logs': { 'feed-1': sparkLog('feed', night(false), [], 1), 'feed-2': sparkLog('feed', night(ill), [], 2) } };
};

/** The task that waits names nothing; another pipeline that took no longer than usual ended while it waited. */
const namelessSensor = (ill: boolean) =>
  airflow([
    ...nights('daily_kpis', NIGHTS, (night, last) =>
      chain([
        ['upstream_sensor', ill && last ? 5000 : 200 + night],
        ['compute', 100 + night],
      ]),
    ),
    ...nights('clickstream', NIGHTS, (night, last) => chain([['ingest', ill && last ? 4950 : 190 + night]])),
    ...nights('housekeeping', NIGHTS, (night) => chain([['vacuum', 4900 + night]])),
  ]);

export const STORIES: readonly PipelineStory[] = [
  {
    name: 'a task that ended with the code of a kill',
    question: 'Why did the ml training fail?',
    files: killCode,
    cause: /^The first cause in the logs: 2026-07-01T01:14:00Z `train` attempt 1: "Task exited with return code -9"/,
  },
  {
    name: 'a pool taken, where one index is always slow',
    question: 'Why was partner_feed late last night?',
    files: alwaysUneven,
    cause: /^`reload_history` \(run `manual__1`\) held 4 of 4 slots of pool `warehouse`/,
  },
  {
    name: 'small files beside a skew that is there every night',
    question: 'Why was the Spark application feed slow?',
    files: alwaysSkewed,
    cause:
      /^In stage 0 "scan at feed\.py:3" .*small inputs: 3000 tasks read 9000 bytes each .*In stage 1 .*; so it was in the application before/,
  },
  {
    name: 'a sensor without a name of what it waits for',
    question: 'Why did daily_kpis finish so late last night?',
    files: namelessSensor,
    cause: /^`upstream_sensor` waited for something outside .*; `clickstream` .* duration 4954 s, the median of its runs \d/,
  },
  {
    name: 'a late upstream that a sensor waited for',
    question: 'Why was finance_close so late last night?',
    files: lateSensor,
    cause: /^`wait_for_ledger` waited for something outside .* 6900 s \(before: 264\.5 s\); `ledger_export` .* duration 6884 s/,
  },
  {
    name: 'a storm of retries',
    question: 'Why was the last run of crm_sync slow?',
    files: retryStorm,
    cause: /^`call_api` needed more than one try \(retried 12\).*waited 22998 s in all \(before: 90 s\)/,
  },
  {
    name: 'a backfill of the same pipeline in the pool',
    question: 'Why did orders_daily take so long last night?',
    files: ownBackfill,
    cause: /^`orders_daily` \(run `backfill__.*held 3 of 4 slots of pool `warehouse`/,
  },
  {
    name: 'one slow index of a mapped task',
    question: 'Why was tenant_reports slow last night?',
    files: slowMapped,
    cause: /^One task of `report` \(count 30\) took far longer .*`report` index 17 worked 5400 s; the median task 103 s/,
  },
  {
    name: 'a gap of the scheduler',
    question: 'Why was shop_load late last night?',
    files: schedulerGap,
    cause: /^Everything that ran at that time waited, not this pipeline alone: .*`web_load` waited 2406 s/,
  },
  {
    name: 'a pool without slots',
    question: 'What is holding up exports?',
    files: pausedPool,
    cause: /^Run .* of `exports` is not finished: `ship` has not started; it needs a slot of pool `partner` with slots 0/,
  },
  {
    name: 'a run that waits for a pool without slots',
    question: 'Why is exports still not finished?',
    files: pausedPool,
    cause: /^Run .* of `exports` is not finished: `ship` has not started; it needs a slot of pool `partner` with slots 0/,
  },
  {
    name: 'two sensors that wait for one another',
    question: 'Why did billing fail last night?',
    files: deadlock,
    cause: /^`wait_for_usage` waited in vain for `usage`, .*`wait_for_billing`: the two waited for one another/,
  },
  {
    name: 'an incremental model that was built anew',
    question: 'Why was the dbt run so slow last night?',
    files: fullRefresh,
    cause: /^The later run was a full refresh .*`model\.web\.fct_events` took 2950 s, before 41 s, its rows went from 120000 to 88000000/,
  },
  {
    name: 'a test that is gone',
    question: 'How did rows without a user get into fct_events? All tests pass.',
    files: goneTest,
    cause: /^1 tests disappeared.*214 failures/,
  },
  {
    name: 'a model that became a view',
    question: 'Why is mart_report slow since yesterday?',
    files: becameView,
    cause:
      /^`model\.web\.mart_report` took 640 s, before 20 s; .*`model\.web\.int_sessions`, .*materialized: table → view; it is no longer stored/,
  },
  {
    name: 'spill after an executor was lost',
    question: 'Why was the Spark job slow?',
    files: lostExecutor,
    cause: /^Executors were lost: executor 3 at/,
  },
  {
    name: 'too many small files',
    question: 'Why was compact_events slow last night?',
    files: smallFiles,
    cause: /4000 tasks read 20000 bytes each/,
  },
  {
    name: 'an input that a job no longer reads',
    question: 'Why is mart.revenue too high since yesterday?',
    files: lostInput,
    cause:
      /^`etl\/build_revenue` no longer reads `wh\/shop\.refunds` .*; it wrote, as dataset \/ rows, `wh\/mart\.revenue` \/ 1310, the run before it `wh\/mart\.revenue` \/ 1015/,
  },
  {
    name: 'a gap in a log',
    question: 'What happened in the loader on 3 June?',
    files: clockChange,
    cause: /^`loader\.log` holds no line from 2026-06-03T01:40:00Z to 2026-06-03T02:35:00Z, 3300 s, the next longest silence being 60 s/,
  },
  {
    name: 'a process killed for its memory behind a zombie',
    question: 'Why did the ml training fail?',
    files: zombie,
    cause: /^The first cause in the logs: 2026-07-01T01:03:51Z.*Out of memory/,
  },
];
