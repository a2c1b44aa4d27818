import { describe, expect, it } from 'vitest';
import { lineage } from '../../../tools/lineage/lineage.ts';
import { buildGraph, findCycles, reach } from '../../../tools/lineage/lineage-graph.ts';
import { callOver, type Data } from '../artifacts/call-tool.ts';
import { manifest } from '../dbt/dbt-files.ts';

const shop = manifest(
  [
    { id: 'model.shop.stg_orders', sql: 's', parents: ['source.shop.raw.orders'] },
    { id: 'model.shop.stg_payments', sql: 's', parents: ['source.shop.raw.payments'] },
    { id: 'model.shop.orders', sql: 's', parents: ['model.shop.stg_orders', 'model.shop.stg_payments'] },
    { id: 'model.shop.daily', sql: 's', parents: ['model.shop.orders'] },
    { id: 'test.shop.unique_orders', parents: ['model.shop.orders'] },
  ],
  { extra: { exposures: { 'exposure.shop.board': { name: 'board', depends_on: { nodes: ['model.shop.daily'] } } } } },
);

const ids = (side: Data): string[] => side.items.map((one: Data) => one.id);

describe('lineage', () => {
  it('lists what a model is made from and what is made from it, with the steps', async () => {
    const { data, complete } = await callOver(lineage, { 'manifest.json': shop }, { node: 'orders' });
    expect(complete).toBe(true);
    expect(ids(data.upstream)).toEqual([
      'model.shop.stg_orders',
      'model.shop.stg_payments',
      'source.shop.raw.orders',
      'source.shop.raw.payments',
    ]);
    expect(data.upstream.items[2]).toEqual({ id: 'source.shop.raw.orders', type: 'source', depth: 2, via: ['model.shop.stg_orders'] });
    expect(ids(data.downstream)).toEqual(['model.shop.daily', 'exposure.shop.board']);
    expect(data.tests).toBe(1);
  });

  it('counts what lies beyond the depth and does not call that complete', async () => {
    const { data, complete, warnings } = await callOver(
      lineage,
      { 'manifest.json': shop },
      { node: 'model.shop.daily', direction: 'upstream', depth: 1 },
    );
    expect(complete).toBe(false);
    expect(data.upstream).toMatchObject({ total: 5, returned: 1, beyond_depth: 4, deepest: 3 });
    expect(data.downstream).toBeUndefined();
    expect(warnings[0]?.message).toBe('upstream: 4 of 5 nodes are further away than 1 steps');
  });

  it('reads old manifests that keep parents in a map of their own', async () => {
    const old = {
      metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v1.json' },
      nodes: { 'model.a.x': { name: 'x' }, 'model.a.y': { name: 'y' } },
      parent_map: { 'model.a.y': ['model.a.x'] },
    };
    const { data } = await callOver(lineage, { 'manifest.json': old }, { node: 'y' });
    expect(ids(data.upstream)).toEqual(['model.a.x']);
  });

  it('names near nodes when there is none, and asks which where several fit', async () => {
    expect((await callOver(lineage, { 'manifest.json': shop }, { node: 'order' })).data.message).toMatch(/did you mean "orders"/);
    const twice = manifest([{ id: 'model.a.orders' }, { id: 'model.b.orders' }]);
    expect((await callOver(lineage, { 'manifest.json': twice }, { node: 'orders' })).data.message).toMatch(
      /model\.a\.orders, model\.b\.orders/,
    );
  });

  it('takes jobs and datasets of OpenLineage for nodes', async () => {
    const event = (job: string, from: string, to: string): Data => ({
      eventType: 'COMPLETE',
      eventTime: '2026-03-01T00:00:00Z',
      run: { runId: job },
      job: { namespace: 'etl', name: job },
      inputs: [{ namespace: 'db', name: from }],
      outputs: [{ namespace: 'db', name: to }],
    });
    const { data } = await callOver(
      lineage,
      { 'events.json': [event('load', 'raw.orders', 'stg.orders'), event('build', 'stg.orders', 'mart.daily')] },
      { node: 'mart.daily', depth: 9 },
    );
    expect(ids(data.upstream)).toEqual(['etl/build', 'db/stg.orders', 'etl/load', 'db/raw.orders']);
  });

  it('refuses where there is nothing to read lineage from', async () => {
    expect(await callOver(lineage, { 'a.csv': 'a,b\n1,2\n' }, { node: 'a' })).toMatchObject({ status: 'refused' });
  });

  it('stays below ten thousand characters for a node with 5,000 children', async () => {
    const children = Array.from({ length: 5000 }, (_, index) => ({
      id: `model.shop.${'c'.repeat(150)}_${index}`,
      parents: ['model.shop.root'],
    }));
    const result = await callOver(
      lineage,
      { 'manifest.json': manifest([{ id: 'model.shop.root' }, ...children]) },
      { node: 'root', limit: 500 },
    );
    expect(JSON.stringify(result).length).toBeLessThan(10_000);
    expect(result).toMatchObject({ complete: false, data: { downstream: { total: 5000 } } });
  });
});

describe('lineage graph', () => {
  const graph = buildGraph(
    [],
    [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['c', 'd'],
    ],
  );

  it('finds a way back to a node from itself', () => {
    expect(findCycles(graph)).toEqual([['a', 'b', 'c', 'a']]);
    expect(
      findCycles(
        buildGraph(
          [],
          [
            ['a', 'b'],
            ['a', 'c'],
            ['b', 'd'],
            ['c', 'd'],
          ],
        ),
      ),
    ).toEqual([]);
  });

  it('reaches every node once, at its shortest distance, also around a cycle', () => {
    expect(reach(graph, 'a', 'downstream').map(({ id, depth }) => [id, depth])).toEqual([
      ['b', 1],
      ['c', 2],
      ['d', 3],
    ]);
  });
});
