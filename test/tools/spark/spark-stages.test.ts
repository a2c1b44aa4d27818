import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sparkStages } from '../../../tools/spark/spark-stages.ts';
import { callOver, type Data } from '../artifacts/call-tool.ts';

const T0 = 1_772_413_200_000;

function start(id = 'app-20260302-0001', at = T0): Data[] {
  return [
    { Event: 'SparkListenerLogStart', 'Spark Version': '3.5.1' },
    { Event: 'SparkListenerApplicationStart', 'App Name': 'nightly', 'App ID': id, Timestamp: at },
  ];
}

function task(stage: number, index: number, seconds: number, more: Data = {}): Data {
  const { read = 0, spill = 0, gc = 0, reason = { Reason: 'Success' }, input = 0 } = more;
  return {
    Event: 'SparkListenerTaskEnd',
    'Stage ID': stage,
    'Stage Attempt ID': 0,
    'Task End Reason': reason,
    'Task Info': { Index: index, 'Launch Time': T0, 'Finish Time': T0 + seconds * 1000, 'Executor ID': '1' },
    'Task Metrics': {
      'Executor Run Time': seconds * 1000,
      'JVM GC Time': gc * 1000,
      'Memory Bytes Spilled': spill * 2,
      'Disk Bytes Spilled': spill,
      'Input Metrics': { 'Bytes Read': input },
      'Shuffle Read Metrics': { 'Remote Bytes Read': read, 'Local Bytes Read': 0 },
    },
  };
}

function stage(id: number, tasks: number, more: Data = {}): Data {
  const info = {
    'Stage ID': id,
    'Stage Attempt ID': 0,
    'Stage Name': `stage ${id}`,
    'Number of Tasks': tasks,
    'Submission Time': T0,
    'Completion Time': T0 + 60_000,
    ...more,
  };
  return { Event: 'SparkListenerStageCompleted', 'Stage Info': info };
}

const END = { Event: 'SparkListenerApplicationEnd', Timestamp: T0 + 90_000 };
const lines = (events: readonly Data[]): string => `${events.map((one) => JSON.stringify(one)).join('\n')}\n`;

const skewed = lines([
  ...start(),
  ...[10, 11, 12, 13, 40].map((seconds, index) =>
    task(1, index, seconds, { read: index === 4 ? 5000 : 1000, spill: index === 4 ? 700 : 0 }),
  ),
  stage(1, 5),
  END,
]);

describe('spark_stages', () => {
  it('gives exact quantiles, and skew with what the slow task read', async () => {
    const { data, complete } = await callOver(sparkStages, { 'app-20260302-0001': skewed }, {}, 'logs');
    expect(complete).toBe(true);
    // Python: numpy.quantile([10, 11, 12, 13, 40], [0, .25, .5, .75, .95, 1]) = 10, 11, 12, 13, 34.6, 40
    expect(data.stages.items[0]).toMatchObject({
      task_s: { min: 10, p25: 11, median: 12, p75: 13, p95: 34.6, max: 40 },
      task_s_sum: 86,
      spill_disk_bytes: 700,
      duration_s: 60,
    });
    expect(data.stages.items[0].findings).toEqual([
      'skew: task 4 on executor 1 took 40 s, the median 12 s (3.3 times); it read 5000 bytes against a median of 1000: the data is skewed',
      'spill: 1 of 5 tasks spilled 700 bytes to disk',
    ]);
    expect(data).toMatchObject({
      app_name: 'nightly',
      spark_version: '3.5.1',
      duration_s: 90,
      tasks: 5,
      started_at: '2026-03-02T01:00:00.000Z',
    });
  });

  it('tells a slow task that did not read more from skewed data', async () => {
    const text = lines([...start(), ...[1, 1, 1, 9].map((seconds, index) => task(1, index, seconds, { read: 1000 })), stage(1, 4), END]);
    const { data } = await callOver(sparkStages, { 'app-1-1': text });
    expect(data.stages.items[0].findings[0]).toMatch(/not more data, a slow executor or slow rows/);
  });

  it('keeps failed and killed tasks out of the quantiles and says why they failed', async () => {
    const lost = {
      Reason: 'ExecutorLostFailure',
      'Loss Reason': 'Container killed by YARN for exceeding memory limits. 5.6 GB of 5.5 GB physical memory used.',
    };
    const text = lines([
      ...start(),
      task(1, 0, 2),
      task(1, 1, 50, { reason: lost }),
      task(1, 1, 50, { reason: lost }),
      task(1, 2, 9, { reason: { Reason: 'TaskKilled', 'Kill Reason': 'Stage cancelled' } }),
      {
        Event: 'SparkListenerExecutorRemoved',
        Timestamp: T0 + 50_000,
        'Executor ID': '3',
        'Removed Reason': 'Container killed by YARN for exceeding memory limits.',
      },
      stage(1, 3, { 'Failure Reason': 'Job aborted due to stage failure: Task 1 failed 4 times' }),
    ]);
    const { data, warnings } = await callOver(sparkStages, { 'app-1-1': text });
    expect(data.stages.items[0]).toMatchObject({
      status: 'failed',
      tasks: 1,
      failed_tasks: 2,
      killed_tasks: 1,
      task_s: { max: 2 },
      failure: 'Job aborted due to stage failure: Task 1 failed 4 times',
    });
    expect(data.failures.items[0]).toMatchObject({
      reason: 'ExecutorLostFailure',
      count: 2,
      example: expect.stringContaining('exceeding memory limits'),
    });
    expect(data.executors.lost.items).toEqual([
      { executor: '3', at: '2026-03-02T01:00:50.000Z', reason: 'Container killed by YARN for exceeding memory limits.' },
    ]);
    expect(warnings.map(({ code }) => code)).toContain('no_end');
    expect(data.ended_at).toBeNull();
  });

  it('says that the last line is cut, and keeps the rest', async () => {
    const { data, complete, warnings } = await callOver(sparkStages, {
      'app-1-1': `${lines([...start(), task(1, 0, 2)])}{"Event":"SparkListenerTaskE`,
    });
    expect(complete).toBe(false);
    expect(data).toMatchObject({ cut_last_line: true, bad_lines: 1, tasks: 1 });
    expect(data.stages.items[0].status).toBe('unfinished');
    expect(warnings.map(({ code }) => code)).toContain('cut_last_line');
  });

  it('joins the parts of a rolling log in the order of their numbers and misses none in silence', async () => {
    const parts = {
      'eventlog_v2_app-1/events_1_app-1': lines(start('app-1')),
      'eventlog_v2_app-1/events_2_app-1': lines([task(1, 0, 2)]),
      'eventlog_v2_app-1/events_10_app-1': lines([task(1, 1, 3), stage(1, 2), END]),
    };
    const { data, warnings } = await callOver(sparkStages, parts);
    expect(data).toMatchObject({ files: 3, tasks: 2, app_id: 'app-1', duration_s: 90 });
    expect(warnings).toContainEqual({
      code: 'parts_missing',
      message: 'parts 3, 4, 5, 6, 7, 8, 9 of the rolling log are not in the folder',
    });
  });

  it('reads gzip, and says of lz4 that it cannot', async () => {
    expect((await callOver(sparkStages, { 'app-1-1.gz': gzipSync(skewed) })).data).toMatchObject({ tasks: 5 });
    const packed = await callOver(sparkStages, { 'app-1-1.lz4': Buffer.concat([Buffer.from('LZ4Block'), Buffer.alloc(64)]) });
    expect(packed).toMatchObject({ complete: false });
    expect(packed.warnings[0]?.message).toMatch(/compressed with lz4/);
  });

  it('reads zstd', async () => {
    // One frame with one raw block: magic, a single segment of two bytes of length, the block's header, the text.
    const text = Buffer.from(skewed);
    const frame = Buffer.alloc(6 + 3);
    frame.writeUInt32LE(0xfd2fb528, 0);
    frame.writeUInt8(0x60, 4);
    const header = Buffer.concat([frame.subarray(0, 5), Buffer.from([(text.length - 256) & 0xff, (text.length - 256) >> 8])]);
    const block = Buffer.alloc(3);
    block.writeUIntLE((text.length << 3) | 1, 0, 3);
    const { data } = await callOver(sparkStages, { 'app-1-1.zstd': Buffer.concat([header, block, text]) });
    expect(data).toMatchObject({ tasks: 5, app_id: 'app-20260302-0001' });
  });

  it('takes the application that started last and finds another by its id', async () => {
    const files = {
      'app-1-1': lines([...start('one', T0), task(1, 0, 1)]),
      'app-1-2': lines([...start('two', T0 + 5000), task(1, 0, 1), task(1, 1, 1)]),
    };
    expect((await callOver(sparkStages, files)).data).toMatchObject({ app_id: 'two', other_apps: ['one (nightly)'] });
    expect((await callOver(sparkStages, files, { app: 'one' })).data).toMatchObject({ app_id: 'one', tasks: 1 });
    expect(await callOver(sparkStages, files, { app: 'three' })).toMatchObject({ status: 'refused' });
  });

  it('finds many small inputs and garbage collection', async () => {
    const text = lines([
      ...start(),
      ...Array.from({ length: 20 }, (_, index) => task(1, index, 1, { input: 1024, gc: 0.5 })),
      stage(1, 20),
      END,
    ]);
    const { data } = await callOver(sparkStages, { 'app-1-1': text });
    expect(data.stages.items[0].findings).toEqual([
      'small inputs: 20 tasks read 1024 bytes each (median)',
      'garbage collection: 50 % of executor run time',
    ]);
  });

  it('stays below ten thousand characters for 500 stages that failed', async () => {
    const events = Array.from({ length: 500 }, (_, id) => [
      task(id, 0, 1, { reason: { Reason: `Odd${id}${'r'.repeat(300)}`, Description: 'd'.repeat(900) } }),
      stage(id, 1, { 'Stage Name': 'n'.repeat(900), 'Failure Reason': 'f'.repeat(900) }),
    ]);
    const result = await callOver(sparkStages, { 'app-1-1': lines([...start(), ...events.flat()]) }, { limit: 200 });
    expect(JSON.stringify(result).length).toBeLessThan(10_000);
    expect(result).toMatchObject({ complete: false, total: 500 });
  });
});

describe('an event log that is one document', () => {
  const events = skewed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Data);
  it.each([
    ['one list on a line', JSON.stringify(events)],
    ['one list over many lines', JSON.stringify(events, null, 2)],
    ['an event over many lines', events.map((event) => JSON.stringify(event, null, 1)).join('\n')],
    ['a list with an end of its own, packed', gzipSync(`${JSON.stringify(events)}\n`)],
    ['a list longer than a line may be', JSON.stringify([{ ...events[0], more: 'x'.repeat(1_500_000) }, ...events.slice(1)])],
  ])('is read as its lines would be: %s', async (_, text) => {
    const { data, status, warnings } = await callOver(sparkStages, { 'app.json': text });
    expect(data).toMatchObject({ app_id: 'app-20260302-0001', events: 9, bad_lines: 0, cut_last_line: false, tasks: 5 });
    expect({ status, warnings }).toEqual({ status: 'ok', warnings: [] });
  });

  it('is cut where its list does not end', async () => {
    const { data } = await callOver(sparkStages, { 'app.json': JSON.stringify(events).slice(0, -30) });
    expect(data).toMatchObject({ events: 8, bad_lines: 1, cut_last_line: true });
  });
});
