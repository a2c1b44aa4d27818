import { airflowFiles, FIRST, lineageRun, nights, type Pool, type RunFact, type TaskFact } from './pipeline-files.ts';
import type { PipelineStory } from './pipeline-stories.ts';

const DAY = 86_400;
const NIGHTS = 9;
const LAST = FIRST + (NIGHTS - 1) * DAY;
const ROOM: readonly Pool[] = [
  { name: 'default_pool', slots: 128 },
  { name: 'warehouse', slots: 16 },
];

const airflow = (runs: readonly RunFact[], pools = ROOM) => ({ 'runs=airflow-export': airflowFiles(runs, pools) });

const work = (task: string, ready: number, seconds: number, more: Partial<TaskFact> = {}): TaskFact => ({
  task,
  ready,
  start: ready + 2,
  end: ready + 2 + seconds,
  ...more,
});

const endOf = (tasks: readonly TaskFact[]): number => Math.max(...tasks.map(({ end }) => end ?? 0));

/** Loads that go through so many slots at once, each for 100 seconds. */
function loads(ready: number, count: number, width: number, host?: (index: number) => Partial<TaskFact>): TaskFact[] {
  return Array.from({ length: count }, (_, index) =>
    work('load', ready, 100, {
      index,
      pool: 'warehouse',
      start: ready + 2 + Math.floor(index / width) * 101,
      end: ready + 102 + Math.floor(index / width) * 101,
      ...host?.(index),
    }),
  );
}

const smallerPool = (ill: boolean) =>
  airflow(
    nights('orders_load', NIGHTS, (_, last) => loads(60, 64, ill && last ? 8 : 16)),
    [{ name: 'warehouse', slots: ill ? 8 : 16 }],
  );

const fileSensor = (ill: boolean) =>
  airflow(
    nights('partner_import', NIGHTS, (night, last) => {
      const ready = work('partner_file_ready', 1, ill && last ? 5400 : 300 + night, { operator: 'S3KeySensor' });
      return [ready, work('load', endOf([ready]), 200)];
    }),
  );

const hourly = (ill: boolean) =>
  airflow(
    Array.from({ length: 12 }, (_, hour): RunFact => {
      const late = ill && hour === 11 ? 2720 : 0;
      const pull = work('pull', 2 + late, ill && hour === 10 ? 6300 : 900 + hour);
      return { dag: 'hourly_events', id: `run_${hour}_of_day`, at: FIRST + hour * 3600, late, tasks: [pull] };
    }),
  );

const noWorker = (ill: boolean) =>
  airflow(
    nights('billing', NIGHTS, (night, last) => {
      const wait = ill && last ? 2400 : 3;
      const first = work('extract', 2, 300 + night, { queued: 3, start: 3 + wait, end: 303 + night + wait });
      const at = endOf([first]);
      return [first, work('load', at, 200, { queued: at + 1, start: at + 1 + wait, end: at + 201 + wait })];
    }),
  );

const leftOut = (ill: boolean) =>
  airflow(
    nights('daily_report', NIGHTS, (night, last) => {
      const check = work('check_source', 1, 20);
      if (ill && last) return [check, { task: 'load_delta', ready: 23, start: 23, end: 23, state: 'skipped' }, work('build', 24, 60)];
      const delta = work('load_delta', 23, 600 + night);
      return [check, delta, work('build', endOf([delta]), 60)];
    }),
  );

const byHand = (ill: boolean) =>
  airflow(
    nights('orders_mart', NIGHTS, (night, last) => {
      const extract = work('extract', 1, 300 + night);
      if (ill && last)
        return [
          extract,
          { task: 'load_orders', ready: 400, start: null, end: 2000, note: 'set to success by jo' },
          work('report', 2001, 40),
        ];
      const load = work('load_orders', endOf([extract]), 900 + night);
      return [extract, load, work('report', endOf([load]), 40)];
    }),
  );

/** The source keeps the last try alone: its times say nothing of the tries before it. */
const backoff = (ill: boolean) =>
  airflow(
    nights('ads_import', NIGHTS, (night, last) => {
      const tries = ill && last ? 5 : 1;
      const pull = work('pull_ads', tries > 1 ? 5098 : 14, 200 + night, { tries });
      return [work('login', 2, 10), pull, work('merge', endOf([pull]), 100)];
    }),
  );

const slowHost = (ill: boolean) =>
  airflow(
    nights('features', NIGHTS, (_, last) => {
      const slow = (index: number): boolean => ill && last && index % 4 === 2;
      const made = Array.from({ length: 16 }, (__, index) =>
        work('crunch', 60, slow(index) ? 1200 : 120 + (index % 3), { index, host: `worker-${1 + (index % 4)}` }),
      );
      return [...made, work('collect', endOf(made), 20)];
    }),
  );

const notThere = (ill: boolean) =>
  airflow([
    ...nights('ledger_close', NIGHTS, () => [work('close', 1, 300)]).slice(0, ill ? NIGHTS - 1 : NIGHTS),
    ...nights('other', NIGHTS, () => [work('sync', 1, 7000)]),
  ]);

const hanging = (ill: boolean) =>
  airflow([
    ...nights('exports', NIGHTS, (night, last) => {
      const extract = work('extract', 1, 300);
      if (ill && last) return [extract, { task: 'copy', ready: 305, start: 308, end: null, state: 'running' }];
      return [extract, work('copy', 305, 400 + night)];
    }).map((run) => (ill && run.at === LAST ? { ...run, state: 'running' } : run)),
    ...nights('other', NIGHTS, () => [work('sync', 1, 30_000)]),
  ]);

const noEnd = (ill: boolean) => ({
  'ol=openlineage': {
    'events.json': [1, 2, 3, 4, 5, 6].flatMap((day) => {
      const of = (job: string, hour: number): unknown[] =>
        lineageRun({ job, id: `${job}-${day}`, at: `2026-05-0${day}T0${hour}:00:00Z`, inputs: ['raw.orders'], outputs: ['mart.orders'] });
      const mart = of('orders.mart', 2);
      return [...(ill && day === 6 ? mart.slice(0, 1) : mart), ...of('pings', 9)];
    }),
  },
});

/** The whole run was ended while a task worked: no task is said to have failed. */
const ended = (ill: boolean) =>
  airflow(
    nights('training', NIGHTS, (night, last) => {
      const ingest = work('ingest', 1, 600);
      if (ill && last) return [ingest, { task: 'train', ready: 604, start: 606, end: 7200, state: 'skipped' }];
      return [ingest, work('train', 604, 2400 + night)];
    }).map((run) => (ill && run.at === LAST ? { ...run, state: 'failed' } : run)),
  );

const failedUpstream = (ill: boolean) => {
  const failing = (run: RunFact): RunFact => (ill && run.at === LAST ? { ...run, state: 'failed' } : run);
  return airflow([
    ...nights('books', NIGHTS, (night, last) => {
      const bad = ill && last;
      const ready = work('books_open', 1, bad ? 7200 : 300 + night, { operator: 'ExternalTaskSensor', state: bad ? 'failed' : 'success' });
      const more: Partial<TaskFact> = bad ? { start: null, state: 'upstream_failed' } : {};
      return [ready, work('close', endOf([ready]), 100, more)];
    }).map(failing),
    ...nights('ledger_open', NIGHTS, (night, last) => {
      const bad = ill && last;
      return [work('load', 1, bad ? 900 : 260 + night, { tries: bad ? 3 : 1, state: bad ? 'failed' : 'success' })];
    }).map(failing),
  ]);
};

const again = (ill: boolean) =>
  airflow(nights('shop', NIGHTS, (night, last) => [work('load', 1, 200 + night, { tries: ill && last ? 3 : 1 })]));

const manyFailed = (ill: boolean) =>
  airflow(
    [0, 1, 2, 3].flatMap((feed) =>
      nights(`feed_${feed}`, NIGHTS, (night, last) => [
        work('extract', 1, ill && last && feed > 0 ? 9 : 100 + night, { state: ill && last && feed > 0 ? 'failed' : 'success' }),
      ]).map((run) => (ill && run.at === LAST && feed > 0 ? { ...run, state: 'failed' } : run)),
    ),
  );

const ownLimit = (ill: boolean) => airflow(nights('partners', NIGHTS, (_, last) => loads(60, 16, ill && last ? 1 : 8)));

const ranTwice = (ill: boolean) => {
  const regular = nights('billing_export', NIGHTS, () => [work('export', 1, 300)]);
  const more: RunFact = { dag: 'billing_export', id: 'manual__by_kim', type: 'manual', at: LAST + 3000, tasks: [work('export', 1, 300)] };
  return airflow(ill ? [...regular, more] : regular);
};

/** A run that is at a task which is in this state since five past three. */
const atTask = (state: string, tries: number) => (ill: boolean) =>
  airflow([
    ...nights('weather', NIGHTS, (night, last) => {
      const prepare = work('prepare', 1, 60);
      if (ill && last) return [prepare, { task: 'fetch', ready: 298, start: 300, end: state === 'deferred' ? null : 400, state, tries }];
      return [prepare, work('fetch', 298, 100 + night)];
    }).map((run) => (ill && run.at === LAST ? { ...run, state: 'running' } : run)),
    ...nights('other', NIGHTS, () => [work('sync', 1, 30_000)]),
  ]);

const notBegun = (ill: boolean) =>
  airflow([
    ...nights('tax_report', NIGHTS, (_, last) => (ill && last ? [] : [work('calculate', 1, 300)])).map((run) =>
      ill && run.at === LAST ? { ...run, state: 'queued' } : run,
    ),
    ...nights('other', NIGHTS, () => [work('sync', 1, 30_000)]),
  ]);

const missing = /^`ledger_close` did not run: its last run is of 2026-05-09T03:00:00Z and the next was due at 2026-05-10T03:00:00Z/;
const stuck = /`exports` .*`copy` is running since 2026-05-10T03:05:08Z/;

export const RUN_STORIES: readonly PipelineStory[] = [
  {
    name: 'a pool that was made smaller',
    question: 'What is wrong with the last run of orders_load?',
    files: smallerPool,
    cause: /^Pool `warehouse` has slots 8, fewer than `load` normally takes of it; at most 8 `load` ran at once, normally 16 /,
  },
  {
    name: 'a sensor that only its operator gives away',
    question: 'Why was partner_import late last night?',
    files: fileSensor,
    cause: /^`partner_file_ready` waited for something outside of the run: it worked 5400 s \(before: 303\.5 s\)/,
  },
  {
    name: 'a run that had to wait for the one before it',
    question: 'Why was the latest run of hourly_events late?',
    files: hourly,
    cause:
      /^The run `run_11_of_day` .* began late, .*, 2720 s after it was due \(before: 0 s\): the run before it, `run_10_of_day`, ended only at 2026-05-02T14:45:05Z, duration 6305 s/,
  },
  {
    name: 'tasks that had a slot and no worker',
    question: 'Why was billing so slow last night, was it the pool?',
    files: noWorker,
    cause:
      /^The tasks had their slots and waited in the queue of the executor for a worker: queued 4800 s of 4802 s of waiting \(queued before: 6 s\)/,
  },
  {
    name: 'a task that was skipped',
    question: 'Why is the daily_report empty this morning? The run is green.',
    files: leftOut,
    cause: /^Not all tasks of run .* `load_delta` was skipped; in each of the 8 like runs they ran/,
  },
  {
    name: 'a task whose state was set by hand',
    question: 'Did all tasks of orders_mart run last night?',
    files: byHand,
    cause: /`orders_mart`, .* `load_orders` is success but never started, with the note "set to success by jo"/,
  },
  {
    name: 'tries whose times are not kept',
    question: 'Why did ads_import take so long last night?',
    files: backoff,
    cause: /^`pull_ads` was on try 5: idle 5084 s between the end of `login` and its last try/,
  },
  {
    name: 'a slow machine',
    question: 'Why was features slow last night?',
    files: slowHost,
    cause:
      /^Tasks of `crunch` took far longer on host `worker-3` than anywhere else: tasks there 4 with a median of 1200 s, others with a median of 121 s/,
  },
  {
    name: 'a run that was ended from outside',
    question: 'training is red, but no task failed. Why?',
    files: ended,
    cause:
      /^Run .* of `training` ended as failed though none of its tasks is said to have failed: `train` had worked 6594 s and was skipped, .* the run took a duration of 7201 s/,
  },
  {
    name: 'a sensor that waited for what had failed',
    question: 'Why did books fail last night?',
    files: failedUpstream,
    cause: /^`books_open` waited in vain for `ledger_open`: its run .* as failed: `load` failed at 2026-05-10T03:15:03Z on try 3 \[/,
  },
  {
    name: 'many pipelines that failed at once',
    question: 'What failed last night?',
    files: manyFailed,
    cause:
      /^Several pipelines failed on that day, not this one alone: `feed_1` in `extract`, `feed_2` in `extract` and `feed_3` in `extract`/,
  },
  {
    name: 'what went well at a later try',
    question: 'Did all tasks of shop succeed at the first try?',
    files: again,
    cause: /^Nothing is missing, stuck or failed .*, though in run .* `load` was on try 3/,
  },
  {
    name: 'a limit of tasks at once that is no pool',
    question: 'What is wrong with the last run of partners?',
    files: ownLimit,
    cause: /^Fewer tasks ran at once than normally though their pool had room for them: at most 1 `load` ran at once, normally 8 /,
  },
  {
    name: 'a pipeline that was started once more',
    question: 'Why did customers get their invoice twice last night?',
    files: ranTwice,
    cause:
      /^`billing_export` ran more than once: its run `\S+` started 2026-05-10T03:00:00Z, and `manual__by_kim` \(manual\) again at 2026-05-10T03:50:00Z, .* 86400 s/,
  },
  {
    name: 'a sensor that is deferred',
    question: 'What is weather waiting for?',
    files: atTask('deferred', 1),
    cause: /^Run .* of `weather` is not finished: `fetch` is deferred since 2026-05-10T03:05:00Z \(median before: 103\.5 s\)/,
  },
  {
    name: 'a task between two tries',
    question: 'Is anything stuck?',
    files: atTask('up_for_retry', 4),
    cause: /`weather` is running since .*; in it `fetch` is up_for_retry: its try 4 began 2026-05-10T03:05:00Z and failed/,
  },
  {
    name: 'a run that is queued and does not begin',
    question: 'Why has tax_report not started?',
    files: notBegun,
    cause: /^Run .* of `tax_report` has not begun, it is queued since 2026-05-10T03:00:00Z: no other run of the pipeline goes on/,
  },
  { name: 'a pipeline that did not run', question: 'Did everything run last night?', files: notThere, cause: missing },
  { name: 'a pipeline without its run', question: 'Why is there no ledger_close for last night?', files: notThere, cause: missing },
  { name: 'a task that hangs', question: 'Is anything stuck?', files: hanging, cause: stuck },
  { name: 'a run that is at its task', question: 'Why is exports not done yet?', files: hanging, cause: stuck },
  {
    name: 'a job that began and did not end',
    question: 'Did every job finish last night?',
    files: noEnd,
    cause: /^Run `orders\.mart-6` of `orders\.mart` is running since 2026-05-06T02:00:00Z and has no end/,
  },
];
