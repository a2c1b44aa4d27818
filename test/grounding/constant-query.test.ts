import { describe, expect, it } from 'vitest';
import { constantNames } from '../../src/grounding/constant-query.ts';

const named = (sql: string) => [...constantNames({ sql })].sort();

describe('the columns that a query sets itself', () => {
  it.each([
    ['SELECT 999 AS total', ['total']],
    ['SELECT count(*) AS n, 999 AS "Grand Total" FROM orders', ['grand total']],
    ["SELECT 'x' AS kind, -1.5 delta, id FROM t", ['delta', 'kind']],
    ["SELECT 'it''s 41' AS label, n FROM t", ['label']],
    ['SELECT 42', ['42']],
    ['SELECT (7) AS seven FROM t', ['seven']],
    ['WITH a AS (SELECT 5 AS five) SELECT * FROM a', ['five']],
    ['SELECT n FROM (SELECT 5 AS five, n FROM t) s UNION ALL SELECT 6 AS six', ['five', 'six']],
    ['SELECT DISTINCT 8 AS eight FROM t', ['eight']],
  ])('are those of %s', (sql, names) => {
    expect(named(sql)).toEqual(names);
  });

  it.each([
    'SELECT ROUND(CAST(AVG("Total") AS DECIMAL(28, 6)), 4) AS "average Total", COUNT("Total") AS rows FROM "Invoice"',
    'SELECT COALESCE(a, 0) AS a, round(sum(b), 2) AS b FROM t',
    "SELECT date_part('year', d) AS y, substr(name, 1, 3) AS short FROM t",
    'SELECT max((SELECT count(*) FROM u WHERE n IN (1, 2))) AS n FROM t',
    "SELECT 'it''s, 4' || name AS label FROM t",
    'SELECT CASE WHEN a > 1 THEN 2 ELSE 3 END AS a FROM t ORDER BY 1, 2',
  ])('are none where a number only stands within a call: %s', (sql) => {
    expect(named(sql)).toEqual([]);
  });
});
