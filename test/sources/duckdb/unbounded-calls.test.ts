import { describe, expect, it } from 'vitest';
import { findUnbounded } from '../../../src/sources/duckdb/unbounded-calls.ts';

describe('a statement that no interruption reaches', () => {
  it.each([
    ["SELECT repeat('x', n) FROM t", /repeat must be told how often by a number written out/],
    ["SELECT repeat('x', 100001)", /at most 100000/],
    ["SELECT lpad(name, width, ' ') FROM t", /lpad must be told/],
    ["SELECT repeat(repeat('x', 90000), 90000)", /multiply/],
    ['SELECT format(pattern, 1) FROM t', /pattern of format/],
    ["SELECT printf('%*d', 5, 1)", /pattern of printf/],
    ['SELECT unnest(generate_series(1, 5000000))', /as a table/],
    ['SELECT range(n) FROM (SELECT 9000000 AS n)', /as a table/],
    ['SELECT json_structure(j) FROM t', /json_structure cannot be called/],
    ["SELECT from_json(j, repeat('[', 9)) FROM t", /structure of from_json/],
    ['SELECT a IS DISTINCT FROM 1, range(5000000) FROM t', /as a table/],
    ['SELECT a IS NOT DISTINCT FROM range(5000000) FROM t', /as a table/],
    ['SELECT extract(year FROM day), range(5000000) FROM t', /as a table/],
    ['SELECT trim(x FROM range(5000000)) FROM t', /as a table/],
    ['FROM t, u SELECT a, range(5000000)', /as a table/],
    ['SELECT a FROM t ORDER BY 1, range(5000000)', /as a table/],
    ['SELECT a FROM t JOIN u ON t.a IN [1, range(5000000)]', /as a table/],
    ['SELECT a FROM t JOIN u ON t.a = f(1, range(5000000))', /as a table/],
    ['SELECT a FROM unnest(range(5000000)) AS u(a)', /as a table/],
    ['SELECT a FROM (VALUES (1), (2)) v(a), (SELECT 1, range(5000000)) w', /as a table/],
    ['SELECT list_transform(range(200000), x -> list_sum(range(x)))', /inside a lambda/],
    ['SELECT list_transform(l, lambda x, i: len(generate_series(1, x + i))) FROM t', /inside a lambda/],
    ['SELECT list_transform(l, x -> f(1, range(x))) FROM t', /inside a lambda/],
    ['SELECT CAST(j AS VARIANT) FROM t', /VARIANT/],
    ["SELECT /* ' */ repeat('x', 2000000000) /* ' */", /repeat must be told/],
    ["SELECT $$'$$, repeat('x', 2000000000), $$'$$", /repeat must be told/],
  ])('is found: %s', (sql, reason) => {
    expect(findUnbounded(sql)).toMatch(reason);
  });

  it.each([
    "SELECT lpad(id, 10, '0'), rpad('x', 3, ' ') FROM t WHERE id > 20260131000000",
    "SELECT repeat('#', 40), name.repeat(3) FROM t",
    "SELECT format('{:,} rows of {}', count(*), 'repeat(n, n)'), printf('%05.2f', 1.5) FROM t",
    'SELECT count(*) FROM range(100000000) r(i) JOIN generate_series(1, 50000000) s(j) ON i = j',
    'SELECT unnest(range(n)) FROM t',
    'SELECT list_transform(l, x -> x + 1), range(n) FROM t',
    "SELECT j -> '$.a' = len(range(n)), list_transform(l, x -> list_sum(range(10))) FROM t",
    'SELECT count(*) FROM range(100000000) a, range(50000000) b',
    'SELECT count(*) FROM t AS x (a, b), main.range(50000000) r(i), LATERAL generate_series(1, 50000000)',
    'SELECT count(*) FROM t JOIN u ON t.a = u.a, range(50000000)',
    'SELECT count(*) FROM t JOIN u ON t.a IS DISTINCT FROM u.a, range(50000000)',
    'SELECT count(*) FROM (range(10) a JOIN range(50000000) b ON true), range(50000000)',
    'WITH r AS (SELECT 1 FROM t, range(50000000)) FROM r, range(50000000)',
    `SELECT from_json(j, '{"a":"INT","b":["VARCHAR"]}').a FROM t`,
    "SELECT j ->> '$.a.b', json_extract(j, '$.c[0]'), json_keys(j) FROM t",
    "SELECT 'a variant', variant, 1 AS variant FROM t",
    "SELECT 'json_structure(j)' -- repeat('x', 2000000000)",
    'SELECT "repeat" FROM t',
  ])('is not: %s', (sql) => {
    expect(findUnbounded(sql)).toBeUndefined();
  });
});
