import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogParser } from '../../../tools/logs/log-parser.ts';
import { compareTimes } from '../../../tools/logs/log-record.ts';
import { maskMessage } from '../../../tools/logs/mask-message.ts';
import { readExceptions } from '../../../tools/logs/read-exceptions.ts';
import { newStamp, readTimestamp } from '../../../tools/logs/read-timestamp.ts';
import { isAmbiguousZone, zoneOffset } from '../../../tools/logs/zone-offsets.ts';

describe('log laws', () => {
  it('agrees with the platform on every time with an offset', () => {
    const stamp = newStamp();
    const time = fc.date({ min: new Date('1980-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(time, fc.integer({ min: -11, max: 13 }), (date, hours) => {
        const local = new Date(date.getTime() + hours * 3_600_000).toISOString().slice(0, 23);
        const zone = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}00`;
        expect(readTimestamp(local + zone, 0, stamp)).toBe(true);
        expect(stamp.time).toBe(date.toISOString());
      }),
    );
  });

  it('never throws and never loses its place, whatever the lines', () => {
    const piece = fc.constantFrom(
      '2026-03-02 01:02:03',
      '[',
      ']',
      '{',
      '}',
      '{}',
      ' - ',
      'ERROR',
      '"',
      'Traceback (most recent call last):',
      '\t',
      ':',
      '=',
      '02:03:04',
    );
    const line = fc.array(fc.oneof(piece, fc.string({ maxLength: 12 })), { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const parser = createLogParser();
        let before = 0;
        lines.forEach((text, at) => {
          const record = parser.push(text, at + 1, false);
          if (record) {
            expect(record.line).toBe(at + 1);
            expect(record.line).toBeGreaterThan(before);
            before = record.line;
          }
        });
      }),
    );
  });

  it('gives messages that differ in numbers, times and ids one template', () => {
    expect(maskMessage('inserted batch 3 rows=200, committed')).toBe('inserted batch # rows=#, committed');
    expect(maskMessage('run 550e8400-e29b-41d4-a716-446655440000 at 2026-03-02 01:02:03.5')).toBe('run # at # #');
    expect(maskMessage('column "paid_at" does not exist')).toBe('column "paid_at" does not exist');
    fc.assert(fc.property(fc.nat(), fc.nat(), (a, b) => maskMessage(`part ${a} of t`) === maskMessage(`part ${b} of t`)));
  });

  it('orders times whatever their digits', () => {
    expect(compareTimes('2026-03-02T01:59:10Z', '2026-03-02T01:59:10.5Z')).toBe(-1);
    expect(compareTimes('2026-03-02T01:59:10.50Z', '2026-03-02T01:59:10.5Z')).toBe(0);
    expect(compareTimes('2026-03-02T01:59:10.000Z', '2026-03-02T01:59:10Z')).toBe(0);
    expect(compareTimes(null, '2026-03-02T01:59:10Z')).toBe(1);
  });

  it('knows zones, and which of them are ambiguous', () => {
    expect(['UTC', 'CET', 'CEST', 'EST', 'IST', '+0530', '-03', '+01:00'].map(zoneOffset)).toEqual([0, 60, 120, -300, 330, 330, -180, 60]);
    expect(['XYZ', '+9900'].map(zoneOffset)).toEqual([undefined, undefined]);
    expect([isAmbiguousZone('IST'), isAmbiguousZone('CET')]).toEqual([true, false]);
  });

  it('reads Java causes root first', () => {
    const trace = [
      'org.apache.spark.SparkException: Job aborted',
      '\tat org.A.b(A.scala:1)',
      'Caused by: java.io.IOException: disk full',
      '\tat java.C.d(C.java:22)',
    ];
    expect(readExceptions(trace)).toEqual([
      { type: 'java.io.IOException', message: 'disk full', at: 'C.java:22' },
      { type: 'org.apache.spark.SparkException', message: 'Job aborted', at: 'A.scala:1', link: 'caused_by' },
    ]);
  });
});
