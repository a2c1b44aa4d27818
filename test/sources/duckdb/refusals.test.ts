import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import type { QueryOutcome, Source } from '../../../src/core/source.ts';
import { openFilesSource } from '../../../src/sources/files/open-files-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-refusals-'));
let source: Source;

beforeAll(async () => {
  writeFileSync(join(folder, 'orders.csv'), 'id,day,name\n1,2026-03-01,a\n2,2026-03-02,b\n');
  source = await openFilesSource({ name: 'd', kind: 'files', paths: [folder] } as never, { scratch: folder } as never);
});
afterAll(async () => {
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(sql: string): Promise<QueryOutcome> {
  if (!source.tables) throw new Error('no tables');
  return source.tables.query({ sql, maxRows: 10, maxBytes: 100_000, timeoutMs: 10_000, scope: new Scope() });
}

describe('what is said of a statement that is not run', () => {
  it.each([
    ['EXPLAIN SELECT 1', 'check_sql says whether a statement is valid and which tables it touches'],
    ['PRAGMA table_info(orders)', 'list_tables and describe_table show what there is'],
    ['DELETE FROM orders', 'nothing is changed through this tool'],
    ['SELCT 1', 'not SELCT: write it as SELECT'],
    ['-- nothing', 'the text holds no statement'],
    ["SELECT nextval('s')", 'write the SELECT without it'],
  ])('%s: the way on', async (sql, advice) => {
    expect(await ask(sql)).toMatchObject({ ok: false, status: 'refused', message: expect.stringContaining(advice) });
  });

  /** What was written, what is said, and the same as advised, which works. */
  it.each([
    ['SELECT `name` FROM orders', 'double quotes', 'SELECT "name" FROM orders'],
    ['SELECT TOP 1 name FROM orders', 'LIMIT n stands at the end', 'SELECT name FROM orders LIMIT 1'],
    ['SELECT name FROM orders LIMIT 0, 1', 'LIMIT n OFFSET skip', 'SELECT name FROM orders LIMIT 1 OFFSET 0'],
    [
      "SELECT datediff(day, day, DATE '2026-03-05') FROM (SELECT day AS d FROM orders)",
      "date_diff('day', from, to)",
      "SELECT date_diff('day', day, DATE '2026-03-05') FROM orders",
    ],
    ["SELECT to_char(day, 'YYYY') FROM orders", 'strftime', "SELECT strftime(day, '%Y-%m-%d') FROM orders"],
    ["SELECT str_to_date(name, '%d') FROM orders", 'strptime', "SELECT strptime('31.12.2025', '%d.%m.%Y') FROM orders"],
    ['SELECT dateadd(day, 1) FROM orders', 'INTERVAL 1 DAY adds', 'SELECT day + INTERVAL 1 DAY, day - INTERVAL 1 DAY FROM orders'],
    ['SELECT getdate()', 'now()', 'SELECT now()'],
    ['SELECT nvl(name, 1) FROM orders', 'coalesce(value, other)', "SELECT coalesce(name, 'x') FROM orders"],
    ['SELECT safe_cast(name, 1) FROM orders', 'TRY_CAST(value AS type)', 'SELECT TRY_CAST(name AS INTEGER) FROM orders'],
  ])('%s: how this engine says it', async (sql, advice, advised) => {
    const failure = await ask(sql);
    expect(failure).toMatchObject({ ok: false, message: expect.stringContaining(advice) });
    expect(failure.ok ? '' : failure.message).not.toMatch(/did you mean/i);
    expect(await ask(advised)).toMatchObject({ ok: true });
  });
});
