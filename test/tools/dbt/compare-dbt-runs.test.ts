import { describe, expect, it } from 'vitest';
import { compareDbtRuns } from '../../../tools/dbt/compare-dbt-runs.ts';
import { diffLines } from '../../../tools/dbt/diff-lines.ts';
import { callOver } from '../artifacts/call-tool.ts';
import { manifest, runResults } from './dbt-files.ts';

const OLD = { invocation: 'old', at: '2026-03-01T02:00:00Z' };
const NEW = { invocation: 'new', at: '2026-03-02T02:00:00Z' };

const files = {
  'old/manifest.json': manifest(
    [
      { id: 'model.shop.orders', sql: 'select *\nfrom raw.orders\nwhere amount > 0' },
      { id: 'model.shop.gone', sql: 'select 1' },
      { id: 'test.shop.unique_orders_id.aaa', test: 'unique', column: 'id', parents: ['model.shop.orders'] },
      { id: 'test.shop.not_null_orders_id.bbb', test: 'not_null', column: 'id', parents: ['model.shop.orders'] },
      { id: 'test.shop.positive.ccc', parents: ['model.shop.orders'], config: { severity: 'error' } },
    ],
    OLD,
  ),
  'old/run_results.json': runResults(
    [
      ['model.shop.orders', 'success', 10, { adapter_response: { rows_affected: 100 } }],
      ['test.shop.unique_orders_id.aaa', 'fail', 1, { failures: 7 }],
      ['test.shop.not_null_orders_id.bbb', 'pass', 1],
      ['test.shop.positive.ccc', 'pass', 1],
    ],
    OLD,
  ),
  'new/manifest.json': manifest(
    [
      { id: 'model.shop.orders', sql: 'select *\nfrom raw.orders\njoin raw.customers using (customer_id)\nwhere amount > 0' },
      { id: 'test.shop.not_null_orders_id.bbb', test: 'not_null', column: 'id', parents: ['model.shop.orders'] },
      { id: 'test.shop.positive.ccc', parents: ['model.shop.orders'], config: { severity: 'warn' } },
    ],
    NEW,
  ),
  'new/run_results.json': runResults(
    [
      ['model.shop.orders', 'success', 42.5, { adapter_response: { rows_affected: 250 } }],
      ['test.shop.positive.ccc', 'error', 1, { message: 'boom' }],
    ],
    NEW,
  ),
};

describe('compare_dbt_runs', () => {
  it('finds the slower model, its new line of SQL and its rows', async () => {
    const { data, complete } = await callOver(compareDbtRuns, files);
    expect(complete).toBe(true);
    expect(data.before.invocation_id).toBe('old');
    expect(data.slower.items).toEqual([{ node: 'model.shop.orders', before_s: 10, after_s: 42.5, delta_s: 32.5 }]);
    const orders = data.changed_nodes.items.find((one: { node: string }) => one.node === 'model.shop.orders');
    expect(orders).toMatchObject({ what: ['sql'], lines_added: 1, lines_removed: 0, diff: ['+ join raw.customers using (customer_id)'] });
    expect(data.rows_changed.items).toEqual([{ node: 'model.shop.orders', before: 100, after: 250 }]);
    expect(data.nodes_removed.items).toEqual(['model.shop.gone']);
  });

  it('names what fails now and had no result before', async () => {
    const [before, after] = [files['old/run_results.json'], files['new/run_results.json']];
    const added = runResults([['test.shop.accepted_values.ddd', 'fail', 1, { failures: 8 }]], NEW);
    const { data } = await callOver(compareDbtRuns, { 'old/run_results.json': before, 'new/run_results.json': added });
    expect(data.newly_failing.items).toEqual([{ node: 'test.shop.accepted_values.ddd', before: 'not run', after: 'fail', failures: 8 }]);
    const { data: same } = await callOver(compareDbtRuns, { 'old/run_results.json': added, 'new/run_results.json': after });
    expect(same.newly_failing.items).toEqual([{ node: 'test.shop.positive.ccc', before: 'not run', after: 'error', message: 'boom' }]);
  });

  it('names the tests that disappeared, why, and what they last said', async () => {
    const { data } = await callOver(compareDbtRuns, files);
    expect(data.tests_disappeared.items).toEqual([
      expect.objectContaining({
        test: 'test.shop.unique_orders_id.aaa',
        why: 'no longer in the manifest',
        status_before: 'fail',
        failures_before: 7,
        column: 'id',
      }),
      expect.objectContaining({
        test: 'test.shop.not_null_orders_id.bbb',
        why: 'still in the later manifest, but was not run',
        status_before: 'pass',
      }),
    ]);
    expect(data.newly_failing.items).toEqual([{ node: 'test.shop.positive.ccc', before: 'pass', after: 'error', message: 'boom' }]);
    const relaxed = data.changed_nodes.items.find((one: { node: string }) => one.node === 'test.shop.positive.ccc');
    expect(relaxed).toMatchObject({ what: ['config'], config: ['severity: error → warn'] });
  });

  it('says that a test was disabled', async () => {
    const disabled = manifest([], { ...NEW, extra: { disabled: { 'test.shop.unique_orders_id.aaa': [{}] } } });
    const { data } = await callOver(compareDbtRuns, { ...files, 'new/manifest.json': disabled });
    expect(data.tests_disappeared.items[0]).toMatchObject({
      test: 'test.shop.unique_orders_id.aaa',
      why: 'disabled in the later manifest',
    });
  });

  it('does not call complete what it could not compare', async () => {
    const { 'old/manifest.json': _, ...without } = files;
    const result = await callOver(compareDbtRuns, without);
    expect(result).toMatchObject({ complete: false, data: { changed_nodes: null } });
    expect(result.warnings.map(({ code }) => code)).toContain('no_manifest');
  });

  it('compares with the earlier run of the same command unless told otherwise', async () => {
    const other = {
      'mid/run_results.json': runResults([['model.shop.orders', 'success', 1]], {
        invocation: 'mid',
        at: '2026-03-01T12:00:00Z',
        command: 'run',
      }),
    };
    expect((await callOver(compareDbtRuns, { ...files, ...other })).data.before.invocation_id).toBe('old');
    const named = await callOver(compareDbtRuns, { ...files, ...other }, { a: 'mid', b: 'new' });
    expect(named.data.before.invocation_id).toBe('mid');
    expect(named.warnings.map(({ code }) => code)).toContain('different_commands');
  });

  it('refuses one run alone, and a run that does not exist', async () => {
    expect(await callOver(compareDbtRuns, { 'run_results.json': runResults([]) })).toMatchObject({ status: 'refused' });
    expect((await callOver(compareDbtRuns, files, { a: 'oldd' })).data.message).toMatch(/did you mean "old"/);
  });

  it('stays below ten thousand characters when everything changed', async () => {
    const ids = Array.from({ length: 600 }, (_, index) => `model.a_project.${'m'.repeat(80)}_${index}`);
    const tests = Array.from({ length: 700 }, (_, index) => `test.a_project.${'t'.repeat(80)}_${index}.abc`);
    const big = {
      'a/manifest.json': manifest([...ids.map((id) => ({ id, sql: 'select 1\n'.repeat(40) })), ...tests.map((id) => ({ id }))], OLD),
      'a/run_results.json': runResults(
        [...ids, ...tests].map((id) => [id, 'pass', 1, { adapter_response: { rows_affected: 1 } }]),
        OLD,
      ),
      'b/manifest.json': manifest(
        ids.map((id) => ({ id, sql: 'select 2\n'.repeat(40) })),
        NEW,
      ),
      'b/run_results.json': runResults(
        ids.map((id) => [id, 'error', 99, { message: 'x'.repeat(500), adapter_response: { rows_affected: 2 } }]),
        NEW,
      ),
    };
    const result = await callOver(compareDbtRuns, big);
    expect(JSON.stringify(result).length).toBeLessThan(10_000);
    expect(result.complete).toBe(false);
    expect(result.data.tests_disappeared.total).toBe(700);
    expect(result.data.newly_failing.total).toBe(600);
  });
});

describe('diffLines', () => {
  it('gives the lines of a shortest edit', () => {
    expect(diffLines(['a', 'b', 'c', 'd'], ['a', 'c', 'x', 'd'])).toEqual(['- b', '+ x']);
    expect(diffLines([], ['a'])).toEqual(['+ a']);
    expect(diffLines(['a'], ['a'])).toEqual([]);
  });
});
