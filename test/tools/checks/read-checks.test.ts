import { describe, expect, it } from 'vitest';
import { readChecks } from '../../../tools/checks/read-checks.ts';
import { callOver, type Data } from '../artifacts/call-tool.ts';
import { runResults } from '../dbt/dbt-files.ts';

function expectation(type: string, kwargs: Data, success: boolean | null, result: Data = {}): Data {
  return { expectation_config: { expectation_type: type, kwargs }, success, result, exception_info: { raised_exception: false } };
}

function validation(results: readonly Data[], at: string, extra: Data = {}): Data {
  return {
    success: results.every((one) => one.success),
    results,
    meta: { expectation_suite_name: 'orders.nightly', run_id: { run_time: at } },
    ...extra,
  };
}

const unique = { column: 'order_id', result_format: 'SUMMARY' };

describe('read_checks', () => {
  it('reads Great Expectations with what was observed and expected', async () => {
    const { data, complete } = await callOver(readChecks, {
      'v.json': validation(
        [
          expectation('expect_column_values_to_be_unique', unique, false, {
            unexpected_count: 12,
            unexpected_percent: 1.5,
            partial_unexpected_list: ['A1', 'A1'],
          }),
          expectation('expect_table_row_count_to_be_between', { min_value: 100, max_value: 200 }, true, { observed_value: 150 }),
        ],
        '2026-03-01T02:00:00+00:00',
      ),
    });
    expect(complete).toBe(true);
    expect(data.by_status).toEqual({ failed: 1, passed: 1 });
    expect(data.failed.items).toEqual([
      {
        suite: 'orders.nightly',
        check: 'expect_column_values_to_be_unique',
        column: 'order_id',
        status: 'failed',
        raw_status: 'success=false',
        failing_rows: 12,
        message: '1.5 % unexpected; e.g. ["A1","A1"]',
      },
    ]);
  });

  it('says by how much what was observed lies outside of the bounds, however long the condition beside them', async () => {
    const name = 'expect_column_mean_to_be_between';
    const condition = `region in (${Array.from({ length: 40 }, (_, place) => `"r${place}"`).join(', ')})`;
    const { data } = await callOver(readChecks, {
      'v.json': validation(
        [
          expectation(name, { column: 'a', min_value: 1, max_value: 5 }, false, { observed_value: 7.25 }),
          expectation(name, { column: 'b', min_value: 1, row_condition: condition, condition_parser: 'pandas' }, false, {
            observed_value: 0.5,
          }),
          expectation(name, { column: 'c', max_value: 5 }, false, { observed_value: 'Infinity' }),
          expectation(name, { column: 'd', max_value: 0.0000001 }, false, { observed_value: 0.0000005 }),
          expectation(name, { column: 'e', max_value: 0.1 }, false, { observed_value: 0.3 }),
          expectation(name, { column: 'f', max_value: 1000000000.1 }, false, { observed_value: 1000000000.3 }),
        ],
        '2026-03-01T02:00:00+00:00',
      ),
    });
    const bounds = data.failed.items.map(({ column, expected_min: min, expected_max: max, outside_by: outside }: Data) => [
      column,
      min,
      max,
      outside,
    ]);
    expect(bounds).toEqual([
      ['a', 1, 5, 2.25],
      ['b', 1, undefined, 0.5],
      ['c', undefined, 5, undefined],
      ['d', undefined, 0.0000001, 0.0000004],
      ['e', undefined, 0.1, 0.2],
      ['f', undefined, 1000000000.1, 0.2],
    ]);
  });

  it('keeps an exception apart from a failure, and a missing outcome from a pass', async () => {
    const raised = {
      ...expectation('expect_column_to_exist', { column: 'x' }, false),
      exception_info: { "('metric', 'a')": { raised_exception: true, exception_message: 'no table' } },
    };
    const { data } = await callOver(readChecks, {
      'v.json': validation([raised, expectation('expect_column_sum_to_be_between', { column: 'y' }, null)], '2026-03-01T02:00:00Z'),
    });
    expect(data.failed.items).toMatchObject([{ status: 'error', message: 'no table' }]);
    expect(data.not_evaluated.items).toMatchObject([{ check: 'expect_column_sum_to_be_between', status: 'not_evaluated' }]);
  });

  it('reads NaN and Infinity as no numbers', async () => {
    const text = JSON.stringify(
      validation(
        [expectation('expect_x', { column: 'a' }, false, { observed_value: 'INF', missing_percent: 'NAN' })],
        '2026-03-01T02:00:00Z',
      ),
    )
      .replace('"INF"', 'Infinity')
      .replace('"NAN"', 'NaN');
    const { data } = await callOver(readChecks, { 'v.json': text });
    expect(data.non_finite).toEqual({ count: 2, places: ['results[0].result.observed_value', 'results[0].result.missing_percent'] });
    expect(data.failed.items[0]).toMatchObject({ observed: 'Infinity', message: 'NaN % missing' });
  });

  it('names what fails now and was not there before, but nothing where there is no run before', async () => {
    const added = validation([expectation('expect_column_values_to_be_unique', unique, false)], '2026-03-02T02:00:00Z');
    const before = validation([expectation('expect_column_values_to_not_be_null', { column: 'a' }, true)], '2026-03-01T02:00:00Z');
    const { data } = await callOver(readChecks, { '1.json': before, '2.json': added });
    expect(data.newly_failing.items).toMatchObject([{ check: 'expect_column_values_to_be_unique', before: 'not there', after: 'failed' }]);
    expect((await callOver(readChecks, { '2.json': added })).data.newly_failing.items).toEqual([]);
  });

  it('names checks that disappeared since the run before, failing ones first', async () => {
    const { data } = await callOver(readChecks, {
      '1.json': validation(
        [
          expectation('expect_column_values_to_not_be_null', { column: 'a' }, true),
          expectation('expect_column_values_to_be_unique', unique, false, { unexpected_count: 12 }),
          expectation('expect_table_row_count_to_be_between', { min_value: 100 }, false),
        ],
        '2026-03-01T02:00:00Z',
      ),
      '2.json': validation([expectation('expect_table_row_count_to_be_between', { min_value: 1 }, true)], '2026-03-02T02:00:00Z'),
    });
    expect(data.suites.items).toMatchObject([{ path: '2.json', compared_with: '1.json', runs: 2 }]);
    expect(data.disappeared.items).toMatchObject([
      { check: 'expect_column_values_to_be_unique', status_before: 'failed', failing_rows_before: 12, path_before: '1.json' },
      { check: 'expect_table_row_count_to_be_between', replaced_by: 'expect_table_row_count_to_be_between with {"min_value":1}' },
      { check: 'expect_column_values_to_not_be_null', status_before: 'passed' },
    ]);
    expect(data.added).toBe(1);
  });

  it('says when a file contradicts itself', async () => {
    const { warnings } = await callOver(readChecks, {
      'v.json': validation([expectation('expect_a', {}, false)], '2026-03-01T02:00:00Z', {
        success: true,
        statistics: { evaluated_expectations: 3 },
      }),
    });
    expect(warnings.map(({ message }) => message)).toEqual([
      'v.json: statistics name 3 evaluated expectations and 1 results are in the file',
      'v.json: the file says success and holds results that failed',
    ]);
  });

  it('takes the time of a checkpoint, or that in the identifier of a validation, where the validation gives none', async () => {
    const result = {
      results: [{ success: true, expectation_config: { type: 'expect_x', kwargs: {} } }],
      suite_name: 's',
      success: true,
      meta: {},
    };
    const identifier = 'ValidationResultIdentifier::s/__none__/20260302T030405.0Z/orders';
    const whole = { run_id: { run_name: 'nightly', run_time: '2026-03-01T00:00:00+00:00' }, run_results: { [identifier]: result } };
    const first = await callOver(readChecks, { 'checkpoint.json': whole });
    expect(first.data).toMatchObject({ suites: { items: [{ suite: 's', at: '2026-03-01T00:00:00+00:00' }] } });
    const second = await callOver(readChecks, { 'checkpoint.json': { run_results: { [identifier]: result } } });
    expect(second.data).toMatchObject({ suites: { items: [{ suite: 's', at: '2026-03-02T03:04:05.0Z' }] } });
  });

  it('reads the validations of a checkpoint apart', async () => {
    const one = (suite: string, success: boolean): Data => ({
      validation_result: { success, results: [expectation('expect_a', {}, success)], meta: { expectation_suite_name: suite } },
    });
    const { data } = await callOver(readChecks, { 'checkpoint.json': { run_results: { x: one('first', true), y: one('second', false) } } });
    expect(data.suites.items.map((suite: Data) => [suite.suite, suite.by_status])).toEqual([
      ['first', { passed: 1 }],
      ['second', { failed: 1 }],
    ]);
  });

  it('reads a Soda scan; an outcome of null did not pass', async () => {
    const { data } = await callOver(readChecks, {
      'scan.json': {
        definitionName: 'nightly',
        defaultDataSource: 'warehouse',
        scanStartTimestamp: '2026-03-01T02:00:00+00:00',
        hasFailures: true,
        checks: [
          { identity: 'c1', name: 'row_count > 0', table: 'orders', outcome: 'pass', diagnostics: { value: 10 } },
          {
            identity: 'c2',
            name: 'duplicate_count(id) = 0',
            table: 'orders',
            column: 'id',
            outcome: 'fail',
            diagnostics: { value: 4, fail: { greaterThan: 0 } },
          },
          {
            identity: 'c3',
            name: 'freshness(ts) < 1d',
            table: 'orders',
            outcome: null,
            diagnostics: { value: 0 },
            outcomeReasons: [{ message: 'no rows' }],
          },
        ],
      },
    });
    expect(data.by_status).toEqual({ passed: 1, failed: 1, not_evaluated: 1 });
    expect(data.failed.items).toMatchObject([
      { suite: 'nightly', target: 'orders', column: 'id', observed: '4', expected: '{"greaterThan":0}' },
    ]);
    expect(data.not_evaluated.items).toMatchObject([{ check: 'freshness(ts) < 1d', raw_status: 'null', message: 'no rows' }]);
  });

  it('reads dbt tests in the same shape and leaves models out', async () => {
    const { data } = await callOver(readChecks, {
      'run_results.json': runResults([
        ['model.shop.a', 'error', 1],
        ['test.shop.t1', 'fail', 1, { failures: 4 }],
        ['test.shop.t2', 'error', 1, { message: 'no relation' }],
        ['test.shop.t3', 'skipped', 0],
      ]),
    });
    expect(data.by_status).toEqual({ failed: 1, error: 1, not_evaluated: 1 });
    expect(data.failed.items).toMatchObject([
      { check: 'test.shop.t2', status: 'error' },
      { check: 'test.shop.t1', failing_rows: 4 },
    ]);
  });

  it('answers that there is nothing where no file holds checks', async () => {
    expect(await callOver(readChecks, { 'data.json': [{ a: 1 }] })).toMatchObject({ status: 'no_data' });
  });

  it('stays below ten thousand characters for 2,000 expectations that disappeared and failed', async () => {
    const many = (prefix: string): Data[] =>
      Array.from({ length: 2000 }, (_, index) =>
        expectation(
          `expect_${prefix}_${'e'.repeat(60)}`,
          { column: `column_${index}`, value_set: Array.from({ length: 40 }, (__, place) => `value ${place}`) },
          false,
          { observed_value: 'o'.repeat(600) },
        ),
      );
    const result = await callOver(readChecks, {
      '1.json': validation(many('old'), '2026-03-01T02:00:00Z'),
      '2.json': validation(many('new'), '2026-03-02T02:00:00Z'),
    });
    expect(JSON.stringify(result).length).toBeLessThan(10_000);
    expect(result).toMatchObject({ complete: false, data: { failed: { total: 2000 }, disappeared: { total: 2000 } } });
  });
});
