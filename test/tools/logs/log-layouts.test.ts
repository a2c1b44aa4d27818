import { describe, expect, it } from 'vitest';
import { detectEncoding } from '../../../tools/logs/detect-encoding.ts';
import { createLogParser } from '../../../tools/logs/log-parser.ts';
import type { LogRecord } from '../../../tools/logs/log-record.ts';
import { readExceptions } from '../../../tools/logs/read-exceptions.ts';

function parse(text: string): LogRecord[] {
  const parser = createLogParser();
  return text.split('\n').flatMap((line, at) => parser.push(line, at + 1, false) ?? []);
}

const AT = '2026-05-01T10:00:30';

describe('layouts of servers, runtimes and collectors', () => {
  it.each([
    ['[Fri May 01 10:00:30.5 2026] [core:error] [pid 1] disk full', `${AT}.5Z`, 'error', '[pid 1] disk full'],
    ['[01-May-2026 10:00:30 UTC] PHP Fatal error:  disk full', `${AT}Z`, 'error', 'disk full'],
    ['[2026-05-01 10:00:30,123: ERROR/ForkPoolWorker-1] disk full', `${AT}.123Z`, 'error', 'disk full'],
    ['[2026-05-01T10:00:30Z WARN  loader] disk full', `${AT}Z`, 'warning', 'disk full'],
    ['E, [2026-05-01T10:00:30.1 #12] ERROR -- app: disk full', `${AT}.1Z`, 'error', 'disk full'],
    ['E20260501 10:00:30.1    1 a.go:12] disk full', `${AT}.1Z`, 'error', 'disk full'],
    ['12:M 01 May 2026 10:00:30.1 # disk full', `${AT}.1Z`, 'warning', 'disk full'],
    ['<11>1 2026-05-01T10:00:30Z host app 12 ID4 [a b="c]"] disk full', `${AT}Z`, 'error', 'disk full'],
    ['<11>May  1 10:00:30 host app[12]: disk full', null, 'error', 'disk full'],
    ['May  1 10:00:30 host app[12]: ERROR disk full', null, 'error', 'disk full'],
    ['1777629630 ERROR disk full', `${AT}.000Z`, 'error', 'disk full'],
    ['[1777629630500] ERROR disk full', `${AT}.500Z`, 'error', 'disk full'],
    ['1777629630.5 disk full', `${AT}.500Z`, null, 'disk full'],
    ['30 [main] ERROR a.b.C - disk full', null, 'error', 'a.b.C - disk full'],
    ['10:00:30 ERROR disk full', null, 'error', 'disk full'],
    ['10:00:30.123 | ERROR   | disk full', null, 'error', 'disk full'],
    ['05/01/2026 10:00:30 AM ERROR disk full', `${AT}Z`, 'error', 'disk full'],
    ['05/13/26 10:00:30 ERROR disk full', '2026-05-13T10:00:30Z', 'error', 'disk full'],
    ['13.05.2026 10:00:30 FEHLER disk full', '2026-05-13T10:00:30Z', 'error', 'disk full'],
    ['05/01/26 10:00:30 ERROR disk full', null, 'error', 'disk full'],
    ['2026-05-01T10:00:30Z\tERROR\tdisk full', `${AT}Z`, 'error', 'disk full'],
    ['2026-05-01T10:00:30Z stderr F ERROR disk full', `${AT}Z`, 'error', 'disk full'],
    ['2026-05-01T10:00:30Z stdout F {"level":"error","msg":"disk full"}', `${AT}Z`, 'error', 'disk full'],
    ['2026-05-01T10:00:30Z host app[web.1]: ERROR disk full', `${AT}Z`, 'error', 'disk full'],
    ['2026-05-01T10:00:30Z ##[error]disk full', `${AT}Z`, 'error', 'disk full'],
    ['2026-05-01T10:00:30Z error: disk full', `${AT}Z`, 'error', 'disk full'],
    ['[pod/load-0/main] 2026-05-01T10:00:30Z ERROR disk full', `${AT}Z`, 'error', 'disk full'],
    ['load-1  | 2026-05-01 10:00:30 ERROR disk full', `${AT}Z`, 'error', 'disk full'],
    ['10.0.0.1 - - [01/May/2026:12:00:30 +0200] "GET / HTTP/1.1" 503 0', `${AT}Z`, 'error', '10.0.0.1 "GET / HTTP/1.1" 503 0'],
    ['::1 - bob [01/May/2026:10:00:30 +0000] "GET / HTTP/1.1" 404 0', `${AT}Z`, 'warning', '::1 "GET / HTTP/1.1" 404 0'],
    [`2026-05-01 10:00:30.1 UTC,"a","b",1,"h:1",x.1,1,"SELECT",t,3/1,0,ERROR,42P01,"no ""t"" here",,`, `${AT}.1Z`, 'error', 'no "t" here'],
    ['[10:00:30.123] ERROR (1): disk full', null, 'error', '(1): disk full'],
    ['[10:00:30 ERR] disk full', null, 'error', 'disk full'],
    ['10:00AM ERR disk full', null, 'error', 'disk full'],
    ['ERRO[0001] disk full', null, 'error', 'disk full'],
    ['2026.05.01 10:00:30.1 [ 12 ] {q-1} <Error> disk full', `${AT}.1Z`, 'error', 'disk full'],
    ['2026-05-01-12.00.30.123456+120 I5E456 LEVEL: Error', `${AT}.123456Z`, 'error', ''],
    ['01-MAY-2026 10:00:30 * establish * disk full', `${AT}Z`, null, '* establish * disk full'],
    ['=ERROR REPORT==== 1-May-2026::10:00:30 ===', `${AT}Z`, 'error', ''],
    ['type=SYSCALL msg=audit(1777629630.500:12): disk full', `${AT}.500Z`, null, 'disk full'],
    ['2026-05-01 10:00:30.1+0000 0x1f    Error     0x0   12  disk full', `${AT}.1Z`, 'error', '0x0   12  disk full'],
    ['2026-05-01 10:00:30, Error                  CBS    disk full', `${AT}Z`, 'error', 'CBS    disk full'],
    ['2026-05-01 10:00:30 - ! [298] disk full', `${AT}Z`, 'error', 'disk full'],
    ['2026-05-01\t10:00:30\tFRA2\tdisk full', `${AT}Z`, null, 'FRA2\tdisk full'],
    ['h2 2026-05-01T10:00:30.1Z app/lb disk full', `${AT}.1Z`, null, 'app/lb disk full'],
    ['own bucket [01/May/2026:10:00:30 +0000] disk full', `${AT}Z`, null, 'disk full'],
    ['(raylet) [2026-05-01 10:00:30,123 E 12 12] disk full', `${AT}.123Z`, 'error', 'disk full'],
    ['READER_1> RR_4035 [2026-05-01 10:00:30.1] disk full', `${AT}.1Z`, null, 'disk full'],
    ['time=2026-05-01 10:00:30 name=tap level=ERROR message=disk full', `${AT}Z`, 'error', 'disk full'],
    ['psql:load.sql:12: ERROR:  disk full', null, 'error', 'disk full'],
    ['Msg 208, Level 16, State 1, Server S, Line 1', null, 'error', 'Msg 208, Level 16, State 1, Server S, Line 1'],
    [' *** Failure 3807 disk full', null, 'error', '*** Failure 3807 disk full'],
    ['Loading window [2026-01-01 00:00:00, 2026-02-01 00:00:00)', null, null, 'Loading window [2026-01-01 00:00:00, 2026-02-01 00:00:00)'],
    ['Loading 2026-01-01 00:00:00 to 2026-02-01', null, null, 'Loading 2026-01-01 00:00:00 to 2026-02-01'],
    ['2026/5/1 10:00:30 ERROR disk full', `${AT}Z`, 'error', 'disk full'],
    ['2026/5/1 10:00:30 disk full', `${AT}Z`, null, 'disk full'],
    ['20260501T100030Z ERROR disk full', `${AT}Z`, 'error', 'disk full'],
    ['2026-05-01 10:00 ERROR disk full', '2026-05-01T10:00:00Z', 'error', 'disk full'],
    ['[1234] 2026-05-01 10:00:30 ERROR disk full', `${AT}Z`, 'error', 'disk full'],
    ['(2026-05-01 10:00:30) ERROR disk full', `${AT}Z`, 'error', 'disk full'],
    ['"2026-05-01 10:00:30","ERROR","disk full"', `${AT}Z`, 'error', 'disk full'],
    ['ERROR:2026-05-01 10:00:30,1:disk full', `${AT}.1Z`, 'error', 'disk full'],
    ['ERROR [main] 2026-05-01 10:00:30,1 A.java:1 - disk full', `${AT}.1Z`, 'error', 'disk full'],
    ['2026-05-01 10:00:30 error disk full', `${AT}Z`, 'error', 'disk full'],
    ['2026-05-01T10:00:30Z 00E ERROR: disk full', `${AT}Z`, 'error', 'disk full'],
    ['* ERROR: disk full', null, 'error', 'disk full'],
    [
      '{"timeUnixNano":"1777629630000000000","severityText":"ERROR","body":{"stringValue":"disk full"}}',
      `${AT}.000Z`,
      'error',
      'disk full',
    ],
    ['{"event":"sync_end","created":"2026-05-01T10:00:30Z","level":"SEVERE","message":"disk full"}', `${AT}Z`, 'error', 'disk full'],
    ['{"log":"ERROR disk full\\n","stream":"stderr","time":"2026-05-01T10:00:30Z"}', `${AT}Z`, 'error', 'disk full'],
    ['{"log":"{\\"level\\":\\"error\\",\\"msg\\":\\"disk full\\"}\\n","time":"2026-05-01T10:00:30Z"}', `${AT}Z`, 'error', 'disk full'],
    ['{"@timestamp":"2026-05-01T10:00:30Z","log":{"level":"error"},"message":"disk full"}', `${AT}Z`, 'error', 'disk full'],
    ['{"@t":"2026-05-01T10:00:30Z","@m":"disk full","@l":"Error"}', `${AT}Z`, 'error', 'disk full'],
    ['{"@t":"2026-05-01T10:00:30Z","@m":"disk full"}', `${AT}Z`, 'info', 'disk full'],
    ['{"Timestamp":"2026-05-01T10:00:30Z","Level":"Error","Message":"disk full"}', `${AT}Z`, 'error', 'disk full'],
    ['{"level":50,"time":1777629630000,"pid":1,"msg":"disk full"}', `${AT}.000Z`, 'error', 'disk full'],
    ['{"level":30,"time":1777629630000,"pid":1,"msg":"ok"}', `${AT}.000Z`, 'info', 'ok'],
    ['{"version":"1.1","short_message":"disk full","level":3,"timestamp":1777629630}', `${AT}.000Z`, 'error', 'disk full'],
    ['{"__REALTIME_TIMESTAMP":"1777629630000000","PRIORITY":"3","MESSAGE":"disk full"}', `${AT}.000Z`, 'error', 'disk full'],
    ['{"TimeCreated":"2026-05-01T10:00:30Z","Level":2,"ProviderName":"a","Message":"disk full"}', `${AT}Z`, 'error', 'disk full'],
    ['{"t":{"$date":"2026-05-01T10:00:30Z"},"s":"E","c":"STORAGE","ctx":"main","msg":"disk full"}', `${AT}Z`, 'error', 'disk full'],
  ])('reads %s', (line, time, level, message) => {
    expect(parse(line)).toMatchObject([{ time, level, message }]);
  });

  it.each([
    '0 ERROR, 3 WARN',
    '10 errors were found',
    '(see below) no ERRORS here',
    '12 Angry Men',
    '1234567 rows',
    '1234567890 is no customer',
    '[a] b',
    '* item',
  ])('takes no level from %s', (line) => {
    expect(parse(line)).toMatchObject([{ level: null, time: null, message: line }]);
  });

  it('takes a word for no level where it names what is measured', () => {
    expect(parse('2026-05-01 10:00:30 error rate is 0.0')).toMatchObject([{ level: null, message: 'error rate is 0.0' }]);
  });

  it('keeps the task and the line of the program that stand around a line with a head of its own', () => {
    const written = { timestamp: `${AT}Z`, dag_id: 'd', task_id: 'load', run_id: 'r', try_number: 2, filename: 'a.py', lineno: 3 };
    const line = JSON.stringify({ ...written, event: '2026-05-01 10:00:30 ERROR disk full' });
    expect(parse(line)).toMatchObject([
      { level: 'error', message: 'disk full', pipeline: 'd', task: 'load', attempt: 2, origin: 'a.py:3' },
    ]);
    expect(parse('[2026-05-01T10:00:30.1+0000] {a.py:3} 2026-05-01 10:00:30 ERROR disk full')).toMatchObject([
      { level: 'error', origin: 'a.py:3' },
    ]);
  });

  it('takes the order of days and months from a day beyond the twelfth, for the lines below it', () => {
    const times = parse('13/05/2026 10:00:00 INFO a\n01/06/2026 10:00:00 INFO b').map(({ time }) => time);
    expect(times).toEqual(['2026-05-13T10:00:00Z', '2026-06-01T10:00:00Z']);
  });

  it('keeps the level of a name that looks like a supervisor, and takes the message from the line below a time or a level', () => {
    expect(parse('INFO | 2026-05-01 10:00:30 done')[0]).toMatchObject({ level: 'info' });
    expect(parse('2026-05-01T10:00:30Z\nORA-01555: snapshot too old')).toMatchObject([{ message: 'ORA-01555: snapshot too old' }]);
    expect(parse('fail: App.Worker[13]\n      job failed')).toMatchObject([
      { level: 'error', logger: 'App.Worker', message: 'job failed' },
    ]);
  });

  it('begins a record of its own where a program dies, with the lines below it', () => {
    const go = 'panic: index out of range\n\ngoroutine 1 [running]:\nmain.load()\n\t/app/main.go:17';
    for (const before of ['2026-05-01 10:00:00 loaded 100 rows\n', '{"level":"info","msg":"loaded"}\n', '']) {
      const records = parse(before + go);
      expect(records.at(-1)).toMatchObject({ level: 'critical', message: 'panic: index out of range' });
      expect(records.at(-1)?.rest?.at(-1)).toBe('\t/app/main.go:17');
    }
  });

  it.each(['Killed', 'Aborted (core dumped)', 'Segmentation fault'])(
    'knows a program that dies with %s, and no table of counts',
    (line) => {
      expect(parse(`2026-05-01 10:00:00 INFO start\n${line}`).at(-1)).toMatchObject({ level: 'critical', message: line });
      const status = `${line.replace(/ \(.*/, '')} connects 0`;
      expect(parse(`2026-05-01 10:00:00 INFO status\n${status}`)).toMatchObject([{ level: 'info', rest: [status] }]);
    },
  );

  it.each([
    ['Go', 'panic: boom\n\ngoroutine 1 [running]:\nmain.load()\n\t/app/main.go:17 +0x1d', [['panic', 'boom', '/app/main.go:17']]],
    ['Rust', "thread 'main' panicked at src/a.rs:10:5:\nboom", [['panic', 'boom', 'src/a.rs:10:5']]],
    ['older Rust', "thread 'main' panicked at 'boom', src/a.rs:10:5", [['panic', 'boom', 'src/a.rs:10:5']]],
    [
      'Node',
      '/a.js:3\n  throw x\n\nTypeError: no id\n    at load (/a.js:3:11)\n    at run (/a.js:9:1) {\n  [cause]: Error: root\n      at get (/b.js:7:2)',
      [
        ['Error', 'root', '/b.js:7'],
        ['TypeError', 'no id', '/a.js:3'],
      ],
    ],
    ['.NET', 'x\nSystem.IOException: no file\n   at App.Run() in /src/W.cs:line 10', [['System.IOException', 'no file', '/src/W.cs:10']]],
    [
      'a Python group',
      '  + Exception Group Traceback (most recent call last):\n  |   File "a.py", line 3, in f\n  | ExceptionGroup: many\n  +-+---- 1 ----\n    | ValueError: 1\n    +------',
      [
        ['ValueError', '1', undefined],
        ['ExceptionGroup', 'many', 'a.py:3'],
      ],
    ],
  ])('reads the exceptions of %s, root first', (_, text, chain) => {
    expect(readExceptions(text.split('\n'))?.map(({ type, message, at }) => [type, message, at])).toEqual(chain);
  });

  it('takes a text with a hole of zero bytes for a text, and a binary file with control characters for none', () => {
    const hole = Buffer.concat([Buffer.from('10:00:00 INFO a\n'), Buffer.alloc(4000), Buffer.from('10:00:01 INFO b\n')]);
    expect(detectEncoding(hole)).toBe('utf-8');
    expect(parse(`${'\0'.repeat(9)}10:00:01 ERROR b`)).toMatchObject([{ level: 'error', message: 'b' }]);
    expect(detectEncoding(Buffer.from(Array.from({ length: 400 }, (_, at) => (at * 7) % 32)))).toBe('binary');
  });
});
