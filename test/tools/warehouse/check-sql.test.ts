import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSql } from '../../../tools/warehouse/check-sql.ts';
import { scanSql } from '../../../tools/warehouse/scan-sql.ts';
import { ENGINES, type EveryEngine, openEveryEngine } from './open-every-engine.ts';

let engines: EveryEngine;

beforeAll(async () => {
  engines = await openEveryEngine({
    orders: { columns: ['id integer', 'customer integer'], rows: [[1, 1]] },
    customers: { columns: ['id integer', 'name varchar(20)'], rows: [[1, 'ann']] },
  });
});
afterAll(() => engines.close());

describe.each(ENGINES)('check_sql on %s', (source) => {
  it('names kind, tables and columns of a statement that would run', async () => {
    const sql = `WITH recent AS (SELECT * FROM orders) -- FROM nowhere
      SELECT o.id, c.name FROM recent AS o JOIN "customers" c ON c.id = o.customer WHERE c.name <> 'FROM x';`;
    const { data, status } = await engines.call(checkSql, { source, sql });
    expect(status).toBe('ok');
    expect(data).toMatchObject({ statement: 'select', valid: true, unknown_tables: [], columns_total: 2 });
    expect(data.tables.map(({ name }: { name: string }) => name).sort()).toEqual(['customers', 'orders']);
    expect(data.columns.map(({ name }: { name: string }) => name)).toEqual(['id', 'name']);
  });

  it('says what is wrong, with the nearest table', async () => {
    const { data } = await engines.call(checkSql, { source, sql: 'SELECT * FROM oders' });
    expect(data).toMatchObject({ valid: false, unknown_tables: [{ name: 'oders', hint: 'did you mean "orders"?' }] });
    expect((await engines.call(checkSql, { source, sql: 'SELECT nme FROM customers' })).data).toMatchObject({
      valid: false,
      error: expect.stringMatching(/nme/),
    });
    expect((await engines.call(checkSql, { source, sql: 'SELECT FROM WHERE' })).data.valid).toBe(false);
    expect((await engines.call(checkSql, { source, sql: "SELECT * FROM {{ ref('orders') }}" })).data.error).toMatch(/template/);
  });

  it('does not run a statement that runs long or changes data', async () => {
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) AS c FROM n, orders';
    expect((await engines.call(checkSql, { source, sql: endless })).data).toMatchObject({ valid: true, columns: [{ name: 'c' }] });
    expect(scanSql(endless)).toMatchObject({ statement: 'select', mentions: ['orders'] });
    for (const sql of [
      'DELETE FROM orders',
      'WITH gone AS (DELETE FROM orders RETURNING id) SELECT * FROM gone',
      'SELECT 1; DROP TABLE orders',
      'SELECT 1) AS a; DELETE FROM orders; SELECT * FROM (SELECT 1',
    ]) {
      expect((await engines.call(checkSql, { source, sql })).data.valid, sql).toBe(false);
    }
    expect((await engines.call(checkSql, { source, sql: 'SELECT id FROM orders' })).data.valid).toBe(true);
  });
});

describe('scanSql', () => {
  it('finds tables in lists, subqueries and after schema names', () => {
    expect(scanSql('SELECT a, b FROM s.t1 x, "My S"."t 2" y WHERE a IN (SELECT q, r FROM t3)').mentions).toEqual([
      's.t1',
      'My S.t 2',
      't3',
    ]);
    expect(scanSql('INSERT INTO target SELECT * FROM origin')).toMatchObject({ statement: 'insert', mentions: ['target', 'origin'] });
    expect(scanSql('WITH a AS (SELECT 1), b AS (SELECT * FROM a) UPDATE t SET x = 1')).toMatchObject({
      statement: 'update',
      mentions: ['t'],
    });
    expect(scanSql('  -- nothing')).toMatchObject({ statement: 'none', mentions: [] });
  });

  it.each([
    ['SELECT extract(year FROM day), count(*) FROM orders GROUP BY 1', ['orders']],
    ["SELECT trim(both 'x' FROM name), trim(' ' FROM name), substring(name FROM 2) FROM people", ['people']],
    ['SELECT 1 FROM a JOIN b ON a.x IS NOT DISTINCT FROM b.x, c WHERE a.y IS DISTINCT FROM b.y', ['a', 'b', 'c']],
    ['SELECT 1 FROM ((SELECT x FROM a) UNION SELECT x FROM b) AS u', ['a', 'b']],
    [
      'WITH gone AS (DELETE FROM a RETURNING x), n AS (FROM b) SELECT 1 FROM gone, n, (WITH m AS (SELECT 1) SELECT y FROM m, d) AS e',
      ['a', 'b', 'd'],
    ],
  ])('takes no FROM for one that names tables where it does not: %s', (sql, mentions) => {
    expect(scanSql(sql).mentions).toEqual(mentions);
  });
});
