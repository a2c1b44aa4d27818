import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowCounts } from '../../../tools/warehouse/row-counts.ts';
import { ENGINES, type EveryEngine, openEveryEngine } from './open-every-engine.ts';

/** One row an hour of UTC, from 2026-03-27 00:30 for six days, but for 48 hours from 2026-03-30 06:30 on. */
const HOURS = Array.from({ length: 144 }, (_, hour) =>
  new Date(Date.UTC(2026, 2, 27, hour, 30)).toISOString().slice(0, 19).replace('T', ' '),
);
const KEPT = HOURS.filter((at) => at < '2026-03-30 06:00' || at >= '2026-04-01 06:00');

let engines: EveryEngine;

beforeAll(async () => {
  engines = await openEveryEngine({
    events: {
      columns: ['id integer', 'at timestamp', 'said varchar(40)', 'ms bigint'],
      rows: [
        ...KEPT.map((at, index) => [index, at, `${at.replace(' ', 'T')}Z`, BigInt(Date.parse(`${at}Z`))]),
        [900, null, null, null],
        [901, '9999-12-31 00:00:00', null, null],
        [902, '1970-01-01 00:00:00', null, null],
        [903, '2026-04-02 12:30:00', null, null],
      ],
    },
    autumn: {
      columns: ['at timestamp'],
      rows: [['2025-10-25 23:30:00'], ['2025-10-26 00:15:00'], ['2025-10-26 00:45:00'], ['2025-10-26 01:15:00'], ['2025-10-26 02:15:00']],
    },
    nothing: { columns: ['at timestamp'], rows: [] },
  });
});
afterAll(() => engines.close());

describe.each(ENGINES)('row_counts on %s', (source) => {
  it('counts days of UTC, names what is missing, and sets sentinels, NULL and the future apart', async () => {
    const { data, status, total, returned, warnings } = await engines.call(rowCounts, { source, table: 'events', time_column: 'at' });
    expect(status).toBe('ok');
    // By hand: 144 hours less 48; 2026-03-31 is wholly inside the gap, the other edges hold 6 and 18 hours.
    expect(data).toMatchObject({ rows: 100, without_time: 1, sentinel_rows: 2, future_rows: 1, outside_window: 0, counted: 97 });
    expect(data.buckets).toEqual([
      { at: '2026-03-27', rows: 24 },
      { at: '2026-03-28', rows: 24 },
      { at: '2026-03-29', rows: 24 },
      { at: '2026-03-30', rows: 6 },
      { at: '2026-04-01', rows: 18 },
      { at: '2026-04-02', rows: 1 },
    ]);
    expect(data.missing).toEqual({ buckets: 1, gaps: [{ from: '2026-03-31', to: '2026-03-31', buckets: 1 }] });
    expect([total, returned]).toEqual([6, 6]);
    expect(data.odd_days).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['zone_assumed', 'future_rows']);
  });

  it('counts days of a zone and names the day of 23 hours', async () => {
    const { data } = await engines.call(rowCounts, { source, table: 'events', time_column: 'at', zone: 'Europe/Berlin', to: '2026-03-30' });
    // 00:30 UTC is 01:30 in Berlin, from the 29th on 02:30: days of 23, 24 and 23 rows.
    expect(data.buckets).toEqual([
      { at: '2026-03-27', rows: 23 },
      { at: '2026-03-28', rows: 24 },
      { at: '2026-03-29', rows: 23 },
    ]);
    expect(data.odd_days).toEqual([{ day: '2026-03-29', hours: 23, change: '02:00+01:00 becomes 03:00+02:00' }]);
  });

  it('counts the same by texts with a zone and by epoch milliseconds', async () => {
    for (const time_column of ['said', 'ms']) {
      const { data } = await engines.call(rowCounts, { source, table: 'events', time_column, zone: 'Europe/Berlin', grain: 'week' });
      expect(data).toMatchObject({ column_zone: 'its own', without_time: 4, counted: 96 });
      // 23 + 24 + 23 rows up to Sunday the 29th, the other 26 after.
      expect(data.buckets).toEqual([
        { at: '2026-03-23', rows: 70 },
        { at: '2026-03-30', rows: 26 },
      ]);
    }
  });

  it('finds missing hours across the change of the clock, and none where the clock skips one', async () => {
    const hours = { source, table: 'events', time_column: 'at', grain: 'hour', zone: 'Europe/Berlin' };
    const whole = await engines.call(rowCounts, { ...hours, from: '2026-03-29', to: '2026-03-30' });
    expect(whole.data.buckets).toHaveLength(23);
    expect(whole.data.buckets.slice(1, 4)).toEqual([
      { at: '2026-03-29T01:00+01:00', rows: 1 },
      { at: '2026-03-29T03:00+02:00', rows: 1 },
      { at: '2026-03-29T04:00+02:00', rows: 1 },
    ]);
    expect(whole.data.missing).toEqual({ buckets: 0, gaps: [] });
    const gap = await engines.call(rowCounts, { ...hours, from: '2026-03-30', to: '2026-04-02' });
    expect(gap.data.missing).toEqual({
      buckets: 48,
      gaps: [{ from: '2026-03-30T08:00+02:00', to: '2026-04-01T07:00+02:00', buckets: 48 }],
    });
  });

  it('tells apart the hours that a clock shows twice', async () => {
    const input = { source, table: 'autumn', time_column: 'at', grain: 'hour', zone: 'Europe/Berlin' };
    const { data } = await engines.call(rowCounts, input);
    expect(data.buckets).toEqual([
      { at: '2025-10-26T01:00+02:00', rows: 1 },
      { at: '2025-10-26T02:00+02:00', rows: 2 },
      { at: '2025-10-26T02:00+01:00', rows: 1 },
      { at: '2025-10-26T03:00+01:00', rows: 1 },
    ]);
    expect(data.odd_days).toEqual([{ day: '2025-10-26', hours: 25, change: '03:00+02:00 becomes 02:00+01:00' }]);
    const local = await engines.call(rowCounts, { ...input, column_zone: 'Europe/Berlin' });
    expect(local.warnings.map(({ code }) => code)).toContain('hour_twice');
  });

  it('names hours of a zone of half hours', async () => {
    const { data } = await engines.call(rowCounts, {
      source,
      table: 'autumn',
      time_column: 'at',
      grain: 'hour',
      zone: 'Asia/Kolkata',
      from: '2025-10-26T04:00',
      to: '2025-10-26T09:00',
    });
    // 23:30 UTC is 05:00, 00:15 is 05:45, 00:45 is 06:15, 01:15 is 06:45, 02:15 is 07:45.
    expect(data.buckets).toEqual([
      { at: '2025-10-26T05:00+05:30', rows: 2 },
      { at: '2025-10-26T06:00+05:30', rows: 2 },
      { at: '2025-10-26T07:00+05:30', rows: 1 },
    ]);
    expect(data.missing.gaps).toEqual([
      { from: '2025-10-26T04:00+05:30', to: '2025-10-26T04:00+05:30', buckets: 1 },
      { from: '2025-10-26T08:00+05:30', to: '2025-10-26T08:00+05:30', buckets: 1 },
    ]);
  });

  it('counts the empty days of a window before and after the rows', async () => {
    const { data } = await engines.call(rowCounts, { source, table: 'events', time_column: 'at', from: '2026-03-25', to: '2026-03-29' });
    expect(data.missing).toEqual({ buckets: 2, gaps: [{ from: '2026-03-25', to: '2026-03-26', buckets: 2 }] });
    expect(data).toMatchObject({ counted: 48, outside_window: 49 });
  });

  it('answers no_data for an empty table, and refuses a zone and a time that are none', async () => {
    expect((await engines.call(rowCounts, { source, table: 'nothing', time_column: 'at' })).status).toMatch(/no_data|refused/);
    const zone = await engines.call(rowCounts, { source, table: 'autumn', zone: 'Europe/Berlni' });
    expect(zone).toMatchObject({ status: 'refused', warnings: [{ code: 'unknown_zone' }] });
    const id = await engines.call(rowCounts, { source, table: 'events', time_column: 'id' });
    expect(id).toMatchObject({ status: 'refused', warnings: [{ code: 'not_a_time' }] });
  });
});
