import { rmSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ShopValue, TableRows } from './shop-table.ts';

/** Tables that dbt builds of the loaded ones, in the order in which they are built. */
const MODELS: readonly (readonly [string, string])[] = [
  ['stg_customers', 'SELECT customer_id, name, lower(email) AS email, city, created_at FROM customers'],
  [
    'stg_orders',
    "SELECT order_id, customer_id, store_id, placed_at, CAST(placed_at AS DATE) AS sales_day, amount, state FROM orders WHERE state <> 'test'",
  ],
  [
    'stg_order_lines',
    'SELECT l.line_id, l.order_id, l.product_id, p.category_id, l.quantity, l.amount FROM order_lines l JOIN products p USING (product_id)',
  ],
  ['stg_payments', 'SELECT payment_id, order_id, method, amount, paid_at FROM payments'],
  ['stg_shipments', 'SELECT shipment_id, order_id, carrier, shipped_on, delivered_on FROM shipments'],
  [
    'mart_daily_sales',
    "SELECT sales_day, count(*)::INTEGER AS orders, sum(amount)::DECIMAL(14,2) AS revenue FROM stg_orders WHERE state = 'paid' GROUP BY sales_day",
  ],
  [
    'mart_store_daily',
    "SELECT sales_day, store_id, count(*)::INTEGER AS orders, sum(amount)::DECIMAL(14,2) AS revenue FROM stg_orders WHERE state = 'paid' GROUP BY ALL",
  ],
  [
    'mart_product_daily',
    'SELECT o.sales_day, l.product_id, sum(l.quantity)::INTEGER AS units, sum(l.amount)::DECIMAL(14,2) AS revenue FROM stg_orders o JOIN stg_order_lines l USING (order_id) GROUP BY ALL',
  ],
  [
    'mart_customer_value',
    "SELECT c.customer_id, count(o.order_id)::INTEGER AS orders, coalesce(sum(o.amount), 0)::DECIMAL(14,2) AS revenue FROM stg_customers c LEFT JOIN stg_orders o ON o.customer_id = c.customer_id AND o.state = 'paid' GROUP BY ALL",
  ],
];

const ROWS_AT_ONCE = 400;

/** Writes the database anew and answers the number of rows of each table. Small blocks keep the file small. */
export async function writeWarehouse(file: string, tables: readonly TableRows[]): Promise<ReadonlyMap<string, number>> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  rmSync(file, { force: true });
  rmSync(`${file}.wal`, { force: true });
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    await connection.run(`ATTACH '${file.replaceAll("'", "''")}' AS warehouse (BLOCK_SIZE 16384)`);
    await connection.run('USE warehouse');
    for (const table of tables) await writeTable(connection, table);
    for (const [name, query] of MODELS) await connection.run(`CREATE TABLE ${name} AS ${query} ORDER BY ALL`);
    await connection.run('CHECKPOINT warehouse');
    return await countRows(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function writeTable(connection: DuckDBConnection, table: TableRows): Promise<void> {
  await connection.run(`CREATE TABLE ${table.name} (${table.columns})`);
  for (let at = 0; at < table.rows.length; at += ROWS_AT_ONCE) {
    const rows = table.rows.slice(at, at + ROWS_AT_ONCE).map((row) => `(${row.map(literal).join(', ')})`);
    await connection.run(`INSERT INTO ${table.name} VALUES ${rows.join(', ')}`);
  }
}

function literal(value: ShopValue): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

async function countRows(connection: DuckDBConnection): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const names = await connection.runAndReadAll(
    "SELECT table_name FROM duckdb_tables() WHERE database_name = 'warehouse' ORDER BY table_name",
  );
  for (const [name] of names.getRowsJson()) {
    const counted = await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM ${String(name)}`);
    counts.set(String(name), Number(counted.getRowsJson()[0]?.[0]));
  }
  return counts;
}
