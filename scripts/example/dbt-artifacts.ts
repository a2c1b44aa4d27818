import { type Night, taskOf } from './read-nights.ts';
import { seededRandom } from './seeded-random.ts';

export interface ArtifactFile {
  readonly path: string;
  readonly value: unknown;
}

interface Model {
  readonly name: string;
  readonly weight: number;
  readonly from: readonly string[];
}

const MODELS: readonly Model[] = [
  { name: 'stg_customers', weight: 12, from: ['customers'] },
  { name: 'stg_orders', weight: 40, from: ['orders'] },
  { name: 'stg_order_lines', weight: 85, from: ['order_lines'] },
  { name: 'stg_payments', weight: 30, from: ['payments'] },
  { name: 'stg_shipments', weight: 22, from: ['shipments'] },
  { name: 'mart_daily_sales', weight: 95, from: ['stg_orders', 'stg_order_lines'] },
  { name: 'mart_store_daily', weight: 70, from: ['stg_orders', 'stg_order_lines'] },
  { name: 'mart_product_daily', weight: 65, from: ['stg_orders', 'stg_order_lines'] },
  { name: 'mart_customer_value', weight: 45, from: ['stg_customers', 'stg_orders', 'stg_payments'] },
];

/** Name, tested model, rows that break it. */
const TESTS: readonly (readonly [string, string, (salesDay: string) => number])[] = [
  ['unique_stg_orders_order_id', 'stg_orders', () => 0],
  ['not_null_stg_orders_customer_id', 'stg_orders', () => 0],
  ['unique_stg_order_lines_line_id', 'stg_order_lines', () => 0],
  ['not_null_stg_order_lines_product_id', 'stg_order_lines', () => 0],
  ['unique_stg_payments_payment_id', 'stg_payments', (salesDay) => (salesDay >= '2026-03-14' ? 1 : 0)],
  ['not_null_stg_payments_order_id', 'stg_payments', () => 0],
  ['unique_stg_customers_customer_id', 'stg_customers', () => 0],
  ['unique_stg_shipments_shipment_id', 'stg_shipments', () => 0],
  ['unique_mart_daily_sales_sales_day', 'mart_daily_sales', () => 0],
  ['unique_mart_customer_value_customer_id', 'mart_customer_value', () => 0],
  ['not_null_mart_daily_sales_revenue', 'mart_daily_sales', () => 0],
];

const OVERHEAD_S = 9;
const TEST_S = 1.4;

/** `target` folders of dbt 1.9 (run results v6, manifest v12) whose times fill the transform task of the same night. */
export function dbtArtifacts(nights: readonly Night[], rowsOf: (table: string) => number): ArtifactFile[] {
  return nights.flatMap((night) => [
    { path: `night_${night.date}/run_results.json`, value: runResults(night, rowsOf) },
    { path: `night_${night.date}/manifest.json`, value: manifest(night) },
  ]);
}

function metadata(night: Night, schema: string): Record<string, unknown> {
  const generatedAt = taskOf(night, 'transform').end_date;
  return {
    dbt_schema_version: `https://schemas.getdbt.com/dbt/${schema}.json`,
    dbt_version: '1.9.4',
    generated_at: generatedAt,
    invocation_id: `7b1f0c52-0000-4000-8000-${night.date.replaceAll('-', '').padStart(12, '0')}`,
    env: {},
  };
}

function runResults(night: Night, rowsOf: (table: string) => number): unknown {
  const task = taskOf(night, 'transform');
  const random = seededRandom(Number(night.date.replaceAll('-', '')));
  const available = task.duration - OVERHEAD_S - TESTS.length * TEST_S;
  const weights = MODELS.map((model) => model.weight * (0.99 + random.next() * 0.02));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let clock = Date.parse(task.start_date) + 6_000;
  const timed = (seconds: number): Record<string, unknown> => {
    const started = new Date(clock).toISOString();
    clock += seconds * 1000;
    return { execution_time: seconds, timing: [{ name: 'execute', started_at: started, completed_at: new Date(clock).toISOString() }] };
  };
  const models = MODELS.map((model, index) => ({
    status: 'success',
    unique_id: `model.shop.${model.name}`,
    thread_id: 'Thread-1',
    ...timed(Number((((weights[index] ?? 0) / total) * available).toFixed(3))),
    message: `SELECT ${rowsOf(model.name)}`,
    failures: null,
    adapter_response: { _message: `SELECT ${rowsOf(model.name)}`, code: 'SELECT', rows_affected: rowsOf(model.name) },
    relation_name: `"warehouse"."main"."${model.name}"`,
  }));
  const tests = TESTS.map(([name, , breaches]) => {
    const failures = breaches(night.salesDay);
    return {
      status: failures > 0 ? 'warn' : 'pass',
      unique_id: `test.shop.${name}`,
      thread_id: 'Thread-1',
      ...timed(TEST_S),
      message: failures > 0 ? `Got ${failures} result, configured to warn if != 0` : null,
      failures,
      adapter_response: {},
      relation_name: null,
    };
  });
  const elapsed = Number((task.duration - 3).toFixed(3));
  return { metadata: metadata(night, 'run-results/v6'), results: [...models, ...tests], elapsed_time: elapsed, args: { which: 'build' } };
}

function manifest(night: Night): unknown {
  const id = (name: string): string => (/^(stg|mart)_/.test(name) ? `model.shop.${name}` : `source.shop.raw.${name}`);
  const sources = [...new Set(MODELS.flatMap((model) => model.from))].filter((name) => id(name).startsWith('source.'));
  const models = MODELS.map((model) => ({
    unique_id: id(model.name),
    resource_type: 'model',
    name: model.name,
    schema: 'main',
    path: `${model.name}.sql`,
    depends_on: { macros: [], nodes: model.from.map(id) },
    config: { materialized: 'table' },
  }));
  const tests = TESTS.map(([name, tested]) => ({
    unique_id: `test.shop.${name}`,
    resource_type: 'test',
    name,
    schema: 'main',
    path: 'schema.yml',
    depends_on: { macros: [], nodes: [id(tested)] },
    config: { severity: name === 'unique_stg_payments_payment_id' ? 'warn' : 'error' },
  }));
  return {
    metadata: { ...metadata(night, 'manifest/v12'), project_name: 'shop', adapter_type: 'duckdb' },
    nodes: Object.fromEntries([...models, ...tests].map((node) => [node.unique_id, node])),
    sources: Object.fromEntries(
      sources.map((name) => [id(name), { unique_id: id(name), source_name: 'raw', name, resource_type: 'source' }]),
    ),
    exposures: {},
    metrics: {},
    parent_map: Object.fromEntries([...models, ...tests].map((node) => [node.unique_id, node.depends_on.nodes])),
    child_map: Object.fromEntries(
      [...sources.map(id), ...models.map((model) => model.unique_id)].map((parent) => [
        parent,
        [...models, ...tests].filter((node) => node.depends_on.nodes.includes(parent)).map((node) => node.unique_id),
      ]),
    ),
  };
}
