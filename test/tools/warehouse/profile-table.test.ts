import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profileTable } from '../../../tools/warehouse/profile-table.ts';
import { openTestTables, type TestTables } from './open-test-tables.ts';

let tables: TestTables;

beforeAll(async () => {
  tables = await openTestTables({
    duckdb: [
      // 42 ids just above 2^53: as JavaScript numbers some of them would be the same.
      `CREATE TABLE exact AS SELECT (9007199254740992 + i)::HUGEINT AS id, (i + 0.0001)::DECIMAL(38,4) AS amount,
        make_timestamp_ns(1700000000000000000 + i) AS at FROM range(42) r(i)`,
      `CREATE TABLE odd AS SELECT * FROM (VALUES
        ('NaN'::DOUBLE, DATE '9999-12-31', '007', ' n/a ', '', 1700000000000, true, {'a': 1}, MAP {'k': 1}),
        ('Infinity', DATE '2020-01-01', '12', 'Unknown', 'x', 1700000000001, false, {'a': 1}, MAP {'k': 2}),
        (1.5, DATE 'infinity', '0', 'fine', NULL, 1700000000002, true, {'a': 2}, MAP {'k': 2}),
        (2.5, NULL, '0x', '-', '  ', 1700000000003, NULL, NULL, NULL)) t(ratio, until, code, word, gap, created, flag, part, pairs)`,
      'CREATE TABLE numbers AS SELECT i AS n, i % 10 AS digit, i / 4 AS quarter FROM range(1, 101) r(i)',
      'CREATE TABLE huge AS SELECT 170141183460469231731687303715884105727::HUGEINT AS n, 1 AS m FROM range(2)',
      `CREATE TABLE sized AS SELECT i AS id FROM range(20000) r(i)`,
      'CREATE TABLE nothing (a INTEGER)',
    ],
    sqlite: [
      'CREATE TABLE mixed (n INTEGER, t TEXT, d DATE)',
      `INSERT INTO mixed VALUES (9007199254740993, 'N/A', '1900-01-01'), ('text', ' ', '2020-01-01'), (2, '007', NULL), (9e999, 'x', NULL), (NULL, NULL, NULL)`,
    ],
  });
});

afterAll(() => tables.close());

async function profile(input: Record<string, unknown>) {
  const outcome = await tables.call(profileTable, { source: 'duck', ...input });
  const columns = new Map<string, Record<string, unknown>>(outcome.data.columns.map((column: { name: string }) => [column.name, column]));
  return { ...outcome, column: (name: string) => columns.get(name) ?? {} };
}

describe('profile_table', () => {
  it('counts and sums what a JavaScript number cannot hold', async () => {
    const { status, column } = await profile({ table: 'exact' });
    expect(status).toBe('ok');
    // By hand: 42 * 9007199254740992 + 861; 861 + 42 * 0.0001.
    expect(column('id')).toMatchObject({
      distinct: 42,
      distinct_exact: true,
      max: '9007199254741033',
      sum: '378302368699122525',
      sum_exact: true,
    });
    expect(column('amount')).toMatchObject({ distinct: 42, min: '0.0001', sum: '861.0042', sum_exact: true });
    expect(column('at')).toMatchObject({ distinct: 42, max: '2023-11-14 22:13:20.000000041' });
  });

  it('does not fail on NaN and infinity, and sets them aside', async () => {
    const { column } = await profile({ table: 'odd' });
    expect(column('ratio')).toMatchObject({ null: 0, non_finite: 2, min: 1.5, max: 2.5, sum: 4, sum_exact: false });
    expect(column('until')).toMatchObject({ null: 1, non_finite: 1, sentinel_dates: 1, min: '2020-01-01', max: '9999-12-31' });
  });

  it('counts blanks, placeholder words, leading zeros and true values', async () => {
    const { column } = await profile({ table: 'odd' });
    expect(column('code')).toMatchObject({ leading_zeros: 1, distinct: 4 });
    expect(column('word')).toMatchObject({ placeholder_words: 3, padded: 1, longest: 7 });
    expect(column('gap')).toMatchObject({ null: 1, blank: 2 });
    expect(column('flag')).toMatchObject({
      null: 1,
      true_count: 2,
      top: [
        ['true', 2],
        ['false', 1],
      ],
    });
    expect(column('created')).toMatchObject({ unit_guess: { unit: 'epoch milliseconds' } });
  });

  it('profiles nested columns as far as it goes', async () => {
    const { column } = await profile({ table: 'odd' });
    expect(column('part')).toMatchObject({ null: 1, distinct: 2 });
    expect(column('pairs')).toMatchObject({ null: 1, distinct: 2 });
  });

  it('gives exact quantiles and the most frequent values', async () => {
    const { column } = await profile({ table: 'numbers' });
    expect(column('n')).toMatchObject({ quantiles: ['5', '25', '50', '75', '95'], quantiles_exact: true, sum: 5050 });
    expect(column('digit')).toMatchObject({
      distinct: 10,
      top: [
        ['0', 10],
        ['1', 10],
        ['2', 10],
        ['3', 10],
        ['4', 10],
      ],
    });
    expect(column('n').top).toBeUndefined();
  });

  it('says that a figure is an estimate, which is never above the number of rows', async () => {
    const { column } = await profile({ table: 'sized', mode: 'approx' });
    expect(column('id')).toMatchObject({ distinct_exact: false, quantiles_exact: false, min: 0, max: 19999, sum: 199990000 });
    expect(Number(column('id').distinct)).toBeLessThanOrEqual(20000);
    expect(Number(column('id').distinct)).toBeGreaterThan(10000);
  });

  it('keeps the other measures and columns when one fails', async () => {
    const { status, warnings, column } = await profile({ table: 'huge' });
    expect(status).toBe('partial');
    expect(warnings.map(({ code }) => code)).toEqual(['column_errors']);
    expect(column('n')).toMatchObject({
      distinct: 1,
      max: '170141183460469231731687303715884105727',
      error: expect.stringMatching(/overflow|range/i),
    });
    expect(column('m')).toMatchObject({ sum: 2 });
    expect(column('m').error).toBeUndefined();
  });

  it('profiles only the rows and columns asked for', async () => {
    const { data, total } = await profile({ table: 'numbers', where: 'n <= 10', columns: ['DIGIT'] });
    expect(data).toMatchObject({ rows: 10, columns: [{ name: 'digit', distinct: 10 }] });
    expect(total).toBe(1);
  });

  it('answers no_data for an empty table and refuses an unknown column', async () => {
    expect((await profile({ table: 'nothing' })).status).toBe('no_data');
    const outcome = await tables.call(profileTable, { source: 'duck', table: 'numbers', columns: ['digits'] });
    expect(outcome).toMatchObject({ status: 'refused', data: { message: expect.stringContaining('did you mean "digit"?') } });
  });

  it('keeps numbers of SQLite apart from texts among them', async () => {
    const { column } = await profile({ source: 'lite', table: 'mixed' });
    expect(column('n')).toMatchObject({
      null: 1,
      distinct: 4,
      min: 2,
      max: '9007199254740993',
      sum: '9007199254740995',
      texts_among_numbers: 1,
      non_finite: 1,
    });
    expect(column('n').quantiles).toEqual([2, 2, 2, '9007199254740993', '9007199254740993']);
    expect(column('t')).toMatchObject({ null: 1, blank: 1, placeholder_words: 1, leading_zeros: 1 });
    expect(column('d')).toMatchObject({ null: 3, sentinel_dates: 1 });
  });
});
