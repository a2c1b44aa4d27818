import { describe, expect, it } from 'vitest';
import { createLogParser } from '../../../tools/logs/log-parser.ts';
import type { LogRecord } from '../../../tools/logs/log-record.ts';

function parse(text: string): LogRecord[] {
  const parser = createLogParser();
  return text.split('\n').flatMap((line, at) => parser.push(line, at + 1, false) ?? []);
}

describe('log parser', () => {
  it.each([
    ['[2026-03-02T02:03:09.123+0000] {file.py:12} INFO - done', 'airflow_text', '2026-03-02T02:03:09.123Z', 'info', 'done'],
    ['[2026-03-02 02:03:09,123] {{file.py:12}} WARNING - low', 'airflow_text', '2026-03-02T02:03:09.123Z', 'warning', 'low'],
    ['[2026-03-02, 03:11:30 CET] {file.py:12} ERROR - bad', 'airflow_text', '2026-03-02T02:11:30Z', 'error', 'bad'],
    ['[2026-03-02T03:11:30.1+05:30] INFO - done', 'airflow_text', '2026-03-01T21:41:30.1Z', 'info', 'done'],
    ['2026-03-02 01:02:03,123 ERROR broke: twice', 'iso_text', '2026-03-02T01:02:03.123Z', 'error', 'broke: twice'],
    ['2026-03-02 01:02:03,123 - my.app - WARNING - low disk', 'iso_text', '2026-03-02T01:02:03.123Z', 'warning', 'low disk'],
    ['2026-03-02T01:02:03.123456789Z INFO hello', 'iso_text', '2026-03-02T01:02:03.123456789Z', 'info', 'hello'],
    [
      '2026-03-02 01:02:03.123 UTC [4711] ERROR:  relation "a" does not exist',
      'iso_text',
      '2026-03-02T01:02:03.123Z',
      'error',
      'relation "a" does not exist',
    ],
    ['2026-03-02T01:02:03Z hello world', 'iso_text', '2026-03-02T01:02:03Z', null, 'hello world'],
    ['26/03/02 01:02:03 INFO SparkContext: Running', 'log4j', '2026-03-02T01:02:03Z', 'info', 'Running'],
    ['WARNING:root:careful', 'python_logging', null, 'warning', 'careful'],
    ['ERROR - it broke', 'python_logging', null, 'error', 'it broke'],
    ['time="2026-03-02T01:02:03Z" level=error msg="disk \\"a\\" full"', 'key_value', '2026-03-02T01:02:03Z', 'error', 'disk "a" full'],
    ['02:03:10.123456 [error] [MainThread]: boom', 'dbt_text', null, 'error', 'boom'],
    ['Mar  2 01:02:03 host cron[12]: ran', 'syslog', null, null, 'ran'],
    ['nothing known here', 'plain_text', null, null, 'nothing known here'],
    [
      '{"timestamp":"2026-03-02T01:02:03.5","level":"critical","event":"down"}',
      'airflow_json',
      '2026-03-02T01:02:03.5Z',
      'critical',
      'down',
    ],
    ['{"ts":1772413323.5,"severity":"WARN","message":"slow"}', 'json_lines', '2026-03-02T01:02:03.500Z', 'warning', 'slow'],
    [
      '{"info":{"ts":"2026-03-02T01:02:03.5Z","level":"error","msg":"\\u001b[31mERROR\\u001b[0m a"},"data":{}}',
      'dbt_json',
      '2026-03-02T01:02:03.5Z',
      'error',
      'ERROR a',
    ],
  ])('reads %s', (line, format, time, level, message) => {
    expect(parse(line)).toMatchObject([{ format, time, level, message }]);
  });

  it('says whether the zone was given and how', () => {
    expect(parse('[2026-03-02, 03:11:30 CET] {a.py:1} INFO - x')[0]).toMatchObject({ zoneGiven: true, zoneText: 'CET' });
    expect(parse('2026-03-02 03:11:30 INFO x')[0]).toMatchObject({ zoneGiven: false, zoneText: undefined });
    expect(parse('{"timestamp":"2026-03-02T01:02:03","event":"x"}')[0]?.zoneGiven).toBe(false);
  });

  it('takes no impossible date for a time', () => {
    expect(parse('2026-13-45 25:02:03 INFO x')[0]?.time).toBeNull();
    expect(parse('2026-02-30 01:02:03 INFO x')[0]?.time).toBeNull();
  });

  it('dates the clock times of dbt by the header above and goes past midnight', () => {
    const text = [
      '============================== 2026-03-01 23:59:58.000001 | 0a1b-77 ==============================',
      '23:59:59.500000 [info ] [MainThread]: late',
      '00:00:01.250000 [info ] [MainThread]: early',
    ];
    expect(parse(text.join('\n')).map((record) => record.time)).toEqual([
      '2026-03-01T23:59:58.000001Z',
      '2026-03-01T23:59:59.500000Z',
      '2026-03-02T00:00:01.250000Z',
    ]);
    expect(parse(text.slice(1).join('\n')).map((record) => record.time)).toEqual([null, null]);
  });

  it('gives the lines of a traceback to the record above, in text and in a log without times', () => {
    const trace = ['Traceback (most recent call last):', '  File "a.py", line 1, in f', 'ValueError: x', 'next'];
    const timed = parse(`2026-03-02 01:02:03 ERROR boom\n${trace.join('\n')}\n2026-03-02 01:02:04 INFO on`);
    expect(timed.map((record) => [record.line, record.rest?.length ?? 0])).toEqual([
      [1, 4],
      [6, 0],
    ]);
    expect(parse(trace.join('\n')).map((record) => [record.line, record.message])).toEqual([
      [1, trace[0]],
      [4, 'next'],
    ]);
  });

  it('reads the chain in structured error details root first', () => {
    const detail = [
      { exc_type: 'Outer', exc_value: 'o', is_cause: false, frames: [{ filename: 'o.py', lineno: 2 }] },
      { exc_type: 'Root', exc_value: 'r', is_cause: true, frames: [] },
    ];
    const [record] = parse(JSON.stringify({ timestamp: '2026-03-02T01:02:03Z', event: 'failed', error_detail: detail }));
    expect(record?.exceptions).toEqual([
      { type: 'Root', message: 'r' },
      { type: 'Outer', message: 'o', at: 'o.py:2', link: 'direct_cause' },
    ]);
  });

  it('counts lines before the first JSON line as unparsable once the file proves to be JSON', () => {
    const parser = createLogParser();
    ['starting up', '{"event":"a","timestamp":"2026-03-02T01:02:03Z"}', 'noise'].forEach((line, at) => {
      parser.push(line, at + 1, false);
    });
    expect(parser.unparsable).toMatchObject({ count: 2, cut: false, examples: [{ line: 1 }, { line: 3 }] });
  });
});
