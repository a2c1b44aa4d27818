import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDuplicates } from '../../../tools/warehouse/find-duplicates.ts';
import { openTestTables, type TestTables } from './open-test-tables.ts';

const CASE = fileURLToPath(new URL('../../cases/retry-duplicates', import.meta.url));
const expected = JSON.parse(readFileSync(`${CASE}/expected.json`, 'utf8'));

/** The case's rows under other names, so that nothing hangs on what they are called. */
const RENAMED = `CREATE TABLE shipments AS SELECT order_id AS parcel_ref, customer AS "to whom", amount AS weight, status, updated_at AS moved_at,
  loaded_at AS _loaded, run_id AS job_id, try_number AS attempt FROM orders`;

let tables: TestTables;

beforeAll(async () => {
  const [header = '', ...lines] = readFileSync(`${CASE}/orders.csv`, 'utf8').trim().split('\n');
  const types = header
    .split(',')
    .map((name) => `${name} ${/number|batch/.test(name) ? 'INTEGER' : name === 'amount' ? 'NUMERIC(12,2)' : 'TEXT'}`);
  const values = lines.map(
    (line) =>
      `(${line
        .split(',')
        .map((cell) => `'${cell}'`)
        .join(', ')})`,
  );
  const orders = [`CREATE TABLE orders (${types.join(', ')})`, `INSERT INTO orders VALUES ${values.join(', ')}`];
  tables = await openTestTables({
    sqlite: orders,
    duckdb: [
      ...orders,
      RENAMED,
      'CREATE TABLE nulls (id INTEGER, name TEXT)',
      `INSERT INTO nulls VALUES (NULL, 'a'), (NULL, 'a'), (NULL, 'b'), (1, NULL), (1, NULL), (2, 'c')`,
      'CREATE TABLE lines (order_id INTEGER, line_number INTEGER, price DECIMAL(10,2), batch INTEGER)',
      'INSERT INTO lines SELECT i // 4, i % 4, i, 1 FROM range(400) r(i)',
      'INSERT INTO lines SELECT i // 4, i % 4, i, 2 FROM range(100) r(i)',
      'CREATE TABLE readings (place TEXT, level DECIMAL(6,1))',
      `INSERT INTO readings VALUES ('a', 1.5), ('a', 1.5), ('a', 2.5), ('b', 2.5), ('b', 2.5), ('b', 2.5)`,
      'CREATE TABLE fine (id INTEGER PRIMARY KEY, name TEXT, size INTEGER)',
      `INSERT INTO fine VALUES (1, 'a', 1), (2, 'b', 2)`,
      'CREATE TABLE nothing (id INTEGER, name TEXT)',
    ],
  });
});

afterAll(() => tables.close());

describe.each(['duck', 'lite'])('find_duplicates on rows that a retry loaded twice (%s)', (source) => {
  it('tells re-loaded copies, new versions and look-alikes apart without being told the key', async () => {
    const { status, data } = await tables.call(findDuplicates, { table: 'orders', source });
    expect(status).toBe('ok');
    expect(data).toMatchObject({
      key: ['order_id'],
      key_from: 'proposed',
      rows: expected.rows,
      distinct_keys: expected.distinct_orders,
      extra_rows: expected.extra_rows_from_retry + expected.legit_new_versions,
      exact_copies: 0,
      reload_copies: expected.extra_rows_from_retry,
      versions: expected.legit_new_versions,
      keys_with_copies: expected.orders_loaded_twice,
      lookalikes: { rows: expected.legit_lookalike_orders },
      version_columns: [
        { column: 'status', keys: expected.legit_new_versions },
        { column: 'updated_at', keys: expected.legit_new_versions },
      ],
    });
  });

  it('says which try and which batches the extra rows came with', async () => {
    const { data } = await tables.call(findDuplicates, { table: 'orders', source });
    const by = (column: string) => data.by_load.find((item: { column: string }) => item.column === column).values;
    expect(by('try_number')).toEqual([
      { value: '2', kept: 0, extra: expected.extra_rows_from_retry },
      { value: '1', kept: expected.extra_rows_from_retry, extra: 0 },
    ]);
    expect(by('batch').map(({ value }: { value: string }) => Number(value))).toEqual(expected.batches_twice);
  });

  it('names keys of copies and of versions', async () => {
    const { data } = await tables.call(findDuplicates, { table: 'orders', source });
    expect(data.sample_copies).toEqual(['O100000', 'O100001', 'O100002'].map((id) => ({ key: [id], rows: 2 })));
    // The orders with status shipped, found with: grep shipped orders.csv
    expect(data.sample_versions).toEqual(['O100005', 'O100077', 'O100640'].map((id) => ({ key: [id], versions: 2 })));
  });

  it('says what the extra rows add to a sum', async () => {
    const { data } = await tables.call(findDuplicates, { table: 'orders', source, where: `run_id LIKE '%2026-02-11%'` });
    const [sum] = data.sums;
    expect(Number(sum.all_rows).toFixed(2)).toBe(expected.sum_amount_run_wrong);
    expect((Number(sum.all_rows) - Number(sum.extra_copies)).toFixed(2)).toBe(expected.sum_amount_run_right);
  });
});

describe('find_duplicates', () => {
  it('finds the same under other names', async () => {
    const { data } = await tables.call(findDuplicates, { table: 'shipments', source: 'duck' });
    expect(data).toMatchObject({ key: ['parcel_ref'], load_columns: ['_loaded', 'job_id', 'attempt'], reload_copies: 600, versions: 3 });
  });

  it('calls copies versions when a load column is taken for content', async () => {
    const { data } = await tables.call(findDuplicates, { table: 'orders', source: 'duck', key: ['order_id'], load_columns: [] });
    expect(data).toMatchObject({ extra_rows: 603, exact_copies: 0, reload_copies: 0, versions: 603 });
  });

  it('takes NULL as one value and says that keys are NULL', async () => {
    const { data, warnings } = await tables.call(findDuplicates, { table: 'nulls', source: 'duck', key: ['id'] });
    expect(data).toMatchObject({ rows: 6, distinct_keys: 3, groups: 2, extra_rows: 3, exact_copies: 2, versions: 1, null_key_rows: 3 });
    expect(warnings.map(({ code }) => code)).toEqual(['null_keys']);
  });

  it('proposes a key of two columns where one does not tell rows apart', async () => {
    const { data } = await tables.call(findDuplicates, { table: 'lines', source: 'duck' });
    expect(data).toMatchObject({ key: ['order_id', 'line_number'], extra_rows: 100, reload_copies: 100, versions: 0 });
  });

  it('compares whole rows where there is no key, and sums the copies', async () => {
    const { data, warnings } = await tables.call(findDuplicates, { table: 'readings', source: 'duck' });
    expect(data).toMatchObject({
      key_from: 'all_columns',
      extra_rows: 3,
      exact_copies: 3,
      sums: [{ all_rows: '13.0', extra_copies: '6.5' }],
    });
    expect(warnings.map(({ code }) => code)).toEqual(['no_key']);
  });

  it('takes the declared primary key', async () => {
    const { data } = await tables.call(findDuplicates, { table: 'fine', source: 'duck' });
    expect(data).toMatchObject({ key: ['id'], key_from: 'primary_key', extra_rows: 0, by_load: [], sums: [] });
  });

  it('answers no_data for an empty table', async () => {
    expect(await tables.call(findDuplicates, { table: 'nothing', source: 'duck' })).toMatchObject({ status: 'no_data', data: { rows: 0 } });
  });

  it('refuses an unknown column, table, source and a filter that leaves its brackets', async () => {
    const refusals: Record<string, unknown>[] = [
      { table: 'orders', source: 'duck', key: ['order_ids'] },
      { table: 'ordrs', source: 'duck' },
      { table: 'orders', source: 'duk' },
      { table: 'orders' },
      { table: 'orders', source: 'duck', where: '1 = 1) OR (1 = 1' },
      { table: 'orders', source: 'duck', where: '1 = 1 -- ' },
      { table: 'orders', source: 'duck', where: 'nope = 1' },
    ];
    const messages = [];
    for (const input of refusals) {
      const outcome = await tables.call(findDuplicates, input);
      expect(outcome.status).toBe('refused');
      messages.push(outcome.data.message);
    }
    expect(messages[0]).toContain('did you mean "order_id"?');
    expect(messages[1]).toContain('did you mean "orders"?');
    expect(messages[3]).toContain('duck, lite');
  });
});
