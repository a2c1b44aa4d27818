import { describe, expect, it } from 'vitest';
import { readDbtRun } from '../../../tools/dbt/read-dbt-run.ts';
import { callOver } from '../artifacts/call-tool.ts';
import { manifest, runResults } from './dbt-files.ts';

describe('read_dbt_run', () => {
  it('keeps every status as it stands and counts none of them twice', async () => {
    const { data, status, complete } = await callOver(readDbtRun, {
      'target/run_results.json': runResults([
        ['model.shop.a', 'success', 1.5, { adapter_response: { rows_affected: 10 } }],
        ['model.shop.b', 'error', 30.25, { message: 'Database Error\n  relation "x" does not exist' }],
        ['model.shop.c', 'partial success', 4],
        ['model.shop.d', 'skipped', 0],
        ['model.shop.e', 'no-op', 0],
        ['model.shop.f', 'quantum', 0.5],
        ['test.shop.t', 'warn', 0.25, { failures: 3 }],
      ]),
    });
    expect({ status, complete }).toEqual({ status: 'ok', complete: true });
    expect(data.by_status).toEqual({ success: 1, error: 1, 'partial success': 1, skipped: 1, 'no-op': 1, quantum: 1, warn: 1 });
    expect(data.unknown_statuses).toEqual(['quantum']);
    expect(data.failed.items.map((one: { node: string }) => one.node)).toEqual(['model.shop.b', 'model.shop.c']);
    expect(data.failed.items[0].message).toBe('Database Error | relation "x" does not exist');
    expect(data.warned.items).toEqual([{ node: 'test.shop.t', status: 'warn', execution_s: 0.25, failures: 3 }]);
    // 1.5 + 30.25 + 4 + 0.5 + 0.25
    expect(data.execution_s_sum).toBe(36.5);
    expect(data.slowest[0]).toMatchObject({ node: 'model.shop.b', execution_s: 30.25 });
  });

  it('names the places of NaN and Infinity and takes none of them for 0', async () => {
    const text = JSON.stringify(
      runResults([['model.shop.a', 'success', 2, { adapter_response: { rows_affected: 'NAN' }, message: 'NaN in text' }]]),
    )
      .replace('"NAN"', 'NaN')
      .replace('"elapsed_time":12.5', '"elapsed_time":-Infinity');
    const { data, warnings } = await callOver(readDbtRun, { 'run_results.json': text });
    expect(data.non_finite).toEqual({ count: 2, places: ['results[0].adapter_response.rows_affected', 'elapsed_time'] });
    expect(data.elapsed_s).toBe('-Infinity');
    expect(data.slowest[0]).toMatchObject({ rows: 'NaN' });
    expect(warnings.map(({ code }) => code)).toContain('not_a_number');
  });

  it.each([
    ['v6', []],
    ['v7', ['newer_version']],
    ['v12', ['newer_version']],
  ])('reads run results of %s and says when they are newer than those it knows', async (version, expected) => {
    const text = JSON.stringify(runResults([['model.shop.a', 'success', 2]])).replace(/run-results\/v\d+/, `run-results/${version}`);
    const { data, warnings } = await callOver(readDbtRun, { 'run_results.json': text });
    expect(data).toMatchObject({ schema_version: version, by_status: { success: 1 } });
    expect(warnings.map(({ code }) => code).filter((code) => code === 'newer_version')).toEqual(expected);
  });

  it('takes -1 rows for unknown', async () => {
    const { data, warnings } = await callOver(readDbtRun, {
      'run_results.json': runResults([['model.shop.a', 'success', 2, { adapter_response: { rows_affected: -1 } }]]),
    });
    expect(data.slowest[0]).not.toHaveProperty('rows');
    expect(warnings.map(({ code }) => code)).toContain('rows_unknown');
  });

  it.each(['v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v9'])('states the schema version %s and reads the results', async (version) => {
    const { data } = await callOver(readDbtRun, { 'some-name.json': runResults([['model.shop.a', 'success', 2]], { version }) });
    expect(data).toMatchObject({ schema_version: version, results: 1, by_status: { success: 1 } });
  });

  it('explains why run_results.json may be missing', async () => {
    const { data, status } = await callOver(readDbtRun, { 'target/manifest.json': manifest([{ id: 'model.shop.a', sql: 'select 1' }]) });
    expect(status).toBe('no_data');
    expect(data.message).toMatch(/target\/manifest\.json has no run_results\.json beside it: .*--fail-fast/);
  });

  it('takes the newest run, names the others, and finds one by its invocation', async () => {
    const files = {
      'a/run_results.json': runResults([['model.shop.a', 'success', 1]], { invocation: 'old', at: '2026-03-01T02:00:00Z' }),
      'b/run_results.json': runResults([['model.shop.a', 'error', 1]], { invocation: 'new', at: '2026-03-02T02:00:00Z' }),
    };
    const newest = await callOver(readDbtRun, files);
    expect(newest.data).toMatchObject({
      invocation_id: 'new',
      runs_found: 2,
      other_runs: [{ invocation_id: 'old', path: 'a/run_results.json' }],
    });
    expect((await callOver(readDbtRun, files, { run: 'old' })).data.by_status).toEqual({ success: 1 });
    expect(await callOver(readDbtRun, files, { run: 'nope' })).toMatchObject({ status: 'refused' });
  });

  it('counts the tests of its manifest that have no result', async () => {
    const { data } = await callOver(readDbtRun, {
      'run_results.json': runResults([['test.shop.t1', 'pass', 1]]),
      'manifest.json': manifest([{ id: 'test.shop.t1' }, { id: 'test.shop.t2' }, { id: 'test.shop.off', config: { enabled: false } }]),
    });
    expect(data.manifest).toMatchObject({ because: 'same invocation', schema_version: 'v12', tests_without_result: 1 });
  });

  it('fails where the only results are broken, and tells what the freshness of sources says where there are none', async () => {
    const broken = await callOver(readDbtRun, {
      'run_results.json': '{"metadata": {"dbt_schema_version": "x/dbt/run-results/v6.json"}, "results": [',
    });
    expect(broken).toMatchObject({ status: 'error', complete: false });
    expect(broken.data.message).toContain('run_results.json, line 1');
    const sources = {
      results: [
        { unique_id: 'source.a.o', status: 'error' },
        { unique_id: 'source.a.p', status: 'pass' },
      ],
    };
    const metadata = { dbt_schema_version: 'https://schemas.getdbt.com/dbt/sources/v3.json' };
    const { data } = await callOver(readDbtRun, { 'sources.json': { metadata, ...sources } });
    expect(data.message).toContain('freshness of 2 sources; not fresh: source.a.o (error)');
  });

  it('says that a broken file was left out', async () => {
    const result = await callOver(readDbtRun, {
      'a/run_results.json': runResults([['model.shop.a', 'success', 1]]),
      'b/run_results.json': '{"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/run-results/v6.json"}, "results": [',
    });
    expect(result).toMatchObject({ status: 'partial', complete: false, warnings: [{ code: 'broken_file' }] });
  });

  it('stays below ten thousand characters for 85 models and 700 tests that all fail', async () => {
    const long = 'y'.repeat(400);
    const rows = Array.from({ length: 785 }, (_, index): [string, string, number, Record<string, unknown>] => [
      `${index < 85 ? 'model' : 'test'}.a_project_with_a_long_name.${'n'.repeat(90)}_${index}`,
      ['error', 'fail', 'warn', 'skipped'][index % 4] ?? '',
      index,
      { message: long, failures: index },
    ]);
    const result = await callOver(readDbtRun, { 'run_results.json': runResults(rows) }, { status: 'fail' });
    expect(JSON.stringify(result).length).toBeLessThan(10_000);
    expect(result).toMatchObject({ status: 'partial', complete: false, total: 785 });
    // every second status is error or fail: 393 of 785 (Math.ceil and floor of 785/4 are 197 and 196)
    expect(result.data.failed.total).toBe(393);
    expect(result.data.failed.returned).toBe(result.data.failed.items.length);
  });
});
