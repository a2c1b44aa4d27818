import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshness } from '../../../tools/warehouse/freshness.ts';
import { lateness } from '../../../tools/warehouse/lateness.ts';
import { ENGINES, type EveryEngine, openEveryEngine, type Value } from './open-every-engine.ts';

const CASE = new URL('../../cases/late-arriving-watermark/', import.meta.url);
const expected = JSON.parse(readFileSync(new URL('expected.json', CASE), 'utf8'));

function rowsOf(file: string): Value[][] {
  const [, ...lines] = readFileSync(new URL(file, CASE), 'utf8').trim().split('\n');
  return lines.map((line) => line.split(','));
}

let engines: EveryEngine;

beforeAll(async () => {
  engines = await openEveryEngine({
    raw_events: {
      columns: ['event_id integer', 'event_time timestamp', 'loaded_at timestamp', 'amount_cents integer'],
      rows: rowsOf('raw_events.csv').map(([id = null, event = null, loaded = null, amount = null]) => [
        Number(id),
        event,
        loaded,
        Number(amount),
      ]),
    },
    runs: { columns: ['run_at timestamp'], rows: rowsOf('incremental_runs.csv').map(([at = null]) => [at]) },
    batches: {
      columns: ['happened timestamp', 'loaded_at timestamp'],
      rows: [
        ['2026-01-01 10:00:00', '2026-01-02 00:00:00'],
        ['2026-01-01 23:00:00', '2026-01-02 00:00:00'],
        ['2026-01-01 22:00:00', '2026-01-03 00:00:00'],
        ['2026-01-01 23:00:00', '2026-01-03 00:00:00'],
        ['2026-01-02 12:00:00', '2026-01-03 00:00:00'],
        ['2026-01-05 00:00:00', '2026-01-04 00:00:00'],
        [null, '2026-01-04 00:00:00'],
      ],
    },
    orders: {
      columns: ['id bigint', 'at timestamp', 'until date', 'said varchar(40)'],
      rows: [
        [1, '2026-04-01 23:30:00.123456', '9999-12-31', '2026-04-02T01:30:00+02:00'],
        [2, '2026-04-01 05:00:00', '2026-03-01', '2026-04-01T07:00:00+02:00'],
        [3, '2026-04-02 07:00:00', '2026-03-02', null],
        [4, null, '1900-01-01', null],
      ],
    },
  });
});
afterAll(() => engines.close());

describe.each(ENGINES)('lateness on %s', (source) => {
  it('finds the rows that each run missed, and the lookback that loses none', async () => {
    const input = {
      source,
      table: 'raw_events',
      event_time: 'event_time',
      load_time: 'loaded_at',
      runs_table: 'runs',
      runs_time: 'run_at',
    };
    const { data, status } = await engines.call(lateness, input);
    expect(status).toBe('ok');
    expect(data).toMatchObject({ rows: expected.raw_rows, not_yet_seen: 0, runs: { count: 14 } });
    expect(data.behind_watermark.rows).toBe(expected.missing_rows);
    expect(Object.fromEntries(data.behind_watermark.by_day.map(({ day, rows }: { day: string; rows: number }) => [day, rows]))).toEqual(
      expected.missing_by_event_day,
    );
    expect(data.lookback.smallest_hours_that_lose_nothing).toBe(expected.smallest_lookback_hours_that_loses_nothing);
    expect(data.lateness_seconds.max).toBe(expected.max_lateness_hours * 3600);
    expect(data.lookback.steps.at(-1)).toEqual({ hours: 72, rows_still_lost: 0 });
  });

  it('finds the same with the runs given as a time of day', async () => {
    // Without what arrived before 5 January 02:00 the first run is that of the 6th, as in the case.
    const input = {
      source,
      table: 'raw_events',
      event_time: 'event_time',
      daily_run_at: '02:00',
      where: "loaded_at > '2026-01-05 02:00:00'",
    };
    const { data } = await engines.call(lateness, input);
    expect(data).toMatchObject({ load_time: 'loaded_at', not_yet_seen: 0, behind_watermark: { rows: expected.missing_rows } });
  });

  it('takes each distinct load time as a run', async () => {
    const { data, warnings } = await engines.call(lateness, { source, table: 'batches', event_time: 'happened' });
    // By hand: the load of 3 January brings an event of 22:00 and one of 23:00 behind a watermark of 23:00.
    expect(data.behind_watermark).toMatchObject({ rows: 2, most_seconds_behind: 3600, by_day: [{ day: '2026-01-01', rows: 2 }] });
    expect(data.lookback).toMatchObject({
      smallest_hours_that_lose_nothing: 2,
      steps: [
        { hours: 1, rows_still_lost: 1 },
        { hours: 3, rows_still_lost: 0 },
      ],
    });
    expect(data).toMatchObject({ rows: 7, without_event_time: 1, measured: 6, before_event: 1 });
    // Lateness in hours, sorted: -24, 1, 12, 14, 25, 26; the third and the last.
    expect(data.lateness_seconds).toMatchObject({ p50: 12 * 3600, max: 26 * 3600 });
    expect(warnings).toEqual([]);
  });

  it('asks which column is meant where none is named like a load time', async () => {
    expect(await engines.call(lateness, { source, table: 'orders' })).toMatchObject({
      status: 'refused',
      warnings: [{ code: 'which_load_time' }],
    });
  });
});

describe.each(ENGINES)('freshness on %s', (source) => {
  it('sets future and sentinel rows aside and keeps the newest value to the microsecond', async () => {
    const { data, warnings } = await engines.call(freshness, { source, table: 'orders', max_age_hours: 6 });
    const byName = new Map(data.columns.map((item: { column: string }) => [item.column, item]));
    // The test's clock stands at 2026-04-02 06:00 UTC.
    expect(byName.get('at')).toMatchObject({
      newest: '2026-04-01 23:30:00.123456',
      newest_utc: '2026-04-01T23:30:00Z',
      age_seconds: 6.5 * 3600,
      age: '6 h 30 min',
      fresh: false,
      without_time: 1,
      future: { rows: 1 },
    });
    expect(byName.get('until')).toMatchObject({ newest: '2026-03-02', sentinels: { rows: 2, newest: '9999-12-31' } });
    expect(warnings.map(({ code }) => code)).toEqual(['zone_assumed', 'future_rows']);
  });

  it('reads times without a zone by the clock of the zone given, and keeps to zones that are given', async () => {
    const { data } = await engines.call(freshness, { source, table: 'orders', column: 'at', zone: 'Europe/Berlin' });
    // 07:00 in Berlin is 05:00 UTC: no longer in the future.
    expect(data.columns[0]).toMatchObject({ newest_utc: '2026-04-02T05:00:00Z', age_seconds: 3600 });
    const said = await engines.call(freshness, { source, table: 'orders', column: 'said', zone: 'Europe/Berlin' });
    expect(said.data.columns[0]).toMatchObject({ newest_utc: '2026-04-01T23:30:00Z', zone: 'its own', without_time: 2 });
  });

  it('counts age to the moment given, and refuses a column that holds no times', async () => {
    const { data } = await engines.call(freshness, { source, table: 'orders', column: 'at', as_of: '2026-04-01T06:00:00Z' });
    expect(data.columns[0]).toMatchObject({ age_seconds: 3600, future: { rows: 2 } });
    expect(await engines.call(freshness, { source, table: 'orders', column: 'id' })).toMatchObject({ status: 'refused' });
  });
});
