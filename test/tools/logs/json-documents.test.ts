import { describe, expect, it } from 'vitest';
import { searchLogs } from '../../../tools/logs/search-logs.ts';
import { summarizeLog } from '../../../tools/logs/summarize-log.ts';
import { callOver, type Data } from '../artifacts/call-tool.ts';

const RECORDS = [
  { timestamp: '2026-03-02T01:00:00Z', level: 'info', event: 'Task started', note: 'a } { ] in "text"' },
  { timestamp: '2026-03-02T01:00:05Z', level: 'error', event: 'relation "orders" does not exist' },
];

const summary = (files: Record<string, unknown>): Promise<{ data: Data; complete: boolean }> => callOver(summarizeLog, files, {}, 'logs');

describe('logs written as JSON documents', () => {
  it.each([
    ['a list over many lines', JSON.stringify(RECORDS, null, 2)],
    ['a list on one line', JSON.stringify(RECORDS)],
    ['objects over many lines, one after the other', RECORDS.map((one) => JSON.stringify(one, null, 4)).join('\n')],
    ['an answer that wraps a list', JSON.stringify({ content: RECORDS, continuation_token: 'x' })],
    ['an answer that wraps a list, over many lines', JSON.stringify({ data: { total: 2, logs: RECORDS } }, null, 2)],
    [
      'answers of a search engine, one a line',
      RECORDS.map((one) => JSON.stringify({ hits: { hits: [{ _id: 1, _source: one }] } })).join('\n'),
    ],
  ])('reads %s', async (_, text) => {
    const { data, complete } = await summary({ 'log.json': text });
    expect(complete).toBe(true);
    expect(data.totals).toMatchObject({ records: 2, by_level: { info: 1, error: 1 }, unparsable_lines: 0 });
    expect(data.first_error).toMatchObject({ time: '2026-03-02T01:00:05Z', text: 'relation "orders" does not exist' });
  });

  it('numbers a record by the line on which it begins, and finds what it holds', async () => {
    const { data } = await callOver(searchLogs, { 'log.json': JSON.stringify(RECORDS, null, 2) }, { pattern: 'does not exist' }, 'logs');
    expect(data.matches).toMatchObject([{ line: 8, level: 'error' }]);
  });

  it('keeps a line nested beyond measure as text, in a log of lines and in documents', async () => {
    const deep = `{"timestamp":"2026-03-02T01:00:00Z","level":"error","event":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`;
    for (const text of [`${JSON.stringify(RECORDS[1])}\n${deep}\n`, `${deep}\n${JSON.stringify(RECORDS[1])}\n`]) {
      const { data } = await summary({ 'log.json': text });
      expect(data.totals).toMatchObject({ records: 2, by_level: { error: 1, unknown: 1 } });
      const found = await callOver(searchLogs, { 'log.json': text }, { pattern: '"a":' }, 'logs');
      expect(found.data.total_matches).toBe(1);
    }
  });

  it('counts a record that is cut off', async () => {
    const { data } = await summary({ 'log.json': JSON.stringify(RECORDS, null, 2).slice(0, -30) });
    expect(data.totals).toMatchObject({ unparsable_lines: 1 });
    expect(data.files.items[0]).toMatchObject({ cut_last_line: true });
  });

  it('reads the text that Airflow 2 wraps, as it stands and as Python writes it', async () => {
    const log = "[2026-03-02T01:00:05.000+0000] {taskinstance.py:1} ERROR - it's broken";
    const plain = await summary({ 'a.json': JSON.stringify({ content: `*** Found local files\n${log}\n` }) });
    const python = await summary({
      'a.json': JSON.stringify({ content: `[('worker-1', '*** Found\\n${log.replace("'", "\\'")}\\n')]`, continuation_token: '' }),
    });
    for (const { data } of [plain, python])
      expect(data.first_error).toMatchObject({ time: '2026-03-02T01:00:05.000Z', text: "it's broken" });
  });

  it('takes a document without entries for no log', async () => {
    const { data } = await summary({
      'm.json': JSON.stringify({ nodes: { a: { x: 1 } }, results: [{ status: 'pass', message: 'fine' }] }, null, 2),
    });
    expect(data.files.items[0]).toMatchObject({ formats: ['json_document'], records: 0 });
  });
});

const RUN = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

describe('logs of Dagster', () => {
  const console = (level: string, rest: string, second: number): string =>
    `2026-03-02 01:00:0${second} +0000 - dagster - ${level} - nightly - ${RUN} - 42 - ${rest}`;

  it('reads the console: steps with their outcome, the cause of a failure, wrappers as consequences', async () => {
    const text = [
      console('DEBUG', 'RUN_START - Started execution of run for "nightly".', 0),
      console('DEBUG', 'load - STEP_START - Started execution of step "load".', 1),
      console('ERROR', 'load - STEP_FAILURE - Execution of step "load" failed.', 2),
      '',
      'dagster._core.errors.DagsterExecutionStepExecutionError: Error occurred while executing op "load":',
      '',
      'Stack Trace:',
      '  File "/app/plan.py", line 28, in run',
      '',
      'The above exception was caused by the following exception:',
      "KeyError: 'paid_at'",
      '',
      'Stack Trace:',
      '  File "/app/ops.py", line 12, in load',
      console('ERROR', 'RUN_FAILURE - Execution of run for "nightly" failed. Steps failed: [\'load\'].', 3),
    ].join('\n');
    const { data } = await summary({ 'dagster.log': text });
    expect(data.exceptions.items[0]).toMatchObject({ root: "KeyError: 'paid_at'", at: '/app/ops.py:12' });
    expect(data.executions.items).toMatchObject([{ pipeline: 'nightly', task: 'load', attempt: 1, outcome: 'failed', run_id: RUN }]);
    expect(data.first_error).toMatchObject({ time: '2026-03-02T01:00:02Z', task: 'load' });
    expect(data.timeline.items.at(-1)).toMatchObject({ likely_consequence: true });
    expect(data.files.items[0].formats).toEqual(['dagster_text']);
  });

  it('reads stored events: levels as numbers, retries counted as attempts', async () => {
    const event = (kind: string, second: number, level: number, more: Data = {}): string =>
      JSON.stringify({
        timestamp: 1_772_413_200 + second,
        level,
        run_id: RUN,
        message: kind.toLowerCase(),
        dagster_event: { event_type_value: kind, step_key: 'load', job_name: 'nightly', event_specific_data: more },
      });
    const text = [
      event('STEP_START', 0, 10),
      event('STEP_UP_FOR_RETRY', 1, 20, { error: { cls_name: 'TimeoutError', message: 'TimeoutError: slow' } }),
      event('STEP_RESTARTED', 2, 10),
      event('STEP_SUCCESS', 3, 10),
    ].join('\n');
    const { data } = await summary({ 'events.jsonl': text });
    expect(data.executions.items).toMatchObject([
      { attempt: 1, outcome: 'up_for_retry' },
      { attempt: 2, outcome: 'success' },
    ]);
    expect(data.tasks.items).toMatchObject([{ task: 'load', attempts: 2, final_state: 'success' }]);
    expect(data.exceptions.items[0]).toMatchObject({ root: 'TimeoutError: slow', first: '2026-03-02T01:00:01.000Z' });
  });
});

describe('the export of a journal', () => {
  it('is an entry between two blank lines, with its time, its level and the line on which it begins', async () => {
    const entry = (second: number, priority: number) =>
      `__CURSOR=s=1;i=${second}\n__REALTIME_TIMESTAMP=${1_777_629_600 + second}000000\nPRIORITY=${priority}\nMESSAGE=disk ${second}\n\n`;
    const { data } = await summary({ 'journal.log': entry(0, 6) + entry(1, 3) });
    expect(data.totals).toMatchObject({ lines: 10, records: 2, by_level: { info: 1, error: 1 } });
    expect(data.first_error).toMatchObject({ time: '2026-05-01T10:00:01.000Z', line: 6, text: 'disk 1' });
  });
});
