import { manifest, runResults } from '../tools/dbt/dbt-files.ts';
import type { PipelineStory } from './pipeline-stories.ts';

type Nodes = Parameters<typeof manifest>[0];
type Results = Parameters<typeof runResults>[0];

interface Side {
  readonly nodes: Nodes;
  readonly results: Results;
  readonly seconds?: number;
  readonly threads?: number;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** The files of two runs of dbt, a night apart. */
function twoRuns(before: Side, after: Side): Record<string, Record<string, unknown>> {
  const side = (name: string, { nodes, results, seconds, threads, extra = {} }: Side, at: string) => {
    const written = runResults(results, { invocation: name, at }) as { args: Record<string, unknown>; elapsed_time: number };
    written.elapsed_time = seconds ?? results.reduce((sum, [, , took]) => sum + took, 0);
    written.args = { ...written.args, full_refresh: false, ...(threads === undefined ? {} : { threads }) };
    const files = { 'manifest.json': manifest(nodes, { invocation: name, at }), 'run_results.json': written, ...extra };
    return Object.fromEntries(Object.entries(files).map(([file, content]) => [`${name}/${file}`, content]));
  };
  return { 'dbt=dbt': { ...side('mon', before, '2026-06-08T03:00:00Z'), ...side('tue', after, '2026-06-09T03:00:00Z') } };
}

const model = (name: string, more: Partial<Nodes[number]> = {}): Nodes[number] => ({ id: `model.web.${name}`, sql: 'select 1', ...more });
const rows = (count: number) => ({ adapter_response: { rows_affected: count } });
const many = (seconds: (index: number) => number): Results =>
  Array.from({ length: 12 }, (_, index) => [`model.web.m${index}`, 'success', seconds(index), rows(1000)] as const);
const manyNodes: Nodes = Array.from({ length: 12 }, (_, index) => model(`m${index}`));

const fewerThreads = (ill: boolean) => {
  const results = many((index) => 60 + index);
  return twoRuns(
    { nodes: manyNodes, results, seconds: 140, threads: 8 },
    { nodes: manyNodes, results, seconds: ill ? 410 : 141, threads: ill ? 2 : 8 },
  );
};

const slowDatabase = (ill: boolean) =>
  twoRuns(
    { nodes: manyNodes, results: many((index) => 20 + index) },
    { nodes: manyNodes, results: many((index) => (20 + index) * (ill ? 4 : 1)) },
  );

const anew = (ill: boolean) => {
  const clicks = (config: object) => model('clicks', { config: { materialized: 'incremental', ...config } });
  return twoRuns(
    { nodes: [clicks({})], results: [['model.web.clicks', 'success', 55, rows(210_000)]] },
    {
      nodes: [clicks(ill ? { full_refresh: true } : {})],
      results: [['model.web.clicks', 'success', ill ? 3300 : 56, rows(ill ? 96_000_000 : 211_000)]],
    },
  );
};

const milderTest = (ill: boolean) => {
  const check = (severity: string): Nodes[number] => ({
    id: 'test.web.not_null_orders_user.a1',
    test: 'not_null',
    column: 'user',
    parents: ['model.web.orders'],
    config: { severity },
  });
  const orders: Results[number] = ['model.web.orders', 'success', 10, rows(5000)];
  return twoRuns(
    { nodes: [model('orders'), check('ERROR')], results: [orders, [check('').id, ill ? 'fail' : 'pass', 1, { failures: ill ? 412 : 0 }]] },
    {
      nodes: [model('orders'), check(ill ? 'warn' : 'ERROR')],
      results: [orders, [check('').id, ill ? 'warn' : 'pass', 1, { failures: ill ? 430 : 0 }]],
    },
  );
};

const staleSource = (ill: boolean) => {
  const checked = {
    metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/sources/v3.json', generated_at: '2026-06-09T02:55:00Z' },
    results: [
      {
        unique_id: 'source.web.erp.invoices',
        max_loaded_at: ill ? '2026-06-07T22:15:00Z' : '2026-06-09T02:15:00Z',
        snapshotted_at: '2026-06-09T02:55:00Z',
        // 28 hours and 40 minutes.
        max_loaded_at_time_ago_in_s: ill ? 103_200 : 2400,
        status: ill ? 'error' : 'pass',
        criteria: { warn_after: { count: 6, period: 'hour' }, error_after: { count: 12, period: 'hour' } },
      },
    ],
  };
  const side = { nodes: [model('revenue')], results: [['model.web.revenue', 'success', 20, rows(900)]] as const };
  return twoRuns(side, { ...side, extra: { 'sources.json': checked } });
};

const renamed = (ill: boolean) => {
  const sales = (sql: string, parents: readonly string[]) => model('sales', { sql, parents });
  const old = [model('stg_orders'), sales("select * from {{ ref('stg_orders') }}", ['model.web.stg_orders'])];
  const now = ill ? [model('stg_shop_orders'), sales('select * from mart.stg_orders', [])] : old;
  const results = (stage: string): Results => [
    [`model.web.${stage}`, 'success', 30, rows(500)],
    ['model.web.sales', 'success', 12, rows(500)],
  ];
  return twoRuns({ nodes: old, results: results('stg_orders') }, { nodes: now, results: results(ill ? 'stg_shop_orders' : 'stg_orders') });
};

const skippedModel = (ill: boolean) => {
  const nodes: Nodes = [
    model('stg_orders'),
    model('orders', { parents: ['model.web.stg_orders'] }),
    { id: 'test.web.unique_stg_orders.b2', test: 'unique', column: 'id', parents: ['model.web.stg_orders'] },
    model('people'),
  ];
  const results = (broken: boolean): Results => [
    ['model.web.stg_orders', 'success', 5],
    ['test.web.unique_stg_orders.b2', broken ? 'fail' : 'pass', 1, { failures: broken ? 3 : 0 }],
    ['model.web.people', broken ? 'error' : 'success', 2, { message: broken ? 'out of memory' : null }],
    ['model.web.orders', broken ? 'skipped' : 'success', broken ? 0 : 6],
  ];
  return twoRuns({ nodes, results: results(false) }, { nodes, results: results(ill) });
};

const selected = (ill: boolean) => {
  const results = many(() => 5);
  return twoRuns({ nodes: manyNodes, results }, { nodes: manyNodes, results: ill ? results.slice(0, 3) : results });
};

const SILENCED =
  /`test\.web\.not_null_orders_user\.a1` only warns now, with failures 430, because its settings changed \(severity: ERROR → warn\)/;

export const DBT_STORIES: readonly PipelineStory[] = [
  {
    name: 'fewer threads',
    question: 'The dbt run took longer but no model is slower. Why?',
    files: fewerThreads,
    cause: /^The later run had threads 2, the one before threads 8, so fewer models ran at once: elapsed 410 s, before 140 s/,
  },
  {
    name: 'a database that is slow for all',
    question: 'Why was dbt so slow last night, which model is to blame?',
    files: slowDatabase,
    // 12 times 20, and the sum of 0 to 11.
    cause: /^Nearly all nodes are slower \(slower total 12; by status success 12\) .* no single model: 1224 s in all, before 306 s/,
  },
  {
    name: 'a model built anew by its own settings',
    question: 'What happened to dbt last night?',
    files: anew,
    cause:
      /^What was built anew.* `model\.web\.clicks` took 3300 s, before 55 s, its rows went from 210000 to 96000000, and its settings changed: .*full_refresh/,
  },
  {
    name: 'a test that only warns now',
    question: 'Yesterday dbt failed, today it is green. Was the data fixed?',
    files: milderTest,
    cause: SILENCED,
  },
  {
    name: 'a source without new rows',
    question: 'Revenue has no data for yesterday although dbt is green. Why?',
    files: staleSource,
    cause:
      /^A source was stale before the run.* `source\.web\.erp\.invoices` is of 2026-06-07T22:15:00Z, age 103200 s when checked at 2026-06-09T02:55:00Z \(error, error after 12 hour\)/,
  },
  {
    name: 'a model that was renamed',
    question: 'The sales model lacks the rows of yesterday although dbt is green. Why?',
    files: renamed,
    cause:
      /^`model\.web\.stg_orders` is no longer built.* `model\.web\.stg_shop_orders` came instead; `model\.web\.sales`, which was made from it: SQL changed/,
  },
  {
    name: 'models that were not selected',
    question: 'Why was the model m7 not rebuilt last night?',
    files: selected,
    cause:
      /^The later run did not build what the run before it built: `model\.web\.m7`, .* \(by status success 3; in the run before by status success 12\)/,
  },
  {
    name: 'a model that was skipped for one of two failures',
    question: 'Why was the orders model not built last night?',
    files: skippedModel,
    cause:
      /^`model\.web\.orders` was skipped, since what it is made from failed: `test\.web\.unique_stg_orders\.b2` \(fail, failures 3\) \[/,
  },
];
