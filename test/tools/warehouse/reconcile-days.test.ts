import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcileDays } from '../../../tools/warehouse/reconcile-days.ts';
import { ENGINES, type EveryEngine, openEveryEngine, type Value } from './open-every-engine.ts';

const CASE = new URL('../../cases/late-arriving-watermark/', import.meta.url);
const expected = JSON.parse(readFileSync(new URL('expected.json', CASE), 'utf8'));

function rowsOf(file: string, places: readonly number[]): Value[][] {
  const [, ...lines] = readFileSync(new URL(file, CASE), 'utf8').trim().split('\n');
  return lines.map((line) => places.map((place) => line.split(',')[place] ?? null));
}

let engines: EveryEngine;

beforeAll(async () => {
  const events = ['event_id integer', 'event_time timestamp', 'amount_cents integer'];
  engines = await openEveryEngine({
    raw: { columns: events, rows: rowsOf('raw_events.csv', [0, 1, 3]) },
    mart: { columns: events, rows: rowsOf('mart_events.csv', [0, 1, 2]) },
    big: {
      columns: ['day date', 'n bigint', 'amount decimal(20,4)', 'ratio double precision'],
      rows: [
        ['2026-01-01', 9007199254740993n, '0.1000', 0.1],
        ['2026-01-01', 1n, '0.2000', 0.2],
        ['2026-01-02', 5n, '1.0000', 1],
        ['2026-01-03', 7n, '2.0000', 2],
        ['9999-12-31', 7n, '2.0000', 2],
      ],
    },
    copy: {
      columns: ['at timestamp', 'm bigint', 'amount decimal(20,2)', 'ratio double precision'],
      rows: [
        ['2026-01-01 10:00:00', 9007199254740994n, '0.30', 0.3],
        ['2026-01-01 11:00:00', 1n, '0.00', 0],
        ['2026-01-02 23:30:00', 5n, '1.00', 1],
        ['2026-01-04 00:00:00', 0n, '0.00', 0],
        [null, 1n, '1.00', 1],
      ],
    },
  });
});
afterAll(() => engines.close());

describe.each(ENGINES)('reconcile_days on %s', (source) => {
  it('finds the rows and cents that a mart lacks, by day', async () => {
    const { data, status } = await engines.call(reconcileDays, { left: 'raw', right: 'mart', left_source: source });
    expect(status).toBe('ok');
    expect(data).toMatchObject({
      left: { rows: expected.raw_rows },
      right: { rows: expected.mart_rows },
      sums: ['amount_cents'],
      sums_exact: true,
      first_difference: '2026-01-05',
    });
    const missing = data.different.map((day: { day: string; left_rows: number; right_rows: number }) => [
      day.day,
      day.left_rows - day.right_rows,
    ]);
    expect(Object.fromEntries(missing)).toEqual(expected.missing_by_event_day);
    expect(data.totals.sums).toMatchObject([{ column: 'amount_cents', difference: String(-expected.missing_amount_cents) }]);
  });

  it('tells sums apart that are one beyond 2^53, and takes decimals of another scale as equal', async () => {
    const input = { left: 'big', right: 'copy', left_source: source, left_time: 'day', right_time: 'at', sums: ['n=m', 'amount'] };
    const { data, warnings } = await engines.call(reconcileDays, input);
    expect(data).toMatchObject({ days_compared: 4, days_equal: 1, only_left_days: 1, only_right_days: 1, first_difference: '2026-01-01' });
    // By hand: 9007199254740993 + 1 against 9007199254740994 + 1; 0.1 + 0.2 = 0.3 + 0.
    expect(data.different[0]).toEqual({
      day: '2026-01-01',
      left_rows: 2,
      right_rows: 2,
      sums: [{ column: 'n', left: '9007199254740994', right: '9007199254740995', difference: '1' }],
    });
    expect(data.different.map(({ day }: { day: string }) => day)).toEqual(['2026-01-01', '2026-01-03', '2026-01-04']);
    expect(data.left.without_day + data.right.without_day).toBe(2);
    expect(warnings.map(({ code }) => code)).toContain('rows_without_day');
  });

  it('moves rows between days with the zone', async () => {
    const input = {
      left: 'big',
      right: 'copy',
      left_source: source,
      left_time: 'day',
      right_time: 'at',
      sums: [],
      zone: 'Europe/Berlin',
      column_zone: 'UTC',
    };
    const { data } = await engines.call(reconcileDays, input);
    // 23:30 UTC on the 2nd is the 3rd in Berlin.
    expect(data.different.map(({ day }: { day: string }) => day)).toEqual(['2026-01-02', '2026-01-04']);
  });

  it('does not take the rounding of floats for a difference, and says that it is there', async () => {
    const { data, warnings } = await engines.call(reconcileDays, {
      left: 'big',
      right: 'copy',
      left_source: source,
      left_time: 'day',
      right_time: 'at',
      sums: ['ratio'],
      to: '2026-01-03',
    });
    expect(data).toMatchObject({ days_equal: 2, days_different: 0, sums_exact: source === 'files' });
    // A file's numbers are read as decimals.
    expect(warnings.some(({ code }) => code === 'sums_rounded')).toBe(source !== 'files');
  });
});

it('reconciles tables of different engines', async () => {
  for (const [left_source, right_source] of [
    ['files', 'lite'],
    ['lite', 'duck'],
    ['duck', ENGINES.at(-1)],
  ]) {
    const { data } = await engines.call(reconcileDays, { left: 'raw', right: 'mart', left_source, right_source });
    expect(data.left.rows - data.right.rows, `${left_source} ${right_source}`).toBe(expected.missing_rows);
  }
});
