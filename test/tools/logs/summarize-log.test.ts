import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { summarizeLog } from '../../../tools/logs/summarize-log.ts';
import { type LogSummary, summaryOutput } from '../../../tools/logs/summary-schema.ts';
import { runOnFolder, withFolder } from './log-context.ts';

const cases = fileURLToPath(new URL('../../cases/', import.meta.url));

async function summarize(folder: string, input: Record<string, unknown> = {}) {
  const outcome = await runOnFolder<LogSummary>(summarizeLog, folder, input);
  expect(JSON.stringify(outcome).length).toBeLessThan(10_000);
  return outcome;
}

async function summarizeText(text: string | Buffer, input: Record<string, unknown> = {}, name = 'a.log') {
  let found: Awaited<ReturnType<typeof summarize>> | undefined;
  await withFolder(async (folder) => {
    await writeFile(join(folder, name), text);
    found = await summarize(folder, input);
  });
  return found!;
}

const airflow = (clock: string, message: string, level = 'INFO'): string => `[2026-03-02T${clock}+0000] {x.py:1} ${level} - ${message}\n`;

describe('summarize_log on a night in four formats', () => {
  const folder = join(cases, 'mixed-log-formats');
  const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));

  it('finds the first error and the first warning in UTC across files', async () => {
    const { data } = await summarize(folder);
    expect(data.first_error?.time).toBe(expected.first_error_utc);
    expect(data.first_error?.text).toContain(expected.first_error);
    expect(data.first_error?.likely_consequence).toBeUndefined();
    expect(data.first_warning?.time).toBe(expected.first_warning_utc);
  });

  it('counts attempts, not files, and reads the final states', async () => {
    const { data } = await summarize(folder);
    expect(Object.fromEntries(data.tasks.items.map((task) => [task.task, task.attempts]))).toEqual(expected.attempts);
    const states = Object.fromEntries(data.tasks.items.map((task) => [task.task, task.final_state]));
    expect(states).toMatchObject(expected.final_state);
    expect(data.executions.items.find((execution) => execution.task === 'report')?.start).toBe(expected.report_start_utc);
  });

  it('marks the wrappers as consequences and shows the chain root first', async () => {
    const { data } = await summarize(folder);
    const chain = data.exceptions.items.find((exception) => exception.task === 'dbt_run');
    expect(chain?.likely_consequence).toBe(true);
    expect(chain?.chain.map((exception) => exception.message)).toEqual([
      'dbt failed',
      'Bash command failed. The command returned a non-zero exit code 1.',
    ]);
    expect(chain?.chain[1]?.link).toBe('direct_cause');
  });

  it('says what could not be read: bad lines, a missing zone', async () => {
    const { data, warnings } = await summarize(folder);
    expect(data.totals.unparsable_lines).toBe(expected.bad_json_lines);
    expect(data.totals.records_without_zone).toBe(expected.json_lines_without_zone);
    const file = data.files.items.find((one) => one.file === 'extract.attempt_1.jsonl');
    expect(file).toMatchObject({ cut_last_line: true, unparsable_lines: 2 });
    expect(file?.unparsable_examples?.map((bad) => bad.line)).toEqual([4, 5]);
    expect(warnings.map((warning) => warning.code)).toEqual(expect.arrayContaining(['zone_assumed', 'unparsable_lines']));
  });

  it('counts the message that both attempts of one task write as one, seen twice', async () => {
    const { data } = await summarize(folder, { task: 'dbt_run' });
    const groups = data.messages.items.filter((group) => group.template.includes('paid_at'));
    expect(groups).toHaveLength(expected.distinct_error_messages_dbt_run);
    expect(groups[0]?.count).toBe(expected.times_column_error_seen);
    expect(data.first_error_below_error_level?.text).toContain('Database Error in model stg_payments');
    expect(data.first_error?.likely_consequence).toBe(true);
  });

  it('meets its own output schema and orders the timeline by time', async () => {
    const { data } = await summarize(folder);
    expect(() => summaryOutput.parse(data)).not.toThrow();
    const times = data.timeline.items.map((event) => (event.time ?? event.after ?? '').slice(0, 19));
    expect(times).toEqual([...times].sort());
  });

  it('keeps to a time window', async () => {
    const { data } = await summarize(folder, { since: '2026-03-02T02:08:00Z', until: '2026-03-02 03:11:25+01:00' });
    expect(data.timeline.items.map((event) => event.time)).toEqual([
      '2026-03-02T02:08:12.000Z',
      '2026-03-02T02:11:20.500Z',
      '2026-03-02T02:11:21.000Z',
      '2026-03-02T02:11:21.200Z',
    ]);
    expect((await summarize(folder, { since: 'yesterday' })).status).toBe('refused');
  });
});

describe('summarize_log on a retry that appends', () => {
  it('adds the rows up that each attempt committed', async () => {
    const { data } = await summarize(join(cases, 'retry-duplicates'), { limit: 10 });
    const rows = data.timeline.items
      .filter((event) => event.kind === 'rows')
      .map(({ attempt, rows: sum, times }) => ({ attempt, sum, times }));
    expect(rows).toEqual([
      { attempt: 1, sum: '600', times: 3 },
      { attempt: 2, sum: '1007', times: 6 },
    ]);
    expect(data.first_error?.text).toContain('SSL connection has been closed unexpectedly');
    expect(data.tasks.items).toMatchObject([{ pipeline: 'orders', task: 'load_orders', attempts: 2, final_state: 'success' }]);
  });

  it('passes over the data files beside the logs', async () => {
    const { data } = await summarize(join(cases, 'retry-duplicates'));
    expect(data.totals.files_skipped).toBe(3);
  });
});

describe('summarize_log on hard files', () => {
  it('answers in part, and says so, when its time is over', async () => {
    await withFolder(async (folder) => {
      await writeFile(join(folder, 'a.log'), airflow('01:00:00.0', 'x'));
      const scope = new Scope();
      scope.stop({ kind: 'timeout', seconds: 1 });
      const { status, complete, warnings, data } = await runOnFolder<LogSummary>(summarizeLog, folder, {}, scope);
      expect({ status, complete, read: data.totals.bytes_read }).toEqual({ status: 'partial', complete: false, read: 0 });
      expect(warnings[0]?.code).toBe('not_all_read');
    });
  });

  it('answers within its size for 700 different messages and gives the totals', async () => {
    const word = (at: number): string => [...String(at)].map((digit) => 'qwertyuiop'[Number(digit)]).join('');
    const text = Array.from({ length: 700 }, (_, at) => airflow('01:00:00.000', `${word(at)} failed ${'x'.repeat(300)}`, 'ERROR')).join('');
    const { data, status, complete } = await summarizeText(text, { limit: 200 });
    expect(data.messages.total).toBe(700);
    expect(data.messages.returned).toBe(data.messages.items.length);
    expect({ status, complete }).toEqual({ status: 'partial', complete: false });
    expect(data.totals.by_level).toEqual({ error: 700 });
  });

  it('reads gzip by its magic, and what a cut gzip still holds', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => airflow('01:00:00.000', `row ${(at * 7919) % 10007} ${Math.sin(at)}`)).join('');
    const packed = gzipSync(lines);
    const whole = await summarizeText(packed, {}, 'a.log');
    expect(whole.data.totals.records).toBe(20_000);
    expect(whole.data.files.items[0]?.compression).toBe('gzip');
    const cut = await summarizeText(packed.subarray(0, packed.length - 2000), {}, 'a.log.gz');
    expect(cut.status).toBe('partial');
    expect(cut.data.totals.records).toBeGreaterThan(1000);
    expect(cut.data.files.items[0]?.problem).toContain('gzip');
  });

  it('reads UTF-16, a byte order mark and Latin-1', async () => {
    const line = airflow('01:00:00.5', 'Größe falsch', 'ERROR');
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(line, 'utf16le')]);
    for (const [bytes, encoding] of [
      [utf16, 'utf-16le'],
      [Buffer.from(line, 'latin1'), 'latin-1'],
      [Buffer.from(`\ufeff${line}`), undefined],
    ] as const) {
      const { data } = await summarizeText(bytes);
      expect(data.first_error).toMatchObject({ time: '2026-03-02T01:00:00.5Z', text: 'Größe falsch' });
      expect(data.files.items[0]?.encoding).toBe(encoding);
    }
  });

  it('bounds a line without an end and says so', async () => {
    const { data, warnings } = await summarizeText(
      `${airflow('01:00:00.0', 'x'.repeat(3_000_000))}${airflow('01:00:01.0', 'after', 'ERROR')}`,
    );
    expect(data.first_error).toMatchObject({ line: 2, time: '2026-03-02T01:00:01.0Z' });
    expect(warnings.map((warning) => warning.code)).toContain('long_lines');
  });

  it('knows a Spark event log and does not call its lines unparsable', async () => {
    const failed = {
      Event: 'SparkListenerTaskEnd',
      'Task Info': { 'Finish Time': 1750896418379 },
      'Task End Reason': { Reason: 'ExceptionFailure', Description: 'disk full' },
    };
    const { data } = await summarizeText(
      `{"Event":"SparkListenerLogStart","Spark Version":"3.5.3"}\n${JSON.stringify(failed)}\n`,
      {},
      'app_1',
    );
    expect(data.files.items[0]).toMatchObject({ formats: ['spark_event_log'] });
    expect(data.totals.unparsable_lines).toBe(0);
    // 1750896418 s is 2025-06-26T00:06:58Z (Python: datetime.utcfromtimestamp).
    expect(data.first_error).toMatchObject({ time: '2025-06-26T00:06:58.379Z', text: 'SparkListenerTaskEnd: ExceptionFailure disk full' });
  });

  it('says that a binary file, a JSON document and a folder without logs hold none', async () => {
    expect((await summarizeText(Buffer.alloc(5000))).data.files.items[0]?.problem).toContain('zero bytes');
    expect((await summarizeText('{\n  "a": 1\n}\n', {}, 'a.json')).status).toBe('no_data');
    expect((await summarizeText('a,b\n', {}, 'a.csv')).warnings[0]?.code).toBe('no_files');
  });

  it('joins a traceback whose lines are records of their own', async () => {
    const text = ['Traceback (most recent call last):', '  File "a.py", line 3, in f', "KeyError: 'amount'", 'bye']
      .map((message, at) => airflow(`01:00:0${at}.0`, message))
      .join('');
    const { data } = await summarizeText(text);
    expect(data.exceptions.items).toMatchObject([{ root: "KeyError: 'amount'", at: 'a.py:3', first: '2026-03-02T01:00:00.0Z' }]);
  });

  it('continues an attempt that was deferred instead of counting it again', async () => {
    const text = [
      'Dependencies all met for dep_context=non-requeueable deps ti=<TaskInstance: shop.wait scheduled__2026-03-01 [queued]>',
      'Starting attempt 1 of 2',
      'Pausing task as DEFERRED. dag_id=shop, task_id=wait, run_id=scheduled__2026-03-01',
      'Starting attempt 1 of 2',
      'Marking task as SUCCESS. dag_id=shop, task_id=wait, run_id=scheduled__2026-03-01',
    ].map((message, at) => airflow(`01:00:0${at}.0`, message));
    const { data } = await summarizeText(text.join(''));
    expect(data.executions.items).toMatchObject([
      {
        pipeline: 'shop',
        task: 'wait',
        attempt: 1,
        of: 2,
        start: '2026-03-02T01:00:00.0Z',
        end: '2026-03-02T01:00:04.0Z',
        outcome: 'success',
      },
    ]);
  });

  it('says that dates are unknown when only clock times are given', async () => {
    const { data, warnings } = await summarizeText('02:03:10  Running with dbt=1.8.3\n02:03:11  Database Error in model a (a.sql)\n');
    expect(data.files.items[0]).toMatchObject({ formats: ['dbt_text'], records_without_date: 2, first_time: null });
    expect(warnings.map((warning) => warning.code)).toContain('date_unknown');
    expect(data.first_error_below_error_level).toMatchObject({ time: null, text: 'Database Error in model a (a.sql)' });
  });
});

describe('a traceback of which a container wrote every line by itself', () => {
  const lines = ['INFO start', 'Traceback (most recent call last):', '  File "/a.py", line 3, in f', 'ValueError: bad row', 'INFO end'];
  it.each([
    ['JSON', (line: string, at: number) => JSON.stringify({ log: `${line}\n`, stream: 'stderr', time: `2026-05-01T10:00:0${at}Z` })],
    ['text', (line: string, at: number) => `2026-05-01T10:00:0${at}Z stderr F ${line}`],
  ])('is one exception, in %s', async (_, write) => {
    const { data } = await summarizeText(lines.map(write).join('\n'));
    expect(data.exceptions.items).toMatchObject([{ root: 'ValueError: bad row', at: '/a.py:3', first: '2026-05-01T10:00:01Z' }]);
    expect(data.totals.by_level.info).toBe(2);
  });

  it('says once what a program died of', async () => {
    const { data } = await summarizeText('2026-05-01 10:00:00 INFO start\npanic: boom\n\ngoroutine 1 [running]:\n');
    expect(data.first_error?.text).toBe('panic: boom');
  });
});

describe('a log in the form of a table', () => {
  const line = '2026-05-01 10:00:30.1 UTC,"a","b",1,"h:1",x.1,1,"SELECT",t,3/1,0,ERROR,42P01,"no table here",,';
  it.each([
    'postgresql-2026-05-01_000000.csv',
    'postgresql-Fri.csv',
    'postgresql.csv',
    'postgresql.log.2026-05-01-10.csv',
    'db-csvlog.csv',
  ])('is read as one by its name, beside tables that are none: %s', async (name) => {
    await withFolder(async (folder) => {
      await writeFile(join(folder, name), `${line}\n`);
      await writeFile(join(folder, 'postgres_customers.csv'), 'id,name\n1,ERROR\n');
      const { data } = await summarize(folder);
      expect(data.totals).toMatchObject({ files: 1, files_skipped: 1, by_level: { error: 1 } });
      expect(data.first_error?.text).toBe('no table here');
    });
  });
});
